package io.samplesort.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Reading past the system's cache of files: any part of a file, to memory that is aligned or not.
class DirectReadTest {
    private static final int BYTES = (50 << 20) + 12_345;

    @TempDir
    Path folder;

    private final byte[] expected = new byte[BYTES];

    /// Writes a file that the system has not in its cache, but for the last block.
    private Path uncachedFile() throws IOException {
        new SplittableRandom(BYTES).nextBytes(expected);
        Path file = folder.resolve("file");
        try (FileChannel cached = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            DirectAppend append = DirectAppend.open(file, cached);
            assumeTrue(append != null, "this file system writes through its cache alone");
            try (append) {
                append.append(0, MemorySegment.ofArray(expected), bytes -> {});
                append.finish();
                cached.force(true);
            }
        }
        return file;
    }

    @Test
    void readsAnything() throws IOException {
        Path file = uncachedFile();
        long seed = Long.getLong("tests.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        try (FileChannel cached = FileChannel.open(file, StandardOpenOption.READ);
                DirectRead direct = DirectRead.open(file, cached);
                Arena arena = Arena.ofShared()) {
            for (int round = 0; round < 40; round++) {
                int bytes = random.nextInt(random.nextBoolean() ? 20_000 : BYTES);
                int position = random.nextInt(4) == 0 ? BYTES - bytes : random.nextInt(BYTES - bytes);
                position = random.nextBoolean() ? position & -4096 : position;
                int offset = random.nextBoolean() ? position % 4096 : random.nextInt(4096);
                MemorySegment memory = random.nextInt(4) == 0
                        ? MemorySegment.ofArray(new byte[bytes + 2 * 4096])
                        : arena.allocate(bytes + 2L * 4096, 4096);
                AtomicLong moved = new AtomicLong();
                direct.read(position, memory.asSlice(offset, bytes), moved::addAndGet);
                assertThat(moved.get()).isEqualTo(bytes);
                String what = "round %d; replay with -Dtests.seed=%d".formatted(round, seed);
                MemorySegment part = MemorySegment.ofArray(expected).asSlice(position, bytes);
                assertThat(memory.asSlice(offset, bytes).mismatch(part))
                        .as(what)
                        .isEqualTo(-1);
                assertThat(memory.asSlice(0, offset).toArray(ValueLayout.JAVA_BYTE))
                        .as(what)
                        .isEqualTo(new byte[offset]);
                assertThat(memory.asSlice(offset + bytes).toArray(ValueLayout.JAVA_BYTE))
                        .as(what)
                        .isEqualTo(new byte[2 * 4096 - offset]);
            }
            MemorySegment all = cached.map(FileChannel.MapMode.READ_ONLY, 0, BYTES / 2, arena);
            assertThat(all.isLoaded()).as("the cache has what was read past it").isFalse();
        }
    }

    @Test
    void saysThatTheFileHasEnded() throws IOException {
        Path file = uncachedFile();
        try (FileChannel cached = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                DirectRead direct = DirectRead.open(file, cached);
                Arena arena = Arena.ofConfined()) {
            MemorySegment target = arena.allocate(BYTES, 4096);
            assertThatThrownBy(() -> direct.read(4096, target, bytes -> {})).isInstanceOf(EOFException.class);
            // The first piece is there, and the file ends in the middle of the second.
            assertThatThrownBy(() -> direct.read(0, target, bytes -> truncate(cached)))
                    .isInstanceOf(EOFException.class);
        }
    }

    private static void truncate(FileChannel file) {
        try {
            file.truncate(20_000_000);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
