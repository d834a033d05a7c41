package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.rows.NaturalKeys;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Objects in natural order and in its reverse are sorted as the JDK sorts them, to the very same references.
@SuppressWarnings({"unchecked", "rawtypes"})
class OneShotObjectsTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final int[] SIZES = {0, 1, 2, 50, 300, 20_000};

    /// Objects of one class, each made of a number. Of two equal ones, no two are the same object if the class allows.
    record Kind(String name, Object[] empty, IntFunction<Comparable> make) {
        Comparable[] draw(int size) {
            SplittableRandom random = new SplittableRandom(SEED);
            Comparable[] objects = (Comparable[]) Arrays.copyOf(empty, size);
            Arrays.setAll(objects, i -> make.apply(random.nextInt(1 + size / 2) - size / 5));
            return objects;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /// Compares by the last digit.
    record Digit(int number) implements Comparable<Digit> {
        @Override
        public int compareTo(Digit other) {
            return Integer.compare(number % 10, other.number % 10);
        }
    }

    @SuppressWarnings({"removal", "deprecation", "UnnecessaryBoxedVariable"})
    private static Stream<Kind> kinds() {
        double[] special = {-0.0, 0.0, Double.NaN, Double.longBitsToDouble(0xfff8_0000_0000_0001L)};
        return Stream.of(
                new Kind("strings", new String[0], i -> new String("s" + i)),
                new Kind("strings among Comparables", new Comparable[0], i -> new String("s" + i)),
                new Kind("bytes", new Byte[0], i -> new Byte((byte) i)),
                new Kind("shorts", new Short[0], i -> new Short((short) i)),
                new Kind("characters", new Character[0], i -> new Character((char) i)),
                new Kind("ints", new Integer[0], i -> new Integer(i)),
                new Kind("longs", new Long[0], i -> new Long(i * 1_000_000_007L)),
                new Kind("floats", new Float[0], i -> new Float(i % 3 == 0 ? (float) special[i & 3] : i)),
                new Kind("doubles", new Double[0], i -> new Double(i % 3 == 0 ? special[i & 3] : i * 0.1)),
                new Kind("ints among Comparables", new Comparable[0], i -> new Integer(i)),
                new Kind("dates", new LocalDate[0], i -> LocalDate.ofEpochDay(i)),
                new Kind("decimals", new BigDecimal[0], i -> BigDecimal.valueOf(i, i & 1)),
                new Kind("objects of one's own", new Digit[0], Digit::new));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void sortsInNaturalOrder(Kind kind) {
        for (int size : SIZES) {
            Comparable[] objects = kind.draw(size);
            Comparable[] expected = objects.clone();
            Arrays.sort(expected);
            Comparable[] sorted = objects.clone();
            assertThat(SampleSort.sort(sorted).elementCount()).isEqualTo(size);
            assertSame(sorted, expected, "array");

            sorted = objects.clone();
            SampleSort.sort(sorted, size / 3, size - size / 4);
            Comparable[] range = objects.clone();
            Arrays.sort(range, size / 3, size - size / 4);
            assertSame(sorted, range, "range");

            for (List<Comparable> list : List.of(
                    new ArrayList<>(Arrays.asList(objects)),
                    Arrays.asList(objects.clone()),
                    new CopyOnWriteArrayList<>(objects))) {
                SampleSort.sort(list);
                assertSame(list.toArray(), expected, "list");
            }
            for (Comparator natural : natural()) {
                sorted = objects.clone();
                SampleSort.sort(sorted, natural);
                assertSame(sorted, expected, "natural order");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void sortsInReverseOrderAndStaysStable(Kind kind) {
        for (int size : SIZES) {
            Comparable[] objects = kind.draw(size);
            Comparable[] expected = objects.clone();
            Arrays.sort(expected, Collections.reverseOrder());
            for (Comparator reverse : reversed()) {
                Comparable[] sorted = objects.clone();
                SampleSort.sort(sorted, reverse);
                assertSame(sorted, expected, "reverse order");
                List<Comparable> list = new ArrayList<>(Arrays.asList(objects));
                SampleSort.sort(list, reverse);
                assertSame(list.toArray(), expected, "list in reverse order");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void findsTheIndexesInOrder(Kind kind) {
        for (int size : SIZES) {
            Comparable[] objects = kind.draw(size);
            Object[] before = objects.clone();
            for (Comparator order : natural()) {
                Comparator referee = Objects.requireNonNullElse(order, Comparator.naturalOrder());
                assertIndexes(objects, referee, SampleSort.argsort(objects, order));
                assertIndexes(objects, referee, SampleSort.argsort(List.of(objects), order));
            }
            assertThat(SampleSort.argsort(objects)).isEqualTo(SampleSort.argsort(List.of(objects)));
            for (Comparator order : reversed()) {
                assertIndexes(objects, order, SampleSort.argsort(objects, order));
            }
            Comparator byText = Comparator.comparing(Object::toString);
            assertIndexes(objects, byText, SampleSort.argsort(objects, byText));
            assertSame(objects, before, "the objects themselves");
        }
    }

    private static void assertIndexes(Object[] objects, Comparator order, int[] found) {
        Integer[] expected = new Integer[objects.length];
        Arrays.setAll(expected, i -> i);
        Arrays.sort(expected, (one, other) -> order.compare(objects[one], objects[other]));
        assertThat(Arrays.equals(found, Arrays.stream(expected).mapToInt(i -> i).toArray()))
                .as("indexes of %s objects in order, seed %s", objects.length, SEED)
                .isTrue();
    }

    @Test
    void anObjectThatHasNoPlaceIsNamed() {
        for (int size : new int[] {2, 300, 20_000}) {
            Integer[] objects = new Integer[size];
            Arrays.setAll(objects, i -> -i);
            objects[size / 2] = null;
            assertThatThrownBy(() -> SampleSort.argsort(objects))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("at index " + size / 2 + " is null");
            assertThatThrownBy(() -> SampleSort.argsort(Arrays.asList(objects), Comparator.reverseOrder()))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("at index " + size / 2 + " is null");
        }
    }

    private static List<Comparator> natural() {
        return Arrays.asList(
                null, Comparator.naturalOrder(), Comparator.reverseOrder().reversed());
    }

    private static List<Comparator> reversed() {
        return List.of(
                Comparator.reverseOrder(),
                Collections.reverseOrder(),
                Comparator.naturalOrder().reversed(),
                Collections.reverseOrder((Comparator) Comparator.naturalOrder()));
    }

    @Test
    void recognisesTheComparatorsOfTheJdk() {
        assertThat(natural()).allMatch(NaturalKeys::isNatural).noneMatch(NaturalKeys::isReversed);
        assertThat(reversed()).allMatch(NaturalKeys::isReversed).noneMatch(NaturalKeys::isNatural);
        List<Comparator> others = List.of(
                String.CASE_INSENSITIVE_ORDER,
                Comparator.nullsFirst(Comparator.naturalOrder()),
                Collections.reverseOrder(String.CASE_INSENSITIVE_ORDER));
        assertThat(others).noneMatch(NaturalKeys::isNatural).noneMatch(NaturalKeys::isReversed);
        assertThat(NaturalKeys.onlyType(new Object[] {1, 2L}, 0, 2)).isNull();
        assertThat(NaturalKeys.onlyType(new Object[] {1, 2, null}, 0, 2)).isEqualTo(Integer.class);
        assertThat(NaturalKeys.of(LocalDate.class)).isNull();
    }

    @Test
    void sortsByOtherComparatorsOfStrings() {
        Kind kind = new Kind("strings", new String[0], i -> (i % 2 == 0 ? "A" : "a") + i);
        String[] strings = (String[]) kind.draw(5000);
        String[] expected = strings.clone();
        Arrays.sort(expected, String.CASE_INSENSITIVE_ORDER);
        SampleSort.sort(strings, String.CASE_INSENSITIVE_ORDER);
        assertSame(strings, expected, "strings without regard to case");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void anObjectThatCannotBeComparedLeavesTheArrayAsItWas(Kind kind) {
        for (int size : new int[] {2, 50, 300, 20_000}) {
            for (Comparator order : Arrays.<Comparator>asList(null, Comparator.reverseOrder())) {
                Object[] withNull = Arrays.copyOf(kind.draw(size), size, Object[].class);
                withNull[size / 2] = null;
                assertRefused(withNull, order, NullPointerException.class, "at index " + size / 2 + " is null");
                Object[] mixed = Arrays.copyOf(kind.draw(size), size, Object[].class);
                mixed[size / 2] = Thread.State.NEW;
                assertRefused(mixed, order, ClassCastException.class, "");
            }
        }
    }

    private static void assertRefused(
            Object[] objects, Comparator order, Class<? extends RuntimeException> failure, String message) {
        Object[] before = objects.clone();
        assertThatThrownBy(() -> SampleSort.sort(objects, order))
                .isInstanceOf(failure)
                .matches(thrown -> message.isEmpty() || thrown.getMessage().contains(message), message);
        assertSame(objects, before, "array that was refused");
        List<Object> list = new ArrayList<>(Arrays.asList(before));
        assertThatThrownBy(() -> SampleSort.sort(list, order)).isInstanceOf(failure);
        assertSame(list.toArray(), before, "list that was refused");
    }

    /// One object is compared with nothing.
    @Test
    void oneObjectNeedsNoOrder() {
        Object[] one = {new Object()};
        SampleSort.sort(one, null);
        Integer[] none = {null};
        assertThatThrownBy(() -> SampleSort.sort((Integer[]) null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> SampleSort.sort(none, 0, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static void assertSame(Object[] actual, Object[] expected, String what) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            if (actual[i] != expected[i]) {
                assertThat(actual[i])
                        .as("%s of %d, place %d; replay with -Dtests.seed=%d", what, expected.length, i, SEED)
                        .isSameAs(expected[i]);
            }
        }
    }
}
