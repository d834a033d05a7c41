package io.samplesort.gpu.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.RecordCase;
import io.samplesort.emulator.Emulator;
import io.samplesort.emulator.Emulator.Fault;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.SeveralGpus;
import io.samplesort.types.ElementType;
import io.samplesort.types.InsufficientDeviceMemoryException;
import io.samplesort.types.Order;
import io.samplesort.types.SampleSortException;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Sorts by index of arrays on several GPUs that exchange sort keys alone.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuIndexExchangeTest {
    private static final Tuning TUNING = ExchangeBed.MANY_BUCKETS.with("exchangesSortKeys=1");
    private static final List<String> STEPS = List.of("sample", "first_pass", "exchange_and_sort", "gather");

    private static ExchangeBed open(
            int gpus, ElementType key, List<ElementType> payloads, Order order, boolean stable) {
        return open(gpus, key, payloads, order, stable, Long.MAX_VALUE);
    }

    private static ExchangeBed open(
            int gpus, ElementType key, List<ElementType> payloads, Order order, boolean stable, long memoryLimit) {
        return new ExchangeBed(IntStream.range(0, gpus).toArray(), key, payloads, order, stable, memoryLimit, TUNING);
    }

    private static List<String> steps(SortReport report) {
        return report.phases().stream().map(SortReport.Phase::name).toList();
    }

    static List<RecordCase> records() {
        return RecordCase.all();
    }

    /// A stable sort has one result alone.
    @ParameterizedTest
    @MethodSource("records")
    void recordsWithPayloads(RecordCase record) {
        int count = 3000;
        int bytes = record.type().byteSize();
        MemorySegment elements = Arena.ofAuto().allocate((long) count * bytes, Long.BYTES);
        record.fill(elements, new Random(5));
        MemorySegment payloads = numbers(count);
        int[] order = record.stableOrder(elements);
        byte[] expected = RecordCase.gathered(elements, bytes, order);
        byte[] expectedPayloads = RecordCase.gathered(payloads, Long.BYTES, order);
        try (SeveralGpus several = SeveralGpus.of(3);
                ExchangeBed bed = open(3, record.type(), List.of(ElementType.LONG), record.order(), true)) {
            SortReport report = bed.sort(new long[] {1000, 700, 1300}, elements, payloads);
            assertThat(elements.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
            assertThat(payloads.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expectedPayloads);
            if (record.isOrder()) {
                assertThat(steps(report)).isEqualTo(STEPS);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("records")
    void indexesOfRecords(RecordCase record) {
        int count = 2000;
        int bytes = record.type().byteSize();
        MemorySegment elements = Arena.ofAuto().allocate((long) count * bytes, Long.BYTES);
        record.fill(elements, new Random(7));
        byte[] input = elements.toArray(ValueLayout.JAVA_BYTE);
        int[] order = record.stableOrder(elements);
        // Nothing is gathered, so GPUs need not reach each other.
        try (SeveralGpus several = SeveralGpus.of(2).separate(0, 1);
                ExchangeBed bed = open(2, record.type(), List.of(), record.order(), true)) {
            ByteBuffer ints = ByteBuffer.wrap(bed.argsort(new long[] {900, 1100}, Integer.BYTES, elements))
                    .order(ByteOrder.nativeOrder());
            ByteBuffer longs = ByteBuffer.wrap(bed.argsort(new long[] {1500, 500}, Long.BYTES, elements))
                    .order(ByteOrder.nativeOrder());
            for (int i = 0; i < count; i++) {
                assertThat(ints.getInt()).as("place %s", i).isEqualTo(order[i]);
                assertThat(longs.getLong()).as("place %s", i).isEqualTo(order[i]);
            }
        }
        assertThat(elements.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(input);
    }

    /// Keys are made from the sort keys again, and their payloads of four bytes are gathered.
    @Test
    void partsOfDifferentSizesAndFewKeys() {
        long[][] sizes = {{4000, 4000, 0}, {0, 5000, 3000}, {700, 9000, 2500}, {9000, 600, 600}, {21, 20, 30}};
        try (SeveralGpus several = SeveralGpus.of(3);
                ExchangeBed bed = open(3, ElementType.LONG, List.of(ElementType.INT), Order.natural(), true)) {
            int exchanged = 0;
            for (long[] each : sizes) {
                for (int distinct : new int[] {1, 3, 1 << 30}) {
                    SortReport report = checkStable(bed, each, distinct);
                    exchanged += steps(report).equals(STEPS) ? 1 : 0;
                }
            }
            assertThat(exchanged).as("sorts of 15 that exchange sort keys").isGreaterThan(8);
        }
    }

    private static SortReport checkStable(ExchangeBed bed, long[] sizes, int distinct) {
        int count = (int) Arrays.stream(sizes).sum();
        long[] input = new Random(7).longs(count, 0, distinct).toArray();
        long[] keys = input.clone();
        int[] payloads = IntStream.range(0, count).toArray();
        SortReport report = bed.sort(sizes, MemorySegment.ofArray(keys), MemorySegment.ofArray(payloads));
        int[] expected = IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparingLong(i -> input[i]))
                .mapToInt(i -> i)
                .toArray();
        assertThat(payloads).as("%s, %d keys", Arrays.toString(sizes), distinct).isEqualTo(expected);
        Arrays.sort(input);
        assertThat(keys).isEqualTo(input);
        return report;
    }

    /// Equal keys differ by their indexes, so they are divided among buckets as any others are.
    @Test
    void equalKeysOverloadNoGpu() {
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = open(2, ElementType.LONG, List.of(ElementType.INT), Order.natural(), true)) {
            SortReport report = checkStable(bed, new long[] {20_000, 20_000}, 1);
            assertThat(steps(report)).isEqualTo(STEPS);
            assertThat(report.exchange().orElseThrow().balance()).isBetween(1.0, 1.05);
        }
    }

    /// Elements cannot be gathered over links that there are not.
    @Test
    void peersThatCannotReachEachOtherExchangeClasses() {
        try (SeveralGpus several = SeveralGpus.of(2).separate(0, 1);
                ExchangeBed bed = new ExchangeBed(
                        new int[] {0, 1},
                        ElementType.LONG,
                        List.of(ElementType.INT),
                        Order.natural(),
                        true,
                        Long.MAX_VALUE,
                        ExchangeBed.IN_BUCKETS.with("exchangesSortKeys=1"))) {
            assertThat(steps(checkStable(bed, new long[] {3000, 4000}, 1 << 30)))
                    .contains("count_classes")
                    .doesNotContain("gather");
        }
    }

    @Test
    void littleMemoryIsEnoughForClassesOrNothingChanges() {
        long[] input = new Random(13).longs(30_000).toArray();
        long[] expected = input.clone();
        Arrays.sort(expected);
        List<String> last = List.of();
        int refused = 0;
        try (SeveralGpus several = SeveralGpus.of(2)) {
            for (long limit = 200_000; !last.equals(STEPS); limit += limit / 5) {
                long[] keys = input.clone();
                try (ExchangeBed bed = open(2, ElementType.LONG, List.of(), Order.natural(), true, limit)) {
                    last = steps(bed.sort(new long[] {15_000, 15_000}, MemorySegment.ofArray(keys)));
                    assertThat(keys).as("limit %d", limit).isEqualTo(expected);
                } catch (InsufficientDeviceMemoryException e) {
                    assertThat(keys).as("limit %d", limit).isEqualTo(input);
                    refused++;
                }
            }
        }
        assertThat(refused).as("limits that were too low").isPositive();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void everyCallMayFail(Fault fault) {
        assumeTrue(GpuEnvironment.IS_EMULATED, "a real driver has no faults to order");
        Emulator emulator = Emulator.start();
        int count = 1200;
        long[] input = new Random(3).longs(count).toArray();
        int[] numbers = IntStream.range(0, count).toArray();
        int failures = 0;
        int whole = 0;
        try (SeveralGpus several = SeveralGpus.of(2)) {
            List<String> before = emulator.leftovers();
            for (int n = 1; ; n += 1 + n / 8) {
                int call = n;
                long[] keys = input.clone();
                int[] payloads = numbers.clone();
                RuntimeException failure;
                try (ExchangeBed bed = open(2, ElementType.LONG, List.of(ElementType.INT), Order.natural(), true)) {
                    // The first sort makes what is kept from one sort to the next.
                    checkStable(bed, new long[] {500, 700}, 1 << 30);
                    failure = bed.sortThatFails(
                            new long[] {500, 700},
                            () -> emulator.inject(1, fault, call),
                            () -> {
                                emulator.inject(1, fault, 0);
                                emulator.reset();
                            },
                            MemorySegment.ofArray(keys),
                            MemorySegment.ofArray(payloads));
                }
                assertThat(emulator.leftovers()).as("call %d", n).isEqualTo(before);
                if (failure == null) {
                    break;
                }
                failures++;
                assertThat(failure).as("call %d", n).isInstanceOf(SampleSortException.class);
                assertThat(failure).as("call %d", n).hasMessageContaining("gpu:1");
                if (failure.getMessage().contains("as it was")
                        || failure instanceof InsufficientDeviceMemoryException) {
                    assertThat(keys).as("call %d", n).isEqualTo(input);
                    assertThat(payloads).as("call %d", n).isEqualTo(numbers);
                    whole++;
                } else if (!failure.getMessage().contains("it is complete")) {
                    assertThat(failure).as("call %d", n).hasMessageContaining("its elements are lost");
                }
            }
        }
        assertThat(failures).as("calls that failed, each in turn").isPositive();
        assertThat(whole).as("of these, with the input as it was").isPositive();
    }

    private static MemorySegment numbers(int count) {
        return MemorySegment.ofArray(IntStream.range(0, count).asLongStream().toArray());
    }
}
