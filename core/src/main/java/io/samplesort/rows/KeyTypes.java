package io.samplesort.rows;

import io.samplesort.keys.OrderedBits;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.function.ToLongFunction;

/// The types of the objects that one key of a sort takes out. If there is only one type, the order of its values may be
/// known.
final class KeyTypes {
    /// Types whose natural order is that of a `long`.
    private static final Map<Class<?>, ToLongFunction<Object>> NUMBERS = Map.of(
            Boolean.class, key -> (Boolean) key ? 1 : 0,
            Byte.class, key -> (Byte) key,
            Short.class, key -> (Short) key,
            Character.class, key -> (Character) key,
            Integer.class, key -> (Integer) key,
            Long.class, key -> (Long) key,
            LocalDate.class, key -> ((LocalDate) key).toEpochDay(),
            LocalTime.class, key -> ((LocalTime) key).toNanoOfDay());

    /// Types of which only a part of the order is known: each key has a number, and the greater number never belongs to
    /// the lesser key.
    private static final Map<Class<?>, ToLongFunction<Object>> PREFIXES = Map.of(
            BigDecimal.class, key -> OrderedBits.of(((BigDecimal) key).doubleValue()),
            BigInteger.class, key -> OrderedBits.of(((BigInteger) key).doubleValue()),
            Instant.class, key -> ((Instant) key).getEpochSecond(),
            LocalDateTime.class, key -> ((LocalDateTime) key).toEpochSecond(ZoneOffset.UTC));

    private Class<?> type;
    private boolean isMixed;
    private boolean hasNull;

    void add(Object value) {
        if (value == null) {
            hasNull = true;
        } else if (value.getClass() != type) {
            addType(value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass());
        }
    }

    synchronized void add(KeyTypes other) {
        isMixed |= other.isMixed;
        hasNull |= other.hasNull;
        if (other.type != null) {
            addType(other.type);
        }
    }

    private void addType(Class<?> other) {
        isMixed |= type != null && !type.equals(other);
        type = other;
    }

    boolean hasNull() {
        return hasNull;
    }

    /// Returns whether all keys but nulls have one type, and there is at least one.
    private boolean isOne() {
        return type != null && !isMixed;
    }

    /// Returns how to turn the keys into numbers that have the same order; null if that is not known.
    ToLongFunction<Object> asLong() {
        if (!isOne()) {
            return null;
        }
        return type.isEnum() ? value -> ((Enum<?>) value).ordinal() : NUMBERS.get(type);
    }

    /// Returns how to turn the keys into numbers that are in the same order or equal; null if nothing is known of their
    /// order.
    ToLongFunction<Object> asPrefix() {
        return isOne() ? PREFIXES.get(type) : null;
    }

    /// Returns whether all keys are floating-point numbers of one type.
    boolean areFloating() {
        return isOne() && (type.equals(Double.class) || type.equals(Float.class));
    }

    /// Returns a boxed number. All NaNs become the same one, since `compareTo` takes them for equal.
    static double unboxed(Object number) {
        return Double.longBitsToDouble(Double.doubleToLongBits(((Number) number).doubleValue()));
    }

    boolean areStrings() {
        return isOne() && type.equals(String.class);
    }
}
