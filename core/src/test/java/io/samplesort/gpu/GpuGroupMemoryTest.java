package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.RecordCase;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.emulator.Emulator;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Sorts in groups, as users get them where memory is short: what they take in addition to the input, measured by the
/// emulated GPU, and that their groups are small enough for the memory that is free by then.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
class GpuGroupMemoryTest {
    /// Two passes with the default tuning.
    private static final int COUNT = (1 << 20) + (1 << 16) + 3;

    private final Emulator emulator = Emulator.start();

    /// Pairs whose key and payload differ in size lie in two arrays, and do not use the memory of the result.
    @ParameterizedTest
    @CsvSource({"I64,,false,1.3,ZIPF", "I64,U32,false,1.5,UNIFORM"})
    void keysAndPairsTakeLittleMoreThanTheInput(
            KeyType key, KeyType payload, boolean isStable, double most, InputDistribution distribution) {
        takesLittleMoreThanTheInput(key, payload, isStable, most, distribution);
    }

    @ParameterizedTest
    @Tag("exhaustive")
    @CsvSource({
        "I32,,false,1.3,UNIFORM",
        "F64,,false,1.3,UNIFORM",
        "F64,,false,1.3,ZIPF",
        "I32,U32,false,1.3,ZIPF",
        "I64,I64,true,1.3,UNIFORM",
        "I64,U32,false,1.5,ZIPF",
    })
    void takesLittleMoreThanTheInput(
            KeyType key, KeyType payload, boolean isStable, double most, InputDistribution distribution) {
        long keyBytes = (long) COUNT * key.byteSize();
        long payloadBytes = payload == null ? 8 : (long) COUNT * payload.byteSize();
        long inputBytes = keyBytes + (payload == null ? 0 : payloadBytes);
        long limit = (long) (most * inputBytes);
        try (Arena arena = Arena.ofShared();
                DeviceMemory keys = DeviceMemory.allocate(Device.gpu(0), keyBytes);
                DeviceMemory payloads = DeviceMemory.allocate(Device.gpu(0), payloadBytes);
                Sorter sorter = builder(payload, isStable).deviceMemory(limit).build(ElementType.of(key.layout()))) {
            MemorySegment hostKeys = arena.allocate(keyBytes, 8);
            MemorySegment hostPayloads = arena.allocate(payloadBytes, 8);
            distribution.fill(hostKeys, key, 3);
            KeyType numbers = payload == null ? KeyType.I64 : payload;
            InputDistribution.UNIFORM.fill(hostPayloads, numbers, 4);
            Fingerprint before = fingerprint(hostKeys, key, hostPayloads, payload);
            keys.copyFrom(hostKeys);
            payloads.copyFrom(hostPayloads);
            emulator.peakBytes();
            long taken = emulator.peakBytes();
            SortReport report = payload == null ? sorter.sort(keys) : sorter.sort(keys, payloads);
            taken = emulator.peakBytes() - taken;
            keys.copyTo(hostKeys);
            payloads.copyTo(hostPayloads);

            String what = COUNT + " " + key + " with " + payload + ", " + distribution;
            assertThat(ResultCheck.firstViolation(hostKeys, key, false))
                    .as(what)
                    .isEmpty();
            assertThat(fingerprint(hostKeys, key, hostPayloads, payload))
                    .as(what)
                    .isEqualTo(before);
            assertThat(taken).as("peak of %s", what).isBetween(inputBytes, limit);
            assertThat(report.extraBytes()).as("report of %s", what).isBetween(inputBytes, limit);
            assertThat(report.largestBucket())
                    .as("%s: where no segment stays for want of room, buckets fit the small sort", what)
                    .isLessThanOrEqualTo(Tuning.defaultFor(
                                    ElementType.of(key.layout()),
                                    payload == null ? null : ElementType.of(payload.layout()))
                            .smallSortLimit());
        }
    }

    private static Fingerprint fingerprint(MemorySegment keys, KeyType key, MemorySegment payloads, KeyType payload) {
        return payload == null ? Fingerprint.of(keys, key) : Fingerprint.of(keys, key, payloads, payload);
    }

    private static SorterBuilder builder(KeyType payload, boolean isStable) {
        SorterBuilder builder = SampleSort.onGpu();
        if (payload != null) {
            builder = builder.payload(ElementType.of(payload.layout()));
        }
        return isStable ? builder.stable() : builder;
    }

    /// A key that most elements have leaves its group nearly no memory behind it in the result. What has no room then
    /// stays where it lies.
    @Test
    void aGroupWithAFrequentKeyIsSorted() {
        sortsFrequentKey(0.8, 0);
    }

    @Test
    @Tag("exhaustive")
    void aGroupBehindOthersWithAFrequentKeyIsSorted() {
        sortsFrequentKey(0.5, 0.9);
    }

    private static void sortsFrequentKey(double frequency, double smaller) {
        SplittableRandom random = new SplittableRandom(6);
        long[] keys = new long[COUNT];
        for (int i = 0; i < COUNT; i++) {
            boolean isFrequent = random.nextDouble() < frequency;
            keys[i] = isFrequent
                    ? 0
                    : random.nextDouble() < smaller ? -random.nextLong(1L << 60) : random.nextLong(1L << 60);
        }
        long[] expected = keys.clone();
        Arrays.sort(expected);
        try (DeviceMemory memory = DeviceMemory.allocate(Device.gpu(0), COUNT * 8L);
                Sorter sorter = SampleSort.onGpu()
                        .deviceMemory((long) (1.3 * COUNT * 8))
                        .build(ElementType.LONG)) {
            memory.copyFrom(MemorySegment.ofArray(keys));
            sorter.sort(memory);
            memory.copyTo(MemorySegment.ofArray(keys));
            assertThat(Arrays.equals(keys, expected))
                    .as("%s of all keys are equal, %s of the others are smaller", frequency, smaller)
                    .isTrue();
        }
    }

    /// The sort keys of large records are sorted in the memory that the records are gathered in.
    @Test
    void recordsTakeLittleMoreThanTheInput() {
        RecordCase records = RecordCase.all().stream()
                .filter(each -> each.name().equals("sort benchmark"))
                .findAny()
                .orElseThrow();
        int count = 60_000;
        long bytes = count * (long) records.type().byteSize();
        try (Arena arena = Arena.ofShared();
                DeviceMemory memory = DeviceMemory.allocate(Device.gpu(0), bytes);
                Sorter sorter = SampleSort.onGpu().order(records.order()).build(records.type())) {
            MemorySegment elements = arena.allocate(bytes, 16);
            records.fill(elements, new Random(8));
            Fingerprint before = Fingerprint.of(elements, records.type().byteSize());
            memory.copyFrom(elements);
            emulator.peakBytes();
            long taken = emulator.peakBytes();
            SortReport report = sorter.sort(memory);
            taken = emulator.peakBytes() - taken;
            assertThat(taken).as("peak").isBetween(bytes, bytes * 13 / 10);
            assertThat(report.extraBytes()).as("report").isBetween(bytes, bytes * 13 / 10);
            assertThat(sorter.isSorted(memory)).isTrue();
            memory.copyTo(elements);
            assertThat(Fingerprint.of(elements, records.type().byteSize())).isEqualTo(before);
        }
    }

    /// The sort keys of a sort by index are what is sorted in groups.
    @Test
    @Tag("exhaustive")
    void indexesAreSortedInGroups() {
        double[] keys = new SplittableRandom(7).doubles(COUNT).toArray();
        try (DeviceMemory memory = DeviceMemory.allocate(Device.gpu(0), COUNT * 8L);
                DeviceMemory permutation = DeviceMemory.allocate(Device.gpu(0), COUNT * 4L);
                Sorter sorter = SampleSort.onGpu()
                        .stable()
                        // The sort keys have 12 bytes, and take 2.3 times as much.
                        .deviceMemory((long) (2.3 * COUNT * 12))
                        .build(ElementType.DOUBLE)) {
            memory.copyFrom(MemorySegment.ofArray(keys));
            sorter.argsort(memory, permutation);
            int[] order = new int[COUNT];
            permutation.copyTo(MemorySegment.ofArray(order));
            double[] source = new double[COUNT];
            memory.copyTo(MemorySegment.ofArray(source));
            assertThat(Arrays.equals(source, keys)).as("the elements stay").isTrue();
            double[] sorted = Arrays.stream(order).mapToDouble(i -> keys[i]).toArray();
            Arrays.sort(keys);
            assertThat(Arrays.equals(sorted, keys)).isTrue();
        }
    }
}
