package io.samplesort.gpu.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.gpu.GpuContractTest;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.SeveralGpus;
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

/// Arrays on several GPUs that are in order already, in the opposite order, or nearly so.
@Tag("gpu")
@Tag("several")
@ExtendWith(GpuEnvironment.class)
class GpuSharedOrderTest {
    private static final Tuning TUNING = GpuContractTest.TINY.with("orderCheckSize=1");

    private static final String FOUND = "check_order";

    private static final long[][] SIZES = {{3000, 3000}, {1, 4999}, {700, 0, 2301}, {900, 1800, 450}, {40, 30, 20, 10}};

    private static ExchangeBed open(int gpus, List<ElementType> payloads, boolean isStable, String tuning) {
        return ExchangeBed.of(gpus, ElementType.LONG, payloads, Order.natural(), isStable, TUNING.with(tuning));
    }

    private static long[] reversed(long[] keys) {
        return IntStream.range(0, keys.length)
                .mapToLong(i -> keys[keys.length - 1 - i])
                .toArray();
    }

    @Test
    void bothOrders() {
        for (long[] sizes : SIZES) {
            int count = (int) Arrays.stream(sizes).sum();
            long[] sorted = new Random(count).longs(count).sorted().toArray();
            try (SeveralGpus several = SeveralGpus.of(sizes.length);
                    ExchangeBed bed = open(sizes.length, List.of(), false, "")) {
                for (long[] input : List.of(sorted, reversed(sorted), new long[count])) {
                    long[] keys = input.clone();
                    SortReport report = bed.sort(sizes, MemorySegment.ofArray(keys));
                    long[] expected = input.clone();
                    Arrays.sort(expected);
                    assertThat(keys).as(Arrays.toString(sizes)).isEqualTo(expected);
                    assertThat(ExchangeBed.steps(report))
                            .as(Arrays.toString(sizes))
                            .endsWith(FOUND);
                    assertThat(report.exchange().orElseThrow().balance()).isEqualTo(1);
                }
            }
        }
    }

    /// Two neighbours that are exchanged within a part, or on both sides of a border, are found and sorted.
    @Test
    void nearlyInOrder() {
        long[] sizes = {2000, 1500, 2500};
        int count = 6000;
        long[] sorted = new Random(3).longs(count).sorted().toArray();
        try (SeveralGpus several = SeveralGpus.of(3);
                ExchangeBed bed =
                        open(3, List.of(), false, "maxBucketCount=64,smallSortCells=0,bucketExchangeSize=64")) {
            for (int place : new int[] {0, 1000, 1999, 3499, count - 2}) {
                for (long[] keys : List.of(sorted.clone(), reversed(sorted))) {
                    long key = keys[place];
                    keys[place] = keys[place + 1];
                    keys[place + 1] = key;
                    SortReport report = bed.sort(sizes, MemorySegment.ofArray(keys));
                    assertThat(keys).as("exchanged at %d", place).isEqualTo(sorted);
                    assertThat(ExchangeBed.steps(report)).contains("check_order", "first_pass");
                }
            }
            // Parts in opposite orders, and parts that are in order and in the wrong place.
            for (long[] keys : List.of(sorted.clone(), sorted.clone())) {
                System.arraycopy(reversed(Arrays.copyOf(sorted, 2000)), 0, keys, 0, 2000);
                bed.sort(sizes, MemorySegment.ofArray(keys));
                assertThat(keys).isEqualTo(sorted);
                System.arraycopy(sorted, 2000, keys, 0, 4000);
                System.arraycopy(sorted, 0, keys, 4000, 2000);
                bed.sort(sizes, MemorySegment.ofArray(keys));
                assertThat(keys).isEqualTo(sorted);
            }
        }
    }

    @Test
    void payloadsMoveAlongAndEqualKeysKeepTheirOrder() {
        long[] sizes = {1000, 2001};
        int count = 3001;
        long[] distinct = IntStream.range(0, count).mapToLong(i -> 3L * i).toArray();
        long[] repeated = IntStream.range(0, count).mapToLong(i -> i / 7).toArray();
        for (boolean isStable : new boolean[] {false, true}) {
            try (SeveralGpus several = SeveralGpus.of(2);
                    ExchangeBed bed = open(2, List.of(ElementType.LONG), isStable, "")) {
                for (long[] input : List.of(distinct, reversed(distinct), repeated, reversed(repeated))) {
                    long[] keys = input.clone();
                    long[] payloads =
                            IntStream.range(0, count).mapToLong(i -> 1000L * i).toArray();
                    bed.sort(sizes, MemorySegment.ofArray(keys), MemorySegment.ofArray(payloads));
                    long[] expected = IntStream.range(0, count)
                            .boxed()
                            .sorted(Comparator.comparingLong(i -> input[i]))
                            .mapToLong(i -> 1000L * i)
                            .toArray();
                    if (isStable) {
                        assertThat(payloads).isEqualTo(expected);
                    }
                    for (int i = 0; i < count; i++) {
                        assertThat(keys[i]).isEqualTo(input[(int) (payloads[i] / 1000)]);
                        assertThat(i == 0 || keys[i - 1] <= keys[i]).isTrue();
                    }
                }
            }
        }
    }

    @Test
    void fewerElementsAreNotLookedAt() {
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed small = open(2, List.of(), false, "orderCheckSize=4001");
                ExchangeBed none = open(2, List.of(), false, "orderCheckSize=0")) {
            for (ExchangeBed bed : List.of(small, none)) {
                long[] keys = IntStream.range(0, 4000).asLongStream().toArray();
                SortReport report = bed.sort(new long[] {2000, 2000}, MemorySegment.ofArray(keys));
                assertThat(ExchangeBed.steps(report)).doesNotContain("check_order");
            }
        }
    }
}
