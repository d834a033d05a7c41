package io.samplesort.study;

import static io.samplesort.bench.PackageRules.LIBRARY;

import io.samplesort.bench.PackageRules;
import org.junit.jupiter.api.Test;

/// The rules between the packages of the study, from the bottom to the top.
class ArchitectureTest {
    /// The tools for measuring in device memory.
    private static final String MEASURING = "io.samplesort.bench.measure io.samplesort.bench.workload"
            + " io.samplesort.bench.baselines io.samplesort.bench.results";

    private static final String PLOTTING = "io.samplesort.bench.plot";

    @Test
    void importsRunOneWay() {
        new PackageRules(Study.class)
                // The sorts of 2008 and 2009 know nothing about today's sorts.
                .allow(".historic", "io.samplesort.cuda io.samplesort.testkit org.apache.commons.rng..")
                .allow(".measure", ".historic", MEASURING, LIBRARY)
                .allow(".paper", ".measure .historic", MEASURING, PLOTTING, LIBRARY, "picocli it.unimi.dsi.fastutil..")
                .allow(".ablation", ".measure .historic", MEASURING, PLOTTING, LIBRARY, "picocli org.knowm.xchart..")
                .allow("", ".paper .ablation io.samplesort.bench picocli")
                .check();
    }
}
