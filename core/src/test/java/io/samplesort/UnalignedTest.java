package io.samplesort;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Elements need not be aligned: records lie in arrays of bytes, and numbers anywhere in a segment.
class UnalignedTest {
    private static final ElementType TIMED = ElementType.of(
            MemoryLayout.structLayout(JAVA_LONG.withName("time"), JAVA_INT.withName("id"), JAVA_INT.withName("kind")));

    private static final int RECORD_BYTES = 16;

    /// Few enough for one thread, and enough for kernels, where elements are aligned.
    private static final int[] SIZES = {0, 1, 2, 90, 5000, 200_000};

    private static byte[] records(int count) {
        byte[] records = new byte[count * RECORD_BYTES];
        new SplittableRandom(count).nextBytes(records);
        return records;
    }

    private static long[] times(byte[] records) {
        long[] times = new long[records.length / RECORD_BYTES];
        for (int i = 0; i < times.length; i++) {
            times[i] = ByteBuffer.wrap(records).order(ByteOrder.nativeOrder()).getLong(i * RECORD_BYTES);
        }
        return times;
    }

    @Test
    void recordsInAnArrayOfBytesAreSorted() {
        try (Sorter sorter = SampleSort.onCpu().order(Order.by("time")).build(TIMED)) {
            for (int size : SIZES) {
                byte[] records = records(size);
                long[] expected = times(records);
                Arrays.sort(expected);
                SortReport report = sorter.sort(records);
                assertThat(times(records)).isEqualTo(expected);
                assertThat(report.elementCount()).isEqualTo(size);
                assertThat(sorter.isSorted(MemorySegment.ofArray(records))).isTrue();
            }
        }
    }

    @Test
    void aRangeOfBytesHoldsWholeRecords() {
        byte[] records = records(10);
        byte[] before = records.clone();
        long[] expected = Arrays.copyOfRange(times(records), 1, 9);
        Arrays.sort(expected);
        try (Sorter sorter = SampleSort.onCpu().order(Order.by("time")).build(TIMED)) {
            assertThatThrownBy(() -> sorter.sort(records, 0, 21))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("21 bytes, which is no multiple of 16, the size of one struct");
            assertThatThrownBy(() -> sorter.sort(new byte[15])).hasMessageContaining("15 bytes");
            assertThat(records).isEqualTo(before);
            sorter.sort(records, RECORD_BYTES, 9 * RECORD_BYTES);
        }
        assertThat(Arrays.copyOfRange(times(records), 1, 9)).isEqualTo(expected);
        assertThat(Arrays.copyOf(records, RECORD_BYTES)).isEqualTo(Arrays.copyOf(before, RECORD_BYTES));
    }

    @Test
    void theOrderOfRecordsInAnArrayOfBytesIsFound() {
        byte[] records = records(5);
        long[] times = times(records);
        int[] expected = {0, 1, 2, 3, 4};
        expected = Arrays.stream(expected)
                .boxed()
                .sorted(Comparator.comparingLong(i -> times[i]))
                .mapToInt(i -> i)
                .toArray();
        long[] written = new long[5];
        try (Sorter sorter = SampleSort.onCpu().order(Order.by("time")).build(TIMED)) {
            assertThat(sorter.argsort(records)).isEqualTo(expected);
            sorter.argsort(records, written);
            assertThat(Arrays.stream(written).mapToInt(i -> (int) i).toArray()).isEqualTo(expected);
            assertThat(sorter.argsort(records, 2 * RECORD_BYTES, 4 * RECORD_BYTES))
                    .containsExactly(times[2] < times[3] ? new int[] {2, 3} : new int[] {3, 2});
            assertThatThrownBy(() -> sorter.argsort(records, 8, 24))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("begins at byte 8, which is no multiple of 16");
        }
    }

    @Test
    void onlyASorterOfRecordsTakesBytesForThem() {
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.LONG)) {
            assertThatThrownBy(() -> sorter.sort(new byte[16]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("this sorter is for long keys");
        }
    }

    @Test
    void numbersThatAreNotAlignedAreSortedWithTheirPayloads() {
        try (Sorter keysAlone = SampleSort.onCpu().build(ElementType.LONG);
                Sorter pairs = SampleSort.onCpu().payload(ElementType.INT).build(ElementType.LONG);
                Arena arena = Arena.ofShared()) {
            for (int size : SIZES) {
                long[] keys = new SplittableRandom(size).longs(size).toArray();
                long[] sorted = keys.clone();
                Arrays.sort(sorted);
                for (MemorySegment memory : List.of(
                        arena.allocate(8L * size + 3, 8).asSlice(3),
                        MemorySegment.ofArray(new byte[8 * size + 1]).asSlice(1),
                        MemorySegment.ofArray(new long[size + 1]).asSlice(1, 8L * size))) {
                    memory.copyFrom(MemorySegment.ofArray(keys));
                    keysAlone.sort(memory);
                    assertThat(memory.toArray(JAVA_LONG_UNALIGNED)).isEqualTo(sorted);
                    memory.copyFrom(MemorySegment.ofArray(keys));
                    MemorySegment payload = arena.allocate(4L * size + 1, 4).asSlice(1);
                    for (int i = 0; i < size; i++) {
                        payload.set(ValueLayout.JAVA_INT_UNALIGNED, 4L * i, (int) keys[i]);
                    }
                    pairs.sort(memory, payload);
                    assertThat(memory.toArray(JAVA_LONG_UNALIGNED)).isEqualTo(sorted);
                    for (int i = 0; i < size; i++) {
                        assertThat(payload.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i))
                                .isEqualTo((int) sorted[i]);
                    }
                }
            }
        }
    }

    @Test
    void anArgsortTakesAndGivesWhatIsNotAligned() {
        long[] keys = {5, -1, 3};
        byte[] bytes = new byte[25];
        MemorySegment elements = MemorySegment.ofArray(bytes).asSlice(1);
        elements.copyFrom(MemorySegment.ofArray(keys));
        MemorySegment permutation = MemorySegment.ofArray(new byte[13]).asSlice(1);
        MemorySegment target = MemorySegment.ofArray(new byte[26]).asSlice(2);
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.LONG)) {
            sorter.argsort(elements, permutation);
            Sorter.applyPermutation(permutation, ElementType.LONG, elements, target);
        }
        assertThat(permutation.toArray(ValueLayout.JAVA_INT_UNALIGNED)).containsExactly(1, 2, 0);
        assertThat(target.toArray(JAVA_LONG_UNALIGNED)).containsExactly(-1, 3, 5);
    }

    @Test
    void permutationsOfStringsAndRowsNeedNotBeAligned() {
        MemorySegment permutation = MemorySegment.ofArray(new byte[13]).asSlice(1);
        MemorySegment longs = MemorySegment.ofArray(new byte[28]).asSlice(4);
        try (StringSorter strings = SampleSort.onCpu().buildStrings(StringOrder.bytes());
                ColumnSorter rows = SampleSort.onCpu().buildColumns()) {
            strings.argsort(Strings.utf8(List.of("b", "c", "a")), permutation);
            assertThat(permutation.toArray(ValueLayout.JAVA_INT_UNALIGNED)).containsExactly(2, 0, 1);
            rows.argsort(List.of(KeyColumn.of(new int[] {5, 7, 6})), longs);
            assertThat(longs.toArray(JAVA_LONG_UNALIGNED)).containsExactly(0, 2, 1);
        }
    }

    @Test
    void arraysOfNarrowerValuesAreRefused() {
        try (Sorter numbers = SampleSort.onCpu().build(ElementType.LONG);
                Sorter records = SampleSort.onCpu().order(Order.by("time")).build(TIMED)) {
            assertThatThrownBy(() -> numbers.sort(MemorySegment.ofArray(new int[4])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("narrower values, not aligned to 8 bytes, the size of one long")
                    .hasMessageContaining("use an array of that type");
            assertThatThrownBy(() -> records.sort(MemorySegment.ofArray(new short[8])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("use an array of bytes or native memory");
        }
    }

    /// The comparator may read them as aligned values.
    @Test
    void anOrderOfOnesOwnGetsElementsAsAlignedAsTheirLayoutSays() {
        Order byTime = Order.custom("a.time < b.time", Comparator.comparingLong(s -> s.get(JAVA_LONG_UNALIGNED, 0)));
        ElementType unaligned = ElementType.of(MemoryLayout.structLayout(
                JAVA_LONG_UNALIGNED.withName("time"),
                MemoryLayout.sequenceLayout(8, JAVA_BYTE).withName("rest")));
        byte[] records = records(100);
        try (Sorter demanding = SampleSort.onCpu().order(byTime).build(TIMED);
                Sorter sorter = SampleSort.onCpu().order(byTime).build(unaligned)) {
            MemorySegment elements = MemorySegment.ofArray(records);
            assertThatThrownBy(() -> demanding.sort(records))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not aligned to 8 bytes")
                    .hasMessageContaining("a layout of unaligned values");
            assertThatThrownBy(() -> demanding.argsort(elements)).hasMessageContaining("the elements is not aligned");
            assertThatThrownBy(() -> demanding.isSorted(elements)).hasMessageContaining("not aligned");
            sorter.sort(records);
            assertThat(sorter.isSorted(elements)).isTrue();
        }
    }
}
