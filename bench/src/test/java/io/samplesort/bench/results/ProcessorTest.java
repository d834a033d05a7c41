package io.samplesort.bench.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessorTest {
    @Test
    void theFirstProcessorIsNamed(@TempDir Path folder) throws IOException {
        Path cpuInfo = Files.writeString(
                folder.resolve("cpuinfo"),
                "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n\nmodel name\t: other\n");
        assertThat(Processor.describe(cpuInfo)).isEqualTo("AMD EPYC (family 25, model 17)");
    }

    @Test
    void otherwiseTheArchitectureIsAllThatIsKnown(@TempDir Path folder) throws IOException {
        assertThat(Processor.describe(folder.resolve("missing"))).isEqualTo(System.getProperty("os.arch"));
        Path cpuInfo = Files.writeString(folder.resolve("cpuinfo"), "processor\t: 0\nCPU part\t: 0xd40\n");
        assertThat(Processor.describe(cpuInfo)).isEqualTo(System.getProperty("os.arch"));
    }
}
