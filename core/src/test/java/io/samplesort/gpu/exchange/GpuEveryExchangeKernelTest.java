package io.samplesort.gpu.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.RecordCase;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.SeveralGpus;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
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

/// Few sorts on two GPUs that run every kernel of the exchange, in every way, for compute-sanitizer.
@Tag("gpu")
@Tag("several")
@ExtendWith(GpuEnvironment.class)
class GpuEveryExchangeKernelTest {
    private static final int COUNT = 9_000;

    private static SortReport sort(String tuning, boolean isStable, long[] keys) {
        long[] payloads = IntStream.range(0, keys.length).asLongStream().toArray();
        long[] input = keys.clone();
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = new ExchangeBed(
                        new int[] {0, 1},
                        ElementType.LONG,
                        List.of(ElementType.LONG),
                        Order.natural(),
                        isStable,
                        Long.MAX_VALUE,
                        ExchangeBed.IN_BUCKETS.with(tuning))) {
            SortReport report =
                    bed.sort(new long[] {4000, 5000}, MemorySegment.ofArray(keys), MemorySegment.ofArray(payloads));
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
        int count = 4000;
        RecordCase record = RecordCase.all().getLast();
        int bytes = record.type().byteSize();
        MemorySegment elements = Arena.ofAuto().allocate((long) count * bytes, Long.BYTES);
        record.fill(elements, new Random(5));
        int[] order = record.stableOrder(elements);
        byte[] expected = RecordCase.gathered(elements, bytes, order);
        long[] sizes = {1500, 2500};
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = new ExchangeBed(
                        new int[] {0, 1}, record.type(), List.of(), record.order(), true, Long.MAX_VALUE)) {
            ByteBuffer indexes =
                    ByteBuffer.wrap(bed.argsort(sizes, Integer.BYTES, elements)).order(ByteOrder.nativeOrder());
            for (int place = 0; place < count; place++) {
                assertThat(indexes.getInt()).as("place %s", place).isEqualTo(order[place]);
            }
            SortReport.Exchange exchange = bed.sort(sizes, elements).exchange().orElseThrow();
            assertThat(elements.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
            assertThat(exchange.copiedElements()).isGreaterThan(count / 3);
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
