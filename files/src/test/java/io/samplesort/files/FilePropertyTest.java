package io.samplesort.files;

import io.samplesort.SampleSort;
import io.samplesort.property.Trial;
import io.samplesort.property.TrialRun;
import io.samplesort.property.Trials;
import io.samplesort.testkit.Property;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Random sorts of files on the CPU, against the JDK's. `-Dtests.seed` repeats a run, `-Dtests.case` a single case, and
/// `-Dtests.cases` and `-Dtests.elements` make longer and larger runs.
class FilePropertyTest {
    private static final Property.Check<Trial> CHECK =
            trial -> TrialRun.check(trial, SampleSort::onGpu, TrialFiles::sort);

    private static final Property<Trial> SORTS =
            new Property<>(new Trials(Integer.getInteger("tests.elements", 10_000))::ofFiles, Trial::simpler, CHECK);

    @Test
    void everySortIsThatOfTheJdk() throws Exception {
        String replayed = System.getProperty("tests.case");
        if (replayed != null) {
            CHECK.accept(Trial.parse(replayed));
            return;
        }
        SORTS.tryCases(Long.getLong("tests.seed", System.nanoTime()), Integer.getInteger("tests.cases", 24));
    }

    @Tag("exhaustive")
    @Test
    void manySortsAreThoseOfTheJdk() {
        SORTS.tryCases(Long.getLong("tests.seed", System.nanoTime()), Integer.getInteger("tests.cases", 200));
    }
}
