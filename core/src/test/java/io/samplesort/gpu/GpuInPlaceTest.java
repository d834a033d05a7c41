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
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.testkit.StabilityCheck;
import io.samplesort.testkit.StabilityCheck.Column;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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

    /// Many buckets in the first pass, and small ones in the end. Other tests have kernels of the same text.
    static final Tuning TUNING =
            GpuContractTest.TINY.with("distributionItems=1,bucketTarget=192,maxBucketCount=64,oversampling=16");

    /// Small sorts without cells take a third of the time to compile. The first tuning has them with.
    private static final String NO_CELLS = "smallSortCells=0";

    private static final Tuning SMALL_SAMPLES = GpuEveryKernelTest.HOPELESS
            .with("distributionItems=1,bucketTarget=192,oversampling=16")
            .with(NO_CELLS);

    private static final String MOVES = "divide_chunks";

    /// With this many elements, a page has several tiles of 64 elements each.
    static final int PAGES_OF_SEVERAL_TILES = 1_100_000;

    /// Random keys, keys in order, equal ones, frequent ones, and those that samples do not show.
    @ParameterizedTest
    @EnumSource(names = {"UNIFORM", "SORTED", "ALL_EQUAL", "ZIPF", "ADVERSARY"})
    void fewDistributions(InputDistribution distribution) {
        everyDistribution(distribution);
    }

    @ParameterizedTest
    @EnumSource(InputDistribution.class)
    @Tag("exhaustive")
    void everyDistribution(InputDistribution distribution) {
        assertThat(sort(KeyType.I64, null, false, false, distribution, 20_011)).contains(MOVES);
    }

    /// Pairs of equal sizes lie in two arrays here and as whole elements in other sorts, and floating-point keys are
    /// mapped on their way. Stable pairs keep their order wherever their pieces go.
    @ParameterizedTest
    @CsvSource({"F32,U32,true,false", "I64,I64,false,true"})
    void mappedKeysAndStablePairs(KeyType key, KeyType payload, boolean isDescending, boolean isStable) {
        everyKindOfElement(key, payload, isDescending, isStable);
    }

    @ParameterizedTest
    @CsvSource({"I64,I32,false,false", "I64,I64,false,false"})
    @Tag("exhaustive")
    void everyKindOfElement(KeyType key, KeyType payload, boolean isDescending, boolean isStable) {
        for (InputDistribution distribution : List.of(InputDistribution.UNIFORM, InputDistribution.ROOT_DUPLICATES)) {
            assertThat(sort(key, payload, isDescending, isStable, distribution, 20_007))
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
        assertThat(sortLongs(keys, TUNING, 9))
                .extracting(SortReport.Phase::name)
                .contains(MOVES);
    }

    /// Some buckets have too little room, so their segments are kept whole and merged.
    @Test
    void bucketsOutgrowTheirRoom() {
        long[] keys = new SplittableRandom(6).longs(20_000).toArray();
        Tuning littleRoom =
                TUNING.with("bucketSlack=1,sampleThreads=32,sampleItems=2").with(NO_CELLS);
        assertThat(sortLongs(keys, littleRoom, 9))
                .extracting(SortReport.Phase::name)
                .contains(MOVES);
    }

    /// With this many tiles, a page has several, which different blocks read. [GpuInPlaceMemoryTest] has such pages
    /// too.
    @Test
    @Tag("exhaustive")
    void pagesOfSeveralTiles() {
        long[] keys = new SplittableRandom(8).longs(PAGES_OF_SEVERAL_TILES).toArray();
        assertThat(sortLongs(keys, TUNING, 9))
                .extracting(SortReport.Phase::name)
                .contains(MOVES);
    }

    /// Two passes come behind the first one.
    @Test
    void threePasses() {
        long[] keys = new SplittableRandom(7).longs(40_000).toArray();
        Tuning fewBuckets = TUNING.with("maxBucketCount=8,bucketTarget=96").with(NO_CELLS);
        assertThat(sortLongs(keys, fewBuckets, 26))
                .extracting(SortReport.Phase::name)
                .contains(MOVES);
    }

    /// Sorts with memory of this many tenths of the keys, and checks the result.
    private static List<SortReport.Phase> sortLongs(long[] keys, Tuning tuning, int tenths) {
        long[] expected = keys.clone();
        Arrays.sort(expected);
        try (DeviceMemory memory = DeviceMemory.allocate(GPU, keys.length * 8L);
                Sorter sorter = SampleSort.onGpu()
                        .tuning(tuning)
                        .deviceMemory(keys.length * 8L * tenths / 10)
                        .timesPhases()
                        .build(ElementType.LONG)) {
            memory.copyFrom(MemorySegment.ofArray(keys));
            SortReport report = sorter.sort(memory);
            memory.copyTo(MemorySegment.ofArray(keys));
            assertThat(keys).isEqualTo(expected);
            return report.phases();
        }
    }

    /// Structs are moved whole.
    @Test
    void recordsByFields() {
        sortsRecords("price, then id");
    }

    @Test
    @Tag("exhaustive")
    void recordsByAnOrderOfOnesOwn() {
        sortsRecords("custom, moved");
    }

    private static void sortsRecords(String name) {
        RecordCase records = RecordCase.all().stream()
                .filter(each -> each.name().equals(name))
                .findAny()
                .orElseThrow();
        assertThat(sort(records)).contains(MOVES);
    }

    /// An order that contradicts itself may give any order, and loses nothing. If a bucket is too large for a region,
    /// nothing has been changed.
    @Test
    @Tag("exhaustive")
    void contradictoryOrderLosesNothing() {
        ElementType type = ElementType.of(
                MemoryLayout.structLayout(ValueLayout.JAVA_LONG.withName("a"), ValueLayout.JAVA_LONG.withName("b")));
        Order order = Order.custom("(a.a * 0x9e3779b97f4a7c15ll ^ b.b) >> 40 & 1", (a, b) -> 1);
        sort(new RecordCase("no order", type, order, false));
    }

    private static List<String> sort(RecordCase records) {
        int count = 20_003;
        long bytes = (long) count * records.type().byteSize();
        try (Arena arena = Arena.ofShared();
                DeviceMemory memory = DeviceMemory.allocate(GPU, bytes);
                Sorter sorter = SampleSort.onGpu()
                        .tuning(SMALL_SAMPLES)
                        .order(records.order())
                        .deviceMemory(bytes * 9 / 10)
                        .timesPhases()
                        .build(records.type())) {
            MemorySegment elements = arena.allocate(bytes, 16);
            records.fill(elements, new Random(8));
            Fingerprint before = Fingerprint.of(elements, records.type().byteSize());
            memory.copyFrom(elements);
            SortReport report = records.isOrder() ? sorter.sort(memory) : sortIfPossible(sorter, memory);
            memory.copyTo(elements);
            assertThat(Fingerprint.of(elements, records.type().byteSize())).isEqualTo(before);
            assertThat(!records.isOrder() || sorter.isSorted(memory)).isTrue();
            return report == null
                    ? List.of()
                    : report.phases().stream().map(SortReport.Phase::name).toList();
        }
    }

    private static SortReport sortIfPossible(Sorter sorter, DeviceMemory memory) {
        try {
            return sorter.sort(memory);
        } catch (InsufficientDeviceMemoryException e) {
            return null;
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

    /// Sorts by index cannot be in place.
    @Test
    void sortsByIndexStillNeedTheirMemory() {
        int count = 9000;
        try (DeviceMemory keys = DeviceMemory.allocate(GPU, count * 8L);
                DeviceMemory payloads = DeviceMemory.allocate(GPU, count * 4L);
                Sorter stable = SampleSort.onGpu()
                        .tuning(GpuContractTest.TINY)
                        .tuning("inPlaceSize=1")
                        .payload(ElementType.INT)
                        .stable()
                        .deviceMemory(count * 12L * 9 / 10)
                        .build(ElementType.LONG)) {
            keys.copyFrom(
                    MemorySegment.ofArray(new SplittableRandom(3).longs(count).toArray()));
            assertThatThrownBy(() -> stable.sort(keys, payloads)).isInstanceOf(InsufficientDeviceMemoryException.class);
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
                .tuning(payload == null ? TUNING : SMALL_SAMPLES)
                .deviceMemory(limit)
                .order(ContractTypes.order(key, isDescending))
                .timesPhases();
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
