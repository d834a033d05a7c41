package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.cpu.threads.Parallel;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Sorters in many threads, and in threads that have other work to do as well.
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class SorterThreadsTest {
    private static final long[] UNSORTED =
            new SplittableRandom(1).longs(100_000).toArray();
    private static final long[] SORTED = sorted(UNSORTED);

    /// A thread that waits inside a sort must not begin another task of the stream, which would use its sorter again.
    @Test
    void aSorterForEachThreadWorksInParallelStreams() {
        Set<Sorter> sorters = ConcurrentHashMap.newKeySet();
        ThreadLocal<Sorter> sorter = ThreadLocal.withInitial(() -> {
            Sorter made = SampleSort.onCpu().build(ElementType.LONG);
            sorters.add(made);
            return made;
        });
        try (ForkJoinPool pool = new ForkJoinPool(6)) {
            boolean areSorted = pool.submit(
                            () -> IntStream.range(0, 100).parallel().allMatch(i -> {
                                long[] keys = UNSORTED.clone();
                                sorter.get().sort(keys);
                                return Arrays.equals(keys, SORTED);
                            }))
                    .join();
            assertThat(areSorted).isTrue();
        }
        sorters.forEach(Sorter::close);
    }

    @Test
    void manySortersShareTheirThreads() throws InterruptedException {
        List<Thread> callers = new ArrayList<>();
        Set<Thread> helpers = ConcurrentHashMap.newKeySet();
        Set<Thread> strangers = ConcurrentHashMap.newKeySet();
        Comparator<MemorySegment> ascending = Order.natural().toComparator(ElementType.LONG);
        Order order = Order.custom("a < b", (a, b) -> {
            Thread thread = Thread.currentThread();
            (thread.getName().startsWith("samplesort-") ? helpers : strangers).add(thread);
            return ascending.compare(a, b);
        });
        ConcurrentHashMap<Integer, long[]> results = new ConcurrentHashMap<>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            callers.add(Thread.ofPlatform().start(() -> {
                try (Sorter sorter = SampleSort.onCpu().order(order).build(ElementType.LONG)) {
                    long[] keys = UNSORTED.clone();
                    sorter.sort(keys);
                    results.put(number, keys);
                }
            }));
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(results)
                .hasSize(callers.size())
                .allSatisfy((number, keys) -> assertThat(keys).isEqualTo(SORTED));
        assertThat(callers).containsAll(strangers);
        assertThat(helpers)
                .hasSizeLessThanOrEqualTo(Math.max(1, Parallel.commonParallelism() - 1))
                .allMatch(Thread::isDaemon);
    }

    /// All helpers are soon in the comparators of outer sorts, which wait for inner sorts.
    @Test
    void comparatorsMaySort() {
        ThreadLocal<Sorter> inner =
                ThreadLocal.withInitial(() -> SampleSort.onCpu().build(ElementType.LONG));
        Comparator<MemorySegment> ascending = Order.natural().toComparator(ElementType.LONG);
        Order order = Order.custom("a < b", (a, b) -> {
            if (a.address() % 65536 == 0) {
                inner.get().sort(UNSORTED.clone());
            }
            return ascending.compare(a, b);
        });
        try (Sorter outer = SampleSort.onCpu().order(order).build(ElementType.LONG)) {
            long[] keys = UNSORTED.clone();
            outer.sort(keys);
            assertThat(keys).isEqualTo(SORTED);
        }
    }

    @Test
    void aComparatorThatUsesItsOwnSorterIsToldSo() {
        AtomicReference<Sorter> own = new AtomicReference<>();
        AtomicBoolean closes = new AtomicBoolean();
        Order order = Order.custom("a < b", (a, b) -> {
            if (closes.get()) {
                own.get().close();
            }
            own.get().sort(new long[] {2, 1});
            return 0;
        });
        try (Sorter sorter = SampleSort.onCpu().order(order).build(ElementType.LONG)) {
            own.set(sorter);
            assertThatThrownBy(() -> sorter.sort(new long[] {2, 1}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "this sorter is sorting already: a comparator or listener that sorts needs a sorter of its own");
            closes.set(true);
            assertThatThrownBy(() -> sorter.sort(new long[] {2, 1}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("this sorter is sorting and cannot be closed by a comparator");
        }
    }

    @Test
    void exceptionsThatNoMethodDeclaresAreHandedOn() {
        IOException failure = new IOException("of the comparator");
        Order order = Order.custom("a < b", (a, b) -> {
            throw SorterThreadsTest.<RuntimeException>unchecked(failure);
        });
        try (Sorter sorter = SampleSort.onCpu().order(order).build(ElementType.LONG)) {
            long[] keys = UNSORTED.clone();
            assertThatThrownBy(() -> sorter.sort(keys)).isSameAs(failure);
            assertThat(keys).isEqualTo(UNSORTED);
        }
    }

    @Test
    void aSortEndsThoughItsThreadIsInterrupted() {
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.LONG)) {
            long[] keys = UNSORTED.clone();
            Thread.currentThread().interrupt();
            sorter.sort(keys);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(keys).isEqualTo(SORTED);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchecked(Throwable failure) throws E {
        throw (E) failure;
    }

    private static long[] sorted(long[] keys) {
        long[] sorted = keys.clone();
        Arrays.sort(sorted);
        return sorted;
    }
}
