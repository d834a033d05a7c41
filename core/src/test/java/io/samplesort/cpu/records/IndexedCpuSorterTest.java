package io.samplesort.cpu.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.RecordCase;
import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.CpuTuning;
import io.samplesort.cpu.numbers.SortCase;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the sorter of indexes reports, refuses and keeps.
class IndexedCpuSorterTest {
    private static final int COUNT = 50_000;

    private static long[] keys() {
        return new SplittableRandom(SortCase.SEED).longs(COUNT).toArray();
    }

    @Test
    void reportsWhatItDid() {
        Order byScore = Order.by("score").thenBy("id");
        try (IndexedCpuSorter sorter =
                new IndexedCpuSorter(IndexedCases.SCORED, List.of(), byScore, CpuTuning.DEFAULT, 3)) {
            SortReport report = sorter.sort(MemorySegment.ofArray(keys()), List.of());
            assertThat(report.device()).isEqualTo("cpu, 1 thread");
            assertThat(report.elementCount()).isEqualTo(COUNT / 2);
        }
        try (IndexedCpuSorter sorter =
                new IndexedCpuSorter(IndexedCases.SCORED, List.of(), byScore, SortCase.TINY, 3)) {
            SortReport report = sorter.sort(MemorySegment.ofArray(keys()), List.of());
            assertThat(report.device()).isEqualTo("cpu, 3 threads");
            assertThat(report.passes()).isPositive();
            assertThat(report.phases())
                    .extracting(SortReport.Phase::name)
                    .containsSubsequence("make_sort_keys", "select_splitters", "scatter", "small_sort");
            assertThat(report.bytesMoved()).isGreaterThanOrEqualTo(4L * COUNT * Long.BYTES);
            assertThat(report.extraBytes()).isGreaterThan(16L * COUNT / 2);
            assertThat(report.largestBucket()).isPositive();
        }
    }

    @Test
    void reportsWhatItDidByIndex() {
        try (IndexedCpuSorter sorter = new IndexedCpuSorter(
                IndexedCases.SCORED, List.of(), Order.by("score").thenBy("id"), SortCase.TINY, 3)) {
            SortReport report =
                    sorter.argsort(MemorySegment.ofArray(keys()), MemorySegment.ofArray(new int[COUNT / 2]));
            assertThat(report.phases())
                    .extracting(SortReport.Phase::name)
                    .containsSubsequence("make_sort_keys", "scatter", "small_sort", "sort_ties", "gather");
            assertThat(report.passes()).isPositive();
            assertThat(report.bytesMoved()).isGreaterThan(3L * COUNT * Long.BYTES);
            assertThat(report.extraBytes()).isGreaterThan(12L * COUNT / 2);
        }
    }

    @Test
    void sortsFewValuesInWideFieldsAsNumbersAlone() {
        MemorySegment elements = MemorySegment.ofArray(
                new SplittableRandom(SortCase.SEED).longs(2L * COUNT, -5, 5).toArray());
        for (int i = 0; i < COUNT; i++) {
            elements.set(ValueLayout.JAVA_DOUBLE, 16L * i + 8, i % 7 == 0 ? 1.25 : 1.5);
        }
        RecordCase records =
                new RecordCase(IndexedCases.SCORED, Order.by("id").reversed().thenBy("score"));
        int[] permutation = new int[COUNT];
        long extraBytes = extraBytesOfArgsort(records, elements, permutation);
        assertThat(permutation).as("-Dtests.seed=" + SortCase.SEED).isEqualTo(records.stableOrder(elements));

        MemorySegment wide = MemorySegment.ofArray(
                new SplittableRandom(SortCase.SEED).longs(2L * COUNT).toArray());
        // Which takes a second array of indexes, for ties.
        assertThat(extraBytes).isLessThanOrEqualTo(extraBytesOfArgsort(records, wide, new int[COUNT]) - 4L * COUNT);
    }

    private static long extraBytesOfArgsort(RecordCase records, MemorySegment elements, int[] permutation) {
        try (IndexedCpuSorter sorter =
                new IndexedCpuSorter(records.type(), List.of(), records.order(), SortCase.TINY, 3)) {
            return sorter.argsort(elements, MemorySegment.ofArray(permutation)).extraBytes();
        }
    }

    @Test
    void movesNothingWhereAllIsInOrder() {
        long[] keys = new long[COUNT];
        Arrays.setAll(keys, i -> i / 5);
        Comparator<MemorySegment> ascending =
                (a, b) -> Long.compare(a.get(ValueLayout.JAVA_LONG, 0), b.get(ValueLayout.JAVA_LONG, 0));
        try (IndexedCpuSorter sorter =
                new IndexedCpuSorter(ElementType.LONG, List.of(ElementType.INT), Order.custom("a < b", ascending))) {
            SortReport report =
                    sorter.sort(MemorySegment.ofArray(keys), List.of(MemorySegment.ofArray(new int[COUNT])));
            assertThat(report.bytesMoved()).isZero();
        }
    }

    @Test
    void refusesMoreElementsThanAnArrayHas() {
        // Not memory of ours: it must not be looked at.
        MemorySegment elements = MemorySegment.NULL.reinterpret((1L << 31) - 8);
        try (IndexedCpuSorter sorter = new IndexedCpuSorter(ElementType.BYTE, List.of(), Order.natural())) {
            assertThatThrownBy(() -> sorter.sort(elements, List.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("2147483640 elements")
                    .hasMessageContaining("no more than 2147483639")
                    .hasMessageEndingWith("sort parts and merge them");
            assertThatThrownBy(() -> sorter.argsort(elements, elements)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void allocatesBeforeItLooksAtAnElement() {
        ElementType large =
                IndexedCases.struct(MemoryLayout.sequenceLayout(ElementType.MAX_BYTES, ValueLayout.JAVA_BYTE)
                        .withName("name"));
        // Not memory of ours, and so much that no process of any machine has addresses for a copy.
        MemorySegment elements = MemorySegment.NULL.reinterpret((1L << 47) - (16L << 16));
        try (IndexedCpuSorter sorter = new IndexedCpuSorter(large, List.of(), Order.by("name"))) {
            assertThatThrownBy(() -> sorter.sort(elements, List.of())).isInstanceOf(OutOfMemoryError.class);
            byte[] two = new byte[2 * ElementType.MAX_BYTES];
            two[ElementType.MAX_BYTES - 1] = 1;
            sorter.sort(MemorySegment.ofArray(two), List.of());
            assertThat(two[two.length - 1]).isEqualTo((byte) 1);
        }
    }

    @Test
    void givesMemoryBackAndGoesOn() {
        long[] expected = keys();
        Arrays.sort(expected);
        try (IndexedCpuSorter sorter = new IndexedCpuSorter(ElementType.LONG, List.of(), Order.natural())) {
            for (boolean isReleased : new boolean[] {true, false, true}) {
                long[] keys = keys();
                sorter.sort(MemorySegment.ofArray(keys), List.of());
                assertThat(keys).as("-Dtests.seed=" + SortCase.SEED).isEqualTo(expected);
                assertThat(sorter.keptBytes()).isPositive();
                if (isReleased) {
                    sorter.release();
                    assertThat(sorter.keptBytes()).isZero();
                }
            }
            SortReport report = sorter.sort(MemorySegment.ofArray(new long[] {2, 1}), List.of());
            assertThat(report.extraBytes()).isLessThan(100_000);
        }
    }

    @Test
    void sortsMappedFile(@TempDir Path folder) throws IOException {
        RecordCase records = new RecordCase(IndexedCases.TERASORT, Order.by("key"));
        try (Arena arena = Arena.ofShared();
                FileChannel channel = FileChannel.open(
                        folder.resolve("records"),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            MemorySegment elements = channel.map(FileChannel.MapMode.READ_WRITE, 0, 100L * COUNT, arena);
            RecordInput.FEW_DISTINCT.fill(elements, records.type(), new SplittableRandom(SortCase.SEED));
            assertThat(OrderedRun.isSorted(elements, records.type(), records.order()))
                    .isFalse();
            try (IndexedCpuSorter sorter = new IndexedCpuSorter(records.type(), List.of(), records.order())) {
                sorter.sort(elements, List.of());
            }
            assertThat(OrderedRun.isSorted(elements, records.type(), records.order()))
                    .as("-Dtests.seed=" + SortCase.SEED)
                    .isTrue();
        }
    }

    @Test
    void theSorterOfPrimitiveKeysSaysWhoSortsByFields() {
        assertThatThrownBy(() -> new CpuSorter(IndexedCases.SCORED, null, Order.by("id")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("by id")
                .hasMessageContaining("IndexedCpuSorter");
    }
}
