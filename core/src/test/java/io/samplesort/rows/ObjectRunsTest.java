package io.samplesort.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.Keys;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ObjectRunsTest {
    /// An object with a key that repeats; all objects are different.
    private record Item(int key, int number) {}

    private static final Comparator<Item> BY_KEY = Comparator.comparingInt(Item::key);

    /// Runs of random lengths in both directions, with equal keys, at a distance from the start of the array.
    @Test
    void mergesUpToFourRunsLikeTheJdk() {
        Random random = new Random(1);
        for (int round = 0; round < 2000; round++) {
            int runs = 1 + random.nextInt(4);
            Item[] items = new Item[24 + runs * 20 + random.nextInt(300)];
            int[] ends = random.ints(runs - 1, 3 + 20, items.length).sorted().toArray();
            int range = 1 << random.nextInt(20);
            for (int i = 0; i < items.length; i++) {
                items[i] = new Item(random.nextInt(range), i);
            }
            int from = 3;
            for (int run = 0; run < runs; run++) {
                int to = run == runs - 1 ? items.length : Math.max(from, ends[run]);
                Arrays.sort(items, from, to, random.nextBoolean() ? BY_KEY : BY_KEY.reversed());
                from = to;
            }
            Item[] expected = items.clone();
            Arrays.sort(expected, 3, items.length, BY_KEY);
            Item[] before = items.clone();
            boolean isSorted = ObjectRuns.trySort(items, 3, items.length, BY_KEY, 0);
            assertThat(items)
                    .as("round %d", round)
                    .usingElementComparator(ObjectRunsTest::identity)
                    .containsExactly(isSorted ? expected : before);
        }
    }

    private static int identity(Item a, Item b) {
        return a.equals(b) ? 0 : 1;
    }

    @Test
    void ofLongRunsNoneIsRefused() {
        Integer[] numbers = IntStream.range(0, 4000).mapToObj(i -> i % 1000).toArray(Integer[]::new);
        assertThat(ObjectRuns.trySort(numbers, 0, 4000, Comparator.<Integer>naturalOrder(), 0))
                .isTrue();
        assertThat(numbers).isSorted();
        Integer[] rotated =
                IntStream.range(0, 4000).mapToObj(i -> (i + 1000) % 4000).toArray(Integer[]::new);
        assertThat(ObjectRuns.trySort(rotated, 0, 4000, Comparator.<Integer>naturalOrder(), 0))
                .isTrue();
        assertThat(rotated).isSorted();
    }

    /// The JDK's merge copies a long run that meets a short one by leaps.
    @Test
    void aFewAppendedObjectsTakeHardlyMoreThanOneComparisonEach() {
        Integer[] numbers = IntStream.range(0, 100_020)
                .mapToObj(i -> i < 100_000 ? i : (i - 100_000) * 5000)
                .toArray(Integer[]::new);
        AtomicInteger comparisons = new AtomicInteger();
        Comparator<Integer> counting = (a, b) -> {
            comparisons.incrementAndGet();
            return a.compareTo(b);
        };
        assertThat(ObjectRuns.trySort(numbers, 0, numbers.length, counting, 0)).isTrue();
        assertThat(numbers).isSorted();
        assertThat(comparisons.get()).isLessThan(102_000);
    }

    @Test
    void whatAComparatorThrowsLeavesAllObjectsWhereTheyWere() {
        for (int runs = 1; runs <= 4; runs++) {
            int length = 1000 / runs;
            Integer[] numbers = IntStream.range(0, length * runs)
                    .mapToObj(i -> i / length % 2 == 0 ? i % length : length - i % length)
                    .toArray(Integer[]::new);
            Integer[] before = numbers.clone();
            for (int allowed : new int[] {5, 990, 1200, 1700}) {
                AtomicInteger left = new AtomicInteger(allowed);
                Comparator<Integer> failing = (a, b) -> {
                    if (left.decrementAndGet() < 0) {
                        throw new IllegalStateException("enough");
                    }
                    return a.compareTo(b);
                };
                try {
                    ObjectRuns.trySort(numbers, 0, numbers.length, failing, 0);
                } catch (IllegalStateException e) {
                    assertThat(numbers).containsExactly(before);
                }
                System.arraycopy(before, 0, numbers, 0, before.length);
            }
        }
        assertThatThrownBy(() -> ObjectRuns.trySort(
                        new Integer[] {2, 1},
                        0,
                        2,
                        (a, b) -> {
                            throw new IllegalStateException("at once");
                        },
                        64))
                .hasMessage("at once");
    }

    @Test
    void nullsAreLeftToOtherWays() {
        String[] strings = {"b", null, "a"};
        assertThat(ObjectRuns.trySort(strings, 0, 3, Comparator.<String>naturalOrder(), 64))
                .isFalse();
        assertThat(strings).containsExactly("b", null, "a");
    }

    @Test
    void keysAreComparedAsByThemselves() {
        Random random = new Random(2);
        double[] special = {0.0, -0.0, 1, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        record Row(int a, long b, double c, String d) {}
        Row[] rows = IntStream.range(0, 300)
                .mapToObj(i -> new Row(
                        random.nextInt(3),
                        random.nextInt(3) * Long.MAX_VALUE,
                        special[random.nextInt(special.length)],
                        random.nextInt(4) == 0 ? null : "s" + random.nextInt(3)))
                .toArray(Row[]::new);
        Keys<Row> keys = Keys.<Row>comparingInt(Row::a)
                .reversed()
                .thenComparingLong(Row::b)
                .thenComparingDouble(Row::c)
                .thenComparing(Row::d)
                .nullsLast();
        for (Keys<Row> order : List.of(keys, keys.reversed())) {
            Comparator<Row> fast = KeyComparator.of(order);
            for (Row first : rows) {
                for (Row second : rows) {
                    assertThat(fast.compare(first, second)).isEqualTo(order.compare(first, second));
                }
            }
        }
    }
}
