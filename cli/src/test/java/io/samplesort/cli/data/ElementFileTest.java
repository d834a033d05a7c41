package io.samplesort.cli.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.disk.FileFailure;
import io.samplesort.testkit.KeyType;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that change while they are read.
class ElementFileTest {
    @TempDir
    private Path folder;

    @Test
    void aFileThatBecomesShorterIsNamed() throws IOException {
        Path path = folder.resolve("keys");
        Files.write(path, new byte[1 << 20]);
        ElementFile file =
                ElementFile.open(new Inputs.Input(path, path), new KeyContents(KeyType.U64, null, null, false, false));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment elements = file.map(arena);
            assertThat(ElementFile.reading(List.of(file), () -> file.elements().firstViolation(elements)))
                    .isEmpty();
            try (RandomAccessFile shorter = new RandomAccessFile(path.toFile(), "rw")) {
                shorter.setLength(0);
            }
            assertThatThrownBy(() -> ElementFile.reading(
                            List.of(file), () -> file.elements().firstViolation(elements)))
                    .isInstanceOf(FileFailure.class)
                    .hasMessage(path + " became shorter while it was read: try again when no program writes to it");
            assertThatThrownBy(() -> file.map(arena)).hasMessageContaining("became shorter while it was read");
        }
    }
}
