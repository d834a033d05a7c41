package io.samplesort.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.bench.BareProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The study runs as a module, which reaches only what other modules export.
class ModulePathTest {
    @TempDir
    Path folder;

    @Test
    void startsAsAModule() throws Exception {
        BareProcess process = new BareProcess(folder);
        int code = process.runAsModule("io.samplesort.study", Study.class, "ablation", "--help");
        assertThat(code).as(process.log()).isZero();
        assertThat(process.log()).contains("--repetitions");
    }
}
