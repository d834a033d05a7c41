package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Every method of [SampleSort] and [Sorter] for arrays of numbers gives what the JDK gives.
public class OneShotArraysTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final List<Class<?>> TYPES = ArrayCase.TYPES;
    private static final List<Class<?>> WIDE = List.of(int.class, long.class, float.class, double.class);

    @ParameterizedTest
    @FieldSource("TYPES")
    void sortsInEveryOrder(Class<?> type) {
        for (int length : new int[] {0, 1, 7, 1000, 30_000}) {
            ArrayCase keys = new ArrayCase(type, length, SEED);
            for (Order order : keys.orders()) {
                Object array = keys.array();
                SortReport report = (SortReport) call("sort", array, order);
                keys.assertHolds(array, 0, keys.argsort(0, length, order), order.toString());
                assertThat(report.elementCount()).isEqualTo(length);
            }
        }
    }

    @ParameterizedTest
    @FieldSource("TYPES")
    void findsTheOrderOfArrays(Class<?> type) {
        for (int length : new int[] {0, 1, 7, 1000, 30_000}) {
            ArrayCase keys = new ArrayCase(type, length, SEED);
            int[] expected = keys.argsort(0, length, Order.natural());
            assertThat(call("argsort", keys.array())).as("%s", keys).isEqualTo(expected);
            int[] ints = new int[length];
            call("argsort", keys.array(), ints);
            assertThat(ints).as("%s", keys).isEqualTo(expected);
            long[] longs = new long[length];
            call("argsort", keys.array(), longs);
            assertThat(longs)
                    .as("%s", keys)
                    .isEqualTo(IntStream.of(expected).asLongStream().toArray());
            for (Order order : keys.orders()) {
                assertThat(call("argsort", keys.array(), order))
                        .as("%s %s", order, keys)
                        .isEqualTo(keys.argsort(0, length, order));
            }
            int from = length / 3;
            int to = length - length / 4;
            assertThat(call("argsort", keys.array(), from, to))
                    .as("a range of %s", keys)
                    .isEqualTo(keys.argsort(from, to, Order.natural()));
        }
    }

    @ParameterizedTest
    @FieldSource("WIDE")
    void movesPayloadsOfEveryTypeWithTheirKeys(Class<?> type) {
        for (Class<?> payload : WIDE) {
            for (int length : new int[] {0, 7, 30_000}) {
                ArrayCase keys = new ArrayCase(type, length, SEED);
                Object array = keys.array();
                Object payloads = ArrayCase.counted(payload, length);
                call("sort", array, payloads);
                assertPairs(keys, array, payloads, 0, length);

                int from = length / 3;
                int to = length - length / 4;
                Object ranged = keys.array();
                Object rangedPayloads = ArrayCase.counted(payload, length);
                call("sort", ranged, rangedPayloads, from, to);
                assertPairs(keys, ranged, rangedPayloads, from, to);
            }
        }
    }

    /// Equal keys may change places, so the payloads tell which key was where.
    private static void assertPairs(ArrayCase keys, Object array, Object payloads, int from, int to) {
        keys.assertHolds(array, from, keys.argsort(from, to, Order.natural()), "pairs");
        int length = Array.getLength(array);
        int[] moved = Arrays.stream(asDoubles(payloads))
                .mapToInt(value -> (int) value)
                .toArray();
        keys.assertHolds(array, 0, moved, "payloads");
        assertThat(IntStream.of(moved).sorted().toArray())
                .isEqualTo(IntStream.range(0, length).toArray());
        IntStream.range(0, length)
                .filter(i -> i < from || i >= to)
                .forEach(i -> assertThat(moved[i]).isEqualTo(i));
    }

    private static double[] asDoubles(Object array) {
        return switch (array) {
            case int[] ints -> Arrays.stream(ints).asDoubleStream().toArray();
            case long[] longs -> Arrays.stream(longs).asDoubleStream().toArray();
            case float[] floats ->
                IntStream.range(0, floats.length).mapToDouble(i -> floats[i]).toArray();
            default -> (double[]) array;
        };
    }

    @ParameterizedTest
    @FieldSource("TYPES")
    void sortersFindTheOrderOfArrays(Class<?> type) throws Exception {
        checkSorter(SampleSort.onCpu(), type, 5000);
    }

    /// Checks the methods of a sorter for arrays of this type.
    public static void checkSorter(SorterBuilder builder, Class<?> type, int length) throws Exception {
        ArrayCase keys = new ArrayCase(type, length, SEED);
        Class<?> arrays = type.arrayType();
        Order order = Order.natural().reversed();
        int[] expected = keys.argsort(0, length, order);
        ElementType element = NumberArrays.type(keys.array());
        try (Sorter sorter = builder.order(order).build(element)) {
            assertThat(Sorter.class.getMethod("argsort", arrays).invoke(sorter, keys.array()))
                    .isEqualTo(expected);
            assertThat(Sorter.class
                            .getMethod("argsort", arrays, int.class, int.class)
                            .invoke(sorter, keys.array(), 5, length - 9))
                    .isEqualTo(keys.argsort(5, length - 9, order));
            int[] ints = new int[length];
            Sorter.class.getMethod("argsort", arrays, int[].class).invoke(sorter, keys.array(), ints);
            assertThat(ints).isEqualTo(expected);
            long[] longs = new long[length];
            Sorter.class.getMethod("argsort", arrays, long[].class).invoke(sorter, keys.array(), longs);
            assertThat(longs).isEqualTo(IntStream.of(expected).asLongStream().toArray());
            Object sorted = keys.array();
            Sorter.class.getMethod("sort", arrays, int.class, int.class).invoke(sorter, sorted, 5, length - 9);
            keys.assertHolds(sorted, 5, keys.argsort(5, length - 9, order), "a sorted range");
        }
    }

    @Test
    void wrongArgumentsAreRefusedBeforeAnythingIsChanged() {
        double[] keys = {3, 1, 2};
        long[] longs = {3, 1, 2};
        assertThatThrownBy(() -> SampleSort.sort(keys, Order.unsigned()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the unsigned order is for integers, not for double keys: use Order.natural()");
        assertThatThrownBy(() -> SampleSort.argsort(keys, Order.by("price")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SampleSort.sort(keys, (Order) null)).hasMessage("order");
        assertThatThrownBy(() -> SampleSort.sort(keys, new double[2]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("3 keys and 2 payloads: there must be as many payloads as keys");
        assertThatThrownBy(() -> SampleSort.sort(keys, keys))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("overlap");
        assertThatThrownBy(() -> SampleSort.sort(keys, new int[2], 0, 3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> SampleSort.sort(keys, (int[]) null, 0, 3)).hasMessage("payloads");
        assertThatThrownBy(() -> SampleSort.argsort(keys, 2, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> SampleSort.argsort(keys, new int[2]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("for 3 elements");
        assertThatThrownBy(() -> SampleSort.argsort(keys, (long[]) null)).hasMessage("permutation");
        assertThatThrownBy(() -> SampleSort.argsort(longs, longs))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("overlap");
        assertThat(keys).containsExactly(3, 1, 2);
        assertThat(longs).containsExactly(3, 1, 2);
    }

    @Test
    void anOrderOfOnesOwnSortsArrays() {
        int[] keys = {3, -5, 1, 4};
        Order byMagnitude = Order.custom(
                "abs(a) < abs(b)",
                (a, b) -> Integer.compare(
                        Math.abs(a.get(ValueLayout.JAVA_INT, 0)), Math.abs(b.get(ValueLayout.JAVA_INT, 0))));
        assertThat(SampleSort.argsort(keys, byMagnitude)).containsExactly(2, 0, 3, 1);
        SampleSort.sort(keys, byMagnitude);
        assertThat(keys).containsExactly(1, 3, 4, -5);
    }

    /// Calls a method of [SampleSort] by the types of its arguments.
    private static Object call(String name, Object... arguments) {
        Class<?>[] types = Arrays.stream(arguments)
                .map(argument -> argument instanceof Order
                        ? Order.class
                        : argument instanceof Integer ? int.class : argument.getClass())
                .toArray(Class[]::new);
        try {
            return SampleSort.class.getMethod(name, types).invoke(null, arguments);
        } catch (InvocationTargetException e) {
            throw new AssertionError(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
