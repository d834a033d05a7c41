package io.samplesort.lines.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.cpu.leaf.TextKernels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The ends of lines, by kernels and without.
class LineScanTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void findsAllEnds(boolean hasKernels) {
        assumeTrue(!hasKernels || TextKernels.areThere(), "needs Linux on x86-64");
        Random random = new Random(SEED);
        byte[][] alphabets = {{'\n'}, {'a', '\n'}, {'a', 'b', '\n', '\n' + 1, '\n' - 1, (byte) ('\n' + 128), 0}, {'x'}};
        for (byte terminator : new byte[] {'\n', 0, (byte) 0x80}) {
            for (byte[] alphabet : alphabets) {
                for (int size : new int[] {0, 1, 7, 8, 15, 16, 17, 100, 70_001}) {
                    byte[] text = new byte[size];
                    for (int i = 0; i < size; i++) {
                        text[i] = alphabet[random.nextInt(alphabet.length)];
                    }
                    check(text, terminator, hasKernels);
                }
            }
        }
    }

    private static void check(byte[] text, byte terminator, boolean hasKernels) {
        int from = Math.min(3, text.length);
        int[] ends = IntStream.range(from, text.length)
                .filter(i -> text[i] == terminator)
                .map(i -> i + 1)
                .toArray();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(text.length + LineScan.SLACK_BYTES);
            // What lies behind the block is none of its ends.
            copy.fill(terminator);
            MemorySegment.copy(text, 0, copy, ValueLayout.JAVA_BYTE, 0, text.length);
            LineScan scan = new LineScan(terminator, hasKernels);
            for (int lines : new int[] {ends.length, ends.length / 2, 0}) {
                assertThat(scan.scan(copy, from, text.length))
                        .as("seed %d", SEED)
                        .isEqualTo(ends.length);
                int[] expected = new int[ends.length + 2];
                System.arraycopy(ends, 0, expected, 1, lines);
                MemorySegment ints = arena.allocate((long) Integer.BYTES * expected.length, Integer.BYTES);
                scan.copyEnds(lines, from, ints, 1, false);
                assertThat(ints.toArray(ValueLayout.JAVA_INT))
                        .as("seed %d", SEED)
                        .isEqualTo(expected);
                assertThat(scan.scan(copy, from, text.length)).isEqualTo(ends.length);
                MemorySegment longs = arena.allocate((long) Long.BYTES * expected.length, Long.BYTES);
                scan.copyEnds(lines, from, longs, 1, true);
                assertThat(longs.toArray(ValueLayout.JAVA_LONG))
                        .isEqualTo(Arrays.stream(expected).asLongStream().toArray());
            }
        }
    }
}
