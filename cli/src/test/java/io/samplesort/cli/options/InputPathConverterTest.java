package io.samplesort.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputPathConverterTest {
    @TempDir
    private Path folder;

    @Test
    void aSystemWithoutAFileForTheStandardInputSaysSo() {
        assertThat(InputPathConverter.standardInput(folder)).isEqualTo(folder);
        assertThatThrownBy(() -> InputPathConverter.standardInput(folder.resolve("stdin")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name the file itself");
    }
}
