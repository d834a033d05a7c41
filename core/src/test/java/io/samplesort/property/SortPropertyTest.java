package io.samplesort.property;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.SampleSort;
import io.samplesort.testkit.Property;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Random sorts of every kind on the CPU, against the JDK's. `-Dtests.seed` repeats a run, `-Dtests.case` a single
/// case, and `-Dtests.cases` and `-Dtests.elements` make longer and larger runs.
class SortPropertyTest {
    private static final Property<Trial> SORTS = new Property<>(
            new Trials(Integer.getInteger("tests.elements", 10_000))::onCpu,
            Trial::simpler,
            trial -> TrialRun.check(trial, SampleSort::onGpu));

    @Test
    void everySortIsThatOfTheJdk() throws Exception {
        String replayed = System.getProperty("tests.case");
        if (replayed != null) {
            TrialRun.check(Trial.parse(replayed), SampleSort::onGpu);
            return;
        }
        SORTS.tryCases(Long.getLong("tests.seed", System.nanoTime()), Integer.getInteger("tests.cases", 96));
    }

    @Tag("exhaustive")
    @Test
    void manySortsAreThoseOfTheJdk() {
        SORTS.tryCases(Long.getLong("tests.seed", System.nanoTime()), Integer.getInteger("tests.cases", 800));
    }

    @Test
    void theTextOfATrialMakesItAgain() {
        Property<Trial> parsing = new Property<>(
                new Trials(1000)::onCpu,
                Trial::simpler,
                trial -> assertThat(Trial.parse(trial.toString())).isEqualTo(trial));
        parsing.tryCases(1, 1000);
    }

    /// The planted fault: descending doubles with a payload in mapped memory, from 100 elements on.
    @Test
    void aFailureIsShownAsTheSimplestCase() {
        Property<Trial> faulty = new Property<>(new Trials(100_000)::onCpu, Trial::simpler, trial -> {
            boolean isHit = trial.type().contains("f64")
                    && trial.order().contains("-")
                    && !trial.payloads().isEmpty()
                    && trial.size() >= 100;
            assertThat(isHit).as("planted").isFalse();
        });
        assertThatThrownBy(() -> faulty.tryCases(1, 10_000))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("of seed 1 fails")
                .hasMessageContaining("planted")
                .hasMessageContaining("operation=sort")
                .hasMessageContaining("memory=heap margin=0 size=100 values=1 shape=random seed=0");
    }
}
