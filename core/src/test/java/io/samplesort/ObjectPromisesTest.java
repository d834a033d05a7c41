package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.Keys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What sorts of objects promise of functions and lists that misbehave. The sizes are those of objects that are
/// compared with each other, whose keys are packed, and whose keys become columns.
class ObjectPromisesTest {
    private static Integer[] objects(int size) {
        Integer[] objects = IntStream.range(0, size).boxed().toArray(Integer[]::new);
        Collections.shuffle(Arrays.asList(objects), new java.util.Random(size));
        return objects;
    }

    /// The error may be any other one that a key function of one's own makes.
    private static final class Failure extends Error {}

    @ParameterizedTest
    @ValueSource(ints = {2, 50, 3000, 20_000})
    void keyFunctionsThatAnswerOtherwiseEachTimeLoseNothing(int size) {
        SplittableRandom random = new SplittableRandom(size);
        Keys<Integer> numbers = Keys.<Integer>comparingInt(i -> next(random)).thenComparingDouble(i -> next(random));
        Keys<Integer> strings =
                Keys.comparing((Integer i) -> "name " + next(random)).reversed();
        Keys<Integer> nulls = Keys.comparing((Integer i) -> next(random) == 0 ? null : i)
                .nullsFirst()
                .thenComparing(i -> (char) ('a' + next(random)));
        for (Keys<Integer> keys : List.of(numbers, strings, nulls)) {
            Integer[] sorted = objects(size);
            SampleSort.sort(sorted, keys);
            Arrays.sort(sorted);
            assertThat(sorted).isEqualTo(IntStream.range(0, size).boxed().toArray(Integer[]::new));
        }
    }

    private static int next(SplittableRandom random) {
        synchronized (random) {
            return random.nextInt(4);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 50, 3000, 20_000})
    void failuresLeaveListsAsTheyWere(int size) {
        List<Integer> before = List.of(objects(size));
        List<Integer> list = new ArrayList<>(before);
        Failure failure = new Failure();
        Keys<Integer> keys = Keys.<Integer>comparingInt(i -> i / 2).thenComparing(i -> {
            if (i == size / 2) {
                throw failure;
            }
            return "same";
        });
        assertThatThrownBy(() -> SampleSort.sort(list, keys)).isSameAs(failure);
        assertThat(list).isEqualTo(before);
        assertThatThrownBy(() -> SampleSort.sort(list, (a, b) -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(list).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 50, 3000, 20_000})
    void listsThatChangeMeanwhileStayAsTheyAre(int size) {
        List<Integer> list = Collections.synchronizedList(new ArrayList<>(List.of(objects(size))));
        List<Integer> longer = new ArrayList<>(list);
        longer.add(-1);
        Keys<Integer> keys = Keys.comparingInt(i -> {
            synchronized (list) {
                if (list.size() == size) {
                    list.add(-1);
                }
            }
            return i;
        });
        assertThatThrownBy(() -> SampleSort.sort(list, keys))
                .isInstanceOf(ConcurrentModificationException.class)
                .hasMessageContaining("the list had " + size + " elements when the sort began, and has " + (size + 1));
        assertThat(list).isEqualTo(longer);
    }

    /// The JDK compares objects that no natural order can compare, too, and says so.
    @ParameterizedTest
    @ValueSource(ints = {2, 50, 3000, 20_000})
    void keysThatCannotBeComparedAreRefusedAsByTheJdk(int size) {
        Object[] keys = IntStream.range(0, size)
                .mapToObj(i -> i == size / 2 ? "a string" : (Object) i)
                .toArray();
        Integer[] objects = objects(size);
        Integer[] before = objects.clone();
        @SuppressWarnings({"unchecked", "rawtypes"})
        Keys<Integer> mixed = Keys.<Integer, Comparable>comparing(i -> (Comparable) keys[i]);
        assertThatThrownBy(() -> SampleSort.sort(objects, mixed)).isInstanceOf(ClassCastException.class);
        assertThat(objects).isEqualTo(before);
    }
}
