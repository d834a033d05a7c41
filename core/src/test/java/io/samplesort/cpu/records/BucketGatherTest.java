package io.samplesort.cpu.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.RecordCase;
import io.samplesort.cpu.leaf.SimdRecords;
import io.samplesort.cpu.numbers.CpuTuning;
import io.samplesort.cpu.numbers.SortCase;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Sorts of records through buckets in a copy, compared with the JDK's stable sort.
class BucketGatherTest {
    private static final int COUNT = (1 << 18) + 77;

    // Fields of each kind that the kernels read.
    private static final ElementType SHORT = IndexedCases.struct(
            ValueLayout.JAVA_LONG.withName("long"),
            ValueLayout.JAVA_INT.withName("int"),
            ValueLayout.JAVA_FLOAT.withName("float"));

    private static final ElementType LONG = IndexedCases.struct(
            ValueLayout.JAVA_LONG.withName("number"),
            MemoryLayout.sequenceLayout(8, ValueLayout.JAVA_BYTE).withName("text"),
            ValueLayout.JAVA_DOUBLE.withName("double"),
            ValueLayout.JAVA_LONG.withName("long"));

    static List<RecordCase> cases() {
        List<RecordCase> cases = new ArrayList<>();
        for (Order order : List.of(
                Order.by("int"), Order.by("long").unsigned(), Order.by("float").reversed())) {
            cases.add(new RecordCase(SHORT, order));
        }
        for (Order order :
                List.of(Order.by("text"), Order.by("double"), Order.by("long").reversed())) {
            cases.add(new RecordCase(LONG, order));
        }
        return cases;
    }

    @BeforeEach
    void needsKernels() {
        assumeTrue(SimdRecords.find(true) != null, "this processor cannot run the kernels");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void randomRecordsAreSorted(RecordCase records) {
        byte[] elements = new byte[COUNT * records.type().byteSize()];
        new SplittableRandom(SortCase.SEED).nextBytes(elements);
        byte[] expected = sortedByTheJdk(records, elements);
        for (int threads : new int[] {1, 5}) {
            assertThat(sortedByBuckets(records, elements, expected, threads)).isTrue();
        }
    }

    /// Some hundred keys begin with the same 61 bits, which are all that a bucket's longs have room for. Some of these
    /// keys are equal.
    @Test
    void tiesOfLeadingBitsAreSortedByTheRest() {
        RecordCase records = new RecordCase(LONG, Order.by("long"));
        SplittableRandom random = new SplittableRandom(SortCase.SEED);
        long[] clusters = random.longs(2000).toArray();
        long[] elements = random.longs(4L * COUNT).toArray();
        for (int i = 0; i < COUNT; i++) {
            elements[4 * i + 3] = clusters[random.nextInt(clusters.length)] & -64 | random.nextInt(64);
        }
        byte[] bytes = MemorySegment.ofArray(elements).toArray(ValueLayout.JAVA_BYTE);
        assertThat(sortedByBuckets(records, bytes, sortedByTheJdk(records, bytes), 3))
                .isTrue();
    }

    /// Their splitters would be equal, or one bucket would have most of them.
    @Test
    void recordsWhoseKeysRepeatAreSortedAnotherWay() {
        RecordCase records = new RecordCase(LONG, Order.by("number"));
        SplittableRandom random = new SplittableRandom(SortCase.SEED);
        long[] elements = random.longs(4L * COUNT).toArray();
        for (int distinct : new int[] {1, 200}) {
            for (int i = 0; i < COUNT; i++) {
                elements[4 * i] = random.nextInt(distinct);
            }
            byte[] bytes = MemorySegment.ofArray(elements).toArray(ValueLayout.JAVA_BYTE);
            // All equal are in order.
            assertThat(sortedByBuckets(records, bytes, sortedByTheJdk(records, bytes), 3))
                    .isFalse();
        }
    }

    private static byte[] sortedByTheJdk(RecordCase records, byte[] elements) {
        MemorySegment before = MemorySegment.ofArray(elements);
        return RecordCase.gathered(before, records.type().byteSize(), records.stableOrder(before));
    }

    /// Sorts a copy of the elements and compares it with what is expected.
    ///
    /// @return whether they were divided among buckets
    private static boolean sortedByBuckets(RecordCase records, byte[] elements, byte[] expected, int threads) {
        MemorySegment sorted = MemorySegment.ofArray(elements.clone());
        SortReport report;
        try (IndexedCpuSorter sorter =
                new IndexedCpuSorter(records.type(), List.of(), records.order(), CpuTuning.DEFAULT, threads)) {
            report = sorter.sort(sorted, List.of());
        }
        assertThat(sorted.mismatch(MemorySegment.ofArray(expected)))
                .as("%s, %d threads; replay with -Dtests.seed=%d", records, threads, SortCase.SEED)
                .isEqualTo(-1);
        assertThat(report.elementCount()).isEqualTo(COUNT);
        return report.phases().stream().anyMatch(phase -> phase.name().equals("select_splitters"))
                && report.phases().stream().anyMatch(phase -> phase.name().equals("count_keys"));
    }
}
