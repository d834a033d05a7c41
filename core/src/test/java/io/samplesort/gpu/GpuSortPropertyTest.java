package io.samplesort.gpu;

import io.samplesort.SampleSort;
import io.samplesort.property.Trial;
import io.samplesort.property.TrialRun;
import io.samplesort.property.Trials;
import io.samplesort.testkit.Property;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Random sorts of a few kinds on a GPU, against the JDK's. The properties of Java are those of the test on the CPU.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuSortPropertyTest {
    @Test
    void everySortIsThatOfTheJdk() throws Exception {
        Property.Check<Trial> check =
                trial -> TrialRun.check(trial, () -> SampleSort.onGpu().tuning(GpuContractTest.TINY));
        String replayed = System.getProperty("tests.case");
        if (replayed != null) {
            check.accept(Trial.parse(replayed));
            return;
        }
        new Property<>(new Trials(Integer.getInteger("tests.elements", 2000))::onGpu, Trial::simpler, check)
                .tryCases(Long.getLong("tests.seed", System.nanoTime()), Integer.getInteger("tests.cases", 40));
    }
}
