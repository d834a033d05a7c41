package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// What sorters that wait for their next sort keep, and that they give it back.
class IdleSortersTest {
    private final List<String> closed = new ArrayList<>();
    private final IdleSorters idle = new IdleSorters(100, 4);

    private final class Named implements AutoCloseable {
        private final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        public void close() {
            closed.add(name);
            if (name.startsWith("failing")) {
                throw new UnsupportedOperationException(name);
            }
        }
    }

    private void giveBack(String kind, String name, long bytes) {
        idle.giveBack(kind, new Named(name), bytes);
    }

    private String take(String kind) {
        Named named = (Named) idle.take(kind);
        return named == null ? null : named.name;
    }

    @Test
    void theOneGivenBackLastIsLentFirst() {
        giveBack("a", "first", 10);
        giveBack("a", "second", 20);
        giveBack("b", "other", 30);
        assertThat(idle.keptBytes()).isEqualTo(60);
        assertThat(take("a")).isEqualTo("second");
        assertThat(take("a")).isEqualTo("first");
        assertThat(take("a")).isNull();
        assertThat(take("c")).isNull();
        assertThat(idle.keptBytes()).isEqualTo(30);
        assertThat(idle.count()).isOne();
        assertThat(closed).isEmpty();
    }

    @Test
    void theOnesThatHaveWaitedLongestAreClosedBeyondTheLimits() {
        giveBack("a", "first", 40);
        giveBack("b", "second", 40);
        giveBack("a", "third", 30);
        assertThat(closed).containsExactly("first");
        giveBack("c", "fourth", 100);
        assertThat(closed).containsExactly("first", "second", "third");
        assertThat(idle.keptBytes()).isEqualTo(100);
        for (String name : List.of("fifth", "sixth", "seventh", "eighth")) {
            giveBack("d", name, 0);
        }
        assertThat(closed).containsExactly("first", "second", "third", "fourth");
        assertThat(idle.count()).isEqualTo(4);
    }

    @Test
    void oneThatKeepsTooMuchAloneIsClosedAndTheOthersStay() {
        giveBack("a", "first", 40);
        giveBack("a", "large", 101);
        assertThat(closed).containsExactly("large");
        assertThat(take("a")).isEqualTo("first");
    }

    @Test
    void allAreClosedEvenIfOneCannotBe() {
        giveBack("a", "failing", 1);
        giveBack("b", "failing too", 1);
        giveBack("c", "third", 1);
        assertThatThrownBy(idle::release).isInstanceOf(UnsupportedOperationException.class);
        assertThat(closed).containsExactlyInAnyOrder("failing", "failing too", "third");
        assertThat(idle.keptBytes()).isZero();
        assertThat(idle.count()).isZero();
        idle.release();
        giveBack("a", "failing", 101);
        assertThat(closed).hasSize(4);
    }

    @Test
    void oneShotSortersOfManyThreadsKeepLittleAndGiveItBack() throws Exception {
        int threads = 16;
        SampleSort.release();
        assertThat(SharedSorters.keptBytes()).isZero();
        AtomicLong keptAlone = new AtomicLong();
        CyclicBarrier allAtOnce = new CyclicBarrier(threads);
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> sorts = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int seed = thread;
                sorts.add(executor.submit(() -> SharedSorters.with(ElementType.LONG, null, Order.natural(), sorter -> {
                    try {
                        allAtOnce.await(1, TimeUnit.MINUTES);
                        sorter.argsort(
                                new SplittableRandom(seed).longs(1_200_000).toArray());
                        keptAlone.addAndGet(sorter.keptBytes());
                        // None may be lent twice.
                        allAtOnce.await(5, TimeUnit.MINUTES);
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                    return seed;
                })));
            }
            for (Future<?> sort : sorts) {
                sort.get();
            }
        }
        assertThat(keptAlone.get()).isGreaterThan(SharedSorters.MOST_BYTES);
        assertThat(SharedSorters.keptBytes()).isPositive().isLessThanOrEqualTo(SharedSorters.MOST_BYTES);
        SampleSort.release();
        assertThat(SharedSorters.keptBytes()).isZero();
        assertEverythingSortsOn();
        SampleSort.release();
        assertThat(SharedSorters.keptBytes()).isZero();
        assertEverythingSortsOn();
    }

    private static void assertEverythingSortsOn() {
        long[] keys = {3, 1, 2};
        assertThat(SampleSort.argsort(keys)).containsExactly(1, 2, 0);
        SampleSort.sort(keys);
        assertThat(keys).containsExactly(1, 2, 3);
        String[] strings =
                new SplittableRandom(1).ints(500).mapToObj(Integer::toString).toArray(String[]::new);
        String[] sorted = strings.clone();
        Arrays.sort(sorted);
        SampleSort.sort(strings);
        assertThat(strings).isEqualTo(sorted);
        Integer[] numbers = {3, 1, 2};
        SampleSort.sort(numbers);
        assertThat(numbers).containsExactly(1, 2, 3);
    }
}
