package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.ColumnSorter;
import io.samplesort.Device;
import io.samplesort.DeviceKeyColumn;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceStrings;
import io.samplesort.RecordCase;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.StringCase;
import io.samplesort.StringSorter;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import io.samplesort.types.Tuning;
import java.lang.foreign.Arena;
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

/// Few sorts that run every kernel, every size class and every kind of bucket: what compute-sanitizer is run on, under
/// which the whole contract would take hours.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuEveryKernelTest {
    /// Samples so small that some buckets are several times the small-sort limit.
    static final Tuning HOPELESS = GpuContractTest.TINY.with(
            "oversampling=1,bucketTarget=768,maxBucketCount=64,sampleThreads=32,sampleItems=2");

    @Test
    void sizeClassesAndPasses() {
        sortAndCheck(GpuContractTest.TINY, 60, InputDistribution.UNIFORM, 0);
        sortAndCheck(GpuContractTest.TINY, 20_000, InputDistribution.UNIFORM, 3);
        sortAndCheck(Tuning.defaultFor(ElementType.LONG, ElementType.INT), 60_000, InputDistribution.UNIFORM, 1);
        // As many buckets as a pass can have: several a thread, and one more for what is past the end of a tile.
        Tuning mostBuckets = GpuContractTest.TINY.with("maxBucketCount=4096,bucketTarget=2,sampleThreads=256");
        sortAndCheck(mostBuckets, 8_000, InputDistribution.UNIFORM, 1);
        // So few buckets that any GPU works on all at once, and one launch does for all sizes but the largest.
        sortAndCheck(GpuContractTest.TINY.with("bucketTarget=384"), 1_500, InputDistribution.UNIFORM, 1);
        sortAndCheck(GpuContractTest.TINY.with("bucketTarget=384"), 1_500, InputDistribution.FEW_DISTINCT, 1);
        // Where two buffers do not fit a block.
        sortAndCheck(GpuContractTest.TINY.with("mergeBuffers=1"), 20_000, InputDistribution.UNIFORM, 3);
    }

    @Test
    void equalityBuckets() {
        // One pass leaves them in the scratch array, two or three in various segments.
        Tuning onePass = GpuContractTest.TINY.with("maxBucketCount=256");
        sortAndCheck(onePass, 10_000, InputDistribution.ALL_EQUAL, 1);
        sortAndCheck(onePass, 10_000, InputDistribution.FEW_DISTINCT, 1);
        sortAndCheck(GpuContractTest.TINY, 20_000, InputDistribution.ROOT_DUPLICATES, 3);
        // Copied in many parts.
        SortReport report = sortAndCheck(GpuContractTest.TINY, 40_000, InputDistribution.ALL_EQUAL, 3);
        assertThat(report.largestBucket())
                .as("the largest bucket that needs sorting")
                .isLessThanOrEqualTo(GpuContractTest.TINY.smallSortLimit());
        // So many that each has more than a block sorts: 1024 parts of 768 elements are fewer.
        sortAndCheck(onePass.with("bucketTarget=768"), 790_000, InputDistribution.ALL_EQUAL, 2);
    }

    @Test
    void bucketsLargerThanTheSmallSort() {
        // With one sampled key a splitter, buckets of a mean of half the limit often exceed it.
        Tuning careless = GpuContractTest.TINY.with("oversampling=1,bucketTarget=768");
        for (int count : new int[] {3000, 30_000}) {
            sortAndCheck(careless, count, InputDistribution.UNIFORM, -1);
        }
        // Some twice and some four times the limit: they need different numbers of merge rounds.
        SortReport report = sortAndCheck(HOPELESS, 49_000, InputDistribution.UNIFORM, 1);
        assertThat(report.largestBucket()).isGreaterThan(2L * HOPELESS.smallSortLimit());
    }

    /// The blocks of a merge sort wait for each other. If they waited too briefly, few launches would show it, so there
    /// are many, of few tiles each. The kernels are compiled once.
    @Test
    void roundsOfMerges() {
        for (int repetition = 0; repetition < 100; repetition++) {
            sortAndCheck(HOPELESS, 6000 + repetition, InputDistribution.UNIFORM, 1);
        }
    }

    /// Rounds of words, those of a misled sample among them, small groups, groups that share more than a thread
    /// compares,
    /// and a copy in order.
    @Test
    void strings() {
        for (StringCase input : List.of(StringCase.LATE_DIFFERENCES, StringCase.COMMON_BEGINNINGS, StringCase.RARE)) {
            Strings strings = Strings.copyOf(input.strings(new Random(5), input == StringCase.RARE ? 9000 : 3000));
            try (DeviceMemory bytes =
                            DeviceMemory.allocate(Device.gpu(0), strings.bytes().byteSize());
                    DeviceMemory offsets = DeviceMemory.allocate(
                            Device.gpu(0), strings.offsets().byteSize());
                    DeviceMemory sortedBytes = DeviceMemory.allocate(Device.gpu(0), bytes.byteSize());
                    DeviceMemory sortedOffsets = DeviceMemory.allocate(Device.gpu(0), offsets.byteSize());
                    StringSorter sorter =
                            SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(StringOrder.bytes())) {
                bytes.copyFrom(strings.bytes());
                offsets.copyFrom(strings.offsets());
                DeviceStrings source = new DeviceStrings(bytes, offsets, ElementType.LONG, strings.count());
                DeviceStrings target = new DeviceStrings(sortedBytes, sortedOffsets, ElementType.LONG, strings.count());
                sorter.sortedCopy(source, target);
                assertThat(sorter.isSorted(target)).isTrue();
                assertThat(sorter.isSorted(source)).isFalse();
            }
        }
    }

    /// Rows as words, and as strings that go through shared memory and that do not fit there.
    @Test
    void keyColumns() {
        int count = 3000;
        Random random = new Random(6);
        Strings strings = Strings.copyOf(StringCase.LATE_DIFFERENCES.strings(random, count));
        int[] numbers = random.ints(count, 0, 9).toArray();
        int[] permutation = new int[count];
        try (DeviceMemory ints = DeviceMemory.allocate(Device.gpu(0), count * 4L);
                DeviceMemory bytes =
                        DeviceMemory.allocate(Device.gpu(0), strings.bytes().byteSize());
                DeviceMemory offsets =
                        DeviceMemory.allocate(Device.gpu(0), strings.offsets().byteSize());
                DeviceMemory order = DeviceMemory.allocate(Device.gpu(0), count * 4L);
                ColumnSorter sorter =
                        SampleSort.onGpu().tuning(GpuContractTest.TINY).buildColumns();
                ColumnSorter onCpu = SampleSort.onCpu().buildColumns()) {
            ints.copyFrom(MemorySegment.ofArray(numbers));
            bytes.copyFrom(strings.bytes());
            offsets.copyFrom(strings.offsets());
            DeviceKeyColumn number = DeviceKeyColumn.of(ints, ElementType.INT).descending();
            DeviceKeyColumn string = DeviceKeyColumn.of(new DeviceStrings(bytes, offsets, ElementType.LONG, count));
            KeyColumn hostNumber = KeyColumn.of(numbers).descending();
            KeyColumn hostString = KeyColumn.of(strings);
            sorter.argsort(order, number);
            order.copyTo(MemorySegment.ofArray(permutation));
            assertThat(permutation).isEqualTo(onCpu.argsort(hostNumber));
            sorter.argsort(order, number, string);
            order.copyTo(MemorySegment.ofArray(permutation));
            assertThat(permutation).isEqualTo(onCpu.argsort(hostNumber, hostString));
            sorter.argsort(order, string.descending(), number);
            order.copyTo(MemorySegment.ofArray(permutation));
            assertThat(permutation).isEqualTo(onCpu.argsort(hostString.descending(), hostNumber));
        }
    }

    @Test
    void keysAlone() {
        // Merged in other ways than pairs: what compares equal is equal.
        Tuning byDefault = Tuning.defaultFor(ElementType.LONG, null);
        sortKeysAndCheck(KeyType.I64, byDefault, 30_000, InputDistribution.UNIFORM);
        for (KeyType type : new KeyType[] {KeyType.F32, KeyType.I64}) {
            sortKeysAndCheck(type, GpuContractTest.TINY, 20_000, InputDistribution.UNIFORM);
            sortKeysAndCheck(type, GpuContractTest.TINY, 20_000, InputDistribution.ROOT_DUPLICATES);
        }
        // Floating-point keys are other bits while they are sorted: mapped back wherever they end.
        Tuning exact = GpuContractTest.TINY.with("bucketSlack=0,maxBucketCount=16");
        for (int count : new int[] {1, 2, 100, 20_000}) {
            sortKeysAndCheck(KeyType.F64, exact, count, InputDistribution.FEW_DISTINCT);
            sortKeysAndCheck(KeyType.F64, exact.with("bucketSlack=6"), count, InputDistribution.ROOT_DUPLICATES);
            sortKeysAndCheck(KeyType.F64, exact.with("bucketSlack=1,oversampling=1"), count, InputDistribution.UNIFORM);
        }
    }

    /// Keys of 8 and 16 bits are counted, and those that fit the small sort are moved.
    @Test
    void countedValues() {
        for (KeyType type : new KeyType[] {KeyType.I8, KeyType.I16}) {
            // Few are sorted, many are counted.
            sortKeysAndCheck(type, GpuContractTest.TINY, 700, InputDistribution.UNIFORM);
            int many = 17 << Byte.SIZE * type.byteSize();
            sortKeysAndCheck(type, GpuContractTest.TINY, many + 1, InputDistribution.UNIFORM);
            sortKeysAndCheck(type, GpuContractTest.TINY, many, InputDistribution.ALL_EQUAL);
            // So many that frequent values are looked for.
            sortKeysAndCheck(type, GpuContractTest.TINY, Math.max(many, 140_000), InputDistribution.FEW_DISTINCT);
        }
    }

    private static void sortKeysAndCheck(KeyType type, Tuning tuning, int count, InputDistribution distribution) {
        long bytes = (long) count * type.byteSize();
        try (Arena arena = Arena.ofShared();
                DeviceMemory deviceKeys = DeviceMemory.allocate(Device.gpu(0), bytes);
                Sorter sorter = SampleSort.onGpu().tuning(tuning).build(ElementType.of(type.layout()))) {
            MemorySegment keys = arena.allocate(bytes, 8);
            distribution.fill(keys, type, 5);
            Fingerprint before = Fingerprint.of(keys, type);
            deviceKeys.copyFrom(keys);
            sorter.sort(deviceKeys);
            deviceKeys.copyTo(keys);
            String what = count + " " + type + ", " + distribution + ", " + tuning;
            assertThat(ResultCheck.firstViolation(keys, type, false))
                    .as("order of %s", what)
                    .isEmpty();
            assertThat(Fingerprint.of(keys, type)).as("elements of %s", what).isEqualTo(before);
        }
    }

    @Test
    void cutsOfSortedRuns() {
        Tuning chunks = GpuContractTest.TINY.with("chunkBytes=4096,transferBytes=4096");
        for (boolean isStable : new boolean[] {false, true}) {
            SorterBuilder builder = SampleSort.onGpu().tuning(chunks);
            try (Sorter sorter = (isStable ? builder.stable() : builder).build(ElementType.LONG)) {
                for (InputDistribution distribution :
                        List.of(InputDistribution.UNIFORM, InputDistribution.FEW_DISTINCT, InputDistribution.REVERSE)) {
                    long[] keys = new long[5003];
                    distribution.fill(MemorySegment.ofArray(keys), KeyType.I64, 5);
                    long[] expected = keys.clone();
                    Arrays.sort(expected);
                    sorter.sort(keys);
                    assertThat(keys).as(distribution.toString()).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void recordsMovedAndByIndex() {
        Tuning exact = GpuContractTest.TINY.with("bucketSlack=0");
        Tuning tight = GpuContractTest.TINY.with("bucketSlack=1,oversampling=1");
        sortRecordsAndCheck(named("price, then id"), HOPELESS, 6000);
        sortRecordsAndCheck(named("all kinds of narrow fields"), exact, 6000);
        sortRecordsAndCheck(named("sort benchmark"), GpuContractTest.TINY, 6000);
        sortRecordsAndCheck(named("sort benchmark"), GpuContractTest.TINY, 50);
        sortRecordsAndCheck(named("sort benchmark"), HOPELESS.with("bucketSlack=0"), 6000);
        sortRecordsAndCheck(named("sort benchmark"), tight, 6000);
        sortRecordsAndCheck(named("custom, moved"), HOPELESS, 6000);
        sortRecordsAndCheck(named("custom, by index"), tight, 6000);
    }

    private static RecordCase named(String name) {
        return RecordCase.all().stream()
                .filter(records -> records.name().equals(name))
                .findFirst()
                .orElseThrow();
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
        for (Tuning tuning : List.of(HOPELESS, HOPELESS.with("bucketSlack=0"), tight)) {
            sortRecordsAndCheck(records, tuning, 6000);
        }
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

    @Test
    void exactLayout() {
        Tuning exact = GpuContractTest.TINY.with("bucketSlack=0");
        sortAndCheck(exact, 20_000, InputDistribution.UNIFORM, 3);
        sortAndCheck(exact, 20_000, InputDistribution.ROOT_DUPLICATES, 3);
        sortAndCheck(exact.with("maxBucketCount=256"), 10_000, InputDistribution.FEW_DISTINCT, 1);
        Tuning hopeless =
                exact.with("oversampling=1,bucketTarget=768,maxBucketCount=64,sampleThreads=32,sampleItems=2");
        SortReport report = sortAndCheck(hopeless, 49_000, InputDistribution.UNIFORM, 1);
        assertThat(report.largestBucket()).isBetween((long) hopeless.smallSortLimit() + 1, 48_999L);
    }

    /// With room for one and a half keys more than were sampled, one bucket in twelve needs more. Its segment stays
    /// where
    /// it lies and is merged: the whole input in the first pass, a bucket of the pass before in others.
    @Test
    void bucketsWithoutEnoughRoom() {
        Tuning tight = GpuContractTest.TINY.with("bucketSlack=1,oversampling=1");
        for (int count : new int[] {50_000, 70_000}) {
            SortReport report = sortAndCheck(
                    tight.with("maxBucketCount=1024,sampleThreads=256"), count, InputDistribution.UNIFORM, 1);
            assertThat(report.largestBucket()).as("whole input").isEqualTo(count);
            // What the later passes sample depends on the order in which blocks happened to run.
            for (String groups : List.of("groupElements=100000", "groupElements=8000", "groupElements=1")) {
                report = sortAndCheck(tight.with(groups), count, InputDistribution.UNIFORM, 4);
                assertThat(report.largestBucket())
                        .as("%s: the largest segment that stayed where it lay", groups)
                        .isGreaterThan(tight.smallSortLimit());
            }
        }
    }

    /// A group has room for as many elements as its part of the sample suggests. Frequent keys take none of it,
    /// wherever
    /// they come in the order.
    @Test
    void groupsOfBuckets() {
        for (String groups : List.of("groupElements=100000", "groupElements=5000", "groupElements=1")) {
            Tuning tuning = GpuContractTest.TINY.with(groups);
            for (InputDistribution distribution : List.of(
                    InputDistribution.UNIFORM,
                    InputDistribution.ZIPF,
                    InputDistribution.ROOT_DUPLICATES,
                    InputDistribution.ALL_EQUAL)) {
                sortAndCheck(tuning, 30_000, distribution, 3);
            }
        }
    }

    @Test
    void pairsMovedWhole() {
        // Payloads as large as their keys: the passes hand them on as one element each.
        Tuning tight = GpuContractTest.TINY.with("bucketSlack=1,oversampling=1");
        sortAndCheck(GpuContractTest.TINY, 20_000, InputDistribution.UNIFORM, KeyType.I64, 3);
        sortAndCheck(GpuContractTest.TINY, 40_000, InputDistribution.ALL_EQUAL, KeyType.I64, 3);
        sortAndCheck(GpuContractTest.TINY.with("bucketSlack=0"), 20_000, InputDistribution.UNIFORM, KeyType.I64, 3);
        sortAndCheck(HOPELESS, 49_000, InputDistribution.UNIFORM, KeyType.I64, 1);
        sortAndCheck(tight, 20_000, InputDistribution.UNIFORM, KeyType.I64, -1);
    }

    @Test
    void keysEqualToThePadsKeepTheirPayloads() {
        // Blocks fill up what they sort with the greatest key and payload 0: here are such keys, with other payloads.
        try (Sorter sorter = SampleSort.onGpu()
                .payload(ElementType.INT)
                .tuning(GpuContractTest.TINY)
                .build(ElementType.INT)) {
            for (int count : new int[] {2, 33, 127, 129, 500, 700, 767}) {
                Random random = new Random(count);
                int[] keys = random.ints(count, 0, 3)
                        .map(kind -> kind == 0 ? random.nextInt() : Integer.MAX_VALUE)
                        .toArray();
                int[] payloads = random.ints(count, 0, count).toArray();
                long[] expected = pairs(keys, payloads);
                sorter.sort(MemorySegment.ofArray(keys), MemorySegment.ofArray(payloads));
                assertThat(keys).as("keys of %d", count).isSorted();
                assertThat(pairs(keys, payloads)).as("pairs of %d", count).isEqualTo(expected);
            }
        }
    }

    private static long[] pairs(int[] keys, int[] payloads) {
        return IntStream.range(0, keys.length)
                .mapToLong(i -> (long) keys[i] << Integer.SIZE | payloads[i])
                .sorted()
                .toArray();
    }

    private static SortReport sortAndCheck(Tuning tuning, int count, InputDistribution distribution, int passes) {
        return sortAndCheck(tuning, count, distribution, KeyType.I32, passes);
    }

    private static SortReport sortAndCheck(
            Tuning tuning, int count, InputDistribution distribution, KeyType payload, int passes) {
        long payloadBytes = (long) count * payload.byteSize();
        try (Arena arena = Arena.ofShared();
                DeviceMemory deviceKeys = DeviceMemory.allocate(Device.gpu(0), count * 8L);
                DeviceMemory devicePayloads = DeviceMemory.allocate(Device.gpu(0), payloadBytes);
                Sorter sorter = SampleSort.onGpu()
                        .payload(ElementType.of(payload.layout()))
                        .tuning(tuning)
                        .build(ElementType.LONG)) {
            MemorySegment keys = arena.allocate(count * 8L, 8);
            MemorySegment payloads = arena.allocate(payloadBytes, 8);
            distribution.fill(keys, KeyType.I64, 3);
            InputDistribution.UNIFORM.fill(payloads, payload, 4);
            Fingerprint before = Fingerprint.of(keys, KeyType.I64, payloads, payload);
            deviceKeys.copyFrom(keys);
            devicePayloads.copyFrom(payloads);
            SortReport report = sorter.sort(deviceKeys, devicePayloads);
            deviceKeys.copyTo(keys);
            devicePayloads.copyTo(payloads);
            String what = distribution + ", " + count + " elements with " + payload + ", " + tuning;
            assertThat(ResultCheck.firstViolation(keys, KeyType.I64, false))
                    .as("order of %s", what)
                    .isEmpty();
            assertThat(Fingerprint.of(keys, KeyType.I64, payloads, payload))
                    .as("pairs of %s", what)
                    .isEqualTo(before);
            if (passes >= 0) {
                assertThat(report.passes()).as("passes of %s", what).isEqualTo(passes);
            }
            return report;
        }
    }
}
