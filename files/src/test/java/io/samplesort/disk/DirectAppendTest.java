package io.samplesort.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Writing past the system's cache of files: any lengths, from memory that is aligned or not.
class DirectAppendTest {
    private static final int MOST_BYTES = 40 << 20;

    @TempDir
    Path folder;

    @Test
    void appendsAnything() throws IOException {
        long seed = Long.getLong("tests.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 12; round++) {
            byte[] expected = new byte[random.nextInt(MOST_BYTES)];
            random.nextBytes(expected);
            Path file = folder.resolve("file" + round);
            try (FileChannel cached = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                    Arena arena = Arena.ofShared()) {
                DirectAppend direct = DirectAppend.open(file, cached);
                assumeTrue(direct != null, "this file system writes through its cache alone");
                AtomicLong moved = new AtomicLong();
                try (direct) {
                    for (int at = 0; at < expected.length; ) {
                        int bytes = length(random, expected.length - at);
                        MemorySegment source = MemorySegment.ofArray(expected).asSlice(at, bytes);
                        direct.append(at, inMemory(source, at, arena, random), moved::addAndGet);
                        at += bytes;
                    }
                    direct.finish();
                }
                assertThat(moved.get()).isEqualTo(expected.length);
            }
            assertThat(Files.readAllBytes(file))
                    .as("round %d; replay with -Dtests.seed=%d", round, seed)
                    .isEqualTo(expected);
            Files.delete(file);
        }
    }

    private static int length(SplittableRandom random, int left) {
        int wanted = switch (random.nextInt(4)) {
            case 0 -> 1 + random.nextInt(9000);
            case 1 -> 4096 * (1 + random.nextInt(3000));
            default -> 1 + random.nextInt(MOST_BYTES / 2);
        };
        return Math.min(wanted, left);
    }

    /// On the heap, aligned as the place in the file is, or anyhow.
    private static MemorySegment inMemory(MemorySegment source, int position, Arena arena, SplittableRandom random) {
        if (random.nextInt(3) == 0) {
            return source;
        }
        int offset = random.nextBoolean() ? position % 4096 : random.nextInt(4096);
        MemorySegment copy = arena.allocate(source.byteSize() + 4096, 4096).asSlice(offset, source.byteSize());
        return copy.copyFrom(source);
    }

    @Test
    void aDiskIsSlowOnceEnoughWasWrittenToIt() {
        assertThat(DirectAppend.isSlow(100_000_000, 190_000_000)).isFalse();
        assertThat(DirectAppend.isSlow(100_000_000, 210_000_000)).isTrue();
        assertThat(DirectAppend.isSlow(10_000_000, 210_000_000)).isFalse();
    }

    @Test
    void aResultOfLargePiecesIsComplete() throws IOException {
        byte[] expected = new byte[20_000_001];
        new SplittableRandom(1).nextBytes(expected);
        Path target = folder.resolve("result");
        try (OutputFile output = AtomicFile.create(target, 4 << 20, 0)) {
            output.expect(expected.length, expected.length);
            MemorySegment all = MemorySegment.ofArray(expected);
            output.append(all.asSlice(0, 128), bytes -> {});
            output.append(all.asSlice(128, 9_000_000), bytes -> {});
            output.append(all.asSlice(9_000_128), bytes -> {});
            output.complete();
            output.publish();
        }
        assertThat(Files.readAllBytes(target)).isEqualTo(expected);
    }

    @Test
    void anUnfinishedResultIsRemoved() throws IOException {
        Path target = folder.resolve("result");
        try (OutputFile output = AtomicFile.create(target, 4 << 20, 0)) {
            output.expect(0, 5_000_000);
            output.append(MemorySegment.ofArray(new byte[5_000_000]), bytes -> {});
        }
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }
}
