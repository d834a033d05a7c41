package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.Keys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Vector;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Objects on the CPU, and what does not depend on the device: lists, ranges, errors, comparators that are no keys.
class CpuObjectTest extends ObjectContract {
    private static final Keys<Trade> BY_PRICE =
            Keys.comparingDouble(Trade::price).reversed().thenComparingInt(Trade::id);

    @Override
    protected SorterBuilder builder() {
        return SampleSort.onCpu();
    }

    @Override
    protected int[] sizes() {
        return new int[] {0, 1, 2, 3, 64, 65, 1000, 1 << 12, 1 << 13, (1 << 13) + 1, 1 << 17};
    }

    @Override
    protected int[] fewSizes() {
        return new int[] {0, 1, 2, 3, 64, 65, 1 << 12, (1 << 13) + 1};
    }

    @Test
    void sortsRanges() {
        Trade[] trades = draw(10_000, 5);
        Trade[] expected = trades.clone();
        Arrays.sort(expected, 1234, 8765, BY_PRICE);
        SampleSort.sort(trades, 1234, 8765, BY_PRICE);
        assertSame(trades, expected, "range");
        assertThatThrownBy(() -> SampleSort.sort(trades, 5, 10_001, BY_PRICE))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    static Stream<Function<List<Trade>, List<Trade>>> changeableLists() {
        return Stream.of(
                ArrayList::new,
                LinkedList::new,
                Vector::new,
                CopyOnWriteArrayList::new,
                list -> Arrays.asList(list.toArray(new Trade[0])),
                list -> Collections.synchronizedList(new ArrayList<>(list)),
                list -> new ArrayList<>(list).subList(0, list.size()));
    }

    @ParameterizedTest
    @MethodSource("changeableLists")
    void sortsLists(Function<List<Trade>, List<Trade>> kind) {
        for (int size : new int[] {0, 1, 2, 5000}) {
            List<Trade> list = kind.apply(List.of(draw(size, 3)));
            Trade[] expected = list.toArray(new Trade[0]);
            Arrays.sort(expected, BY_PRICE);
            SampleSort.sort(list, BY_PRICE);
            assertSame(list.toArray(), expected, list.getClass() + ", " + size);
        }
    }

    @Test
    void refusesListsThatCannotBeChangedBeforeItAsksForKeys() {
        Keys<Integer> keys = Keys.comparingInt(i -> {
            throw new AssertionError("a key was asked for");
        });
        for (List<Integer> list :
                List.of(List.of(2, 1), Collections.unmodifiableList(new ArrayList<>(List.of(2, 1))))) {
            assertThatThrownBy(() -> SampleSort.sort(list, keys))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("new ArrayList<>(list)");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 300, 50_000})
    void namesTheKeyAndTheElementThatIsNull(int size) {
        Trade[] trades = draw(size, 8);
        int index = size / 2;
        for (int i = 0; i < size; i++) {
            trades[i] = withComment(trades[i], i == index ? null : "x");
        }
        Trade[] before = trades.clone();
        Keys<Trade> keys = Keys.comparingInt(Trade::id).thenComparing(Trade::comment);
        assertThatThrownBy(() -> SampleSort.sort(trades, keys))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("key 2 of the element at index " + index
                        + " is null: say nullsFirst() or nullsLast() after it");
        assertThatThrownBy(() -> SampleSort.sort(trades, 1, size, keys))
                .hasMessageContaining("element at index " + index + " is null");
        assertSame(trades, before, "untouched");
    }

    /// No sort compares a single object, but one null is refused as two are.
    @Test
    void refusesASingleNull() {
        Comparator<String> plain = (a, b) -> a.length() - b.length();
        for (Comparator<String> order : Arrays.<Comparator<String>>asList(
                null,
                Comparator.naturalOrder(),
                Comparator.reverseOrder(),
                plain,
                Keys.comparingInt(String::length),
                Keys.comparing(String::length))) {
            List<String> list = new ArrayList<>();
            list.add(null);
            for (Runnable sort : List.<Runnable>of(
                    () -> SampleSort.sort(new String[1], order),
                    () -> SampleSort.sort(new String[] {"b", null, "a"}, 1, 2, order),
                    () -> SampleSort.argsort(new String[1], order),
                    () -> SampleSort.sort(list, order),
                    () -> SampleSort.argsort(list, order),
                    () -> SampleSort.first(new String[1], 1, order))) {
                assertThatThrownBy(sort::run)
                        .isInstanceOf(NullPointerException.class)
                        .hasMessageMatching("the element at index [01] is null.*");
            }
        }
        String[] one = new String[1];
        SampleSort.sort(one, Comparator.nullsFirst(plain));
        assertThat(SampleSort.argsort(one, Comparator.nullsLast(Comparator.naturalOrder())))
                .containsExactly(0);
        assertThat(SampleSort.argsort(new Object[] {new Object()}, null)).containsExactly(0);
    }

    private static Trade withComment(Trade t, String comment) {
        return new Trade(
                t.id(),
                t.time(),
                t.price(),
                t.weight(),
                t.tag(),
                t.letter(),
                t.isOpen(),
                t.name(),
                comment,
                t.rank(),
                t.score(),
                t.side(),
                t.day(),
                t.version());
    }

    @Test
    void asksEachKeyOfManyObjectsOnce() {
        Integer[] objects = IntStream.range(0, 100_000).boxed().toArray(Integer[]::new);
        Collections.shuffle(Arrays.asList(objects), new java.util.Random(1));
        AtomicIntegerArray calls = new AtomicIntegerArray(objects.length);
        SampleSort.sort(objects, Keys.comparing(i -> {
            calls.incrementAndGet(i);
            return new Version(i / 3, 0);
        }));
        assertThat(IntStream.range(0, objects.length).map(calls::get)).doesNotContain(0);
        // The order of a few is looked at before.
        assertThat(IntStream.range(0, objects.length).filter(i -> calls.get(i) > 1))
                .hasSizeLessThan(64);
    }

    /// Keys of several types in one column, which only their own compareTo knows to compare.
    @Test
    void comparesKeysOfMixedTypes() {
        record Mixed(int value) {}
        class Low implements Comparable<Object> {
            final int value;

            Low(int value) {
                this.value = value;
            }

            @Override
            public int compareTo(Object other) {
                return Integer.compare(value, ((Low) other).value);
            }
        }
        class High extends Low {
            High(int value) {
                super(value);
            }
        }
        Mixed[] objects =
                new SplittableRandom(4).ints(5000, 0, 1000).mapToObj(Mixed::new).toArray(Mixed[]::new);
        Mixed[] expected = objects.clone();
        Arrays.sort(expected, Comparator.comparingInt(Mixed::value));
        SampleSort.sort(
                objects, Keys.<Mixed, Low>comparing(m -> m.value % 2 == 0 ? new Low(m.value) : new High(m.value)));
        assertSame(objects, expected, "mixed types");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 1000, 1 << 17})
    void sortsByAnyComparator(int size) {
        Trade[] trades = draw(size, size);
        Comparator<Trade> comparator = Comparator.comparing(Trade::name).thenComparingInt(Trade::tag);
        Trade[] expected = trades.clone();
        Arrays.sort(expected, comparator);
        SampleSort.sort(trades, comparator);
        assertSame(trades, expected, "plain comparator");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 100, 3000, 50_000})
    void comparatorsThatContradictThemselvesLoseNothing(int size) {
        SplittableRandom random = new SplittableRandom(size);
        Integer[] objects = IntStream.range(0, size).boxed().toArray(Integer[]::new);
        Comparator<Integer> contradicting = (a, b) -> {
            synchronized (random) {
                return random.nextInt(-1, 2);
            }
        };
        Keys<Integer> asKeys = Keys.<Integer>comparingInt(i -> i % 2).thenComparing(contradicting);
        for (Comparator<Integer> order : List.of(contradicting, asKeys)) {
            Integer[] sorted = objects.clone();
            SampleSort.sort(sorted, order);
            assertThat(Set.of(sorted)).hasSize(size);
        }
    }

    @Test
    void exceptionsOfComparatorsComeThrough() {
        Trade[] trades = draw(20_000, 2);
        Trade[] before = trades.clone();
        RuntimeException failure = new RuntimeException("of the user's own");
        Comparator<Trade> failing = (a, b) -> {
            throw failure;
        };
        assertThatThrownBy(() -> SampleSort.sort(trades, failing)).isSameAs(failure);
        assertThatThrownBy(() -> SampleSort.sort(trades, Keys.comparing(Trade::id, (a, b) -> {
                    throw failure;
                })))
                .isSameAs(failure);
        assertSame(trades, before, "untouched");
    }

    @Test
    void numbersAreNeverNull() {
        assertThatThrownBy(() -> Keys.comparingInt(Trade::id).nullsFirst())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("key 1 is an int");
    }

    @Test
    void manyThreadsSortAtOnce() throws InterruptedException {
        Trade[] trades = draw(30_000, 6);
        Trade[] expected = trades.clone();
        Arrays.sort(expected, BY_PRICE);
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = IntStream.range(0, 8)
                .mapToObj(i -> Thread.ofPlatform().start(() -> {
                    try {
                        for (int round = 0; round < 2; round++) {
                            Trade[] sorted = trades.clone();
                            SampleSort.sort(sorted, BY_PRICE);
                            assertSame(sorted, expected, "thread " + i);
                        }
                    } catch (Throwable e) {
                        failures.add(e);
                    }
                }))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
    }

    /// A key function may sort objects itself.
    @Test
    void keyFunctionsMaySort() {
        Trade[] trades = draw(5000, 7);
        Trade[] expected = trades.clone();
        Arrays.sort(expected, Comparator.comparingInt(Trade::id));
        SampleSort.sort(trades, Keys.comparingInt(trade -> {
            Integer[] two = {trade.id(), Integer.MIN_VALUE};
            SampleSort.sort(two, Keys.comparingInt(i -> i));
            return two[1];
        }));
        assertSame(trades, expected, "sorting key function");
    }

    @Test
    void oneSorterServesOneThread() {
        try (ObjectSorter<Trade> sorter = builder().buildObjects(BY_PRICE)) {
            ObjectSorter<Trade> same = sorter;
            ObjectSorter<Trade> nested = builder().buildObjects(Keys.comparingInt(trade -> {
                same.sort(new Trade[0]);
                return trade.id();
            }));
            nested.sort(draw(1000, 1));
            nested.close();
            nested.close();
            assertThatThrownBy(() -> nested.sort(draw(2, 1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("this sorter is closed");
        }
    }
}
