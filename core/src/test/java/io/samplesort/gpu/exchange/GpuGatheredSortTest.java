package io.samplesort.gpu.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.RecordCase;
import io.samplesort.emulator.Emulator.Fault;
import io.samplesort.gpu.GpuContractTest;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.SeveralGpus;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Arrays on several GPUs that are so small that one of them sorts all.
@Tag("gpu")
@Tag("several")
@ExtendWith(GpuEnvironment.class)
class GpuGatheredSortTest {
    private static final Tuning TUNING = GpuContractTest.TINY.with("oneGpuBytes=" + (1 << 30));
    private static final List<String> STEPS = List.of("sort_on_one_gpu");

    private static ExchangeBed open(
            int gpus, ElementType key, List<ElementType> payloads, Order order, boolean isStable, String tuning) {
        return ExchangeBed.of(gpus, key, payloads, order, isStable, TUNING.with(tuning));
    }

    @Test
    void partsOfAllSizes() {
        long[][] sizes = {{1, 0, 0}, {0, 1, 1}, {5, 5, 5}, {0, 4000, 1}, {3000, 10, 2000}, {2047, 2048, 2049}};
        try (SeveralGpus several = SeveralGpus.of(3);
                ExchangeBed bed = open(3, ElementType.LONG, List.of(ElementType.INT), Order.natural(), false, "")) {
            for (long[] each : sizes) {
                int count = (int) Arrays.stream(each).sum();
                long[] keys = new Random(count).longs(count).toArray();
                int[] payloads =
                        Arrays.stream(keys).mapToInt(key -> (int) (key >> 3)).toArray();
                long[] expected = keys.clone();
                Arrays.sort(expected);
                SortReport report = bed.sort(each, MemorySegment.ofArray(keys), MemorySegment.ofArray(payloads));
                assertThat(keys).as(Arrays.toString(each)).isEqualTo(expected);
                assertThat(payloads)
                        .as(Arrays.toString(each))
                        .isEqualTo(Arrays.stream(keys)
                                .mapToInt(key -> (int) (key >> 3))
                                .toArray());
                assertThat(ExchangeBed.steps(report)).isEqualTo(STEPS);
                long most = Arrays.stream(each).max().orElseThrow();
                SortReport.Exchange exchange = report.exchange().orElseThrow();
                assertThat(exchange.copiedElements()).isEqualTo(2 * (count - most));
                assertThat(exchange.received()).containsOnlyOnce((long) count);
            }
        }
    }

    static List<RecordCase> records() {
        return RecordCase.all();
    }

    /// Large records are sorted by index, whether they are moved in the end or their indexes are.
    @Test
    void largeRecordsAndTheirIndexes() {
        records().stream().filter(each -> each.name().equals("sort benchmark")).forEach(this::recordsAndTheirIndexes);
    }

    @ParameterizedTest
    @MethodSource("records")
    @Tag("exhaustive")
    void recordsAndTheirIndexes(RecordCase record) {
        int count = 2500;
        int bytes = record.type().byteSize();
        MemorySegment elements = Arena.ofAuto().allocate((long) count * bytes, Long.BYTES);
        record.fill(elements, new Random(8));
        int[] order = record.stableOrder(elements);
        byte[] expected = RecordCase.gathered(elements, bytes, order);
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = open(2, record.type(), List.of(), record.order(), true, "")) {
            ByteBuffer longs = ByteBuffer.wrap(bed.argsort(new long[] {1500, 1000}, Long.BYTES, elements))
                    .order(ByteOrder.nativeOrder());
            for (int i = 0; i < count; i++) {
                assertThat(longs.getLong()).as("place %s", i).isEqualTo(order[i]);
            }
            assertThat(ExchangeBed.steps(bed.sort(new long[] {900, 1600}, elements)))
                    .isEqualTo(STEPS);
        }
        assertThat(elements.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
    }

    @Test
    void moreBytesAreExchanged() {
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = open(2, ElementType.LONG, List.of(), Order.natural(), false, "oneGpuBytes=64000")) {
            for (int count : new int[] {3999, 4000}) {
                long[] keys = new Random(count).longs(count).toArray();
                SortReport report = bed.sort(new long[] {2000, count - 2000}, MemorySegment.ofArray(keys));
                assertThat(keys).isSorted();
                assertThat(ExchangeBed.steps(report).equals(STEPS)).isEqualTo(count < 4000);
            }
        }
    }

    /// Without room for all elements on one GPU they are exchanged.
    @Test
    void littleMemoryOnOneGpu() {
        long[] input = new Random(2).longs(40_000).toArray();
        long[] expected = input.clone();
        Arrays.sort(expected);
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = new ExchangeBed(
                        new int[] {0, 1},
                        ElementType.LONG,
                        List.of(),
                        Order.natural(),
                        false,
                        533_000,
                        TUNING.with("oversampling=128,sampleThreads=512,bucketSlack=2,smallSortCells=0"))) {
            SortReport report = bed.sort(new long[] {20_000, 20_000}, MemorySegment.ofArray(input));
            assertThat(input).isEqualTo(expected);
            assertThat(ExchangeBed.steps(report)).contains("sort_parts");
        }
    }

    @Test
    void whateverFails() {
        checkFailures(false);
    }

    @Test
    @Tag("exhaustive")
    void whicheverCallFails() {
        checkFailures(true);
    }

    private static void checkFailures(boolean isEach) {
        assumeTrue(GpuEnvironment.IS_EMULATED, "a real GPU does not fail on demand");
        for (int gpu = 0; gpu < 2; gpu++) {
            for (Fault fault : Fault.values()) {
                int failures = ExchangeFaults.failures(
                        () -> open(2, ElementType.LONG, List.of(), Order.natural(), false, ""), fault, gpu, isEach);
                assertThat(failures > 0)
                        .as("%s of gpu:%d", fault, gpu)
                        .isEqualTo(gpu == 1 || fault == Fault.LOST_DEVICE);
            }
        }
    }
}
