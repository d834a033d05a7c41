package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.cpu.leaf.SimdKeys;
import io.samplesort.testkit.KeyType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepeatedKeysTest {
    private static final int COUNT = (1 << 20) + 777;

    @BeforeEach
    void needsSimd() {
        assumeTrue(SimdKeys.of(MemorySegment.ofArray(new int[0]), SimdKeys.Type.INT, true) != null, "needs AVX-512");
    }

    /// Few keys, which are compared one by one, and up to more than are counted; zeros and special numbers among them.
    @ParameterizedTest
    @EnumSource(
            value = KeyType.class,
            names = {"I32", "U32", "F32", "I64", "U64", "F64"})
    void sortsKeysThatRepeat(KeyType type) {
        SplittableRandom random = new SplittableRandom(SortCase.SEED);
        for (int distinct : new int[] {1, 2, 5, 16, 17, 40, 300, 4000, 40_000}) {
            long[] values = random.longs(distinct).toArray();
            values[0] = 0;
            values[distinct / 2] = type.isFloat() ? strange(type, distinct) : 0;
            MemorySegment keys = SortCase.heap(COUNT, type.byteSize());
            for (int i = 0; i < COUNT; i++) {
                set(keys, type, i, values[random.nextInt(distinct)]);
            }
            // Each number of keys has both orders, with different types.
            SortCase sortCase = SortCase.of(type)
                    .descending((Integer.bitCount(distinct) + type.ordinal()) % 2 == 0)
                    .with(CpuTuning.DEFAULT, distinct % 2 == 0 ? 3 : 1);
            try (CpuSorter sorter = sortCase.sorter()) {
                sortCase.checkSort(sorter, distinct + " distinct keys", keys, null);
            }
        }
    }

    /// Keys that the sample does not show, at places where a table of few known keys, or a full one, meets them.
    @ParameterizedTest
    @CsvSource({"3, 1", "16, 1", "16, 200", "30, 100000", "1000, 1", "4000, 300000"})
    void findsKeysThatAreRare(int distinct, int rare) {
        SplittableRandom random = new SplittableRandom(SortCase.SEED);
        for (int threads : new int[] {1, 4}) {
            long[] keys = new long[COUNT];
            Arrays.setAll(keys, i -> random.nextInt(distinct) * 1_000_003L);
            for (int i = 0; i < rare; i++) {
                keys[rare == 1 ? COUNT - 1 : random.nextInt(COUNT)] = random.nextLong();
            }
            long[] expected = keys.clone();
            Arrays.sort(expected);
            SortCase sortCase = SortCase.of(KeyType.I64).with(CpuTuning.DEFAULT, threads);
            try (CpuSorter sorter = sortCase.sorter()) {
                sorter.sort(MemorySegment.ofArray(keys), null);
            }
            assertThat(keys).isEqualTo(expected);
        }
    }

    /// What lies before and behind the keys is left alone, also where they do not lie at multiples of their size.
    @ParameterizedTest
    @ValueSource(ints = {0, 8, 3})
    void writesNoMoreThanTheKeys(int offset) {
        try (Arena arena = Arena.ofShared()) {
            long bytes = (long) Long.BYTES * COUNT;
            MemorySegment memory = arena.allocate(bytes + 128, 64);
            memory.fill((byte) 0x55);
            MemorySegment keys = memory.asSlice(64 + offset, bytes);
            for (int i = 0; i < COUNT; i++) {
                keys.set(ValueLayout.JAVA_LONG_UNALIGNED, (long) i * Long.BYTES, i % 77);
            }
            SortCase sortCase = SortCase.of(KeyType.I64).with(CpuTuning.DEFAULT, 2);
            try (CpuSorter sorter = sortCase.sorter()) {
                sorter.sort(keys, null);
            }
            assertThat(IntStream.range(0, COUNT)
                            .filter(i ->
                                    keys.get(ValueLayout.JAVA_LONG_UNALIGNED, (long) i * Long.BYTES) != expected(i))
                            .count())
                    .isZero();
            byte[] around = memory.toArray(ValueLayout.JAVA_BYTE);
            for (int i = 0; i < around.length; i = i == 63 + offset ? around.length - 64 + offset : i + 1) {
                assertThat(around[i]).isEqualTo((byte) 0x55);
            }
        }
    }

    /// The key at a place of the sorted numbers i mod 77.
    private static long expected(int place) {
        int longer = COUNT % 77;
        int each = COUNT / 77;
        return place < longer * (each + 1) ? place / (each + 1) : longer + (place - longer * (each + 1)) / each;
    }

    /// From this many bytes on, results are written past the caches.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void sortsMoreThanTheCachesHold(int threads) {
        int count = (9 << 20) + 5;
        long[] keys = new long[count + 2];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = (i * 31L + (i >> 3)) % 1000 - 500;
        }
        long[] expected = keys.clone();
        Arrays.sort(expected, 1, count + 1);
        SortCase sortCase = SortCase.of(KeyType.I64).with(CpuTuning.DEFAULT, threads);
        try (CpuSorter sorter = sortCase.sorter()) {
            sorter.sort(MemorySegment.ofArray(keys).asSlice(Long.BYTES, (long) count * Long.BYTES), null);
        }
        assertThat(keys).isEqualTo(expected);
    }

    private static long strange(KeyType type, int distinct) {
        long[] strange = type == KeyType.F32
                ? new long[] {0xffc0_0001L, 0x7fc0_0000L, 0x8000_0000L, 0xffff_ffffL}
                : new long[] {0xfff8_0000_0000_0001L, 0x7ff8_0000_0000_0000L, 1L << 63, -1};
        return strange[distinct % strange.length];
    }

    private static void set(MemorySegment keys, KeyType type, int i, long value) {
        if (type.byteSize() == Integer.BYTES) {
            keys.set(ValueLayout.JAVA_INT_UNALIGNED, (long) i * Integer.BYTES, (int) value);
        } else {
            keys.set(ValueLayout.JAVA_LONG_UNALIGNED, (long) i * Long.BYTES, value);
        }
    }
}
