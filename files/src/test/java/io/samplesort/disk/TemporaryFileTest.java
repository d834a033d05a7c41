package io.samplesort.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.memory.AvailableMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of temporary files, and of those that have no owner any more.
class TemporaryFileTest {
    @TempDir
    private Path folder;

    @Test
    void aClosedFileIsGone() throws IOException {
        Path path;
        try (TemporaryFile file = TemporaryFile.create(folder, "keys", true)) {
            path = file.path();
            assertThat(path).exists();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rw-------");
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void onlyWhatNobodyUsesIsRemoved() throws IOException {
        Path leftover = Files.write(folder.resolve(".keys.12ab.samplesort"), new byte[9]);
        Path[] others = {
            folder.resolve(".keys.samplesort"),
            folder.resolve(".keys.xyz.samplesort"),
            folder.resolve(".keys.12ab.samplesort.bak"),
            folder.resolve(".keys2.12ab.samplesort"),
            folder.resolve("keys.12ab.samplesort"),
            folder.resolve("keys")
        };
        for (Path other : others) {
            Files.createFile(other);
        }
        Files.createSymbolicLink(folder.resolve(".keys.12ac.samplesort"), folder.resolve("keys"));
        Path locked = Files.createFile(folder.resolve(".keys.12ad.samplesort"));
        try (TemporaryFile live = TemporaryFile.create(folder, "keys", false);
                FileChannel channel = FileChannel.open(locked, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            assertThat(Leftovers.remove(folder, "keys"))
                    .containsExactly(folder.toRealPath().resolve(leftover.getFileName()));
            assertThat(live.path()).exists();
            assertThat(lock.isValid()).isTrue();
        }
        assertThat(others).allSatisfy(other -> assertThat(other).exists());
        assertThat(folder.resolve(".keys.12ac.samplesort")).exists();
        assertThat(Leftovers.remove(folder, "keys")).hasSize(1);
        assertThat(locked).doesNotExist();
    }

    @Test
    void longNamesAreShortenedAndStayApart() throws IOException {
        // 255 bytes are the longest name; the last characters have two and four bytes.
        List<String> names = List.of(
                "a".repeat(226),
                "a".repeat(227),
                "a".repeat(255),
                "a".repeat(254) + "b",
                "é".repeat(127),
                "a😀".repeat(51));
        for (String name : names) {
            try (TemporaryFile file = TemporaryFile.create(folder, name, false)) {
                assertThat(file.path().getFileName().toString().getBytes(StandardCharsets.UTF_8))
                        .hasSizeLessThanOrEqualTo(255);
            }
            Path leftover;
            try (TemporaryFile file = TemporaryFile.create(folder, name, false)) {
                leftover = file.path();
            }
            Files.createFile(leftover);
            for (String other : names) {
                assertThat(Leftovers.remove(folder, other)).hasSize(other.equals(name) ? 1 : 0);
                if (other.equals(name)) {
                    Files.createFile(leftover);
                }
            }
            Files.delete(leftover);
        }
    }

    @Test
    void anAtomicFileReplacesAllOrNothing() throws IOException {
        Path target = Files.writeString(folder.resolve("a"), "old");
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-r-----"));
        try (AtomicFile file = AtomicFile.create(target)) {
            file.append(MemorySegment.ofArray("unfinished".getBytes(StandardCharsets.UTF_8)), bytes -> {});
            assertThatThrownBy(file::publish).isInstanceOf(IllegalStateException.class);
        }
        assertThat(target).hasContent("old");
        try (AtomicFile file = AtomicFile.create(target)) {
            file.append(MemorySegment.ofArray("new".getBytes(StandardCharsets.UTF_8)), bytes -> {});
            file.complete();
            file.publish();
        }
        assertThat(target).hasContent("new");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
                .isEqualTo("rw-r-----");
        assertThat(Leftovers.remove(folder, "a")).isEmpty();
        assertThat(folder).isDirectoryContaining(path -> path.equals(target));
    }

    @Test
    void aFullDiskShowsBefore() throws IOException {
        DiskSpace space = new DiskSpace();
        space.need(folder, 1, "a");
        space.check();
        space.need(folder, 1L << 60, "sorted parts");
        assertThatThrownBy(space::check)
                .isInstanceOf(FileFailure.class)
                .hasMessageContaining("1 for a and " + (1L << 60) + " for sorted parts, " + ((1L << 60) + 1))
                .hasMessageContaining("free some, or choose another place");
    }

    @Test
    void thereIsMemory() {
        assertThat(AvailableMemory.available()).isGreaterThan(1 << 20);
    }
}
