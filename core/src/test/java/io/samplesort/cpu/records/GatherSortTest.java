package io.samplesort.cpu.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.RecordCase;
import io.samplesort.cpu.leaf.SimdRecords;
import io.samplesort.cpu.numbers.CpuTuning;
import io.samplesort.cpu.numbers.SortCase;
import io.samplesort.cpu.threads.Crew;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.types.CustomOrder;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Sorts of records by their places against the JDK's stable sort: those that are gathered, and ties of all kinds.
class GatherSortTest {
    private static final int COUNT = 3000;
    private static final int PLACE_BITS = 12;

    private final SimdRecords kernels = SimdRecords.find(true);

    static List<RecordCase> cases() {
        return IndexedCases.all().stream()
                .filter(records -> !(records.order() instanceof CustomOrder))
                .toList();
    }

    @BeforeEach
    void needsKernels() {
        assumeTrue(kernels != null, "this processor cannot run the kernels");
    }

    /// As few leading bits as 1 make runs of thousands, 52 nearly none.
    @ParameterizedTest
    @MethodSource("cases")
    void tiesAreSortedByTheRestOfTheKey(RecordCase records) {
        SplittableRandom random = new SplittableRandom(SortCase.SEED);
        SortKey key = SortKey.of(records.type(), records.order());
        for (RecordInput input : RecordInput.values()) {
            MemorySegment elements =
                    MemorySegment.ofArray(new byte[COUNT * records.type().byteSize()]);
            input.fill(elements, records.type(), random);
            for (int grain : new int[] {5, 100, COUNT}) {
                long[] packed = new long[COUNT];
                for (int i = 0; i < COUNT; i++) {
                    packed[i] = key.packed(elements, i, i, PLACE_BITS) ^ Long.MIN_VALUE;
                }
                Arrays.sort(packed);
                NumberSorters sorters = NumberSorters.of(SortCase.TINY, 3);
                MemorySegment longs = MemorySegment.ofArray(packed);
                try (Crew crew = new Parallel(3).crew()) {
                    new PlaceTies(kernels, longs, PLACE_BITS, elements, crew, grain, sorters).finish(key, COUNT);
                }
                sorters.release();
                int[] places = Arrays.stream(packed)
                        .mapToInt(number -> (int) (number & (1 << PLACE_BITS) - 1))
                        .toArray();
                assertThat(places)
                        .as("%s, %s, grain %d; replay with -Dtests.seed=%d", records, input, grain, SortCase.SEED)
                        .isEqualTo(records.stableOrder(elements));
            }
        }
    }

    @Test
    void randomRecordsAreGathered() {
        int count = 200_000;
        RecordCase records = cases().getFirst();
        long[] elements = new SplittableRandom(SortCase.SEED).longs(2L * count).toArray();
        int[] payload = new int[count];
        Arrays.setAll(payload, i -> i);
        int[] expected = records.stableOrder(MemorySegment.ofArray(elements));
        long[] sorted = elements.clone();
        try (IndexedCpuSorter sorter =
                new IndexedCpuSorter(records.type(), List.of(ElementType.INT), records.order(), CpuTuning.DEFAULT, 3)) {
            SortReport report = sorter.sort(MemorySegment.ofArray(sorted), List.of(MemorySegment.ofArray(payload)));
            assertThat(report.phases())
                    .extracting(SortReport.Phase::name)
                    .contains("make_sort_keys", "gather")
                    .doesNotContain("scatter");
            assertThat(report.elementCount()).isEqualTo(count);
            assertThat(report.extraBytes()).isBetween(28L * count, 28L * count + (4 << 20));
            assertThat(report.bytesMoved()).isGreaterThan(80L * count);
        }
        assertThat(Arrays.mismatch(payload, expected)).isEqualTo(-1);
        MemorySegment moved = MemorySegment.ofArray(sorted);
        for (int i = 0; i < count; i++) {
            assertThat(moved.getAtIndex(ValueLayout.JAVA_LONG, 2L * i)).isEqualTo(elements[2 * expected[i]]);
            assertThat(moved.getAtIndex(ValueLayout.JAVA_LONG, 2L * i + 1)).isEqualTo(elements[2 * expected[i] + 1]);
        }
    }
}
