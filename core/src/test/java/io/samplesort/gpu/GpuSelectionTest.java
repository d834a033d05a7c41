package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.SegmentedSorter;
import io.samplesort.SelectionContract;
import io.samplesort.Selector;
import io.samplesort.Snippets;
import io.samplesort.SorterBuilder;
import io.samplesort.gpu.GpuSegmentTest.Copies;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Selections of device memory.
@Tag("gpu")
@Tag("contract")
@ExtendWith(GpuEnvironment.class)
class GpuSelectionTest extends SelectionContract {
    private static final int FILTERED = 20_000;

    @Override
    protected SorterBuilder builder() {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY);
    }

    @Override
    protected int[] sizes() {
        return new int[] {1, 2, 1000, FILTERED};
    }

    @Override
    protected Memory memory() {
        return new OnDevice();
    }

    /// The elements may lie anywhere: then they are read one by one.
    @Test
    void elementsAreReadWhereverTheyLie() {
        int[] keys = new Random(7).ints(FILTERED).toArray();
        int[] sorted = keys.clone();
        Arrays.sort(sorted);
        int[] first = new int[100];
        try (DeviceMemory memory = DeviceMemory.allocate(Device.gpu(0), (FILTERED + 1) * 4L);
                DeviceMemory target = DeviceMemory.allocate(Device.gpu(0), 400);
                Selector selector = builder().buildSelector(ElementType.INT)) {
            DeviceMemory moved = memory.slice(4, FILTERED * 4L);
            moved.copyFrom(MemorySegment.ofArray(keys));
            selector.first(moved, 100, target);
            target.copyTo(MemorySegment.ofArray(first));
        }
        assertThat(first).isEqualTo(Arrays.copyOf(sorted, 100));
    }

    /// Sort keys that are kept in the opposite order are sorted where they lie.
    @Test
    void keepsElementsInTheOppositeOrder() {
        long[] keys = LongStream.range(0, FILTERED).map(i -> -i).toArray();
        int wanted = FILTERED / 2;
        long[] first = new long[wanted];
        try (DeviceMemory memory = DeviceMemory.allocate(Device.gpu(0), FILTERED * 8L);
                DeviceMemory target = DeviceMemory.allocate(Device.gpu(0), wanted * 8L);
                Selector selector = SampleSort.onGpu()
                        .tuning(GpuContractTest.TINY.with("orderCheckSize=1"))
                        .buildSelector(ElementType.LONG)) {
            memory.copyFrom(MemorySegment.ofArray(keys));
            selector.first(memory, wanted, target);
            target.copyTo(MemorySegment.ofArray(first));
        }
        Arrays.sort(keys);
        assertThat(first).isEqualTo(Arrays.copyOf(keys, wanted));
    }

    /// A selection takes memory for the sample and what lies between the bounds.
    @Test
    void fewElementsTakeLittleMemory() {
        int[] keys = new Random(8).ints(FILTERED).toArray();
        try (DeviceMemory memory = DeviceMemory.allocate(Device.gpu(0), FILTERED * 4L);
                DeviceMemory target = DeviceMemory.allocate(Device.gpu(0), 40);
                Selector selector = builder().timesPhases().buildSelector(ElementType.INT)) {
            memory.copyFrom(MemorySegment.ofArray(keys));
            SortReport first = selector.first(memory, 10, target);
            SortReport middle = selector.nth(memory, FILTERED / 2, target.slice(0, 4));
            for (SortReport report : List.of(first, middle)) {
                assertThat(report.phases())
                        .extracting(SortReport.Phase::name)
                        .containsExactly("sort_sample", "keep_between", "sort_kept", "gather");
            }
            assertThat(first.extraBytes()).isLessThan(FILTERED * 2L);
        }
    }

    @Test
    void theSnippetsOfTheLibrarysPage() throws Exception {
        Snippets.assertStandIn(GpuSelectionTest.class, "docs/library.md", "Select the first elements, or the median");
        long[] keys = new Random(9).longs(FILTERED).toArray();
        double[] times = new Random(10).doubles(FILTERED).toArray();
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        double[] greatest = new double[100];
        try (Copies copies = new Copies()) {
            DeviceMemory deviceKeys = copies.of(MemorySegment.ofArray(keys));
            DeviceMemory offsets = copies.of(MemorySegment.ofArray(new int[] {0, 5, FILTERED}));
            DeviceMemory results = copies.of(MemorySegment.ofArray(new long[20]));
            DeviceMemory resultOffsets = copies.of(MemorySegment.ofArray(new int[3]));
            int[] ends = new int[3];
            try (SegmentedSorter sorter = SampleSort.onGpu().buildSegmented(ElementType.LONG)) {
                long found = sorter.first(deviceKeys, offsets, ElementType.INT, 10, results, resultOffsets);
            }
            resultOffsets.copyTo(MemorySegment.ofArray(ends));
            assertThat(ends).containsExactly(0, 5, 15);
        }
        try (DeviceMemory deviceTimes = DeviceMemory.allocate(Device.gpu(0), FILTERED * 8L);
                DeviceMemory deviceTarget = DeviceMemory.allocate(Device.gpu(0), 800)) {
            deviceTimes.copyFrom(MemorySegment.ofArray(times));

            long[] least = SampleSort.first(keys, 10);
            double median = SampleSort.median(times);
            double[] slow = SampleSort.quantiles(times, 0.9, 0.99);

            try (Selector selector =
                    SampleSort.onBestDevice().order(Order.natural().reversed()).buildSelector(ElementType.DOUBLE)) {
                int[] longest = selector.argfirst(times, 100);
                selector.first(deviceTimes, 100, deviceTarget);
            }

            deviceTarget.copyTo(MemorySegment.ofArray(greatest));
            assertThat(greatest[99]).isEqualTo(sorted[FILTERED - 100]);
            assertThat(least).isSorted().hasSize(10);
            assertThat(median).isEqualTo(sorted[FILTERED / 2 - 1]);
            assertThat(slow).containsExactly(sorted[FILTERED * 9 / 10 - 1], sorted[FILTERED * 99 / 100 - 1]);
        }
    }

    /// Copies segments to the device and results back.
    private static final class OnDevice implements Memory {
        private static DeviceMemory on(MemorySegment segment) {
            DeviceMemory memory = DeviceMemory.allocate(Device.gpu(0), Math.max(1, segment.byteSize()));
            if (segment.byteSize() > 0) {
                memory.copyFrom(segment);
            }
            return memory;
        }

        /// Copies back, and gives the memory back.
        private static void off(DeviceMemory memory, MemorySegment segment) {
            if (segment.byteSize() > 0) {
                memory.copyTo(segment);
            }
            memory.close();
        }

        private static void offUnchanged(DeviceMemory memory, MemorySegment segment) {
            MemorySegment now = MemorySegment.ofArray(new byte[(int) segment.byteSize()]);
            off(memory, now);
            assertThat(Arrays.equals(now.toArray(ValueLayout.JAVA_BYTE), segment.toArray(ValueLayout.JAVA_BYTE)))
                    .as("the input is unchanged")
                    .isTrue();
        }

        @Override
        public void select(
                Selector selector, List<MemorySegment> columns, long k, boolean isLast, List<MemorySegment> targets) {
            List<DeviceMemory> from = new ArrayList<>();
            List<DeviceMemory> to = new ArrayList<>();
            columns.forEach(column -> from.add(on(column)));
            targets.forEach(target -> to.add(on(target)));
            List<DeviceMemory> payloads = from.subList(1, from.size());
            List<DeviceMemory> payloadTargets = to.subList(1, to.size());
            if (k == 0) {
                // There is no device memory of no bytes, and the size of these targets does not matter.
                assertThat(targets.getFirst().byteSize()).isZero();
            }
            if (payloads.isEmpty()) {
                if (isLast) {
                    selector.last(from.getFirst(), k, to.getFirst());
                } else {
                    selector.first(from.getFirst(), k, to.getFirst());
                }
            } else if (isLast) {
                selector.last(from.getFirst(), payloads, k, to.getFirst(), payloadTargets);
            } else {
                selector.first(from.getFirst(), payloads, k, to.getFirst(), payloadTargets);
            }
            for (int c = 0; c < columns.size(); c++) {
                offUnchanged(from.get(c), columns.get(c));
                off(to.get(c), targets.get(c));
            }
        }

        @Override
        public void argselect(
                Selector selector, MemorySegment elements, long k, boolean isLast, MemorySegment indexes) {
            DeviceMemory from = on(elements);
            DeviceMemory to = on(indexes);
            if (isLast) {
                selector.arglast(from, k, to);
            } else {
                selector.argfirst(from, k, to);
            }
            offUnchanged(from, elements);
            off(to, indexes);
        }

        @Override
        public void nth(Selector selector, MemorySegment elements, long rank, MemorySegment target) {
            DeviceMemory from = on(elements);
            DeviceMemory to = on(target);
            selector.nth(from, rank, to);
            offUnchanged(from, elements);
            off(to, target);
        }

        @Override
        public void quantiles(Selector selector, MemorySegment elements, MemorySegment target, double... quantiles) {
            DeviceMemory from = on(elements);
            DeviceMemory to = on(target);
            selector.quantiles(from, to, quantiles);
            offUnchanged(from, elements);
            off(to, target);
        }
    }
}
