package io.samplesort.disk;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// Files that are open in every way, for tests that close them.
public final class OpenFiles {
    private OpenFiles() {}

    /// Opens one of each. Where the file system has no way past its cache, those that go past it are left out.
    public static List<AutoCloseable> in(Path folder) throws IOException {
        Path file = folder.resolve("large");
        try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
            // Large enough to be read past the cache; it takes no room on the disk.
            large.setLength(16 << 20);
        }
        AtomicFile result = AtomicFile.create(folder.resolve("result"), 1, 0);
        result.expect(5, 5);
        result.append(MemorySegment.ofArray(new byte[5]), bytes -> {});
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        MappedFile mapped = MappedFile.of(channel, Files.size(file));
        mapped.provideAhead(1);
        EarlyForce force = new EarlyForce(channel);
        force.wrote(1L << 40);
        return Stream.of(
                        result,
                        mapped,
                        force,
                        DirectChannel.open(file, StandardOpenOption.READ),
                        DirectRead.open(file, channel),
                        DirectAppend.open(file, channel),
                        InputFile.open(file, 0, 1),
                        TemporaryFile.create(folder, "temporary", true),
                        new StreamFile(channel, true),
                        new RunFile(
                                TemporaryFile.create(folder, "runs", true),
                                16 << 20,
                                16 << 20,
                                new int[] {1},
                                (first, second) -> 0,
                                Arena.ofAuto()))
                .filter(Objects::nonNull)
                .map(AutoCloseable.class::cast)
                .toList();
    }
}
