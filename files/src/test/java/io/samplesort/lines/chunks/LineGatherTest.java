package io.samplesort.lines.chunks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.cpu.leaf.TextKernels;
import io.samplesort.lines.flow.LineSink;
import io.samplesort.lines.flow.LineTally;
import io.samplesort.types.ElementType;
import io.samplesort.types.Strings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Lines are copied in the order of a permutation, by kernels and without.
class LineGatherTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

    /// @param longestLine longer lines are handed on as long ones
    @ParameterizedTest
    @CsvSource({
        "true, true, 1000000",
        "true, false, 1000000",
        "true, false, 300",
        "true, true, 300",
        "false, true, 1000000",
        "false, false, 300",
        "false, true, 300"
    })
    void copiesAllLines(boolean hasKernels, boolean isUnique, long longestLine) throws IOException {
        assumeTrue(!hasKernels || TextKernels.areThere(), "needs Linux on x86-64");
        Random random = new Random(SEED);
        for (int count : new int[] {1, 3, 2000}) {
            byte[][] lines = new byte[count][];
            for (int i = 0; i < count; i++) {
                int most = random.nextInt(100) == 0 ? 20_000 : 40;
                lines[i] = new byte[1 + random.nextInt(most)];
                Arrays.fill(lines[i], (byte) ('a' + random.nextInt(2)));
                lines[i][lines[i].length - 1] = '\n';
            }
            for (boolean isSorted : new boolean[] {true, false}) {
                check(lines, permutation(count, isSorted ? null : random), hasKernels, isUnique, longestLine);
            }
        }
    }

    /// Lines are equal by their first bytes, or as a whole. A number reaches beyond the block of its first line.
    @ParameterizedTest
    @CsvSource({"true, 1", "true, 2", "true, 1000000", "false, 1", "false, 2", "false, 1000000"})
    void countsEqualLines(boolean hasKernels, int keyBytes) throws IOException {
        assumeTrue(!hasKernels || TextKernels.areThere(), "needs Linux on x86-64");
        Random random = new Random(SEED);
        for (int count : new int[] {1, 3, 40_000}) {
            byte[][] lines = new byte[count][];
            for (int i = 0; i < count; i++) {
                int most = random.nextInt(1000) == 0 ? 20_000 : random.nextInt(3) == 0 ? 40 : 3;
                lines[i] = new byte[1 + random.nextInt(most)];
                Arrays.fill(lines[i], (byte) ('a' + random.nextInt(3)));
                lines[i][lines[i].length - 1] = '\n';
            }
            Arrays.sort(lines, (a, b) -> Arrays.compareUnsigned(key(a, keyBytes), key(b, keyBytes)));
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            for (int i = 0; i < count; ) {
                int next = i + 1;
                while (next < count && Arrays.equals(key(lines[i], keyBytes), key(lines[next], keyBytes))) {
                    next++;
                }
                expected.writeBytes("%7d ".formatted(next - i).getBytes(StandardCharsets.US_ASCII));
                expected.writeBytes(lines[i]);
                i = next;
            }
            int[] permutation = permutation(count, random);
            byte[][] shuffled = new byte[count][];
            byte[][] keys = new byte[count][];
            for (int i = 0; i < count; i++) {
                shuffled[permutation[i]] = lines[i];
                keys[permutation[i]] = key(lines[i], keyBytes);
            }
            LineTally tally = new LineTally();
            tally.take(count, Arrays.stream(lines).mapToInt(line -> line.length).sum());
            try (Arena arena = Arena.ofShared()) {
                Strings view = strings(shuffled, arena).withoutLast(1);
                Strings compared = keyBytes == 1_000_000 ? view : strings(keys, arena);
                MemorySegment order = arena.allocateFrom(ValueLayout.JAVA_INT, permutation);
                Sink sink = new Sink(Long.MAX_VALUE);
                new LineGather(MemoryShares.of(1 << 20, 2, 0), arena, hasKernels)
                        .count(view, order, compared, sink, tally);
                assertThat(sink.taken.toByteArray()).as("seed %d", SEED).isEqualTo(expected.toByteArray());
                tally.checkWritten(expected.size());
            }
        }
    }

    private static byte[] key(byte[] line, int bytes) {
        return Arrays.copyOf(line, Math.min(bytes, line.length - 1));
    }

    private static Strings strings(byte[][] strings, Arena arena) {
        int bytes = Arrays.stream(strings).mapToInt(string -> string.length).sum();
        MemorySegment text = arena.allocate(bytes + Chunk.SLACK_BYTES);
        MemorySegment offsets = arena.allocate(Integer.BYTES * (strings.length + 1L), Integer.BYTES);
        int at = 0;
        for (int i = 0; i < strings.length; i++) {
            MemorySegment.copy(strings[i], 0, text, ValueLayout.JAVA_BYTE, at, strings[i].length);
            at += strings[i].length;
            offsets.setAtIndex(ValueLayout.JAVA_INT, i + 1, at);
        }
        return Strings.of(text, offsets, ElementType.INT);
    }

    /// @param random null for the order that is there
    private static int[] permutation(int count, Random random) {
        int[] permutation = new int[count];
        for (int i = 0; i < count; i++) {
            int other = random == null ? i : random.nextInt(i + 1);
            permutation[i] = permutation[other];
            permutation[other] = i;
        }
        return permutation;
    }

    private static void check(byte[][] lines, int[] permutation, boolean hasKernels, boolean isUnique, long longestLine)
            throws IOException {
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        int bytes = 0;
        for (int i = 0; i < lines.length; i++) {
            byte[] line = lines[permutation[i]];
            bytes += line.length;
            if (!isUnique || i == 0 || !Arrays.equals(line, lines[permutation[i - 1]])) {
                expected.writeBytes(line);
            }
        }
        MemoryShares shares = MemoryShares.of(1 << 20, 2, 0);
        LineTally tally = new LineTally();
        tally.take(lines.length, bytes);
        try (Arena arena = Arena.ofShared()) {
            Strings view = strings(lines, arena).withoutLast(1);
            MemorySegment order = arena.allocateFrom(ValueLayout.JAVA_INT, permutation);
            Sink sink = new Sink(longestLine);
            new LineGather(shares, arena, hasKernels).write(view, order, null, isUnique, sink, tally);
            assertThat(sink.taken.toByteArray()).as("seed %d", SEED).isEqualTo(expected.toByteArray());
            tally.checkWritten(expected.size());
        }
    }

    /// Keeps what it takes, in the order in which that comes.
    private static final class Sink implements LineSink {
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final long longestLine;

        Sink(long longestLine) {
            this.longestLine = longestLine;
        }

        @Override
        public void append(MemorySegment lines) {
            taken.writeBytes(lines.toArray(ValueLayout.JAVA_BYTE));
        }

        @Override
        public long longestLine() {
            return longestLine;
        }
    }
}
