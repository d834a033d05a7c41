package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.Order;
import java.lang.reflect.Array;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Arrays of numbers of one primitive type with some equal ones, and their order by the JDK's comparisons.
///
/// @param type one of [#TYPES]
public record ArrayCase(Class<?> type, int length, long seed) {
    public static final List<Class<?>> TYPES =
            List.of(byte.class, short.class, char.class, int.class, long.class, float.class, double.class);

    /// Returns a new array; equal cases have equal arrays.
    public Object array() {
        SplittableRandom random = new SplittableRandom(seed);
        Object array = Array.newInstance(type, length);
        for (int i = 0; i < length; i++) {
            long number = i % 3 == 0 ? random.nextInt(5) - 2 : random.nextLong();
            double real = i % 3 == 0 ? SPECIAL[random.nextInt(SPECIAL.length)] : random.nextDouble(-1, 1);
            Array.set(array, i, boxed(number, real));
        }
        return array;
    }

    private static final double[] SPECIAL = {-0.0, 0.0, Double.NaN, Double.NEGATIVE_INFINITY, 1, -1};

    private Object boxed(long number, double real) {
        return switch (type.getName()) {
            case "byte" -> (byte) number;
            case "short" -> (short) number;
            case "char" -> (char) number;
            case "int" -> (int) number;
            case "long" -> number;
            case "float" -> (float) real;
            default -> real;
        };
    }

    /// Returns the numbers from 0 on as an array of this type, as far as it can tell them apart.
    public static Object counted(Class<?> type, int length) {
        Object array = Array.newInstance(type, length);
        for (int i = 0; i < length; i++) {
            Array.set(array, i, new ArrayCase(type, length, 0).boxed(i, i));
        }
        return array;
    }

    /// Returns the orders that keys of this type have.
    public List<Order> orders() {
        boolean isReal = type == float.class || type == double.class;
        return isReal
                ? List.of(Order.natural(), Order.natural().reversed())
                : List.of(
                        Order.natural(),
                        Order.natural().reversed(),
                        Order.unsigned(),
                        Order.unsigned().reversed());
    }

    /// Returns the indexes of the elements from `from` to `to - 1` in order.
    public int[] argsort(int from, int to, Order order) {
        Object array = array();
        Comparator<Integer> ascending = (a, b) -> compare(Array.get(array, a), Array.get(array, b), order);
        return IntStream.range(from, to)
                .boxed()
                .sorted(order.toString().contains("reversed") ? ascending.reversed() : ascending)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    @SuppressWarnings("unchecked")
    private static int compare(Object a, Object b, Order order) {
        if (order.toString().contains("unsigned")) {
            return Long.compareUnsigned(number(a), number(b));
        }
        return ((Comparable<Object>) a).compareTo(b);
    }

    private static long number(Object boxed) {
        return boxed instanceof Character character ? character : ((Number) boxed).longValue();
    }

    /// Asserts that an array holds these elements of this case from `from` on, and is unchanged elsewhere.
    public void assertHolds(Object actual, int from, int[] permutation, String what) {
        Object before = array();
        Object expected = array();
        for (int i = 0; i < permutation.length; i++) {
            Array.set(expected, from + i, Array.get(before, permutation[i]));
        }
        assertThat(actual).as("%s of %s", what, this).isEqualTo(expected);
    }
}
