package io.samplesort.gpu.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.RecordCase;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// Few sorts on several GPUs that run every kernel of the exchange, in every way, for compute-sanitizer.
@Tag("gpu")
@Tag("several")
@ExtendWith(GpuEnvironment.class)
@ParameterizedClass(name = "on {0} GPUs")
@ValueSource(ints = {2, 4, 8})
class GpuEveryExchangeKernelTest {
    private static final int COUNT = 9_000;
    private static final int RECORDS = 4_000;
    private static final RecordCase RECORD = RecordCase.all().getLast();

    private final int gpus;

    GpuEveryExchangeKernelTest(int gpus) {
        this.gpus = gpus;
    }

    /// Returns parts of different sizes, of which the last one is the largest.
    private long[] sizes(int count) {
        long[] sizes = ExchangeBed.equalSizes(count, gpus);
        for (int gpu = 0; gpu < gpus - 1; gpu++) {
            long moved = sizes[gpu] / (3 + gpu);
            sizes[gpu] -= moved;
            sizes[gpus - 1] += moved;
        }
        return sizes;
    }

    private SortReport sort(String tuning, boolean isStable, long[] keys) {
        long[] payloads = IntStream.range(0, keys.length).asLongStream().toArray();
        long[] input = keys.clone();
        Tuning inBuckets = gpus == 2 ? ExchangeBed.IN_BUCKETS : ExchangeBed.MANY_BUCKETS;
        try (SeveralGpus several = SeveralGpus.of(gpus);
                ExchangeBed bed = ExchangeBed.of(
                        gpus,
                        ElementType.LONG,
                        List.of(ElementType.LONG),
                        Order.natural(),
                        isStable,
                        inBuckets.with(tuning))) {
            SortReport report =
                    bed.sort(sizes(keys.length), MemorySegment.ofArray(keys), MemorySegment.ofArray(payloads));
            long[] expected = input.clone();
            Arrays.sort(expected);
            assertThat(keys).isEqualTo(expected);
            for (int i = 0; i < keys.length; i++) {
                assertThat(input[(int) payloads[i]]).isEqualTo(keys[i]);
            }
            return report;
        }
    }

    @Test
    void inBuckets() {
        for (boolean isStable : new boolean[] {false, true}) {
            long[] keys = new Random(2).longs(COUNT, 0, 5000).toArray();
            SortReport.Exchange exchange = sort("", isStable, keys).exchange().orElseThrow();
            assertThat(exchange.copiedElements()).isGreaterThan(COUNT / 3);
        }
    }

    @Test
    void inPieces() {
        sort(
                "bucketExchangeSize=" + Integer.MAX_VALUE,
                false,
                new Random(3).longs(COUNT).toArray());
    }

    /// Records are sent in pieces, with their sort keys ahead of them, and an argsort sends sort keys alone.
    @Test
    void recordsInPieces() {
        MemorySegment elements = records();
        SortReport.Exchange exchange = sortRecords(elements, "").exchange().orElseThrow();
        assertThat(exchange.copiedElements()).isGreaterThan(RECORDS / 3);
    }

    /// Sort keys that a GPU receives in order are compared where they lie.
    @Test
    void recordsInOrderAlready() {
        MemorySegment elements = records();
        byte[] sorted = RecordCase.gathered(elements, RECORD.type().byteSize(), RECORD.stableOrder(elements));
        elements.copyFrom(MemorySegment.ofArray(sorted));
        sortRecords(elements, "orderCheckSize=1");
    }

    private static MemorySegment records() {
        MemorySegment elements =
                Arena.ofAuto().allocate((long) RECORDS * RECORD.type().byteSize(), Long.BYTES);
        RECORD.fill(elements, new Random(5));
        return elements;
    }

    private SortReport sortRecords(MemorySegment elements, String tuning) {
        int[] order = RECORD.stableOrder(elements);
        byte[] expected = RecordCase.gathered(elements, RECORD.type().byteSize(), order);
        long[] sizes = sizes(RECORDS);
        try (SeveralGpus several = SeveralGpus.of(gpus);
                ExchangeBed bed = ExchangeBed.of(
                        gpus, RECORD.type(), List.of(), RECORD.order(), true, ExchangeBed.IN_BUCKETS.with(tuning))) {
            ByteBuffer indexes =
                    ByteBuffer.wrap(bed.argsort(sizes, Integer.BYTES, elements)).order(ByteOrder.nativeOrder());
            for (int place = 0; place < RECORDS; place++) {
                assertThat(indexes.getInt()).as("place %s", place).isEqualTo(order[place]);
            }
            SortReport report = bed.sort(sizes, elements);
            assertThat(elements.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
            return report;
        }
    }

    @Test
    void onOneGpu() {
        sort(
                "oneGpuBytes=" + Integer.MAX_VALUE,
                false,
                new Random(4).longs(COUNT).toArray());
    }

    @Test
    void merged() {
        sort(
                "mergedRuns=16,mergedBytes=" + Integer.MAX_VALUE,
                false,
                new Random(6).longs(COUNT).toArray());
    }

    @Test
    void inOrderAlready() {
        long[] ascending = IntStream.range(0, COUNT).asLongStream().toArray();
        long[] descending = IntStream.range(0, COUNT).mapToLong(i -> -i).toArray();
        for (long[] keys : List.of(ascending, descending)) {
            assertThat(sort("orderCheckSize=1", false, keys).passes()).isZero();
        }
    }
}
