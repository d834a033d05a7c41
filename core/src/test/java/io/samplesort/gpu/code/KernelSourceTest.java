package io.samplesort.gpu.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KernelSourceTest {
    /// The kept tunings of a GPU are for one version of the kernels, which the checksum stands for.
    @Test
    void theChecksumIsOfEveryFile() throws IOException {
        Path folder = Path.of("src/main/resources/io/samplesort/gpu");
        for (String part : List.of("parts", "phases")) {
            try (Stream<Path> files = Files.list(folder.resolve(part))) {
                assertThat(KernelSource.files())
                        .containsAll(files.map(file -> part + "/" + file.getFileName())
                                .toList());
            }
        }
        assertThat(KernelSource.files()).doesNotHaveDuplicates();
    }
}
