package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// CUDA and C++ files are formatted, as Java's are.
class CppFormatTest {
    @Test
    void allFilesAreFormatted() throws IOException, InterruptedException {
        Programs.require("clang-format");
        String printed =
                Programs.run(DocumentsTest.ROOT, Path.of("/dev/null"), List.of("scripts/format-cpp", "--check"));
        assertThat(printed).isEmpty();
    }
}
