package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.Keys;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The first and the last objects: what does not depend on the kinds of keys, which [ObjectContract] tries.
class FirstObjectsTest {
    private static final int SIZE = 50_000;

    private static Integer[] shuffled() {
        Integer[] objects = IntStream.range(0, SIZE).boxed().toArray(Integer[]::new);
        Collections.shuffle(Arrays.asList(objects), new Random(1));
        return objects;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 100, SIZE})
    void selectsInNaturalOrderAndInAnyOther(int size) {
        SplittableRandom random = new SplittableRandom(size);
        String[] strings =
                random.ints(size, 0, 1000).mapToObj(Integer::toString).toArray(String[]::new);
        Double[] numbers = random.doubles(size).boxed().toArray(Double[]::new);
        Instant[] times =
                random.ints(size, 0, 5000).mapToObj(Instant::ofEpochMilli).toArray(Instant[]::new);
        for (int k : new int[] {0, 1, 30, SIZE}) {
            assertSelects(strings, k, null, Comparator.naturalOrder());
            assertSelects(strings, k, Comparator.reverseOrder(), Comparator.reverseOrder());
            assertSelects(numbers, k, null, Comparator.naturalOrder());
            assertSelects(times, k, null, Comparator.naturalOrder());
            Comparator<String> ofOnesOwn = Comparator.<String>comparingInt(s -> s.charAt(s.length() - 1))
                    .thenComparing(String.CASE_INSENSITIVE_ORDER);
            assertSelects(strings, k, ofOnesOwn, ofOnesOwn);
        }
        ObjectContract.assertSame(SampleSort.first(strings, 3), SampleSort.first(strings, 3, null), "natural");
        ObjectContract.assertSame(SampleSort.last(strings, 3), SampleSort.last(strings, 3, null), "natural");
    }

    private static <T> void assertSelects(T[] objects, int k, Comparator<? super T> order, Comparator<? super T> same) {
        T[] expected = objects.clone();
        Arrays.sort(expected, same);
        int some = Math.min(k, objects.length);
        T[] first = SampleSort.first(objects, k, order);
        assertThat(first.getClass()).isEqualTo(objects.getClass());
        ObjectContract.assertSame(first, Arrays.copyOf(expected, some), "first " + k);
        ObjectContract.assertSame(
                SampleSort.last(objects, k, order),
                Arrays.copyOfRange(expected, expected.length - some, expected.length),
                "last " + k);
    }

    @Test
    void selectsFromLists() {
        List<Integer> list = new LinkedList<>(List.of(3, 1, 2, 1));
        try (ObjectSorter<Integer> sorter = SampleSort.onCpu().buildObjects(Keys.comparingInt(i -> i))) {
            assertThat(sorter.first(list, 2)).containsExactly(1, 1);
            assertThat(sorter.last(List.copyOf(list), 2)).containsExactly(2, 3);
            assertThat(sorter.first(Arrays.asList(shuffled()), 3)).containsExactly(0, 1, 2);
            assertThat(list).containsExactly(3, 1, 2, 1);
        }
    }

    @Test
    void takesTheFirstKeyOfMostObjectsOnceAndNoOther() {
        Integer[] objects = shuffled();
        AtomicIntegerArray calls = new AtomicIntegerArray(SIZE);
        AtomicInteger further = new AtomicInteger();
        Keys<Integer> keys = Keys.<Integer>comparingLong(i -> {
                    calls.incrementAndGet(i);
                    return i / 5;
                })
                .thenComparing(i -> {
                    further.incrementAndGet();
                    return Integer.toString(i);
                });
        try (ObjectSorter<Integer> sorter = SampleSort.onCpu().buildObjects(keys)) {
            assertThat(sorter.first(objects, 12)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
        }
        assertThat(IntStream.range(0, SIZE)).allMatch(i -> calls.get(i) > 0);
        // A sample and what is sorted in the end are asked more often.
        assertThat(IntStream.range(0, SIZE).filter(i -> calls.get(i) > 1)).hasSizeLessThan(3000);
        assertThat(further.get()).isLessThan(3000);
    }

    @Test
    void namesWhatIsNull() {
        Integer[] objects = shuffled();
        objects[SIZE / 3] = null;
        for (Comparator<Integer> order :
                List.of(Comparator.<Integer>naturalOrder(), Keys.<Integer>comparingInt(i -> i), (a, b) -> a - b)) {
            assertThatThrownBy(() -> SampleSort.first(objects, 5, order))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("the element at index " + SIZE / 3 + " is null");
        }
        assertThat(SampleSort.last(objects, 2, Comparator.nullsFirst(Comparator.naturalOrder())))
                .containsExactly(SIZE - 2, SIZE - 1);
        assertThat(SampleSort.last(objects, 2, Comparator.nullsLast(Comparator.naturalOrder())))
                .containsExactly(SIZE - 1, null);
        Integer[] others = shuffled();
        int index = Arrays.asList(others).indexOf(77);
        Keys<Integer> second = Keys.<Integer>comparingInt(i -> i / 100).thenComparing(i -> i == 77 ? null : i);
        assertThatThrownBy(() -> SampleSort.first(others, 50, second))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("key 2 of the element at index " + index
                        + " is null: say nullsFirst() or nullsLast() after it");
    }

    @Test
    void comparatorsThatContradictThemselvesGiveSomeObjects() {
        SplittableRandom random = new SplittableRandom(3);
        Comparator<Integer> contradicting = (a, b) -> {
            synchronized (random) {
                return random.nextInt(-1, 2);
            }
        };
        for (Comparator<Integer> order :
                List.of(contradicting, Keys.<Integer>comparingInt(i -> i % 2).thenComparing(contradicting))) {
            for (int k : new int[] {1, 100, SIZE / 2}) {
                assertThat(Set.of(SampleSort.first(shuffled(), k, order))).hasSize(k);
            }
        }
    }

    @Test
    void exceptionsComeThroughAndNegativeNumbersAreRefused() {
        RuntimeException failure = new RuntimeException("of the user's own");
        assertThatThrownBy(() -> SampleSort.first(shuffled(), 5, (a, b) -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThatThrownBy(() -> SampleSort.first(shuffled(), -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the first -1 elements: the number must not be negative");
    }
}
