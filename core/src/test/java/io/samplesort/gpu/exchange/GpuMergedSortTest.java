package io.samplesort.gpu.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.RecordCase;
import io.samplesort.emulator.Emulator.Fault;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.GpuContractTest;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.SeveralGpus;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Arrays on several GPUs: each sorts its part, and all merge what they have sorted. The kernels of one GPU are
/// those of tests of sorted runs.
@Tag("gpu")
@Tag("several")
@ExtendWith(GpuEnvironment.class)
class GpuMergedSortTest {
    private static final Tuning TUNING =
            GpuContractTest.TINY.with("mergedRuns=16,smallSortCells=0,mergedBytes=" + (1 << 30));
    private static final List<String> STEPS = List.of("sort_and_merge");

    private static ExchangeBed open(int gpus, ElementType key, List<ElementType> payloads, String tuning) {
        return ExchangeBed.of(gpus, key, payloads, Order.natural(), false, TUNING.with(tuning));
    }

    /// Random keys, equal ones, parts in order, and what samples do not show.
    @ParameterizedTest
    @EnumSource(names = {"UNIFORM", "ALL_EQUAL", "ORGAN_PIPE", "ADVERSARY"})
    void fewDistributions(InputDistribution distribution) {
        sorts(distribution, 6000, 9000);
    }

    @ParameterizedTest
    @EnumSource(InputDistribution.class)
    @Tag("exhaustive")
    void everyDistribution(InputDistribution distribution) {
        sorts(distribution, 15_000, 25_000);
    }

    private static void sorts(InputDistribution distribution, long first, long second) {
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = open(2, ElementType.LONG, List.of(), "")) {
            long[] keys = new long[(int) (first + second)];
            MemorySegment memory = MemorySegment.ofArray(keys);
            distribution.fill(memory, KeyType.I64, 5);
            long[] expected = keys.clone();
            Arrays.sort(expected);
            SortReport report = bed.sort(new long[] {first, second}, memory);
            assertThat(keys).isEqualTo(expected);
            assertThat(ExchangeBed.steps(report)).isEqualTo(STEPS);
            assertThat(report.exchange().orElseThrow().balance()).isEqualTo(1);
        }
    }

    @Test
    void partsOfAllSizesOnThreeGpus() {
        partsOfAllSizes(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    @Tag("exhaustive")
    void partsOfAllSizes(int gpus) {
        long[][] sizes = {
            {100, 0, 0, 0},
            {0, 0, 90, 0},
            {0, 64, 1, 1},
            {50, 50, 50, 50},
            {1, 4000, 1, 30},
            {3000, 10, 2000, 0},
            {9000, 9000, 9000, 9001}
        };
        try (SeveralGpus several = SeveralGpus.of(gpus);
                ExchangeBed bed = open(gpus, ElementType.LONG, List.of(), "")) {
            for (long[] all : sizes) {
                long[] each = Arrays.copyOf(all, gpus);
                int count = (int) LongStream.of(each).sum();
                // Few keys, so that many are equal to those at a border.
                long[] keys = new Random(count).longs(count, 0, 1 + count / 3).toArray();
                long[] expected = keys.clone();
                Arrays.sort(expected);
                SortReport report = bed.sort(each, MemorySegment.ofArray(keys));
                assertThat(keys).as(Arrays.toString(each)).isEqualTo(expected);
                assertThat(ExchangeBed.steps(report).equals(STEPS)).isEqualTo(count >= ExchangeBed.LEAST);
            }
        }
    }

    @Test
    void payloadsStayWithTheirKeys() {
        int count = 12_000;
        try (SeveralGpus several = SeveralGpus.of(3);
                ExchangeBed bed = open(3, ElementType.FLOAT, List.of(ElementType.LONG), "")) {
            float[] keys = new float[count];
            Random random = new Random(8);
            for (int i = 0; i < count; i++) {
                keys[i] = random.nextInt(-2000, 2000);
            }
            long[] payloads = IntStream.range(0, count).asLongStream().toArray();
            float[] before = keys.clone();
            SortReport report = bed.sort(
                    new long[] {3_000, 6_000, 3_000}, MemorySegment.ofArray(keys), MemorySegment.ofArray(payloads));
            assertThat(ExchangeBed.steps(report)).isEqualTo(STEPS);
            assertThat(keys).isSorted();
            for (int i = 0; i < count; i++) {
                assertThat(keys[i]).isEqualTo(before[(int) payloads[i]]);
            }
            assertThat(LongStream.of(payloads).distinct().count()).isEqualTo(count);
        }
    }

    @Test
    void structs() {
        checkStructs(TUNING);
    }

    @Test
    @Tag("exhaustive")
    void structsWithTheTuningThatUsersHave() {
        checkStructs(Tuning.defaultFor(16, 0, false, "sm_90").with("oneGpuBytes=0"));
    }

    /// Sorts structs of 16 bytes.
    private static void checkStructs(Tuning tuning) {
        RecordCase structs = RecordCase.all().getFirst();
        int bytes = structs.type().byteSize();
        int count = 30_000;
        MemorySegment elements = MemorySegment.ofArray(new long[count * bytes / Long.BYTES]);
        structs.fill(elements, new Random(9));
        byte[] expected = RecordCase.gathered(elements, bytes, structs.stableOrder(elements));
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = ExchangeBed.of(2, structs.type(), List.of(), structs.order(), false, tuning)) {
            SortReport report = bed.sort(new long[] {14_000, 16_000}, elements);
            assertThat(ExchangeBed.steps(report)).isEqualTo(STEPS);
            assertThat(elements.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
        }
    }

    /// What a GPU merges of others is what its home has and its part has not.
    @Test
    void reportsWhatHasCrossed() {
        int count = 20_000;
        long[] keys = LongStream.range(0, count).map(i -> count - i).toArray();
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = open(2, ElementType.LONG, List.of(), "")) {
            SortReport report = bed.sort(new long[] {12_000, 8_000}, MemorySegment.ofArray(keys));
            assertThat(keys).isSorted();
            SortReport.Exchange exchange = report.exchange().orElseThrow();
            assertThat(exchange.storedElements()).isEqualTo(16_000);
            assertThat(exchange.copiedElements()).isZero();
        }
    }

    @Test
    void moreBytesAreExchanged() {
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = open(2, ElementType.LONG, List.of(), "mergedBytes=32000")) {
            for (int most : new int[] {4000, 4001}) {
                long[] keys = new Random(most).longs(7000).toArray();
                SortReport report = bed.sort(new long[] {7000 - most, most}, MemorySegment.ofArray(keys));
                assertThat(keys).isSorted();
                assertThat(ExchangeBed.steps(report).equals(STEPS)).isEqualTo(most == 4000);
            }
        }
    }

    /// A GPU whose part is in no order sorts it before anybody knows of the other parts.
    @Test
    void partsInOrderBesideOthers() {
        int count = 9000;
        long[] random = new Random(21).longs(count).toArray();
        long[] sorted = random.clone();
        Arrays.sort(sorted);
        long[][] inputs = {random, sorted, random.clone(), random.clone(), sorted.clone()};
        Arrays.sort(inputs[2], 0, 4000);
        Arrays.sort(inputs[3], 4000, count);
        // Each part is in order, and the array is not.
        System.arraycopy(sorted, 0, inputs[4], 4000, 5000);
        System.arraycopy(sorted, 5000, inputs[4], 0, 4000);
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = open(2, ElementType.LONG, List.of(), "orderCheckSize=1")) {
            for (long[] input : inputs) {
                long[] keys = input.clone();
                SortReport report = bed.sort(new long[] {4000, 5000}, MemorySegment.ofArray(keys));
                assertThat(keys).isEqualTo(sorted);
                assertThat(ExchangeBed.steps(report))
                        .isEqualTo(input == sorted ? List.of("check_order") : List.of("check_order", "sort_and_merge"));
            }
        }
    }

    /// The smaller part fits its GPU and is being sorted when the other GPU finds that it has too little memory.
    @Test
    void tooLittleMemoryOnOneGpu() {
        Tuning tuning = TUNING.with("orderCheckSize=1,maxBucketCount=64,bucketExchangeSize=" + Integer.MAX_VALUE);
        long[] input = new Random(22).longs(44_000).toArray();
        long[] keys = input.clone();
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = new ExchangeBed(
                        new int[] {0, 1}, ElementType.LONG, List.of(), Order.natural(), false, 900_000, tuning)) {
            assertThatExceptionOfType(InsufficientDeviceMemoryException.class)
                    .isThrownBy(() -> bed.sort(new long[] {4000, 40_000}, MemorySegment.ofArray(keys)))
                    .withMessageContaining("gpu:1");
            assertThat(keys).isEqualTo(input);
            long[] fewer = Arrays.copyOf(input, 8000);
            SortReport report = bed.sort(new long[] {4000, 4000}, MemorySegment.ofArray(fewer));
            assertThat(fewer).isSorted();
            assertThat(ExchangeBed.steps(report)).isEqualTo(List.of("check_order", "sort_and_merge"));
        }
    }

    /// Sorts that look for order first have all calls that the others have.
    @Test
    void whateverFails() {
        checkFailures("orderCheckSize=1", false);
    }

    @Test
    @Tag("exhaustive")
    void whicheverCallFails() {
        checkFailures("orderCheckSize=1", true);
        checkFailures("", true);
    }

    private static void checkFailures(String tuning, boolean isEach) {
        assumeTrue(GpuEnvironment.IS_EMULATED, "a real GPU does not fail on demand");
        for (int gpu = 0; gpu < 2; gpu++) {
            for (Fault fault : Fault.values()) {
                int failures =
                        ExchangeFaults.failures(() -> open(2, ElementType.LONG, List.of(), tuning), fault, gpu, isEach);
                assertThat(failures)
                        .as("%s of gpu:%d with %s", fault, gpu, tuning)
                        .isPositive();
            }
        }
    }
}
