package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.RecordCase;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Inputs that are in order already, in the opposite order, or nearly so (find_order.cuh), in every memory layout. A
/// sort that has found such an order sorts no bucket, and its report says so.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuOrderedInputTest {
    private static final Tuning TINY = GpuContractTest.TINY.with("orderCheckSize=1");

    private static final List<String> LAYOUTS = List.of("extraPercent=130", "extraPercent=0");

    /// Sizes that take one pass and several, and have and lack an element in the middle.
    private static final int[] COUNTS = {TINY.smallSortLimit() + 1, 1536, 5001};

    @Test
    void keys() {
        for (String layout : LAYOUTS) {
            try (Sorter sorter = SampleSort.onGpu().tuning(TINY.with(layout)).build(ElementType.LONG)) {
                for (int count : COUNTS) {
                    long[] sorted = new Random(count).longs(count).sorted().toArray();
                    checkKeys(sorter, sorted, true, layout + ", sorted");
                    checkKeys(sorter, reversed(sorted), true, layout + ", reversed");
                    checkKeys(sorter, new long[count], true, layout + ", all equal");
                    // Few keys are sampled, so all have to be looked at.
                    for (int place : new int[] {0, 1, 255, 256, 1023, count / 2, count - 2}) {
                        for (long[] keys : List.of(sorted.clone(), reversed(sorted))) {
                            long key = keys[place];
                            keys[place] = keys[place + 1];
                            keys[place + 1] = key;
                            checkKeys(sorter, keys, false, layout + ", exchanged at " + place);
                        }
                    }
                }
            }
        }
    }

    @Test
    void floatingPointKeys() {
        double[] special = {
            Double.NaN, Double.POSITIVE_INFINITY, 0.0, -0.0, Double.MIN_VALUE, Double.NEGATIVE_INFINITY, -1
        };
        double[] sorted = IntStream.range(0, 3000)
                .mapToDouble(i -> special[i % special.length])
                .sorted()
                .toArray();
        double[] opposite = IntStream.range(0, sorted.length)
                .mapToDouble(i -> sorted[sorted.length - 1 - i])
                .toArray();
        try (Sorter sorter = SampleSort.onGpu().tuning(TINY).build(ElementType.DOUBLE);
                DeviceMemory device = DeviceMemory.allocate(Device.gpu(0), 8L * sorted.length)) {
            for (double[] keys : List.of(sorted, opposite)) {
                device.copyFrom(MemorySegment.ofArray(keys));
                assertThat(sorter.sort(device).largestBucket()).isZero();
                double[] result = new double[sorted.length];
                device.copyTo(MemorySegment.ofArray(result));
                assertThat(result).isEqualTo(sorted);
            }
        }
    }

    /// A stable sort must not reverse equal keys; another one may.
    @Test
    void pairs() {
        for (String layout : LAYOUTS) {
            for (boolean isStable : new boolean[] {false, true}) {
                SorterBuilder builder =
                        SampleSort.onGpu().tuning(TINY.with(layout)).payload(ElementType.INT);
                try (Sorter sorter = (isStable ? builder.stable() : builder).build(ElementType.INT)) {
                    for (int distinct : new int[] {6001, 3000}) {
                        boolean hasTies = distinct < 6001;
                        int[] rising = IntStream.range(0, 6001)
                                .map(i -> (int) ((long) i * distinct / 6001))
                                .toArray();
                        int[] falling = IntStream.of(rising).map(key -> -key).toArray();
                        String what = layout + (isStable ? ", stable, " : ", ") + distinct;
                        checkPairs(sorter, rising, isStable, true, what + " rising");
                        checkPairs(sorter, falling, isStable, !(isStable && hasTies), what + " falling");
                    }
                }
            }
        }
    }

    /// Sorts by index: of records, and for their order alone.
    @Test
    void byIndex() {
        int[] rising = IntStream.range(0, 5000).map(i -> i / 2).toArray();
        int[] falling = IntStream.of(rising).map(key -> -key).toArray();
        int[] strictlyFalling = IntStream.range(0, 5000).map(i -> -i).toArray();
        for (String layout : LAYOUTS) {
            try (Sorter sorter = SampleSort.onGpu()
                    .stable()
                    .payload(ElementType.LONG)
                    .tuning(TINY.with(layout))
                    .build(ElementType.INT)) {
                for (int[] keys : List.of(rising, falling, strictlyFalling)) {
                    checkByIndex(sorter, keys, keys != falling, layout);
                }
            }
            try (Sorter sorter =
                    SampleSort.onGpu().stable().tuning(TINY.with(layout)).build(ElementType.INT)) {
                for (int[] keys : List.of(rising, falling, strictlyFalling)) {
                    int[] expected = order(keys);
                    assertThat(sorter.argsort(MemorySegment.ofArray(keys)))
                            .as(layout)
                            .isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void orderOfOnesOwn() {
        Order order = Order.custom(
                "a % 1000 < b % 1000",
                (a, b) ->
                        Integer.compare(a.get(ValueLayout.JAVA_INT, 0) % 1000, b.get(ValueLayout.JAVA_INT, 0) % 1000));
        int[] rising = IntStream.range(0, 4000).map(i -> i % 4 * 1000 + i / 4).toArray();
        int[] falling = IntStream.range(0, 4000).map(i -> rising[3999 - i]).toArray();
        for (String layout : LAYOUTS) {
            try (Sorter sorter = SampleSort.onGpu()
                            .order(order)
                            .tuning(TINY.with(layout))
                            .build(ElementType.INT);
                    DeviceMemory device = DeviceMemory.allocate(Device.gpu(0), 4L * rising.length)) {
                for (int[] keys : List.of(rising, falling)) {
                    device.copyFrom(MemorySegment.ofArray(keys));
                    sorter.sort(device);
                    int[] result = new int[keys.length];
                    device.copyTo(MemorySegment.ofArray(result));
                    assertThat(IntStream.of(result).map(key -> key % 1000))
                            .as(layout)
                            .isSorted();
                    assertThat(result).as(layout).containsExactlyInAnyOrder(keys);
                }
            }
        }
    }

    @Test
    void hostMemoryInChunks() {
        String chunks = "chunkBytes=16384,transferBytes=4096,transferThreads=3,maxChunkCount=7";
        long[] sorted = new Random(5).longs(12_011).sorted().toArray();
        try (Sorter sorter = SampleSort.onGpu().tuning(TINY.with(chunks)).build(ElementType.LONG)) {
            for (long[] keys : List.of(sorted.clone(), reversed(sorted))) {
                sorter.sort(MemorySegment.ofArray(keys));
                assertThat(keys).isEqualTo(sorted);
            }
        }
    }

    /// A sort that is waited for launches less if the device has told in time that the input is in order. When the
    /// emulated device works is drawn at random, so this sorts until it has been in time and late.
    @Test
    void stopsEarly() {
        long[] keys = new Random(7).longs(5000).sorted().toArray();
        try (Sorter sorter = SampleSort.onGpu().tuning(TINY).timesPhases().build(ElementType.LONG);
                DeviceMemory device = DeviceMemory.allocate(Device.gpu(0), 8L * keys.length)) {
            int early = 0;
            for (int turn = 0; turn < 1000 && early < 3; turn++) {
                device.copyFrom(MemorySegment.ofArray(keys));
                SortReport report = sorter.sort(device);
                assertThat(report.largestBucket()).isZero();
                boolean isLate =
                        report.phases().stream().anyMatch(phase -> phase.name().equals("merge_sort"));
                early += isLate ? 0 : 1;
                long[] result = new long[keys.length];
                device.copyTo(MemorySegment.ofArray(result));
                assertThat(result).isEqualTo(keys);
            }
            assertThat(early).isEqualTo(3);
        }
    }

    /// The splitters of the first pass are chosen before anybody knows whether the input is in order. They are
    /// there for an input that is not, and no longer matter to one that is.
    @Test
    void choosesSplittersMeanwhile() {
        try (Sorter sorter = SampleSort.onGpu().tuning(TINY).timesPhases().build(ElementType.LONG);
                DeviceMemory device = DeviceMemory.allocate(Device.gpu(0), 8L * 3000)) {
            long[] random = new Random(3).longs(3000).toArray();
            for (long[] keys : List.of(random, LongStream.of(random).sorted().toArray())) {
                device.copyFrom(MemorySegment.ofArray(keys));
                SortReport report = sorter.sort(device);
                assertThat(report.phases())
                        .extracting(SortReport.Phase::name)
                        .startsWith("find_order", "select_splitters", "put_in_order");
                assertThat(report.largestBucket() == 0).isEqualTo(keys != random);
                long[] result = new long[keys.length];
                device.copyTo(MemorySegment.ofArray(result));
                assertThat(result).isSorted();
            }
        }
    }

    /// Smaller inputs than the tuning says are not checked.
    @Test
    void smallInputs() {
        for (String size : List.of("orderCheckSize=0", "orderCheckSize=3001")) {
            try (Sorter sorter = SampleSort.onGpu().tuning(TINY.with(size)).build(ElementType.LONG)) {
                long[] sorted = new Random(1).longs(3000).sorted().toArray();
                checkKeys(sorter, sorted, false, size);
                checkKeys(sorter, reversed(sorted), false, size);
            }
        }
    }

    private static void checkKeys(Sorter sorter, long[] keys, boolean isFound, String what) {
        try (DeviceMemory device = DeviceMemory.allocate(Device.gpu(0), 8L * keys.length)) {
            device.copyFrom(MemorySegment.ofArray(keys));
            SortReport report = sorter.sort(device);
            long[] result = new long[keys.length];
            device.copyTo(MemorySegment.ofArray(result));
            long[] expected = keys.clone();
            Arrays.sort(expected);
            String where = keys.length + " keys, " + what;
            assertThat(result).as(where).isEqualTo(expected);
            assertThat(report.largestBucket() == 0).as("order found, " + where).isEqualTo(isFound);
        }
    }

    private static void checkPairs(Sorter sorter, int[] keys, boolean isStable, boolean isFound, String what) {
        int[] payloads = IntStream.range(0, keys.length).toArray();
        try (DeviceMemory deviceKeys = DeviceMemory.allocate(Device.gpu(0), 4L * keys.length);
                DeviceMemory devicePayloads = DeviceMemory.allocate(Device.gpu(0), 4L * keys.length)) {
            deviceKeys.copyFrom(MemorySegment.ofArray(keys));
            devicePayloads.copyFrom(MemorySegment.ofArray(payloads));
            SortReport report = sorter.sort(deviceKeys, devicePayloads);
            int[] sorted = new int[keys.length];
            deviceKeys.copyTo(MemorySegment.ofArray(sorted));
            devicePayloads.copyTo(MemorySegment.ofArray(payloads));
            assertThat(sorted).as(what).isSorted();
            assertThat(IntStream.of(payloads).map(i -> keys[i]).toArray())
                    .as("keys by their payloads, " + what)
                    .isEqualTo(sorted);
            if (isStable) {
                assertThat(payloads).as("payloads, " + what).isEqualTo(order(keys));
            } else {
                assertThat(IntStream.of(payloads).distinct().count()).isEqualTo(keys.length);
            }
            assertThat(report.largestBucket() == 0).as("order found, " + what).isEqualTo(isFound);
        }
    }

    private static void checkByIndex(Sorter sorter, int[] keys, boolean isFound, String what) {
        int[] expected = order(keys);
        try (DeviceMemory deviceKeys = DeviceMemory.allocate(Device.gpu(0), 4L * keys.length);
                DeviceMemory devicePayloads = DeviceMemory.allocate(Device.gpu(0), 8L * keys.length)) {
            deviceKeys.copyFrom(MemorySegment.ofArray(keys));
            devicePayloads.copyFrom(MemorySegment.ofArray(
                    IntStream.range(0, keys.length).asLongStream().toArray()));
            SortReport report = sorter.sort(deviceKeys, devicePayloads);
            int[] sorted = new int[keys.length];
            long[] payloads = new long[keys.length];
            deviceKeys.copyTo(MemorySegment.ofArray(sorted));
            devicePayloads.copyTo(MemorySegment.ofArray(payloads));
            assertThat(sorted).as(what).isSorted();
            assertThat(payloads)
                    .as(what)
                    .isEqualTo(IntStream.of(expected).asLongStream().toArray());
            assertThat(report.largestBucket() == 0).as("order found, " + what).isEqualTo(isFound);
        }
    }

    private static int[] order(int[] keys) {
        return new RecordCase(ElementType.INT, Order.natural()).stableOrder(MemorySegment.ofArray(keys));
    }

    private static long[] reversed(long[] keys) {
        return IntStream.range(0, keys.length)
                .mapToLong(i -> keys[keys.length - 1 - i])
                .toArray();
    }
}
