package io.samplesort.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFileTest {
    @TempDir
    private Path folder;

    /// The disk is asked for as many bytes as the elements have, so runs lie without gaps, the short last one as well.
    @Test
    void runsTakeAsManyBytesAsTheirElements() throws IOException {
        int count = 2500;
        int runLength = 1000;
        Comparator<MemorySegment> order = Comparator.comparing(key -> key.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
        try (Arena arena = Arena.ofConfined();
                TemporaryFile file = TemporaryFile.create(folder, "runs", false);
                RunFile runs = new RunFile(file, count, runLength, new int[] {8, 4}, order, arena)) {
            for (int run = 0; run < runs.count(); run++) {
                int first = run * runLength;
                int length = (int) runs.length(run);
                runs.write(run, 0, List.of(longs(arena, first, length), ints(arena, first, length)), bytes -> {});
            }
            runs.finish();
            assertThat(file.channel().size()).isEqualTo(count * 12L);
            MemorySegment keys = arena.allocate(80, 8);
            MemorySegment payloads = arena.allocate(40, 8);
            runs.read(new long[] {0, 997, 493}, new long[] {0, 1000, 500}, List.of(keys, payloads), bytes -> {});
            assertThat(keys.toArray(ValueLayout.JAVA_LONG))
                    .containsExactly(1997, 1998, 1999, 2493, 2494, 2495, 2496, 2497, 2498, 2499);
            assertThat(payloads.toArray(ValueLayout.JAVA_INT))
                    .containsExactly(1997, 1998, 1999, 2493, 2494, 2495, 2496, 2497, 2498, 2499);
        }
    }

    /// Long runs of one column go past the system's cache where the file system can do that; their lengths are no
    /// multiples of blocks.
    @Test
    void longRunsOfOneColumnHoldWhatWasWritten() throws IOException {
        int runLength = (2 << 20) + 77;
        int count = 2 * runLength + 500_001;
        Comparator<MemorySegment> order = Comparator.comparing(key -> key.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
        try (Arena arena = Arena.ofShared();
                TemporaryFile file = TemporaryFile.create(folder, "runs", false);
                RunFile runs = new RunFile(file, count, runLength, new int[] {8}, order, arena)) {
            for (int run = 0; run < runs.count(); run++) {
                MemorySegment all = longs(arena, run * runLength, (int) runs.length(run));
                for (long from = 0; from < runs.length(run); from += 1_500_000) {
                    long to = Math.min(from + 1_500_000, runs.length(run));
                    runs.write(run, from, List.of(all.asSlice(from * 8, (to - from) * 8)), bytes -> {});
                }
            }
            runs.finish();
            assertThat(file.channel().size()).isEqualTo(count * 8L);
            assertThat(runs.compare(1, 5, 0, 2_000_000)).isPositive();
            long[] cuts = {1_234_567, 3, 400_000};
            long[] ends = {runLength, 2_000_000, 500_001};
            int length = runLength - 1_234_567 + 2_000_000 - 3 + 100_001;
            MemorySegment keys = arena.allocate(length * 8L, 4096);
            runs.read(cuts, ends, List.of(keys), bytes -> {});
            int at = 0;
            for (int run = 0; run < cuts.length; run++) {
                for (long i = cuts[run]; i < ends[run]; i++) {
                    if (keys.getAtIndex(ValueLayout.JAVA_LONG, at) != (long) run * runLength + i) {
                        assertThat(keys.getAtIndex(ValueLayout.JAVA_LONG, at))
                                .as("key %d of run %d", i, run)
                                .isEqualTo((long) run * runLength + i);
                    }
                    at++;
                }
            }
            assertThat(at).isEqualTo(length);
        }
    }

    private static MemorySegment longs(Arena arena, int first, int length) {
        return arena.allocateFrom(
                ValueLayout.JAVA_LONG,
                IntStream.range(first, first + length).asLongStream().toArray());
    }

    private static MemorySegment ints(Arena arena, int first, int length) {
        return arena.allocateFrom(
                ValueLayout.JAVA_INT, IntStream.range(first, first + length).toArray());
    }
}
