package io.samplesort.cpu.leaf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.cpu.leaf.SimdKeys.First;
import io.samplesort.cpu.leaf.SimdKeys.Type;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimdKeysTest {
    /// More than the loop of the kernel takes at once, twice, and a rest.
    private static final int COUNT = 180;

    /// Keys before, between and behind two ranges.
    private static final int GAP = 37;

    /// One pair of neighbours that runs the other way is found wherever it lies, and none where there is none.
    @Test
    void theCheckForOrderMissesNoPair() {
        assumeTrue(SimdKeys.of(MemorySegment.ofArray(new int[0]), Type.INT, true) != null, "needs AVX-512");
        for (Type type : Type.values()) {
            for (int count : new int[] {1, 2, 8, 9, 16, 17, 40, 41, 80, 81, 96, COUNT}) {
                for (int at = 0; at < count; at++) {
                    SimdKeys keys = SimdKeys.of(array(type, count, at), 0, type, true);
                    assertThat(keys.isInOrder(0, count))
                            .as("%s, %d ascending keys, the greatest at %d", type, count, at)
                            .isEqualTo(at == count - 1);
                    assertThat(keys.isInReverseOrder(0, count))
                            .as("%s, %d ascending keys, the greatest at %d", type, count, at)
                            .isEqualTo(count == 1 || count == 2 && at == 0);
                }
            }
        }
    }

    /// Two ranges with others between them, as many keys in both or not, pivots of which few or all keys go first, and
    /// with payloads of either size.
    @ParameterizedTest
    @EnumSource
    void splitsTwoRangesAsOne(First first) {
        assumeTrue(SimdKeys.of(MemorySegment.ofArray(new int[0]), Type.INT, true) != null, "needs AVX-512");
        SplittableRandom random = new SplittableRandom(first.ordinal());
        for (int payloadBytes : new int[] {0, Integer.BYTES, Long.BYTES}) {
            for (int[] counts : new int[][] {{0, 0}, {1, 700}, {4000, 4000}, {40_000, 30_000}, {900, 50_000}}) {
                for (int pivot : new int[] {-1, 0, 3, 500, 999, 1000}) {
                    int total = 3 * GAP + counts[0] + counts[1];
                    int[] ints = random.ints(total, 0, 1000).toArray();
                    long[] longs = IntStream.of(ints).asLongStream().toArray();
                    check(first, Type.INT, ints, counts, pivot, payloadBytes);
                    check(first, Type.LONG, longs, counts, pivot, payloadBytes);
                }
            }
        }
    }

    private static void check(First first, Type type, Object array, int[] counts, int pivot, int payloadBytes) {
        int total = Array.getLength(array);
        String what = first + " of " + type + " with " + payloadBytes + ": " + Arrays.toString(counts) + ", " + pivot;
        // Where each key was.
        Object payload = payloadBytes == Long.BYTES
                ? IntStream.range(0, total).asLongStream().toArray()
                : IntStream.range(0, total).toArray();
        long[] before = longs(array);
        MemorySegment carried = payload instanceof long[] column
                ? MemorySegment.ofArray(column)
                : MemorySegment.ofArray((int[]) payload);
        SimdKeys alone = SimdKeys.of(segment(array), type, true);
        SimdKeys keys = payloadBytes == 0 ? alone : alone.withPayload(carried, payloadBytes);
        int fromEnd = GAP + counts[0];
        int toBegin = fromEnd + GAP;
        int to = toBegin + counts[1];
        long[] middles = keys.splitBoth(first, GAP, fromEnd, toBegin, to, pivot);
        long[] after = longs(array);
        long[] places = longs(payload);
        for (int i = 0; i < total; i++) {
            boolean isOutside = i < GAP || i >= fromEnd && i < toBegin || i >= to;
            if (isOutside) {
                assertThat(after[i]).as(what).isEqualTo(before[i]);
            } else {
                boolean isInFirst = i < toBegin ? i < middles[0] : i < middles[1];
                assertThat(goesFirst(first, after[i], pivot))
                        .as("%s at %d", what, i)
                        .isEqualTo(isInFirst);
            }
            if (payloadBytes > 0) {
                assertThat(after[i]).as("%s at %d", what, i).isEqualTo(before[(int) places[i]]);
            }
        }
        // As far as the ranges are as long, one of them is done with keys of one kind, but for what was set aside.
        long common = Math.min(counts[0], counts[1]);
        assertThat(Math.max(middles[0] - GAP, to - middles[1])).as(what).isGreaterThan(common - 2000);
        Arrays.sort(before);
        Arrays.sort(after);
        assertThat(after).as(what).isEqualTo(before);
        Arrays.sort(places);
        assertThat(places).as(what).isEqualTo(LongStream.range(0, total).toArray());
    }

    private static boolean goesFirst(First first, long key, long pivot) {
        return switch (first) {
            case LESS -> key < pivot;
            case NOT_GREATER -> key <= pivot;
            case GREATER -> key > pivot;
            case NOT_LESS -> key >= pivot;
        };
    }

    private static long[] longs(Object array) {
        return array instanceof int[] ints ? IntStream.of(ints).asLongStream().toArray() : ((long[]) array).clone();
    }

    private static MemorySegment segment(Object array) {
        return array instanceof int[] ints ? MemorySegment.ofArray(ints) : MemorySegment.ofArray((long[]) array);
    }

    /// A range that takes several calls.
    @ParameterizedTest
    @ValueSource(ints = {1, 500, 999})
    void splitsLongRanges(int pivot) {
        assumeTrue(SimdKeys.of(MemorySegment.ofArray(new int[0]), Type.INT, true) != null, "needs AVX-512");
        int count = (5 << 20) + 12_345;
        int[] values = new SplittableRandom(pivot).ints(count, 0, 1000).toArray();
        int[] sorted = values.clone();
        Arrays.sort(sorted);
        long middle = SimdKeys.of(values, 0, Type.INT, true).split(First.LESS, 1, count - 1, pivot);
        assertThat(IntStream.range(1, count - 1).filter(i -> values[i] < pivot != i < middle))
                .isEmpty();
        Arrays.sort(values);
        assertThat(values).isEqualTo(sorted);
    }

    /// Returns keys that ascend but for that at one place, which is greater than all.
    private static Object array(Type type, int count, int greatest) {
        int[] ints = new int[count];
        long[] longs = new long[count];
        float[] floats = new float[count];
        double[] doubles = new double[count];
        for (int i = 0; i < count; i++) {
            // Negative numbers and others; unsigned, the negative ones are the greater.
            int value = i == greatest ? COUNT : i - count / 2;
            ints[i] = type.isUnsigned() ? value + Integer.MIN_VALUE : value;
            longs[i] = type.isUnsigned() ? value + Long.MIN_VALUE : value;
            floats[i] = value;
            doubles[i] = value;
        }
        return switch (type) {
            case INT, UNSIGNED_INT -> ints;
            case LONG, UNSIGNED_LONG -> longs;
            case FLOAT -> floats;
            case DOUBLE -> doubles;
        };
    }
}
