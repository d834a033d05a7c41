package io.samplesort.gpu;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.RecordCase;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.types.ElementType;
import io.samplesort.types.FieldOrder;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Inputs that consist of a few sorted runs (find_runs.cuh, merge_runs.cuh). A sort that has merged them sorts no
/// bucket, and its report says so. Its small sort sorts the samples alone, so it has no cells, and is compiled sooner.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuSortedRunsTest {
    private static final Tuning TINY = GpuContractTest.TINY.with("orderCheckSize=1,mergedRuns=64,smallSortCells=0");

    /// The fewest runs, an odd number of them, the most that are merged, and one more.
    @Test
    void keys() {
        checkNumbersOfRuns(new int[] {2, 7, 64, 65}, 600, 20_000);
    }

    @Test
    @Tag("exhaustive")
    void keysInMoreNumbersOfRuns() {
        checkNumbersOfRuns(new int[] {2, 3, 4, 7, 16, 33, 64, 65}, 1500, 60_000);
    }

    private static void checkNumbersOfRuns(int[] numbers, int fewInARun, int many) {
        try (Sorter sorter = SampleSort.onGpu().tuning(TINY).build(ElementType.LONG)) {
            for (int runs : numbers) {
                for (int count : new int[] {runs * fewInARun, many}) {
                    long[] keys = new Random(count).longs(count).toArray();
                    checkKeys(sorter, inRuns(keys, evenly(runs, count)), runs <= 64, runs + " runs");
                }
            }
        }
    }

    /// Runs of one element, of nearly all elements, and between them.
    @Test
    void runsOfAllSizes() {
        try (Sorter sorter = SampleSort.onGpu().tuning(TINY).build(ElementType.LONG)) {
            int count = 12_000;
            for (int[] begins : List.of(
                    new int[] {0, 1},
                    new int[] {0, count - 1},
                    new int[] {0, 1, 2, count - 2},
                    new int[] {0, 10, 8000, 8001, 11_000},
                    new int[] {0, 256, 512, 2048, 4096})) {
                long[] keys = new Random(count).longs(count).toArray();
                checkKeys(sorter, inRuns(keys, begins), true, "runs from " + Arrays.toString(begins));
            }
        }
    }

    /// Runs that do not overlap, and runs of few different keys.
    @Test
    void runsOfAllKeys() {
        try (Sorter sorter = SampleSort.onGpu().tuning(TINY).build(ElementType.LONG)) {
            int count = 12_000;
            int[] begins = evenly(20, count);
            long[] apart = IntStream.range(0, count)
                    .mapToLong(i -> (long) (19 - i * 20L / count) * 1_000_000 + i)
                    .toArray();
            checkKeys(sorter, apart, true, "runs in opposite order");
            for (int distinct : new int[] {2, 50}) {
                long[] few = new Random(1).longs(count, 0, distinct).toArray();
                checkKeys(sorter, inRuns(few, begins), true, distinct + " different keys");
            }
        }
    }

    /// Keys that are so unevenly spread that a block cannot sort its pieces by cells and merges them in rounds: many
    /// lie near each of a few that are far apart. In the first half of the range they are evenly spread.
    @Test
    void unevenKeys() {
        try (Sorter sorter = SampleSort.onGpu().tuning(TINY).build(ElementType.LONG)) {
            for (int runs : new int[] {3, 50}) {
                int count = 15_000;
                long[] keys = new Random(runs)
                        .longs(count)
                        .map(key -> key < 0 ? key : (key >>> 58 << 58) + (key & 0xfff) * (key & 0xff))
                        .toArray();
                checkKeys(sorter, inRuns(keys, evenly(runs, count)), true, runs + " runs of uneven keys");
            }
        }
    }

    /// What one run has at most places lies between two neighbours of each other run, where no sample tells of it; and
    /// each run has one key.
    @Test
    void runsOfNarrowRanges() {
        try (Sorter sorter = SampleSort.onGpu().tuning(TINY).build(ElementType.LONG)) {
            int runs = 40;
            int count = 16_000;
            int[] begins = evenly(runs, count);
            long[] narrow = new long[count];
            long[] alike = new long[count];
            for (int i = 0; i < count; i++) {
                int run = (int) ((i + 1L) * runs / (count + 1));
                narrow[i] = i % 100 == 0 ? i * 1_000_000_007L * 1_000_003 : (runs - run) * (1L << 40) + i % 997;
                alike[i] = run * 7L % runs;
            }
            checkKeys(sorter, inRuns(narrow, begins), true, "runs of narrow ranges");
            checkKeys(sorter, inRuns(alike, begins), true, "runs of one key each");
        }
    }

    /// The pieces that blocks merge have other sizes with the tuning that users have.
    @Test
    void defaultTuning() {
        checkDefaultTuning(70_003, 20);
    }

    @Test
    @Tag("exhaustive")
    void defaultTuningWithLongerRuns() {
        checkDefaultTuning(250_003, 3, 64);
    }

    private static void checkDefaultTuning(int count, int... numbersOfRuns) {
        Tuning tuning = Tuning.defaultFor(ElementType.LONG, null).with("orderCheckSize=1,mergedRuns=64");
        try (Sorter sorter = SampleSort.onGpu().tuning(tuning).build(ElementType.LONG)) {
            for (int runs : numbersOfRuns) {
                long[] keys = new Random(runs).longs(count).toArray();
                checkKeys(sorter, inRuns(keys, evenly(runs, count)), true, runs + " runs");
            }
        }
    }

    /// Structs of 16 bytes. First fields are spread evenly, or few, so that second ones decide.
    @Test
    void structs() {
        for (long firsts : new long[] {3, Long.MAX_VALUE}) {
            checkStructs(TINY, RecordCase.all().getFirst(), false, 64, firsts);
        }
    }

    /// Structs of several kinds of fields and sort keys as wide, with the tuning that users have.
    @Test
    @Tag("exhaustive")
    void structsOfMoreKinds() {
        ElementType longs = ElementType.of(MemoryLayout.structLayout(JAVA_LONG.withName("a"), JAVA_LONG.withName("b")));
        ElementType mixed = ElementType.of(
                MemoryLayout.structLayout(JAVA_LONG.withName("a"), JAVA_INT.withName("b"), JAVA_INT.withName("c")));
        FieldOrder order = Order.by("a").thenBy("b");
        Tuning tuning = Tuning.defaultFor(16, 0, false, "sm_90").with("orderCheckSize=1,rankedSize=0");
        for (int runs : new int[] {2, 5, 64}) {
            for (long firsts : runs == 5 ? new long[] {1000} : new long[] {3, 1000, Long.MAX_VALUE}) {
                checkStructs(tuning, new RecordCase(longs, order), false, runs, firsts);
                checkStructs(tuning, new RecordCase(mixed, order.thenBy("c")), false, runs, firsts);
            }
            checkStructs(tuning, new RecordCase(mixed, order), true, runs, 1000);
        }
    }

    private static void checkStructs(Tuning tuning, RecordCase structs, boolean isStable, int runs, long firsts) {
        int count = 20_011;
        SplittableRandom random = new SplittableRandom(runs);
        MemorySegment elements = MemorySegment.ofArray(new long[2 * count]);
        for (int i = 0; i < count; i++) {
            elements.setAtIndex(JAVA_LONG, 2L * i, random.nextLong(firsts));
            elements.setAtIndex(JAVA_LONG, 2L * i + 1, random.nextLong());
        }
        int[] begins = evenly(runs, count);
        for (int run = 0; run < runs; run++) {
            int end = run + 1 < runs ? begins[run + 1] : count;
            MemorySegment part = elements.asSlice(16L * begins[run], 16L * (end - begins[run]));
            part.copyFrom(MemorySegment.ofArray(RecordCase.gathered(part, 16, structs.stableOrder(part))));
        }
        SorterBuilder builder = SampleSort.onGpu().tuning(tuning).order(structs.order());
        try (Sorter sorter = (isStable ? builder.stable() : builder).build(structs.type());
                DeviceMemory device = DeviceMemory.allocate(Device.gpu(0), elements.byteSize())) {
            device.copyFrom(elements);
            assertThat(sorter.sort(device).largestBucket())
                    .as("%d runs of %s", runs, structs)
                    .isZero();
            byte[] result = new byte[16 * count];
            device.copyTo(MemorySegment.ofArray(result));
            assertThat(result)
                    .as("%d runs of %s", runs, structs)
                    .isEqualTo(RecordCase.gathered(elements, 16, structs.stableOrder(elements)));
        }
    }

    /// Pairs of one size, which keep their order and lie side by side, and of two sizes, which lie in two arrays and
    /// have floating-point keys.
    @Test
    void pairs() {
        checkPairs(ElementType.INT, ElementType.INT, true, 9011);
        checkPairs(ElementType.FLOAT, ElementType.LONG, false, 9011);
    }

    @Test
    @Tag("exhaustive")
    void pairsOfMoreKinds() {
        for (ElementType payload : List.of(ElementType.INT, ElementType.LONG)) {
            for (boolean isStable : new boolean[] {false, true}) {
                checkPairs(ElementType.INT, payload, isStable, 20_011);
            }
        }
    }

    private static void checkPairs(ElementType key, ElementType payload, boolean isStable, int count) {
        SorterBuilder builder = SampleSort.onGpu().tuning(TINY).payload(payload);
        try (Sorter sorter = (isStable ? builder.stable() : builder).build(key)) {
            for (int shift : new int[] {0, 1, 18}) {
                // A few keys that are far apart, with many near them, cannot be sorted by cells.
                int[] keys = new Random(3)
                        .ints(count, 0, 500)
                        .map(each -> (each >> 3 << shift) + each)
                        .toArray();
                // Few runs are merged in rounds, and more are sorted by cells.
                int[] begins = evenly(shift == 0 ? 9 : 20, count);
                for (int run = 0; run < begins.length; run++) {
                    Arrays.sort(keys, begins[run], run + 1 < begins.length ? begins[run + 1] : count);
                }
                checkPairs(sorter, key, keys, payload.byteSize(), isStable);
            }
        }
    }

    /// Sorts by index.
    @Test
    void indexes() {
        int count = 9000;
        int[] keys = new Random(4).ints(count, 0, 4000).toArray();
        Arrays.sort(keys, 0, 3000);
        Arrays.sort(keys, 3000, count);
        try (Sorter sorter = SampleSort.onGpu().stable().tuning(TINY).build(ElementType.INT)) {
            int[] expected = new RecordCase(ElementType.INT, Order.natural()).stableOrder(MemorySegment.ofArray(keys));
            assertThat(sorter.argsort(MemorySegment.ofArray(keys))).isEqualTo(expected);
        }
    }

    @Test
    void sortedCopies() {
        int count = 9000;
        long[] keys = inRuns(new Random(4).longs(count).toArray(), new int[] {0, 3000});
        checkSortedCopy(ElementType.LONG, MemorySegment.ofArray(keys));
    }

    /// Floating-point keys, which are mapped on their way.
    @Test
    @Tag("exhaustive")
    void sortedCopiesOfDoubles() {
        int count = 15_000;
        double[] keys = new Random(4)
                .ints(count, 0, 4000)
                .mapToDouble(key -> key == 0 ? Double.NaN : -key / 7.0)
                .toArray();
        Arrays.sort(keys, 0, 5000);
        Arrays.sort(keys, 5000, count);
        checkSortedCopy(ElementType.DOUBLE, MemorySegment.ofArray(keys));
    }

    private static void checkSortedCopy(ElementType type, MemorySegment keys) {
        byte[] before = keys.toArray(ValueLayout.JAVA_BYTE);
        byte[] expected =
                RecordCase.gathered(keys, type.byteSize(), new RecordCase(type, Order.natural()).stableOrder(keys));
        byte[] result = new byte[before.length];
        try (Sorter sorter = SampleSort.onGpu().tuning(TINY).build(type);
                DeviceMemory from = DeviceMemory.allocate(Device.gpu(0), keys.byteSize());
                DeviceMemory to = DeviceMemory.allocate(Device.gpu(0), keys.byteSize())) {
            from.copyFrom(keys);
            assertThat(sorter.sortedCopy(from, to).largestBucket()).isZero();
            to.copyTo(MemorySegment.ofArray(result));
            assertThat(result).isEqualTo(expected);
            from.copyTo(MemorySegment.ofArray(result));
            assertThat(result).as("source").isEqualTo(before);
        }
    }

    /// An order of the user's own, here of the lowest bytes, may contradict itself, so its runs are not merged.
    @Test
    void orderOfOnesOwn() {
        Order order = RecordCase.all().getLast().order();
        int[] keys = IntStream.range(0, 6000)
                .map(i -> (i << 8) + i % 3000 * 256 / 3000)
                .toArray();
        Tuning tuning = GpuContractTest.TINY.with("orderCheckSize=1,mergedRuns=64");
        try (Sorter sorter = SampleSort.onGpu().order(order).tuning(tuning).build(ElementType.INT);
                DeviceMemory device = DeviceMemory.allocate(Device.gpu(0), 4L * keys.length)) {
            device.copyFrom(MemorySegment.ofArray(keys));
            assertThat(sorter.sort(device).largestBucket()).isPositive();
            int[] result = new int[keys.length];
            device.copyTo(MemorySegment.ofArray(result));
            assertThat(IntStream.of(result).map(key -> key & 255).toArray()).isSorted();
            assertThat(result).containsExactlyInAnyOrder(keys);
        }
    }

    private static int[] evenly(int runs, int count) {
        return IntStream.range(0, runs)
                .map(run -> (int) ((long) run * count / runs))
                .toArray();
    }

    /// Sorts the keys from each place to the next one, and sees to it that there the next run begins.
    private static long[] inRuns(long[] keys, int[] begins) {
        long[] runs = keys.clone();
        for (int run = 0; run < begins.length; run++) {
            Arrays.sort(runs, begins[run], run + 1 < begins.length ? begins[run + 1] : keys.length);
        }
        for (int run = 1; run < begins.length; run++) {
            int begin = begins[run];
            if (runs[begin - 1] <= runs[begin]) {
                runs[begin - 1] = Math.max(runs[begin - 1], runs[begin]);
                runs[begin] = Long.MIN_VALUE;
                if (runs[begin - 1] == Long.MIN_VALUE) {
                    runs[begin - 1]++;
                }
            }
        }
        return runs;
    }

    private static void checkKeys(Sorter sorter, long[] keys, boolean isMerged, String what) {
        try (DeviceMemory device = DeviceMemory.allocate(Device.gpu(0), 8L * keys.length)) {
            device.copyFrom(MemorySegment.ofArray(keys));
            SortReport report = sorter.sort(device);
            long[] result = new long[keys.length];
            device.copyTo(MemorySegment.ofArray(result));
            long[] expected = keys.clone();
            Arrays.sort(expected);
            assertThat(result).as(what).isEqualTo(expected);
            if (keys.length > TINY.smallSortLimit()) {
                assertThat(report.largestBucket() == 0)
                        .as("merged, %d keys, %s", keys.length, what)
                        .isEqualTo(isMerged);
            }
        }
    }

    private static void checkPairs(Sorter sorter, ElementType type, int[] keys, int payloadBytes, boolean isStable) {
        int count = keys.length;
        boolean isFloat = type.equals(ElementType.FLOAT);
        MemorySegment values = MemorySegment.ofArray(new int[count]);
        for (int i = 0; i < count; i++) {
            values.setAtIndex(JAVA_INT, i, isFloat ? Float.floatToIntBits(keys[i]) : keys[i]);
        }
        MemorySegment payloads = payloadBytes == Integer.BYTES
                ? MemorySegment.ofArray(IntStream.range(0, count).toArray())
                : MemorySegment.ofArray(IntStream.range(0, count).asLongStream().toArray());
        try (DeviceMemory deviceKeys = DeviceMemory.allocate(Device.gpu(0), 4L * count);
                DeviceMemory devicePayloads = DeviceMemory.allocate(Device.gpu(0), (long) payloadBytes * count)) {
            deviceKeys.copyFrom(values);
            devicePayloads.copyFrom(payloads);
            assertThat(sorter.sort(deviceKeys, devicePayloads).largestBucket()).isZero();
            deviceKeys.copyTo(values);
            devicePayloads.copyTo(payloads);
            int[] sorted = IntStream.range(0, count)
                    .map(i -> isFloat
                            ? (int) Float.intBitsToFloat(values.getAtIndex(JAVA_INT, i))
                            : values.getAtIndex(JAVA_INT, i))
                    .toArray();
            int[] places = IntStream.range(0, count)
                    .map(i -> payloadBytes == Integer.BYTES
                            ? payloads.getAtIndex(JAVA_INT, i)
                            : (int) payloads.getAtIndex(JAVA_LONG, i))
                    .toArray();
            assertThat(sorted).isSorted();
            assertThat(IntStream.of(places).map(i -> keys[i]).toArray()).isEqualTo(sorted);
            if (isStable) {
                int[] expected =
                        new RecordCase(ElementType.INT, Order.natural()).stableOrder(MemorySegment.ofArray(keys));
                assertThat(places).isEqualTo(expected);
            } else {
                assertThat(IntStream.of(places).distinct().count()).isEqualTo(count);
            }
        }
    }
}
