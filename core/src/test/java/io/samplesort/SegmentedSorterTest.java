package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.reports.CancelledSort;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SegmentOffsets;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Arguments, forms of input, and what happens if a sort of segments fails or is cancelled.
class SegmentedSorterTest {
    private static final int COUNT = 300_000;

    @ParameterizedTest
    @EnumSource
    void everyArrayIsSortedInOneCall(SegmentShape shape) {
        Random random = new Random(3);
        long[] keys = random.longs(COUNT).toArray();
        int[] ints = Arrays.stream(keys).mapToInt(key -> (int) key).toArray();
        float[] floats = new float[COUNT];
        double[] doubles = new double[COUNT];
        for (int i = 0; i < COUNT; i++) {
            floats[i] = i % 50 == 0 ? Float.intBitsToFloat(ints[i] | 0x7f800001) : ints[i];
            doubles[i] = i % 50 == 0 ? Double.longBitsToDouble(keys[i] | 0x7ff0000000000001L) : keys[i];
        }
        SegmentOffsets offsets = shape.offsets(COUNT, random);
        long[] longsExpected = keys.clone();
        int[] intsExpected = ints.clone();
        float[] floatsExpected = floats.clone();
        double[] doublesExpected = doubles.clone();
        for (int s = 0; s < offsets.segmentCount(); s++) {
            int from = (int) offsets.offset(s);
            int to = (int) offsets.offset(s + 1L);
            SampleSort.sort(longsExpected, from, to);
            SampleSort.sort(intsExpected, from, to);
            SampleSort.sort(floatsExpected, from, to);
            SampleSort.sort(doublesExpected, from, to);
        }
        SampleSort.sort(keys, offsets);
        SampleSort.sort(ints, offsets);
        SampleSort.sort(floats, offsets);
        assertThat(SampleSort.sort(doubles, offsets).elementCount()).isEqualTo(offsets.last() - offsets.first());
        assertThat(Arrays.mismatch(keys, longsExpected)).isEqualTo(-1);
        assertThat(Arrays.mismatch(ints, intsExpected)).isEqualTo(-1);
        assertThat(MemorySegment.ofArray(floats).mismatch(MemorySegment.ofArray(floatsExpected)))
                .isEqualTo(-1);
        assertThat(MemorySegment.ofArray(doubles).mismatch(MemorySegment.ofArray(doublesExpected)))
                .isEqualTo(-1);
    }

    @Test
    void documentedSegments() throws IOException {
        Snippets.assertStandIn(SegmentedSorterTest.class, "docs/library.md", "Sort segments");
        float[] matrix = {3, 1, 2, 6, 5, 4};
        int rows = 2;
        int columns = 3;
        long[][] arrays = {{2, 1}, {4, 3}};
        int[] requestsPerVisitor = {2, 3};
        long[] times = {5, 4, 9, 8, 9};
        int[] requests = {0, 1, 2, 3, 4};

        SampleSort.sort(matrix, SegmentOffsets.ofRows(rows, columns));
        SampleSort.sort(arrays);
        SegmentOffsets visitors = SegmentOffsets.ofLengths(requestsPerVisitor);
        try (SegmentedSorter sorter =
                SampleSort.onBestDevice().payload(ElementType.INT).stable().buildSegmented(ElementType.LONG)) {
            sorter.sort(MemorySegment.ofArray(times), visitors, MemorySegment.ofArray(requests));
        }

        assertThat(matrix).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(arrays).isDeepEqualTo(new long[][] {{1, 2}, {3, 4}});
        assertThat(times).containsExactly(4, 5, 8, 9, 9);
        assertThat(requests).containsExactly(1, 0, 3, 2, 4);
    }

    @Test
    void narrowArraysAreSortedAndTheirOrderIsFound() {
        SegmentOffsets offsets = SegmentOffsets.ofOffsets(new int[] {1, 4, 4, 6});
        char[] chars = {'z', 'c', 'b', '\uffff', 'y', 'x', 'a'};
        short[] shorts = {9, 3, 2, -1, 8, 7, 0};
        byte[] bytes = {9, 3, 2, -1, 8, 7, 0};
        try (SegmentedSorter ofChars = SampleSort.onCpu().buildSegmented(ElementType.CHAR);
                SegmentedSorter ofShorts = SampleSort.onCpu().buildSegmented(ElementType.SHORT);
                SegmentedSorter ofBytes = SampleSort.onCpu().buildSegmented(ElementType.BYTE)) {
            assertThat(ofChars.argsort(chars, offsets)).containsExactly(0, 2, 1, 3, 5, 4, 6);
            assertThat(ofShorts.argsort(shorts, offsets)).containsExactly(0, 3, 2, 1, 5, 4, 6);
            assertThat(ofBytes.argsort(bytes, offsets)).containsExactly(0, 3, 2, 1, 5, 4, 6);
            ofChars.sort(chars, offsets);
            ofShorts.sort(shorts, offsets);
            ofBytes.sort(bytes, offsets);
        }
        assertThat(chars).containsExactly('z', 'b', 'c', '\uffff', 'x', 'y', 'a');
        assertThat(shorts).containsExactly(9, -1, 2, 3, 7, 8, 0);
        assertThat(bytes).containsExactly(9, -1, 2, 3, 7, 8, 0);
    }

    @Test
    void arraysOfArraysAreSortedEachByItself() {
        Random random = new Random(5);
        long[][] longs = IntStream.range(0, 3000)
                .mapToObj(i -> random.longs(i == 7 ? 400_000 : i % 300).toArray())
                .toArray(long[][]::new);
        double[][] doubles = IntStream.range(0, 500)
                .mapToObj(i -> random.doubles(i)
                        .map(x -> x < 0.01 ? Double.NaN : x - 0.5)
                        .toArray())
                .toArray(double[][]::new);
        int[][] ints = {{3, 1, 2}, {}, {2, 1}, {7}};
        float[][] floats = {{3, -0.0f, 0.0f}, {0.0f, -0.0f}};
        long[][] longsExpected = Arrays.stream(longs).map(long[]::clone).toArray(long[][]::new);
        double[][] doublesExpected = Arrays.stream(doubles).map(double[]::clone).toArray(double[][]::new);
        Arrays.stream(longsExpected).forEach(Arrays::sort);
        Arrays.stream(doublesExpected).forEach(Arrays::sort);
        SampleSort.sort(longs);
        SampleSort.sort(doubles);
        SampleSort.sort(ints);
        SampleSort.sort(floats);
        assertThat(Arrays.deepEquals(longs, longsExpected)).isTrue();
        assertThat(Arrays.deepEquals(doubles, doublesExpected)).isTrue();
        assertThat(ints).isDeepEqualTo(new int[][] {{1, 2, 3}, {}, {1, 2}, {7}});
        assertThat(floats).isDeepEqualTo(new float[][] {{-0.0f, 0.0f, 3}, {-0.0f, 0.0f}});
        int[][] withNull = {{2, 1}, null};
        assertThatThrownBy(() -> SampleSort.sort(withNull))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("array 1 is null: leave it out, or give an empty array");
        assertThat(withNull[0]).containsExactly(2, 1);
    }

    @Test
    void wrongOffsetsAreNamedByPlaceAndValue() {
        refused(
                () -> SegmentOffsets.ofOffsets(new int[0]),
                "there are no offsets: give one more than there are segments");
        refused(() -> SegmentOffsets.ofOffsets(new int[] {-1, 2}), "offset 0 is -1: offsets must not be negative");
        refused(
                () -> SegmentOffsets.ofOffsets(new long[] {0, 5, 4}),
                "offset 2 is 4 and the one before is 5: offsets must not fall");
        refused(
                () -> SegmentOffsets.ofLengths(new int[] {1, -2}),
                "segment 1 has the length -2: it must not be negative");
        refused(
                () -> SegmentOffsets.ofLengths(new long[] {Long.MAX_VALUE, 1}),
                "the lengths of the segments 0 to 1 have a sum of 2^63 or more");
        refused(() -> SegmentOffsets.ofRows(-1, 2), "-1 rows of 2 elements: neither number may be negative");
        refused(() -> SegmentOffsets.ofRows(Long.MAX_VALUE, 0), "fewer than 2^63 elements and 2^63 - 1 rows");
        refused(() -> SegmentOffsets.ofRows(1L << 40, 1L << 40), "there must be fewer than 2^63 elements");
        int[] keys = {3, 2, 1};
        refused(
                () -> SampleSort.sort(keys, SegmentOffsets.ofOffsets(new int[] {0, 2, 4})),
                "offset 2, where the last segment ends, is 4 and there are 3 elements");
        assertThat(keys).containsExactly(3, 2, 1);
    }

    private static void refused(Runnable call, String message) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void offsetsAreCopiedWhateverTheirForm() {
        int[] given = {1, 3, 3, 7};
        SegmentOffsets offsets = SegmentOffsets.ofOffsets(given);
        given[1] = 100;
        assertThat(offsets)
                .isEqualTo(SegmentOffsets.ofOffsets(new long[] {1, 3, 3, 7}))
                .hasToString("3 segments of the elements from 1 to before 7")
                .isNotEqualTo(SegmentOffsets.ofOffsets(new long[] {1, 3, 4, 7}));
        assertThat(SegmentOffsets.ofLengths(new int[] {4, 4}))
                .isEqualTo(SegmentOffsets.ofRows(2, 4))
                .hasSameHashCodeAs(SegmentOffsets.ofRows(2, 4));
        SegmentOffsets wide = SegmentOffsets.ofLengths(new long[] {1L << 40, 5});
        long[] copy = new long[4];
        wide.copyOffsets(1, copy, 1, 2);
        assertThat(copy).containsExactly(0, 1L << 40, (1L << 40) + 5, 0);
        assertThatThrownBy(() -> SegmentOffsets.ofRows(2, 4).offset(3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> offsets.copyOffsets(2, copy, 0, 3)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void whatHasNoEffectIsRefused() {
        assertThatThrownBy(() -> SampleSort.onCpu().lean().buildSegmented(ElementType.LONG))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("this builder has set lean, which has no effect on a sorter of segments: leave it out");
        assertThatThrownBy(() -> SampleSort.onCpu().inPlace().buildSegmented(ElementType.LONG))
                .hasMessageContaining("set inPlace, which has no effect");
        assertThatThrownBy(() -> SampleSort.onGpus(0, 1).buildSegmented(ElementType.LONG))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a sorter of segments on");
    }

    @Test
    void anotherTypeAndPayloadsAreRefused() {
        SegmentOffsets none = SegmentOffsets.ofRows(0, 0);
        try (SegmentedSorter sorter =
                SampleSort.onCpu().payload(ElementType.INT).buildSegmented(ElementType.LONG)) {
            refused(
                    () -> sorter.sort(new int[1], none),
                    "this sorter is for long keys and was given int[]: build it with buildSegmented(ElementType.INT)");
            refused(() -> sorter.sort(new long[1], none), "was given 0 arrays of payloads: give 1");
            refused(() -> sorter.argsort(new long[1], none), "argsort is for keys alone");
            assertThat(sorter.payloadTypes()).containsExactly(ElementType.INT);
        }
    }

    @Test
    void aClosedSorterSortsNoMore() {
        SegmentedSorter sorter = SampleSort.onCpu().buildSegmented(ElementType.LONG);
        sorter.close();
        sorter.close();
        assertThatThrownBy(() -> sorter.sort(new long[2], SegmentOffsets.ofRows(1, 2)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("this sorter is closed");
    }

    /// Elements of a confined arena, whose sort the calling thread does alone if it compares by the user's own order.
    @Test
    void confinedMemoryIsSorted() {
        Order byAbsolute = Order.custom(
                "abs(a) < abs(b)", Comparator.comparingInt(element -> Math.abs(element.get(ValueLayout.JAVA_INT, 0))));
        int[] keys = new Random(1).ints(COUNT, -1000, 1000).toArray();
        SegmentOffsets offsets = SegmentOffsets.ofRows(COUNT / 100, 100);
        try (Arena arena = Arena.ofConfined();
                SegmentedSorter natural = SampleSort.onCpu().buildSegmented(ElementType.INT);
                SegmentedSorter custom = SampleSort.onCpu().order(byAbsolute).buildSegmented(ElementType.INT)) {
            MemorySegment copy = arena.allocateFrom(ValueLayout.JAVA_INT, keys);
            natural.sort(copy, offsets);
            MemorySegment other = arena.allocateFrom(ValueLayout.JAVA_INT, keys);
            custom.sort(other, offsets);
            for (int row = 0; row < COUNT; row += 100) {
                Arrays.sort(keys, row, row + 100);
                for (int i = row + 1; i < row + 100; i++) {
                    assertThat(Math.abs(other.getAtIndex(ValueLayout.JAVA_INT, i)))
                            .isGreaterThanOrEqualTo(Math.abs(other.getAtIndex(ValueLayout.JAVA_INT, i - 1)));
                }
            }
            assertThat(copy.mismatch(MemorySegment.ofArray(keys))).isEqualTo(-1);
        }
    }

    /// A comparator that fails leaves each segment sorted or as it was.
    @Test
    void aComparatorMayFail() {
        AtomicInteger calls = new AtomicInteger();
        Order failing = Order.custom("a < b", (a, b) -> {
            if (calls.incrementAndGet() > 800_000) {
                throw new IllegalStateException("no more");
            }
            return Integer.compare(a.get(ValueLayout.JAVA_INT, 0), b.get(ValueLayout.JAVA_INT, 0));
        });
        int[] source = new Random(1).ints(COUNT).toArray();
        int[] keys = source.clone();
        SegmentOffsets rows = SegmentOffsets.ofRows(COUNT / 50, 50);
        try (SegmentedSorter sorter = SampleSort.onCpu().order(failing).buildSegmented(ElementType.INT)) {
            assertThatThrownBy(() -> sorter.sort(keys, rows)).hasMessage("no more");
        }
        int sorted = 0;
        for (int row = 0; row + 50 <= COUNT; row += 50) {
            int[] before = Arrays.copyOfRange(source, row, row + 50);
            if (Arrays.mismatch(before, Arrays.copyOfRange(keys, row, row + 50)) >= 0) {
                Arrays.sort(before);
                assertThat(Arrays.copyOfRange(keys, row, row + 50)).isEqualTo(before);
                sorted++;
            }
        }
        assertThat(sorted).isPositive();
    }

    @ParameterizedTest
    @EnumSource(names = {"WHOLE", "SHORT", "HALVES", "ONE_HUGE"})
    void aSortMayBeCancelled(SegmentShape shape) {
        long[] source = new Random(2).longs(COUNT, 0, 1000).toArray();
        SegmentOffsets offsets = shape.offsets(COUNT, new Random(2));
        checkCancelled(SampleSort.onCpu(), source, offsets);
        checkCancelled(SampleSort.onCpu().stable().payloads(ElementType.LONG, ElementType.BYTE), source, offsets);
        int[] permutation = new int[COUNT];
        long[] keys = source.clone();
        try (SegmentedSorter sorter = SampleSort.onCpu().buildSegmented(ElementType.LONG)) {
            int[] expected = sorter.argsort(keys, offsets);
            int stops = CancelledSort.atManyPlaces(
                    offsets.last() - offsets.first(),
                    () -> {},
                    () -> sorter.argsort(MemorySegment.ofArray(keys), offsets, MemorySegment.ofArray(permutation)),
                    isUnchanged -> assertThat(isUnchanged).isTrue(),
                    () -> assertThat(Arrays.mismatch(permutation, expected)).isEqualTo(-1));
            assertThat(stops).isPositive();
        }
        assertThat(Arrays.mismatch(keys, source)).isEqualTo(-1);
    }

    private static void checkCancelled(SorterBuilder builder, long[] source, SegmentOffsets offsets) {
        long[] keys = new long[COUNT];
        long[] expected = source.clone();
        for (int s = 0; s < offsets.segmentCount(); s++) {
            Arrays.sort(expected, (int) offsets.offset(s), (int) offsets.offset(s + 1L));
        }
        long[] inOrder = source.clone();
        Arrays.sort(inOrder);
        try (SegmentedSorter sorter = builder.buildSegmented(ElementType.LONG)) {
            MemorySegment[] payloads = sorter.payloadTypes().stream()
                    .map(type -> MemorySegment.ofArray(new byte[COUNT * type.byteSize()]))
                    .toArray(MemorySegment[]::new);
            int stops = CancelledSort.atManyPlaces(
                    offsets.last() - offsets.first(),
                    () -> System.arraycopy(source, 0, keys, 0, COUNT),
                    () -> sorter.sort(MemorySegment.ofArray(keys), offsets, payloads),
                    isUnchanged -> {
                        if (isUnchanged) {
                            assertThat(Arrays.mismatch(keys, source)).isEqualTo(-1);
                        }
                        long[] found = keys.clone();
                        Arrays.sort(found);
                        assertThat(Arrays.mismatch(found, inOrder)).isEqualTo(-1);
                    },
                    () -> assertThat(Arrays.mismatch(keys, expected)).isEqualTo(-1));
            assertThat(stops).isPositive();
        }
    }
}
