package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.ContractTypes;
import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.RecordCase;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.testkit.StabilityCheck;
import io.samplesort.testkit.StabilityCheck.Column;
import io.samplesort.types.ElementType;
import io.samplesort.types.InsufficientDeviceMemoryException;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sorts in place of arrays so small that they take it only because there is no memory for another way.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuInPlaceTest {
    private static final Device GPU = Device.gpu(0);

    /// Many buckets in the first pass, and small ones in the end.
    static final Tuning TUNING = GpuContractTest.TINY.with("maxBucketCount=64,oversampling=16");

    private static final String MOVES = "gather_pieces";

    @ParameterizedTest
    @EnumSource(InputDistribution.class)
    void everyDistribution(InputDistribution distribution) {
        assertThat(sort(KeyType.I64, null, false, false, distribution, 20_011)).contains(MOVES);
    }

    /// Pairs of equal sizes lie in two arrays here and as whole elements in other sorts, and floating-point keys are
    /// mapped on their way. Stable pairs keep their order wherever their pieces go.
    @ParameterizedTest
    @CsvSource({
        "U32,,false,false",
        "F32,,true,false",
        "F64,,false,false",
        "I32,U32,false,false",
        "I64,I64,true,false",
        "F64,U64,false,true",
        "U32,I32,false,true",
        "I64,U8,false,false",
        "F32,U64,true,false",
        "U16,U32,false,false",
    })
    void everyKindOfElement(KeyType key, KeyType payload, boolean isDescending, boolean isStable) {
        for (InputDistribution distribution : List.of(InputDistribution.UNIFORM, InputDistribution.ROOT_DUPLICATES)) {
            assertThat(sort(key, payload, isDescending, isStable, distribution, 16_007))
                    .as("%s", distribution)
                    .contains(MOVES);
        }
    }

    /// Half of all elements are equal, at either end or in the middle: more than a region takes.
    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, 0, Long.MAX_VALUE})
    void halfOfTheElementsAreEqual(long frequent) {
        long[] keys = new SplittableRandom(5).longs(20_000).toArray();
        for (int i = 0; i < keys.length; i += 2) {
            keys[i] = frequent;
        }
        long[] expected = keys.clone();
        Arrays.sort(expected);
        try (DeviceMemory memory = DeviceMemory.allocate(GPU, keys.length * 8L);
                Sorter sorter = SampleSort.onGpu()
                        .tuning(TUNING)
                        .deviceMemory(keys.length * 8L * 9 / 10)
                        .timesPhases(true)
                        .build(ElementType.LONG)) {
            memory.copyFrom(MemorySegment.ofArray(keys));
            assertThat(sorter.sort(memory).phases())
                    .extracting(SortReport.Phase::name)
                    .contains(MOVES);
            memory.copyTo(MemorySegment.ofArray(keys));
            assertThat(keys).isEqualTo(expected);
        }
    }

    /// Structs are moved whole, some of them by an order of the user's.
    @ParameterizedTest
    @ValueSource(
            strings = {"two longs", "price, then id", "all kinds of narrow fields", "custom, moved", "custom numbers"})
    void records(String name) {
        RecordCase records = RecordCase.all().stream()
                .filter(each -> each.name().equals(name))
                .findAny()
                .orElseThrow();
        int count = 15_003;
        long bytes = (long) count * records.type().byteSize();
        try (Arena arena = Arena.ofShared();
                DeviceMemory memory = DeviceMemory.allocate(GPU, bytes);
                Sorter sorter = SampleSort.onGpu()
                        .tuning(TUNING)
                        .order(records.order())
                        .deviceMemory(bytes * 9 / 10)
                        .timesPhases(true)
                        .build(records.type())) {
            MemorySegment elements = arena.allocate(bytes, 16);
            records.fill(elements, new Random(8));
            Fingerprint before = Fingerprint.of(elements, records.type().byteSize());
            memory.copyFrom(elements);
            assertThat(sorter.sort(memory).phases())
                    .extracting(SortReport.Phase::name)
                    .contains(MOVES);
            memory.copyTo(elements);
            assertThat(sorter.isSorted(memory)).isTrue();
            assertThat(Fingerprint.of(elements, records.type().byteSize())).isEqualTo(before);
        }
    }

    /// An order that contradicts itself may give any order, and loses nothing.
    @Test
    void contradictoryOrderLosesNothing() {
        Order order = Order.custom("(a ^ b) % 3 == 0", (a, b) -> 0);
        int[] keys = new SplittableRandom(9).ints(30_000).toArray();
        try (DeviceMemory memory = DeviceMemory.allocate(GPU, keys.length * 4L);
                Sorter sorter = SampleSort.onGpu()
                        .tuning(TUNING)
                        .order(order)
                        .deviceMemory(keys.length * 4L * 9 / 10)
                        .build(ElementType.INT)) {
            memory.copyFrom(MemorySegment.ofArray(keys));
            int[] sorted = new int[keys.length];
            try {
                sorter.sort(memory);
            } catch (InsufficientDeviceMemoryException e) {
                // A bucket was too large for a region, and nothing has been changed.
                memory.copyTo(MemorySegment.ofArray(sorted));
                assertThat(sorted).isEqualTo(keys);
            }
            memory.copyTo(MemorySegment.ofArray(sorted));
            Arrays.sort(sorted);
            Arrays.sort(keys);
            assertThat(sorted).isEqualTo(keys);
        }
    }

    /// Where a sort in place is asked for and would take as much as another one, that is made.
    @Test
    void fewElementsAreSortedInAnotherWay() {
        for (int count : new int[] {1, 2, 500, 4095, 9000}) {
            long[] keys = new SplittableRandom(count).longs(count).toArray();
            long[] expected = keys.clone();
            Arrays.sort(expected);
            try (DeviceMemory memory = DeviceMemory.allocate(GPU, count * 8L);
                    Sorter sorter = SampleSort.onGpu()
                            .tuning(TUNING.with("inPlaceSize=1"))
                            .build(ElementType.LONG)) {
                memory.copyFrom(MemorySegment.ofArray(keys));
                sorter.sort(memory);
                memory.copyTo(MemorySegment.ofArray(keys));
                assertThat(keys).isEqualTo(expected);
            }
        }
    }

    /// An array in order is only read, and one in the opposite order is sorted like any other.
    @Test
    void orderThatIsThereAlready() {
        long[] ascending = LongStream.range(0, 20_000).toArray();
        long[] descending = LongStream.range(0, 20_000).map(i -> -i).toArray();
        for (long[] keys : List.of(ascending, descending)) {
            long[] expected = keys.clone();
            Arrays.sort(expected);
            try (DeviceMemory memory = DeviceMemory.allocate(GPU, keys.length * 8L);
                    Sorter sorter = SampleSort.onGpu()
                            .tuning(TUNING.with("orderCheckSize=1"))
                            .deviceMemory(keys.length * 8L * 9 / 10)
                            .build(ElementType.LONG)) {
                memory.copyFrom(MemorySegment.ofArray(keys));
                assertThat(sorter.sort(memory).passes() == 0).isEqualTo(keys == ascending);
                memory.copyTo(MemorySegment.ofArray(keys));
                assertThat(keys).isEqualTo(expected);
            }
        }
    }

    /// Sorts by index and those on somebody else's stream have no way to be in place.
    @Test
    void otherSortsStillNeedTheirMemory() {
        int count = 20_000;
        try (DeviceMemory memory = DeviceMemory.allocate(GPU, count * 8L);
                Sorter stable = SampleSort.onGpu()
                        .tuning(TUNING)
                        .stable()
                        .order(Order.natural().reversed())
                        .deviceMemory(count * 8L * 9 / 10)
                        .build(ElementType.DOUBLE)) {
            memory.copyFrom(
                    MemorySegment.ofArray(new SplittableRandom(3).doubles(count).toArray()));
            assertThatThrownBy(() -> stable.sort(memory)).isInstanceOf(InsufficientDeviceMemoryException.class);
        }
    }

    private static List<String> sort(
            KeyType key,
            KeyType payload,
            boolean isDescending,
            boolean isStable,
            InputDistribution distribution,
            int count) {
        long keyBytes = (long) count * key.byteSize();
        long payloadBytes = payload == null ? 8 : (long) count * payload.byteSize();
        long inputBytes = keyBytes + (payload == null ? 0 : payloadBytes);
        // Too little for any other layout, which takes as much as the input and a good part of it again.
        long limit = inputBytes * 9 / 10;
        SorterBuilder builder = SampleSort.onGpu()
                .tuning(TUNING)
                .deviceMemory(limit)
                .order(ContractTypes.order(key, isDescending))
                .timesPhases(true);
        if (payload != null) {
            builder.payload(ContractTypes.elementType(payload));
        }
        if (isStable) {
            builder.stable();
        }
        try (Arena arena = Arena.ofShared();
                DeviceMemory keys = DeviceMemory.allocate(GPU, Math.max(1, keyBytes));
                DeviceMemory payloads = DeviceMemory.allocate(GPU, payloadBytes);
                Sorter sorter = builder.build(ContractTypes.elementType(key))) {
            MemorySegment hostKeys = arena.allocate(keyBytes, 8);
            MemorySegment hostPayloads = arena.allocate(payloadBytes, 8);
            MemorySegment keysBefore = arena.allocate(keyBytes, 8);
            MemorySegment payloadsBefore = arena.allocate(payloadBytes, 8);
            distribution.fill(hostKeys, key, 3);
            InputDistribution.UNIFORM.fill(hostPayloads, payload == null ? KeyType.I64 : payload, 4);
            Fingerprint before = fingerprint(hostKeys, key, hostPayloads, payload);
            keysBefore.copyFrom(hostKeys);
            payloadsBefore.copyFrom(hostPayloads);
            keys.copyFrom(hostKeys);
            payloads.copyFrom(hostPayloads);
            SortReport report = payload == null ? sorter.sort(keys) : sorter.sort(keys, payloads);
            keys.copyTo(hostKeys);
            payloads.copyTo(hostPayloads);
            String what = count + " " + key + " with " + payload + ", " + distribution;
            assertThat(ResultCheck.firstViolation(hostKeys, key, isDescending))
                    .as(what)
                    .isEmpty();
            assertThat(fingerprint(hostKeys, key, hostPayloads, payload))
                    .as(what)
                    .isEqualTo(before);
            if (isStable) {
                assertThat(StabilityCheck.violation(
                                new Column(keysBefore, hostKeys, key.byteSize()),
                                List.of(new Column(payloadsBefore, hostPayloads, payload.byteSize())),
                                ContractTypes.order(key, isDescending).toComparator(ContractTypes.elementType(key))))
                        .as(what)
                        .isEmpty();
            }
            assertThat(report.extraBytes()).as(what).isLessThanOrEqualTo(limit);
            return report.phases().stream().map(SortReport.Phase::name).toList();
        }
    }

    private static Fingerprint fingerprint(MemorySegment keys, KeyType key, MemorySegment payloads, KeyType payload) {
        return payload == null ? Fingerprint.of(keys, key) : Fingerprint.of(keys, key, payloads, payload);
    }
}
