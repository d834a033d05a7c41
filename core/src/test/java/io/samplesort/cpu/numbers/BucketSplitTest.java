package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.cpu.leaf.SimdKeys;
import io.samplesort.cpu.threads.Crew;
import io.samplesort.cpu.threads.Helpers;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BucketSplitTest {
    private static final int MARGIN = 3;

    @BeforeEach
    void needsSimd() {
        assumeTrue(SimdKeys.of(MemorySegment.ofArray(new int[0]), SimdKeys.Type.INT, true) != null, "needs AVX-512");
    }

    /// All keys are there, none before the bucket that it belongs to, and none behind.
    @ParameterizedTest
    @ValueSource(ints = {4, 5, 7})
    void dividesKeysByTheSplitters(int threads) {
        for (int count : new int[] {131_072, 200_007}) {
            for (boolean descending : new boolean[] {false, true}) {
                int[] values =
                        new SplittableRandom(count).ints(count + 2 * MARGIN).toArray();
                int[] sorted = values.clone();
                Arrays.sort(sorted, MARGIN, MARGIN + count);
                if (descending) {
                    reverse(sorted, MARGIN, MARGIN + count);
                }
                SimdKeys keys = SimdKeys.of(MemorySegment.ofArray(values), SimdKeys.Type.INT, true);
                MemorySegment copy = MemorySegment.ofArray(new int[count]);
                try (Crew crew = new Crew(threads, Helpers.shared())) {
                    BucketSplit split = BucketSplit.tryRun(keys, crew, copy, MARGIN, MARGIN + count, descending);
                    assertThat(split.start(0)).isEqualTo(MARGIN);
                    assertThat(split.start(split.count())).isEqualTo(MARGIN + count);
                    for (int bucket = 0; bucket < split.count(); bucket++) {
                        split.putBack(bucket);
                        int from = (int) split.start(bucket);
                        int to = (int) split.start(bucket + 1);
                        Arrays.sort(values, from, to);
                        if (descending) {
                            reverse(values, from, to);
                        }
                        if (bucket > 0 && from < to) {
                            assertThat(descending ? -1L - values[from] : values[from])
                                    .isGreaterThanOrEqualTo(
                                            descending
                                                    ? -1 - split.splitterBefore(bucket)
                                                    : split.splitterBefore(bucket));
                        }
                    }
                    assertThat(values).isEqualTo(sorted);
                }
            }
        }
    }

    private static void reverse(int[] values, int from, int to) {
        for (int i = from, j = to - 1; i < j; i++, j--) {
            int value = values[i];
            values[i] = values[j];
            values[j] = value;
        }
    }

    @Test
    void leavesKeysThatRepeatAsTheyAre() {
        long[] values = new SplittableRandom(1).longs(140_000, 0, 3).toArray();
        long[] expected = values.clone();
        SimdKeys keys = SimdKeys.of(MemorySegment.ofArray(values), SimdKeys.Type.LONG, true);
        try (Crew crew = new Crew(4, Helpers.shared())) {
            assertThat(BucketSplit.tryRun(
                            keys, crew, MemorySegment.ofArray(new long[values.length]), 0, values.length, false))
                    .isNull();
        }
        assertThat(values).isEqualTo(expected);
    }

    @Test
    void losesNoKeyWhereASortFails() {
        int[] values = new SplittableRandom(2).ints(1 << 17).toArray();
        int[] expected = values.clone();
        Arrays.sort(expected);
        SimdKeys keys = SimdKeys.of(MemorySegment.ofArray(values), SimdKeys.Type.INT, true);
        try (Crew crew = new Crew(4, Helpers.shared())) {
            BucketSplit split = BucketSplit.tryRun(
                    keys, crew, MemorySegment.ofArray(new int[values.length]), 0, values.length, false);
            split.putBack(1);
            split.putRestBack();
        }
        Arrays.sort(values);
        assertThat(values).isEqualTo(expected);
    }

    @Test
    void takesNoMoreMemoryThanASortDoesForEachThread() {
        SimdKeys keys = SimdKeys.of(MemorySegment.ofArray(new int[0]), SimdKeys.Type.INT, true);
        try (Crew crew = new Crew(4, Helpers.shared());
                Crew few = new Crew(3, Helpers.shared())) {
            assertThat(BucketSplit.copyBytes(keys, crew, 2 << 20)).isEqualTo(8 << 20);
            assertThat(BucketSplit.copyBytes(keys, crew, (2 << 20) + 1)).isZero();
            assertThat(BucketSplit.copyBytes(keys, crew, (1 << 17) - 1)).isZero();
            assertThat(BucketSplit.copyBytes(keys, few, 1 << 20)).isZero();
            SimdKeys pairs = keys.withPayload(MemorySegment.ofArray(new int[0]), Integer.BYTES);
            assertThat(BucketSplit.copyBytes(pairs, crew, 1 << 20)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void sortsEachDistribution(InputDistribution distribution) {
        for (KeyType type : List.of(KeyType.I32, KeyType.U32, KeyType.F32, KeyType.I64, KeyType.U64, KeyType.F64)) {
            // Each type and each distribution has both orders.
            boolean isDescending = (distribution.ordinal() + type.ordinal()) % 2 == 0;
            SortCase sortCase = SortCase.of(type).descending(isDescending).with(CpuTuning.DEFAULT, 5);
            try (CpuSorter sorter = sortCase.sorter()) {
                sortCase.check(sorter, distribution, (1 << 18) + 99);
            }
        }
    }

    /// A bucket of one frequent key and a few others is longer than a thread's share.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sortsLongBuckets(boolean descending) {
        SplittableRandom random = new SplittableRandom(7);
        int[] values = new int[1 << 18];
        Arrays.setAll(values, i -> random.nextInt(5) == 0 ? 12345 : random.nextInt());
        SortCase sortCase = SortCase.of(KeyType.I32).descending(descending).with(CpuTuning.DEFAULT, 8);
        try (CpuSorter sorter = sortCase.sorter()) {
            sortCase.checkSort(sorter, "a frequent key", MemorySegment.ofArray(values), null);
        }
    }
}
