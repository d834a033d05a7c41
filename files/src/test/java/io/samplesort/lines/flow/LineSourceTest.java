package io.samplesort.lines.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.disk.FileFailure;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineSourceTest {
    @TempDir
    Path folder;

    @Test
    void aFileThatChangesBeforeItIsOpenedIsRefusedUnlessItGrows() throws Exception {
        Path file = Files.writeString(folder.resolve("lines"), "b\na\n");
        FileTime time = Files.getLastModifiedTime(file);

        LineSource replaced = LineSource.of(file);
        Path other = Files.writeString(folder.resolve("other"), "d\nc\n");
        Files.setLastModifiedTime(other, time);
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(replaced::open)
                .isInstanceOf(FileFailure.class)
                .hasMessageContaining("was replaced by another file");
        replaced.close();

        LineSource grown = LineSource.of(file);
        Files.writeString(file, "d\nc\nb\n");
        grown.open();
        assertThat(grown.remaining()).isEqualTo(4);
        grown.close();

        LineSource written = LineSource.of(file);
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));
        assertThatThrownBy(written::open).hasMessageContaining("was written to");
        written.close();
    }

    @Test
    void aFileIsReadAsItWasFound() throws Exception {
        Path file = Files.writeString(folder.resolve("lines"), "b\na\n");
        try (LineSource source = LineSource.of(file);
                Arena arena = Arena.ofConfined()) {
            assertThat(source.isFile()).isTrue();
            assertThat(source.remaining()).isEqualTo(4);
            MemorySegment target = arena.allocate(10);
            assertThat(source.read(target, bytes -> {})).isEqualTo(4);
            assertThat(target.asSlice(0, 4).toArray(ValueLayout.JAVA_BYTE)).containsExactly('b', '\n', 'a', '\n');
            assertThat(source.remaining()).isZero();
            source.checkUnchanged();
        }
    }

    @Test
    void whatCannotBeReadIsToldBeforeAnyWork() throws Exception {
        assertThatThrownBy(() -> LineSource.of(folder)).hasMessageContaining("is a folder");
        assertThatThrownBy(() -> LineSource.of(folder.resolve("missing"))).hasMessageContaining("is not there");
        Path empty = Files.createFile(folder.resolve("empty"));
        assertThat(LineSource.of(empty).isFile()).isFalse();
    }
}
