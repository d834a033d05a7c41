package io.samplesort.gpu.exchange;

import static io.samplesort.gpu.exchange.ExchangeBed.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.ContractTypes;
import io.samplesort.emulator.Emulator;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.GpuContractTest;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.SeveralGpus;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Arrays on several GPUs whose elements are exchanged in buckets.
@Tag("gpu")
@Tag("several")
@ExtendWith(GpuEnvironment.class)
class GpuBucketExchangeTest {
    private static final List<String> STEPS = List.of("sample", "first_pass", "exchange_and_sort");

    private static ExchangeBed open(int gpus, ElementType key, List<ElementType> payloads, boolean isStable) {
        return ExchangeBed.of(gpus, key, payloads, Order.natural(), isStable, ExchangeBed.MANY_BUCKETS);
    }

    @ParameterizedTest
    @EnumSource(InputDistribution.class)
    @Tag("exhaustive")
    void everyDistribution(InputDistribution distribution) {
        for (int gpus : new int[] {2, 3, 4, 8}) {
            sortsPairs(distribution, gpus, 18_000);
        }
    }

    private static void sortsPairs(InputDistribution distribution, int gpus, int count) {
        MemorySegment keys = MemorySegment.ofArray(new byte[count * Long.BYTES]);
        distribution.fill(keys, KeyType.I64, 41);
        MemorySegment payloads = numbers(count);
        Fingerprint before = Fingerprint.of(keys, KeyType.I64, payloads, KeyType.I64);
        try (SeveralGpus several = SeveralGpus.of(gpus);
                ExchangeBed bed = open(gpus, ElementType.LONG, List.of(ElementType.LONG), false)) {
            SortReport report = bed.sort(ExchangeBed.equalSizes(count, gpus), keys, payloads);
            assertThat(ExchangeBed.steps(report)).as(distribution.toString()).isEqualTo(STEPS);
            SortReport.Exchange exchange = report.exchange().orElseThrow();
            assertThat(exchange.storedElements()).isZero();
            assertThat(exchange.received().stream().mapToLong(each -> each).sum())
                    .isEqualTo(count);
            assertThat(report.passes()).isGreaterThanOrEqualTo(2);
        }
        assertThat(ResultCheck.firstViolation(keys, KeyType.I64, false)).isEmpty();
        assertThat(Fingerprint.of(keys, KeyType.I64, payloads, KeyType.I64)).isEqualTo(before);
    }

    /// Random keys, frequent ones, equal ones, and those of which a GPU has few or many of its own already.
    @ParameterizedTest
    @CsvSource({
        "UNIFORM, 2",
        "ZIPF, 2",
        "FOUR_RUNS, 3",
        "ROOT_DUPLICATES, 3",
        "UNIFORM, 4",
        "ALL_EQUAL, 4",
        "STAGGERED, 4",
        "UNIFORM, 8"
    })
    void keepsTheOrderOfEqualKeys(InputDistribution distribution, int gpus) {
        keepsTheOrder(distribution, ExchangeBed.equalSizes(9000, gpus));
    }

    @ParameterizedTest
    @EnumSource(InputDistribution.class)
    @Tag("exhaustive")
    void keepsTheOrderInEveryDistribution(InputDistribution distribution) {
        keepsTheOrder(distribution, 3000, 5000, 4000);
    }

    private static void keepsTheOrder(InputDistribution distribution, long... sizes) {
        int count = (int) Arrays.stream(sizes).sum();
        long[] keys = new long[count];
        distribution.fill(MemorySegment.ofArray(keys), KeyType.I64, 43);
        if (distribution == InputDistribution.UNIFORM) {
            keys = new Random(43).longs(count, 0, 300).toArray();
        }
        long[] input = keys.clone();
        long[] payloads = IntStream.range(0, count).asLongStream().toArray();
        try (SeveralGpus several = SeveralGpus.of(sizes.length);
                ExchangeBed bed = open(sizes.length, ElementType.LONG, List.of(ElementType.LONG), true)) {
            SortReport report = bed.sort(sizes, MemorySegment.ofArray(keys), MemorySegment.ofArray(payloads));
            assertThat(ExchangeBed.steps(report)).isEqualTo(STEPS);
        }
        long[] expected = IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparingLong(i -> input[i]))
                .mapToLong(i -> i)
                .toArray();
        assertThat(payloads).isEqualTo(expected);
    }

    /// Keys and payloads of different sizes lie in arrays of their own, and floating-point keys are mapped on their
    /// way.
    @ParameterizedTest
    @EnumSource(names = {"I8", "F32"})
    void smallestAndMappedKeys(KeyType type) {
        everySize(type);
    }

    @ParameterizedTest
    @EnumSource(names = {"I8", "I16", "F32", "I64", "F64"})
    @Tag("exhaustive")
    void everySize(KeyType type) {
        int count = 8000;
        MemorySegment keys = MemorySegment.ofArray(new byte[count * type.byteSize()]);
        InputDistribution.UNIFORM.fillWithSpecials(keys, type, 3);
        MemorySegment payloads = MemorySegment.ofArray(new byte[count * Integer.BYTES]);
        InputDistribution.UNIFORM.fill(payloads, KeyType.U32, 5);
        Fingerprint pairs = Fingerprint.of(keys, type, payloads, KeyType.U32);
        boolean isDescending = GpuContractTest.isDescendingWithPayload(type);
        Order order = ContractTypes.order(type, isDescending);
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = new ExchangeBed(
                        new int[] {0, 1},
                        ContractTypes.elementType(type),
                        List.of(ElementType.INT),
                        order,
                        false,
                        Long.MAX_VALUE,
                        ExchangeBed.IN_BUCKETS)) {
            SortReport report = bed.sort(new long[] {3500, 4500}, keys, payloads);
            assertThat(ExchangeBed.steps(report)).isEqualTo(STEPS);
        }
        assertThat(ResultCheck.firstViolation(keys, type, isDescending)).isEmpty();
        assertThat(Fingerprint.of(keys, type, payloads, KeyType.U32)).isEqualTo(pairs);
    }

    @Test
    void partsOfDifferentSizesAndWithoutElements() {
        long[][] sizes = {{4000, 4000, 0}, {0, 5000, 3000}, {700, 9000, 2500}, {9000, 600, 600}, {6000, 0, 2000}};
        try (SeveralGpus several = SeveralGpus.of(3);
                ExchangeBed bed = open(3, ElementType.LONG, List.of(), false)) {
            int inBuckets = 0;
            for (long[] each : sizes) {
                for (int distinct : new int[] {1, 3, 1 << 30}) {
                    long[] keys = new Random(7)
                            .longs(Arrays.stream(each).sum(), 0, distinct)
                            .toArray();
                    long[] expected = keys.clone();
                    Arrays.sort(expected);
                    SortReport report = bed.sort(each, MemorySegment.ofArray(keys));
                    assertThat(keys)
                            .as("%s, %d keys", Arrays.toString(each), distinct)
                            .isEqualTo(expected);
                    inBuckets += ExchangeBed.steps(report).equals(STEPS) ? 1 : 0;
                }
            }
            assertThat(inBuckets).as("sorts of 15 that exchange buckets").isGreaterThan(8);
        }
    }

    /// Each wait is one for two streams of each of two GPUs.
    @Test
    void theHostWaitsThreeTimes() {
        assumeTrue(GpuEnvironment.IS_EMULATED, "a real driver does not count its calls");
        Emulator emulator = Emulator.start();
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = open(2, ElementType.LONG, List.of(), false)) {
            long[] keys = new Random(12).longs(9000).toArray();
            long[] calls = new long[2];
            assertThat(bed.sortThatFails(
                            new long[] {4000, 5000},
                            () -> calls[0] = emulator.calls("cuStreamSynchronize"),
                            () -> calls[1] = emulator.calls("cuStreamSynchronize"),
                            MemorySegment.ofArray(keys)))
                    .isNull();
            assertThat(keys).isSorted();
            assertThat(calls[1] - calls[0]).isEqualTo(3 * 2 * 2);
        }
    }

    /// The driver copies where peers cannot reach each other, so the steps are the same.
    @Test
    void peersThatCannotReachEachOther() {
        try (SeveralGpus several = SeveralGpus.of(2).separate(0, 1);
                ExchangeBed bed = open(2, ElementType.LONG, List.of(), false)) {
            long[] keys = new Random(11).longs(9000).toArray();
            long[] expected = keys.clone();
            Arrays.sort(expected);
            SortReport report = bed.sort(new long[] {4000, 5000}, MemorySegment.ofArray(keys));
            assertThat(ExchangeBed.steps(report)).isEqualTo(STEPS);
            assertThat(report.exchange().orElseThrow().storedElements()).isZero();
            assertThat(keys).isEqualTo(expected);
        }
    }

    /// Groups of buckets are smaller where the memory is too little for those of the usual sizes.
    @Test
    void littleMemoryMakesSmallGroups() {
        int count = 80_000;
        long[] input = new Random(17).longs(count).toArray();
        long[] expected = input.clone();
        Arrays.sort(expected);
        long most = ExchangeBed.NO_LIMIT;
        long[] extraBytes = new long[2];
        try (SeveralGpus several = SeveralGpus.of(2)) {
            for (int turn = 0; turn < 2; turn++) {
                long[] keys = input.clone();
                try (ExchangeBed bed = new ExchangeBed(
                        new int[] {0, 1},
                        ElementType.LONG,
                        List.of(),
                        Order.natural(),
                        false,
                        most,
                        ExchangeBed.MANY_BUCKETS)) {
                    SortReport report = bed.sort(ExchangeBed.equalSizes(count, 2), MemorySegment.ofArray(keys));
                    assertThat(ExchangeBed.steps(report)).isEqualTo(STEPS);
                    assertThat(keys).isEqualTo(expected);
                    extraBytes[turn] = report.extraBytes();
                    most = extraBytes[0] / 2 * 8 / 10;
                }
            }
        }
        assertThat(extraBytes[1]).isLessThan(extraBytes[0] * 9 / 10);
    }

    /// Where the memory is too little for an exchange of buckets, pieces are exchanged, in layouts that take less.
    /// With large samples buckets have little slack, as in sorts of many elements.
    @Test
    void littleMemoryIsEnoughForPieces() {
        Tuning tuning =
                ExchangeBed.IN_BUCKETS.with("oversampling=128,sampleThreads=512,bucketSlack=2,smallSortCells=0");
        long[] input = new Random(13).longs(40_000).toArray();
        long[] expected = input.clone();
        Arrays.sort(expected);
        List<String> last = List.of();
        int inPieces = 0;
        try (SeveralGpus several = SeveralGpus.of(2)) {
            for (long limit = 270_000; !last.equals(STEPS); limit += limit / 4) {
                long[] keys = input.clone();
                MemorySegment memory = MemorySegment.ofArray(keys);
                try (ExchangeBed bed = new ExchangeBed(
                        new int[] {0, 1}, ElementType.LONG, List.of(), Order.natural(), false, limit, tuning)) {
                    last = ExchangeBed.steps(bed.sort(new long[] {20_000, 20_000}, memory));
                    assertThat(keys).as("limit %d", limit).isEqualTo(expected);
                    inPieces += last.contains("sort_parts") ? 1 : 0;
                } catch (InsufficientDeviceMemoryException e) {
                    assertThat(keys).as("limit %d", limit).isEqualTo(input);
                }
            }
        }
        assertThat(inPieces).as("limits with room for pieces alone").isPositive();
    }
}
