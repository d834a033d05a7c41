package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.RecordCase;
import io.samplesort.SampleSort;
import io.samplesort.Selector;
import io.samplesort.Sorter;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Few sorts that run the kernels of records, moved and by index, also by orders that contradict themselves.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuEveryRecordKernelTest {
    @Test
    void recordsMovedAndByIndex() {
        Tuning plenty = GpuContractTest.TINY.with("extraPercent=130");
        Tuning tight = GpuContractTest.TINY.with("bucketSlack=1,oversampling=1");
        sortRecordsAndCheck(named("price, then id"), GpuEveryKernelTest.HOPELESS, 6000);
        sortRecordsAndCheck(named("all kinds of narrow fields"), plenty, 6000);
        sortRecordsAndCheck(named("sort benchmark"), GpuContractTest.TINY, 6000);
        sortRecordsAndCheck(named("sort benchmark"), GpuContractTest.TINY, 50);
        sortRecordsAndCheck(named("sort benchmark"), GpuEveryKernelTest.HOPELESS.with("extraPercent=130"), 6000);
        sortRecordsAndCheck(named("sort benchmark"), tight, 6000);
        sortRecordsAndCheck(named("custom, moved"), GpuEveryKernelTest.HOPELESS, 6000);
        sortRecordsAndCheck(named("custom, by index"), tight, 6000);
    }

    @Test
    void ordersThatAreNone() {
        ElementType type = ElementType.of(
                MemoryLayout.structLayout(ValueLayout.JAVA_LONG.withName("a"), ValueLayout.JAVA_LONG.withName("b")));
        Comparator<MemorySegment> comparator = (a, b) -> 1;
        Order order = Order.custom("(a.a * 0x9e3779b97f4a7c15ll ^ b.b) >> 40 & 1", comparator);
        RecordCase records = new RecordCase("no order", type, order, false);
        // The last one merges the whole input, in parts that contradict each other.
        Tuning tight = GpuContractTest.TINY.with("bucketSlack=1,oversampling=1");
        for (Tuning tuning :
                List.of(GpuEveryKernelTest.HOPELESS, GpuEveryKernelTest.HOPELESS.with("extraPercent=130"), tight)) {
            sortRecordsAndCheck(records, tuning, 6000);
        }
    }

    @Test
    void selections() {
        int count = 20_000;
        int[] keys = new Random(3).ints(count).toArray();
        int[] sorted = keys.clone();
        Arrays.sort(sorted);
        int[] selected = new int[3];
        try (DeviceMemory elements = DeviceMemory.allocate(Device.gpu(0), count * 4L);
                DeviceMemory target = DeviceMemory.allocate(Device.gpu(0), selected.length * 4L);
                Selector selector =
                        SampleSort.onGpu().tuning(GpuContractTest.TINY).buildSelector(ElementType.INT)) {
            elements.copyFrom(MemorySegment.ofArray(keys));
            selector.quantiles(elements, target, 0, 0.5, 1);
            target.copyTo(MemorySegment.ofArray(selected));
        }
        assertThat(selected).containsExactly(sorted[0], sorted[count / 2 - 1], sorted[count - 1]);
    }

    @Test
    void sortedArrays() {
        GpuSortedOperationsTest.checkEverything(named("three shorts"), 7);
        GpuSortedOperationsTest.checkEverything(named("sort benchmark"), 7);
    }

    private static RecordCase named(String name) {
        return RecordCase.all().stream()
                .filter(records -> records.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void sortRecordsAndCheck(RecordCase records, Tuning tuning, int count) {
        ElementType type = records.type();
        long bytes = (long) count * type.byteSize();
        try (Arena arena = Arena.ofShared();
                DeviceMemory elements = DeviceMemory.allocate(Device.gpu(0), bytes);
                DeviceMemory permutation = DeviceMemory.allocate(Device.gpu(0), count * 4L);
                DeviceMemory gathered = DeviceMemory.allocate(Device.gpu(0), bytes);
                Sorter sorter =
                        SampleSort.onGpu().tuning(tuning).order(records.order()).build(type)) {
            MemorySegment input = arena.allocate(bytes, 16);
            records.fill(input, new Random(count));
            elements.copyFrom(input);
            sorter.argsort(elements, permutation);
            sorter.applyPermutation(permutation, type, elements, gathered);
            sorter.sort(elements);
            Fingerprint before = Fingerprint.of(input, type.byteSize());
            String what = records + ", " + tuning;
            boolean isOrder = sorter.isSorted(elements);
            for (DeviceMemory result : List.of(elements, gathered)) {
                MemorySegment sorted = arena.allocate(bytes, 16);
                result.copyTo(sorted);
                assertThat(Fingerprint.of(sorted, type.byteSize())).as(what).isEqualTo(before);
                assertThat(sorter.isSorted(sorted) || !records.isOrder())
                        .as(what)
                        .isTrue();
            }
            assertThat(isOrder || !records.isOrder()).as(what).isTrue();
        }
    }
}
