package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Inputs that are in order but for some elements, which are taken out and merged with the rest (mark_outliers.cuh). A
/// sort
/// that has done so sorts no bucket of its input, and its report says so.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuOutliersTest {
    private static final Tuning TINY =
            GpuContractTest.TINY.with("orderCheckSize=1,mergedRuns=64,outlierShare=40,bucketSlack=3");

    /// The elements of a tile of mark_outliers.
    private static final int TILE = 4096;

    private static final int COUNT = 40_000;

    /// What a test does to a sorted array.
    private interface Disorder {
        void of(long[] keys, Random random);
    }

    @Test
    void sizes() {
        try (Sorter sorter = SampleSort.onGpu().tuning(TINY).build(ElementType.LONG)) {
            for (int count :
                    new int[] {1, 2, 1000, 2 * TILE, 10 * TILE - 1, 10 * TILE, 10 * TILE + 1, 16 * TILE + 31}) {
                long[] keys = disordered(count, (a, random) -> replace(a, random, count / 100));
                // Few fit one block, or are merged as runs, or leave no room for the workspace of outliers.
                check(sorter, keys, count > 9 * TILE ? Boolean.TRUE : null, "a hundredth of " + count);
            }
        }
    }

    /// As many elements as may be out of place, and a few more. At some places the key that is put there fits.
    @Test
    void capacity() {
        try (Sorter sorter =
                SampleSort.onGpu().tuning(TINY.with("outlierShare=50")).build(ElementType.LONG)) {
            for (int percent : new int[] {70, 90, 120, 300}) {
                int few = COUNT / 50 * percent / 100;
                check(
                        sorter,
                        disordered(COUNT, (a, random) -> replace(a, random, few)),
                        percent < 100,
                        percent + " % of what may be out of place");
            }
        }
    }

    @Test
    void shapes() {
        int few = COUNT / 100;
        try (Sorter sorter = SampleSort.onGpu().tuning(TINY).build(ElementType.LONG)) {
            check(sorter, disordered(COUNT, (a, r) -> exchange(a, r, few / 2, COUNT)), true, "exchanged");
            check(sorter, disordered(COUNT, (a, r) -> exchange(a, r, few / 2, 50)), true, "exchanged with near ones");
            check(
                    sorter,
                    disordered(COUNT, (a, random) -> {
                        replace(a, random, few);
                        a[0] = Long.MAX_VALUE;
                        a[COUNT - 1] = Long.MIN_VALUE;
                    }),
                    true,
                    "the greatest first");
            for (long key : new long[] {Long.MIN_VALUE, 0, Long.MAX_VALUE}) {
                // In the tile of the zeros, which is a tenth of so few elements, one hides what it has passed.
                check(
                        sorter,
                        disordered(COUNT, (a, r) -> r.ints(few, 0, COUNT).forEach(place -> a[place] = key)),
                        key == 0 ? null : Boolean.TRUE,
                        "outliers are all " + key);
            }
            check(
                    sorter,
                    disordered(COUNT, (a, random) -> {
                        Arrays.fill(a, 7);
                        replace(a, random, few);
                    }),
                    true,
                    "all others are equal");
            // All at the beginning of the input.
            check(sorter, disordered(COUNT, (a, r) -> shuffle(a, r, 100, 100 + few)), null, "one part is random");
        }
    }

    /// Fences fall, or the first look finds no order, and the input is sorted as any other.
    @Test
    void otherInputs() {
        int few = COUNT / 100;
        try (Sorter sorter = SampleSort.onGpu().tuning(TINY).build(ElementType.LONG)) {
            check(sorter, disordered(COUNT, (a, r) -> shuffle(a, r, 0, COUNT)), false, "random");
            check(
                    sorter,
                    disordered(COUNT, (a, random) -> {
                        reverse(a);
                        replace(a, random, few);
                    }),
                    false,
                    "reversed but for a hundredth");
            // Two runs that overlap: all may be in order by what the first look sees.
            check(
                    sorter,
                    disordered(COUNT, (a, random) -> {
                        shuffle(a, random, 0, COUNT);
                        Arrays.sort(a, 0, COUNT / 3);
                        Arrays.sort(a, COUNT / 3, COUNT);
                        replace(a, random, few);
                    }),
                    false,
                    "two runs but for a hundredth");
            check(sorter, disordered(COUNT, (a, r) -> {}), true, "sorted");
        }
    }

    /// In every memory layout, since the array of the result has room for the sort of outliers.
    @Test
    void layouts() {
        long[] keys = disordered(COUNT, (a, random) -> replace(a, random, COUNT / 100));
        for (String layout : List.of("extraPercent=0", "extraPercent=1000")) {
            try (Sorter sorter = SampleSort.onGpu().tuning(TINY.with(layout)).build(ElementType.LONG)) {
                check(sorter, keys, true, layout);
            }
        }
    }

    @Test
    void whereNoneAreTakenOut() {
        long[] keys = disordered(COUNT, (a, random) -> replace(a, random, COUNT / 100));
        try (Sorter sorter =
                SampleSort.onGpu().tuning(TINY.with("mergedRuns=0")).build(ElementType.LONG)) {
            check(sorter, keys, false, "by tuning");
        }
        // So few leave no room for the workspace.
        try (Sorter sorter =
                SampleSort.onGpu().tuning(TINY.with("outlierShare=2")).build(ElementType.LONG)) {
            check(sorter, disordered(2000, (a, random) -> replace(a, random, 100)), false, "few");
        }
    }

    /// Launches are kept from the second time on, and outliers are others each time.
    @Test
    void again() {
        try (Sorter sorter = SampleSort.onGpu().tuning(TINY).build(ElementType.LONG);
                DeviceMemory device = DeviceMemory.allocate(Device.gpu(0), 8L * COUNT)) {
            for (int round = 0; round < 5; round++) {
                int few = 100 + 150 * round;
                boolean isRandom = round == 3;
                long[] keys = disordered(COUNT, (a, r) -> shuffleOrReplace(a, r, isRandom, few));
                check(sorter, device, keys, !isRandom, "round " + round);
            }
        }
    }

    /// Tiles, sections and the small sorts of outliers have other sizes with the tuning that users have.
    @Test
    void defaultTuning() {
        Tuning tuning =
                Tuning.defaultFor(ElementType.LONG, null).with("orderCheckSize=1,mergedRuns=64,outlierShare=16");
        try (Sorter sorter = SampleSort.onGpu().tuning(tuning).build(ElementType.LONG)) {
            int count = 250_003;
            long[] keys = disordered(count, (a, random) -> replace(a, random, count / 100));
            check(sorter, keys, true, "default tuning");
        }
    }

    @Test
    void otherKeys() {
        int few = COUNT / 100;
        Random random = new Random(5);
        int[] ints = random.ints(COUNT).sorted().toArray();
        random.ints(few, 0, COUNT).forEach(place -> ints[place] = random.nextInt());
        double[] special = {Double.NaN, Double.POSITIVE_INFINITY, 0.0, -0.0, Double.NEGATIVE_INFINITY};
        double[] doubles = random.doubles(COUNT, -1, 1).sorted().toArray();
        for (int i = 0; i < few; i++) {
            doubles[random.nextInt(COUNT)] = i % 2 == 0 ? special[i / 2 % special.length] : random.nextDouble();
        }
        int[] sortedInts = ints.clone();
        Arrays.sort(sortedInts);
        double[] sortedDoubles = doubles.clone();
        Arrays.sort(sortedDoubles);
        try (Sorter sorter = SampleSort.onGpu().tuning(TINY).build(ElementType.INT);
                DeviceMemory device = DeviceMemory.allocate(Device.gpu(0), 4L * COUNT)) {
            device.copyFrom(MemorySegment.ofArray(ints));
            assertThat(sorter.sort(device).largestBucket()).isZero();
            int[] result = new int[COUNT];
            device.copyTo(MemorySegment.ofArray(result));
            assertThat(result).isEqualTo(sortedInts);
        }
        try (Sorter sorter = SampleSort.onGpu().tuning(TINY).build(ElementType.DOUBLE);
                DeviceMemory from = DeviceMemory.allocate(Device.gpu(0), 8L * COUNT);
                DeviceMemory to = DeviceMemory.allocate(Device.gpu(0), 8L * COUNT)) {
            from.copyFrom(MemorySegment.ofArray(doubles));
            assertThat(sorter.sortedCopy(from, to).largestBucket()).isZero();
            double[] result = new double[COUNT];
            to.copyTo(MemorySegment.ofArray(result));
            assertThat(result).isEqualTo(sortedDoubles);
            from.copyTo(MemorySegment.ofArray(result));
            assertThat(result).as("source").isEqualTo(doubles);
        }
    }

    /// Keys of 16 bytes, of which a thread looks at 8.
    @Test
    void structs() {
        ElementType twoLongs = ElementType.of(MemoryLayout.structLayout(
                ValueLayout.JAVA_LONG.withName("first"), ValueLayout.JAVA_LONG.withName("second")));
        Random random = new Random(7);
        long[][] rows = new long[COUNT][];
        Arrays.setAll(rows, i -> new long[] {random.nextInt(5000), random.nextLong()});
        Comparator<long[]> comparator =
                Comparator.<long[]>comparingLong(row -> row[0]).thenComparingLong(row -> row[1]);
        Arrays.sort(rows, comparator);
        random.ints(COUNT / 100, 0, COUNT)
                .forEach(place -> rows[place] = new long[] {random.nextInt(5000), random.nextLong()});
        try (Sorter sorter = SampleSort.onGpu()
                        .order(Order.by("first").thenBy("second"))
                        .tuning(TINY)
                        .build(twoLongs);
                DeviceMemory device = DeviceMemory.allocate(Device.gpu(0), 16L * COUNT)) {
            device.copyFrom(MemorySegment.ofArray(joined(rows)));
            assertThat(sorter.sort(device).largestBucket()).isZero();
            long[] result = new long[2 * COUNT];
            device.copyTo(MemorySegment.ofArray(result));
            Arrays.sort(rows, comparator);
            assertThat(result).isEqualTo(joined(rows));
        }
    }

    private static long[] joined(long[][] rows) {
        return Arrays.stream(rows).flatMapToLong(Arrays::stream).toArray();
    }

    /// Pairs lie as whole elements between phases, or as keys and payloads.
    @Test
    void pairs() {
        for (ElementType payload : List.of(ElementType.INT, ElementType.LONG)) {
            try (Sorter sorter =
                            SampleSort.onGpu().tuning(TINY).payload(payload).build(ElementType.INT);
                    DeviceMemory keys = DeviceMemory.allocate(Device.gpu(0), 4L * COUNT);
                    DeviceMemory payloads = DeviceMemory.allocate(Device.gpu(0), (long) payload.byteSize() * COUNT)) {
                Random random = new Random(6);
                int[] input = random.ints(COUNT, 0, 9000).sorted().toArray();
                random.ints(COUNT / 100, 0, COUNT).forEach(place -> input[place] = random.nextInt(9000));
                keys.copyFrom(MemorySegment.ofArray(input));
                int[] places = IntStream.range(0, COUNT).toArray();
                payloads.copyFrom(
                        payload == ElementType.INT
                                ? MemorySegment.ofArray(places)
                                : MemorySegment.ofArray(
                                        Arrays.stream(places).asLongStream().toArray()));
                assertThat(sorter.sort(keys, payloads).largestBucket()).isZero();
                int[] sorted = new int[COUNT];
                keys.copyTo(MemorySegment.ofArray(sorted));
                if (payload == ElementType.INT) {
                    payloads.copyTo(MemorySegment.ofArray(places));
                } else {
                    long[] wide = new long[COUNT];
                    payloads.copyTo(MemorySegment.ofArray(wide));
                    places = Arrays.stream(wide).mapToInt(place -> (int) place).toArray();
                }
                assertThat(sorted).isSorted();
                assertThat(Arrays.stream(places).map(place -> input[place]).toArray())
                        .isEqualTo(sorted);
                assertThat(Arrays.stream(places).distinct().count()).isEqualTo(COUNT);
            }
        }
    }

    private static long[] disordered(int count, Disorder disorder) {
        Random random = new Random(count);
        long[] keys = random.longs(count).sorted().toArray();
        disorder.of(keys, random);
        return keys;
    }

    private static void replace(long[] keys, Random random, int times) {
        for (int i = 0; i < times; i++) {
            keys[random.nextInt(keys.length)] = random.nextLong();
        }
    }

    private static void shuffleOrReplace(long[] keys, Random random, boolean shuffles, int times) {
        if (shuffles) {
            shuffle(keys, random, 0, keys.length);
        } else {
            replace(keys, random, times);
        }
    }

    private static void exchange(long[] keys, Random random, int times, int most) {
        for (int i = 0; i < times; i++) {
            int place = random.nextInt(keys.length);
            swap(keys, place, Math.min(keys.length - 1, place + 1 + random.nextInt(most)));
        }
    }

    private static void shuffle(long[] keys, Random random, int begin, int end) {
        for (int i = begin + 1; i < end; i++) {
            swap(keys, i, random.nextInt(begin, i + 1));
        }
    }

    private static void reverse(long[] keys) {
        for (int i = 0; i < keys.length / 2; i++) {
            swap(keys, i, keys.length - 1 - i);
        }
    }

    private static void swap(long[] keys, int a, int b) {
        long key = keys[a];
        keys[a] = keys[b];
        keys[b] = key;
    }

    /// @param isMerged whether no bucket is sorted; null where either will do
    private static void check(Sorter sorter, long[] keys, Boolean isMerged, String what) {
        try (DeviceMemory device = DeviceMemory.allocate(Device.gpu(0), 8L * keys.length)) {
            check(sorter, device, keys, isMerged, what);
        }
    }

    private static void check(Sorter sorter, DeviceMemory device, long[] keys, Boolean isMerged, String what) {
        device.copyFrom(MemorySegment.ofArray(keys));
        SortReport report = sorter.sort(device);
        long[] result = new long[keys.length];
        device.copyTo(MemorySegment.ofArray(result));
        long[] expected = keys.clone();
        Arrays.sort(expected);
        assertThat(result).as(what).isEqualTo(expected);
        if (isMerged != null) {
            assertThat(report.largestBucket() == 0).as("merged: " + what).isEqualTo(isMerged);
        }
    }
}
