package io.samplesort.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The benchmarks run as a module, which reaches only what other modules export.
class ModulePathTest {
    @TempDir
    Path folder;

    @Test
    void measuresAsAModule() throws Exception {
        BareProcess process = new BareProcess(folder);
        Path results = folder.resolve("results.jsonl");
        int code = process.runAsModule(
                "io.samplesort.bench",
                Bench.class,
                "cpu",
                "--sizes=2^10",
                "--types=i64",
                "--threads=1",
                "--repetitions=1",
                "--warm-ups=0",
                "--out=" + results);
        assertThat(code).as(process.log()).isZero();
        assertThat(results).content().contains("\"i64\"");
    }
}
