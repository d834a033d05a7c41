package io.samplesort.rows;

import io.samplesort.keys.OrderedBits;
import io.samplesort.types.Keys;
import java.util.Comparator;
import java.util.Map;

/// Recognises the JDK's comparators of natural order, and says which objects have numbers of the same order.
public final class NaturalKeys {
    /// NaNs of different bits are equal, as by [Double#compareTo].
    private static final Map<Class<?>, Keys<Object>> NUMBERS = Map.of(
            Byte.class, Keys.comparingInt(number -> (Byte) number),
            Short.class, Keys.comparingInt(number -> (Short) number),
            Character.class, Keys.comparingInt(number -> (Character) number),
            Integer.class, Keys.comparingInt(number -> (Integer) number),
            Long.class, Keys.comparingLong(number -> (Long) number),
            Float.class, Keys.comparingInt(number -> OrderedBits.ofFloat(Float.floatToIntBits((Float) number))),
            Double.class, Keys.comparingLong(number -> OrderedBits.ofDouble(Double.doubleToLongBits((Double) number))));

    private static final Keys<Object> STRINGS = Keys.comparing(string -> (String) string);

    private NaturalKeys() {}

    /// Returns whether an order is the natural one: null, or what [Comparator#naturalOrder] returns.
    public static boolean isNatural(Comparator<?> order) {
        return order == null || order.equals(Comparator.naturalOrder());
    }

    /// Returns whether an order is the reverse of the natural one: what [Comparator#reverseOrder],
    /// [java.util.Collections#reverseOrder()] and `naturalOrder().reversed()` return.
    public static boolean isReversed(Comparator<?> order) {
        return Comparator.reverseOrder().equals(order);
    }

    /// Returns keys with the natural order of objects of a class; null if there are none, or if the class is null.
    public static Keys<Object> of(Class<?> type) {
        return type == null ? null : type == String.class ? STRINGS : NUMBERS.get(type);
    }

    /// Returns the class that all objects from `from` to `to - 1` have, or null if there is none. Some objects may be
    /// null even if there is a class.
    public static Class<?> onlyType(Object[] objects, int from, int to) {
        Class<?> component = objects.getClass().getComponentType();
        if (of(component) != null) {
            // These classes are final, so nothing else can be in the array.
            return component;
        }
        if (from == to || objects[from] == null) {
            return null;
        }
        Class<?> type = objects[from].getClass();
        for (int i = from + 1; i < to; i++) {
            if (objects[i] == null || objects[i].getClass() != type) {
                return null;
            }
        }
        return type;
    }
}
