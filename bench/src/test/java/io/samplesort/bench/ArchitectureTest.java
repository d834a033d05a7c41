package io.samplesort.bench;

import static io.samplesort.bench.PackageRules.LIBRARY;

import org.junit.jupiter.api.Test;

/// The rules between the packages of the benchmarks, from the bottom to the top.
class ArchitectureTest {
    @Test
    void importsRunOneWay() {
        new PackageRules(Bench.class)
                .allow(".results", LIBRARY, "picocli com.fasterxml.jackson.jr.ob")
                .allow(".baselines", "io.samplesort io.samplesort.cuda")
                .allow(".workload", ".baselines", LIBRARY, "io.samplesort.memory")
                .allow(".measure", ".workload .baselines .results", LIBRARY, "picocli")
                // Pictures are made from results alone.
                .allow(".plot", ".results", "picocli org.knowm.xchart.. de.erichseifert.vectorgraphics2d..")
                .allow(".device", ".measure .workload .baselines .results", LIBRARY, "picocli")
                .allow(".gpus", ".measure .workload .results", LIBRARY, "picocli")
                .allow(".records", ".measure .workload .baselines .results", LIBRARY, "picocli")
                .allow(".strings", ".measure .workload .baselines .results", LIBRARY, "picocli")
                .allow(".columns", ".measure .workload .baselines .results", LIBRARY, "picocli")
                .allow(".segments", ".measure .workload .baselines .results", LIBRARY, "picocli")
                .allow(".cpu", ".results", LIBRARY, "picocli")
                .allow(".jdk", ".results", LIBRARY, "picocli")
                .allow(".objects", ".results", LIBRARY, "picocli")
                .allow(".select", ".measure .baselines .results", LIBRARY, "picocli")
                .allow(".sorted", ".measure .baselines .results", LIBRARY, "picocli")
                .allow(".host", ".measure .workload .results", LIBRARY, "picocli it.unimi.dsi.fastutil.longs")
                .allow(
                        ".files",
                        ".results",
                        LIBRARY,
                        "io.samplesort.files io.samplesort.files.types io.samplesort.memory picocli")
                .allow(".start", ".workload .results", LIBRARY, "picocli com.fasterxml.jackson.jr.ob")
                .allow(
                        "",
                        ".cpu .objects .jdk .select .sorted .device .gpus .records .strings .columns .segments .host .files .start .plot",
                        "picocli")
                .check();
    }
}
