package io.samplesort.cpu.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.cpu.numbers.CpuTuning;
import io.samplesort.cpu.numbers.SortCase;
import io.samplesort.testkit.AdversarialOrder;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Comparators that are no order, and comparators that fail.
@Timeout(600)
class IndexedCustomOrderTest {
    private static final int[] SIZES = {2, 3, 13, 100, 5000, 100_000};

    private static final List<String> FEW = List.of("random", "in circles");

    static Stream<Arguments> contradictions() {
        return allContradictions().filter(each -> FEW.contains((String) each.get()[0]));
    }

    static Stream<Arguments> otherContradictions() {
        return allContradictions().filter(each -> !FEW.contains((String) each.get()[0]));
    }

    private static Stream<Arguments> allContradictions() {
        AtomicLong calls = new AtomicLong();
        Comparator<MemorySegment> random = (a, b) -> ThreadLocalRandom.current().nextInt(-1, 2);
        Comparator<MemorySegment> rockPaperScissors = (a, b) -> Math.floorMod(value(a) - value(b) + 1, 3) - 1;
        Comparator<MemorySegment> alternating = (a, b) -> (calls.getAndIncrement() & 1) == 0 ? -1 : 1;
        return Stream.of(
                Arguments.of("random", random),
                Arguments.of("always less", (Comparator<MemorySegment>) (a, b) -> -1),
                Arguments.of("always greater", (Comparator<MemorySegment>) (a, b) -> 1),
                Arguments.of("in circles", rockPaperScissors),
                Arguments.of("alternating", alternating),
                Arguments.of("extreme", (Comparator<MemorySegment>)
                        (a, b) -> value(a) < value(b) ? Integer.MIN_VALUE : Integer.MAX_VALUE));
    }

    /// An order that decides as late as it can makes a quicksort quadratic.
    @Test
    void anAdversaryIsAskedNoMoreThanAnyOther() {
        int size = 20_000;
        for (int threads : new int[] {1, 3}) {
            AdversarialOrder adversary = new AdversarialOrder(size);
            Order order = Order.custom("a < b", (a, b) -> adversary.compare(value(a), value(b)));
            int[] keys = IntStream.range(0, size).toArray();
            try (IndexedCpuSorter sorter =
                    new IndexedCpuSorter(ElementType.INT, List.of(), order, CpuTuning.DEFAULT, threads)) {
                sorter.sort(MemorySegment.ofArray(keys), List.of());
            }
            assertThat(adversary.comparisons()).isLessThan(size * 18L);
            assertThat(Arrays.stream(keys).boxed()).isSortedAccordingTo(adversary);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("contradictions")
    void losesNothingToContradictions(String name, Comparator<MemorySegment> comparator) {
        Order order = Order.custom("a < b", comparator);
        for (CpuTuning tuning : List.of(SortCase.TINY, CpuTuning.DEFAULT)) {
            try (IndexedCpuSorter sorter =
                    new IndexedCpuSorter(ElementType.INT, List.of(ElementType.INT), order, tuning, 3)) {
                for (int size : SIZES) {
                    int[] keys = new SplittableRandom(SortCase.SEED).ints(size).toArray();
                    int[] payloads = Arrays.stream(keys).map(key -> ~key).toArray();
                    int[] permutation = new int[size];
                    sorter.argsort(MemorySegment.ofArray(keys), MemorySegment.ofArray(permutation));
                    Arrays.sort(permutation);
                    String what = name + ", " + size + " elements, -Dtests.seed=" + SortCase.SEED;
                    for (int i = 0; i < size; i++) {
                        assertThat(permutation[i]).as(what).isEqualTo(i);
                    }
                    int[] expected = keys.clone();
                    Arrays.sort(expected);
                    sorter.sort(MemorySegment.ofArray(keys), List.of(MemorySegment.ofArray(payloads)));
                    assertThat(Arrays.stream(payloads).map(p -> ~p).toArray())
                            .as(what)
                            .isEqualTo(keys);
                    Arrays.sort(keys);
                    assertThat(keys).as(what).isEqualTo(expected);
                }
            }
        }
    }

    @Tag("exhaustive")
    @ParameterizedTest(name = "{0}")
    @MethodSource("otherContradictions")
    void losesNothingToOtherContradictions(String name, Comparator<MemorySegment> comparator) {
        losesNothingToContradictions(name, comparator);
    }

    private static int value(MemorySegment element) {
        return element.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
    }

    private static final class ComparisonFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void handsOnTheVeryExceptionAndLeavesTheInput() {
        checkFailures(1, 50_000, 500_000);
    }

    @Tag("exhaustive")
    @Test
    void handsOnTheVeryExceptionOfMoreCalls() {
        checkFailures(2, 1000, 5000);
    }

    private static void checkFailures(long... failures) {
        for (CpuTuning tuning : List.of(SortCase.TINY, CpuTuning.DEFAULT)) {
            for (long failing : failures) {
                AtomicLong calls = new AtomicLong();
                ComparisonFailure failure = new ComparisonFailure();
                Order order = Order.custom("a < b", (a, b) -> {
                    if (calls.incrementAndGet() >= failing) {
                        throw failure;
                    }
                    return Integer.compare(value(a), value(b));
                });
                int[] keys = new SplittableRandom(SortCase.SEED).ints(100_000).toArray();
                int[] payloads = keys.clone();
                int[] before = keys.clone();
                try (IndexedCpuSorter sorter =
                        new IndexedCpuSorter(ElementType.INT, List.of(ElementType.INT), order, tuning, 3)) {
                    assertThatThrownBy(() ->
                                    sorter.sort(MemorySegment.ofArray(keys), List.of(MemorySegment.ofArray(payloads))))
                            .isSameAs(failure);
                    assertThat(keys).isEqualTo(before);
                    assertThat(payloads).isEqualTo(before);
                    // And sorts the next time.
                    calls.set(Long.MIN_VALUE);
                    sorter.sort(MemorySegment.ofArray(keys), List.of(MemorySegment.ofArray(payloads)));
                }
                Arrays.sort(before);
                assertThat(keys).as("-Dtests.seed=" + SortCase.SEED).isEqualTo(before);
                assertThat(payloads).as("-Dtests.seed=" + SortCase.SEED).isEqualTo(before);
            }
        }
    }

    @Test
    void handsOnTheVeryExceptionOfAnotherThread() {
        Thread caller = Thread.currentThread();
        CountDownLatch hasFailed = new CountDownLatch(1);
        IllegalStateException failure = new IllegalStateException(new IllegalArgumentException("of the comparator"));
        Order order = Order.custom("a < b", (a, b) -> {
            if (Thread.currentThread() != caller) {
                hasFailed.countDown();
                throw failure;
            }
            try {
                assertThat(hasFailed.await(300, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return Integer.compare(value(a), value(b));
        });
        int[] keys = new SplittableRandom(SortCase.SEED).ints(100_000).toArray();
        int[] before = keys.clone();
        try (IndexedCpuSorter sorter = new IndexedCpuSorter(ElementType.INT, List.of(), order, CpuTuning.DEFAULT, 2)) {
            assertThatThrownBy(() -> sorter.sort(MemorySegment.ofArray(keys), List.of()))
                    .isSameAs(failure);
        }
        assertThat(keys).isEqualTo(before);
    }

    @Test
    void handsOnErrors() {
        Order order = Order.custom("a < b", (a, b) -> {
            throw new StackOverflowError("of the comparator");
        });
        try (IndexedCpuSorter sorter = new IndexedCpuSorter(ElementType.LONG, List.of(), order)) {
            long[] keys = new long[70_000];
            assertThatThrownBy(() -> sorter.sort(MemorySegment.ofArray(keys), List.of()))
                    .isInstanceOf(StackOverflowError.class)
                    .hasMessage("of the comparator");
            assertThatThrownBy(() -> OrderedRun.isSorted(MemorySegment.ofArray(keys), ElementType.LONG, order))
                    .isInstanceOf(StackOverflowError.class);
        }
    }

    @Test
    void showsComparatorsSlicesOfOneElementThatTheyCannotWriteTo() {
        AtomicLong wrong = new AtomicLong();
        Order order = Order.custom("a < b", (a, b) -> {
            if (a.byteSize() != 24 || b.byteSize() != 24 || !a.isReadOnly() || !b.isReadOnly()) {
                wrong.incrementAndGet();
            }
            return 0;
        });
        MemorySegment elements = MemorySegment.ofArray(new byte[24 * 1000]);
        try (IndexedCpuSorter sorter = new IndexedCpuSorter(IndexedCases.NAMED, List.of(), order)) {
            sorter.sort(elements, List.of());
        }
        assertThat(OrderedRun.isSorted(elements, IndexedCases.NAMED, order)).isTrue();
        assertThat(wrong).hasValue(0);
    }
}
