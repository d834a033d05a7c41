package io.samplesort.study.historic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.bench.EmulatedGpu;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.emulator.Emulator;
import io.samplesort.study.historic.HistoricSort.Algorithm;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Every historic sort on the emulated GPU, which checks each access of its kernels.
@Tag("emulated")
class HistoricSortTest {
    private static final HistoricElement U32 = new HistoricElement(KeyType.U32, null);
    private static final HistoricElement U64 = new HistoricElement(KeyType.U64, null);
    private static final HistoricElement F32 = new HistoricElement(KeyType.F32, null);
    private static final HistoricElement PAIR = new HistoricElement(KeyType.U32, KeyType.U32);
    private static final List<HistoricElement> ELEMENTS = List.of(U32, U64, F32, PAIR);

    /// Such small values that a few thousand elements are distributed twice, in many tiles.
    private static final SampleSortParameters SMALL = SampleSortParameters.published(U32)
            .with("k", 16)
            .with("M", 500)
            .with("t", 64)
            .with("l", 4)
            .with("a", 6)
            .with("smallElements", 128);

    private static List<String> leftBefore;
    private static Context context;
    private static Context.Scope scope;
    private static Stream stream;

    @BeforeAll
    static void open() {
        EmulatedGpu.start();
        leftBefore = Emulator.start().leftovers();
        context = Context.retainPrimary(0);
        scope = context.enter();
        stream = Stream.create(context);
    }

    @AfterAll
    static void close() {
        if (stream != null) {
            stream.close();
            scope.close();
            context.close();
            assertThat(Emulator.start().leftovers()).isEqualTo(leftBefore);
        }
    }

    /// Pairs run all code that keys alone do; where there are none, floating point is encoded besides.
    static List<Arguments> fewSorts() {
        List<Arguments> sorts = new ArrayList<>();
        for (Algorithm algorithm : Algorithm.values()) {
            sorts.add(Arguments.of(algorithm, algorithm.sorts(PAIR) ? PAIR : F32));
        }
        return sorts;
    }

    /// All others.
    static List<Arguments> sorts() {
        List<Arguments> sorts = new ArrayList<>();
        for (Algorithm algorithm : Algorithm.values()) {
            HistoricElement few = algorithm.sorts(PAIR) ? PAIR : F32;
            ELEMENTS.stream()
                    .filter(element -> algorithm.sorts(element) && element != few)
                    .forEach(element -> sorts.add(Arguments.of(algorithm, element)));
        }
        return sorts;
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @MethodSource("sorts")
    void everyInputOfOtherTypes(Algorithm algorithm, HistoricElement element) {
        everyCountAroundTilesAndBuckets(algorithm, element);
        distributionsOfThePaper(algorithm, element);
        duplicatesAreSortedOrRefusedInWords(algorithm, element);
    }

    @ParameterizedTest
    @MethodSource("fewSorts")
    void everyCountAroundTilesAndBuckets(Algorithm algorithm, HistoricElement element) {
        try (HistoricSort sort = open(algorithm, element)) {
            for (int count : new int[] {0, 1, 2, 3, 127, 128, 129, 255, 256, 257, 500, 501, 1025, 2047, 2048, 2049}) {
                assertThat(sorted(sort, element, InputDistribution.UNIFORM, count))
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("fewSorts")
    void distributionsOfThePaper(Algorithm algorithm, HistoricElement element) {
        try (HistoricSort sort = open(algorithm, element)) {
            for (InputDistribution distribution : List.of(
                    InputDistribution.UNIFORM,
                    InputDistribution.GAUSSIAN,
                    InputDistribution.BUCKET_SORTED,
                    InputDistribution.STAGGERED,
                    InputDistribution.SORTED,
                    InputDistribution.REVERSE)) {
                assertThat(sorted(sort, element, distribution, 7001))
                        .as(distribution.toString())
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("fewSorts")
    void duplicatesAreSortedOrRefusedInWords(Algorithm algorithm, HistoricElement element) {
        try (HistoricSort sort = open(algorithm, element)) {
            for (InputDistribution distribution : List.of(
                    InputDistribution.DETERMINISTIC_DUPLICATES,
                    InputDistribution.FEW_DISTINCT,
                    InputDistribution.ALL_EQUAL,
                    InputDistribution.ZIPF,
                    InputDistribution.ORGAN_PIPE)) {
                boolean interpolates = algorithm == Algorithm.HYBRID_SORT || algorithm == Algorithm.BBSORT;
                if (interpolates && distribution == InputDistribution.ALL_EQUAL) {
                    assertThatThrownBy(() -> sorted(sort, element, distribution, 7001))
                            .isInstanceOf(UndefinedInputException.class)
                            .hasMessageContaining("all of these keys are equal");
                } else {
                    Optional<String> remark = sorted(sort, element, distribution, 7001);
                    assertThat(remark.isPresent())
                            .as("%s: %s", distribution, remark)
                            .isEqualTo(algorithm == Algorithm.BBSORT
                                    && (distribution == InputDistribution.DETERMINISTIC_DUPLICATES
                                            || distribution == InputDistribution.ZIPF));
                }
            }
        }
    }

    @Tag("exhaustive")
    @Test
    void sampleSortOf2009WithItsPublishedParameters() {
        try (HistoricSort sort = Algorithm.SAMPLE_SORT_2009.on(context, U32)) {
            assertThat(sorted(sort, U32, InputDistribution.UNIFORM, (1 << 17) + 1))
                    .isEmpty();
            assertThat(sorted(sort, U32, InputDistribution.DETERMINISTIC_DUPLICATES, (1 << 17) + 1))
                    .isEmpty();
        }
    }

    /// Variants of [#SMALL], which has the choices of the paper. M is always small enough for two levels.
    static List<Arguments> variants() {
        List<SampleSortParameters> variants = List.of(
                SMALL.with("k", 2),
                SMALL.with("k", 512).with("l", 1),
                SMALL.with("M", 130),
                SMALL.with("a", 1),
                SMALL.with("counterArrays", 1),
                SMALL.with("counterArrays", 16).with("t", 96).with("l", 3),
                SMALL.with("stored", 1),
                SMALL.with("reordered", 1).with("t", 96).with("l", 7),
                SMALL.with("stored", 1).with("reordered", 1),
                // These are more buckets than threads, and their indexes have two bytes.
                SMALL.with("k", 512).with("stored", 1).with("reordered", 1).with("a", 2));
        return variants.stream()
                // Pairs run all code that keys alone do.
                .flatMap(parameters -> (parameters == variants.getLast() ? List.of(U32, PAIR) : List.of(PAIR))
                        .stream().map(element -> Arguments.of(parameters.values(), element)))
                .toList();
    }

    /// Most buckets, which are stored and reordered, and samples of another size.
    static List<Arguments> fewVariants() {
        return List.of(variants().getLast());
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @MethodSource("variants")
    void sampleSortOf2009WithAllOtherParameters(Map<String, Long> values, HistoricElement element) {
        sampleSortOf2009WithOtherParameters(values, element);
    }

    @ParameterizedTest
    @MethodSource("fewVariants")
    void sampleSortOf2009WithOtherParameters(Map<String, Long> values, HistoricElement element) {
        SampleSortParameters parameters = SMALL;
        for (Map.Entry<String, Long> value : values.entrySet()) {
            parameters = parameters.with(value.getKey(), value.getValue());
        }
        try (SampleSort2009 sort = new SampleSort2009(context, element, parameters)) {
            for (InputDistribution distribution : List.of(
                    InputDistribution.UNIFORM,
                    InputDistribution.DETERMINISTIC_DUPLICATES,
                    InputDistribution.FEW_DISTINCT,
                    InputDistribution.ALL_EQUAL,
                    InputDistribution.SORTED)) {
                assertThat(sorted(sort, element, distribution, 7001))
                        .as(distribution.toString())
                        .isEmpty();
            }
        }
    }

    @Test
    void samplesTilesAndCountersMayTakeMoreThan48KiB() {
        SampleSortParameters large = SampleSortParameters.published(U64)
                .with("k", 1024)
                .with("M", 1000)
                .with("l", 16)
                .with("reordered", 1);
        assertThat(List.of(large.sampleBytes(U64), large.distributionBytes(U64), large.scatterBytes(U64)))
                .allSatisfy(bytes -> assertThat(bytes).isGreaterThan(48 << 10));
        try (SampleSort2009 sort = new SampleSort2009(context, U64, large)) {
            assertThat(sorted(sort, U64, InputDistribution.UNIFORM, 9000)).isEmpty();
        }
        assertThatThrownBy(() -> new SampleSort2009(context, U64, large.with("a", 30)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the sample of a × k elements takes 245776 bytes")
                .hasMessageContaining("k=1024");
        assertThatThrownBy(() -> large.with("items", 9)).hasMessageContaining("use one of [k, M, t, l, a");
        assertThatThrownBy(() -> large.with("k", 100)).hasMessageContaining("power of two");
    }

    @Test
    void aSortTellsItsCourseAndTheTimesOfItsParts() {
        try (SampleSort2009 sort = new SampleSort2009(context, U32, SMALL);
                PartClock clock = new PartClock(context)) {
            sort.timeParts(clock);
            sorted(sort, U32, InputDistribution.UNIFORM, 500);
            assertThat(sort.course()).isEqualTo(new SampleSort2009.Course(0, 0, 500));
            assertThat(clock.millis()).containsOnlyKeys(PartClock.Part.BUCKETS);
            sorted(sort, U32, InputDistribution.UNIFORM, 7001);
            assertThat(sort.course().levels()).isEqualTo(2);
            assertThat(sort.course().distributions()).isBetween(2, 17);
            assertThat(sort.course().largestBucket()).isBetween(128L, 500L);
            assertThat(clock.millis())
                    .containsOnlyKeys(PartClock.Part.values())
                    .allSatisfy((part, millis) -> assertThat(millis).isNotNegative());
            // Each bucket has only one key.
            sorted(sort, U32, InputDistribution.ALL_EQUAL, 7001);
            assertThat(sort.course()).isEqualTo(new SampleSort2009.Course(1, 1, 0));
            assertThat(clock.millis()).containsKey(PartClock.Part.DISTRIBUTION);
            assertThat(clock.millis()).isEmpty();
        }
    }

    @Test
    void countsBeyond32BitsAreRefused() {
        for (Algorithm algorithm : List.of(Algorithm.SAMPLE_SORT_2009, Algorithm.HYBRID_SORT, Algorithm.BBSORT)) {
            try (HistoricSort sort = open(algorithm, U32)) {
                assertThatThrownBy(() -> sort.sort(stream, 0, 0, 1L << 32)).hasMessageContaining("4294967296 elements");
            }
        }
    }

    @Test
    void hybridSortRefusesBucketsThatAreMuchLargerThanOthers() {
        try (HistoricSort sort = Algorithm.HYBRID_SORT.on(context, U32)) {
            assertThat(sorted(sort, U32, InputDistribution.UNIFORM, 45000)).isEmpty();
            assertThatThrownBy(() -> sorted(sort, U32, InputDistribution.DETERMINISTIC_DUPLICATES, 90000))
                    .isInstanceOf(UndefinedInputException.class)
                    .hasMessageContaining("buckets of about the same size");
        }
    }

    /// Opens a sort. That of 2009 gets parameters with which a small input reaches all of its code.
    private static HistoricSort open(Algorithm algorithm, HistoricElement element) {
        return algorithm == Algorithm.SAMPLE_SORT_2009
                ? new SampleSort2009(context, element, SMALL)
                : algorithm.on(context, element);
    }

    /// Sorts, checks the result, and returns the remark.
    private static Optional<String> sorted(
            HistoricSort sort, HistoricElement element, InputDistribution distribution, long count) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment keys = arena.allocate(count * element.keyBytes(), Long.BYTES);
            MemorySegment payloads = arena.allocate(element.hasPayload() ? count * Integer.BYTES : 0, Long.BYTES);
            distribution.fill(keys, element.key(), 7);
            InputDistribution.UNIFORM.fill(payloads, KeyType.U32, 8);
            Fingerprint expected = fingerprint(element, keys, payloads);
            Optional<String> remark;
            try (DeviceMemory deviceKeys = DeviceMemory.allocate(Device.gpu(0), Math.max(1, keys.byteSize()));
                    DeviceMemory devicePayloads =
                            DeviceMemory.allocate(Device.gpu(0), Math.max(1, payloads.byteSize()))) {
                copy(keys, deviceKeys, true);
                copy(payloads, devicePayloads, true);
                remark = sort.sort(
                        stream, deviceKeys.address(), element.hasPayload() ? devicePayloads.address() : 0, count);
                stream.synchronize();
                copy(keys, deviceKeys, false);
                copy(payloads, devicePayloads, false);
            }
            assertThat(ResultCheck.firstViolation(keys, element.key(), false))
                    .as("%d elements, %s", count, distribution)
                    .isEmpty();
            assertThat(fingerprint(element, keys, payloads))
                    .as("%d elements, %s", count, distribution)
                    .isEqualTo(expected);
            return remark;
        }
    }

    private static void copy(MemorySegment host, DeviceMemory device, boolean isUp) {
        if (host.byteSize() == 0) {
            return;
        }
        if (isUp) {
            device.copyFrom(host);
        } else {
            device.copyTo(host);
        }
    }

    private static Fingerprint fingerprint(HistoricElement element, MemorySegment keys, MemorySegment payloads) {
        return element.hasPayload()
                ? Fingerprint.of(keys, element.key(), payloads, element.payload())
                : Fingerprint.of(keys, element.key());
    }
}
