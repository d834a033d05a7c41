package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
                FileChannel channel = FileChannel.open(
                        folder.resolve("runs"),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            RunFile runs = new RunFile(channel, count, runLength, new int[] {8, 4}, order, arena);
            for (int run = 0; run < runs.count(); run++) {
                int first = run * runLength;
                int length = (int) runs.length(run);
                runs.write(run, 0, List.of(longs(arena, first, length), ints(arena, first, length)), bytes -> {});
            }
            assertThat(channel.size()).isEqualTo(count * 12L);
            MemorySegment keys = arena.allocate(80, 8);
            MemorySegment payloads = arena.allocate(40, 8);
            runs.read(new long[] {0, 997, 493}, new long[] {0, 1000, 500}, List.of(keys, payloads), bytes -> {});
            assertThat(keys.toArray(ValueLayout.JAVA_LONG))
                    .containsExactly(1997, 1998, 1999, 2493, 2494, 2495, 2496, 2497, 2498, 2499);
            assertThat(payloads.toArray(ValueLayout.JAVA_INT))
                    .containsExactly(1997, 1998, 1999, 2493, 2494, 2495, 2496, 2497, 2498, 2499);
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
