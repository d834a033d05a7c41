package io.samplesort.rows;

import io.samplesort.cpu.threads.Parallel;
import io.samplesort.keys.NullKeys;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Keys;
import java.lang.foreign.MemorySegment;
import java.util.function.ToLongFunction;

/// Turns keys that are objects into a column: numbers, strings and the like by their values, all others by their ranks,
/// which are found by comparing the keys with each other.
///
/// @param <T> the type of the objects that the keys were taken from
final class ObjectColumn<T> {
    private final int number;
    private final Keys.ObjectKey<T> key;
    private final Object[] values;
    private final int firstIndex;
    private final Parallel parallel;
    private final int grain;

    /// @param number     the number of the key, from 0
    /// @param values     the keys
    /// @param firstIndex the index of the object that has the first key
    /// @param grain      a multiple of 8
    ObjectColumn(int number, Keys.ObjectKey<T> key, Object[] values, int firstIndex, Parallel parallel, int grain) {
        this.number = number;
        this.key = key;
        this.values = values;
        this.firstIndex = firstIndex;
        this.parallel = parallel;
        this.grain = grain;
    }

    /// Returns the column of the keys, ascending and with nulls last.
    KeyColumn column() {
        KeyTypes found = new KeyTypes();
        parallel.forRanges(values.length, grain, (from, to) -> {
            KeyTypes types = new KeyTypes();
            for (int i = (int) from; i < to; i++) {
                types.add(values[i]);
            }
            found.add(types);
        });
        boolean mayBeNull = key.nulls() != Keys.Nulls.UNEXPECTED;
        if (found.hasNull() && !takesNulls(key)) {
            throw nullKey(number, firstIndex + firstNull());
        }
        KeyColumn column;
        try {
            column = key.comparator() != null ? ranks(mayBeNull) : ofTypes(found, mayBeNull);
        } catch (NullPointerException e) {
            throw found.hasNull() && !mayBeNull ? named(e) : e;
        }
        if (!found.hasNull() || !mayBeNull) {
            return column;
        }
        return column.validity(validity());
    }

    /// Returns whether a key may be null.
    static boolean takesNulls(Keys.ObjectKey<?> key) {
        return key.nulls() != Keys.Nulls.UNEXPECTED || key.comparator() != null;
    }

    /// Makes the error for a key that is null though the order does not say where nulls come.
    ///
    /// @param number the number of the key, from 0
    /// @param index  the index of its object
    static NullPointerException nullKey(int number, int index) {
        return new NullPointerException(NullKeys.message(number, " of the element at index " + index));
    }

    /// Returns the error for a null that the user's comparator of keys does not accept; `failure` if it accepts null.
    private NullPointerException named(NullPointerException failure) {
        try {
            key.compareKeys(null, null);
            return failure;
        } catch (NullPointerException e) {
            NullPointerException error = nullKey(number, firstIndex + firstNull());
            error.initCause(failure);
            return error;
        }
    }

    private int firstNull() {
        int i = 0;
        while (values[i] != null) {
            i++;
        }
        return i;
    }

    private KeyColumn ofTypes(KeyTypes found, boolean mayBeNull) {
        ToLongFunction<Object> toLong = found.asLong();
        if (toLong != null) {
            long[] numbers = new long[values.length];
            forValues(i -> numbers[i] = values[i] == null ? 0 : toLong.applyAsLong(values[i]));
            return KeyColumn.of(numbers);
        }
        if (found.areFloating()) {
            double[] numbers = new double[values.length];
            forValues(i -> numbers[i] = values[i] == null ? 0 : KeyTypes.unboxed(values[i]));
            return KeyColumn.of(numbers);
        }
        return found.areStrings() ? new StringKeys(values, parallel, grain).column() : ranks(mayBeNull);
    }

    /// Returns a column of the ranks that the keys have among each other: equal keys have the same rank.
    ///
    /// @param nullsAside whether nulls need no rank
    private KeyColumn ranks(boolean nullsAside) {
        int[] sorted = ComparatorSort.argsort(
                values.length,
                (a, b) -> {
                    Object keyA = values[(int) a];
                    Object keyB = values[(int) b];
                    if (nullsAside && (keyA == null || keyB == null)) {
                        return keyA != null ? 1 : keyB != null ? -1 : 0;
                    }
                    return key.compareKeys(keyA, keyB);
                },
                parallel);
        int[] ranks = new int[values.length];
        int rank = 0;
        for (int i = 1; i < sorted.length; i++) {
            Object before = values[sorted[i - 1]];
            Object next = values[sorted[i]];
            if (nullsAside && before == null ? next != null : key.compareKeys(before, next) != 0) {
                rank++;
            }
            ranks[sorted[i]] = rank;
        }
        return KeyColumn.of(ranks);
    }

    private MemorySegment validity() {
        byte[] bitmap = new byte[Math.ceilDiv(values.length, Byte.SIZE)];
        parallel.forRanges(values.length, grain, (from, to) -> {
            for (int i = (int) from; i < to; i++) {
                if (values[i] != null) {
                    bitmap[i >>> 3] |= (byte) (1 << (i & 7));
                }
            }
        });
        return MemorySegment.ofArray(bitmap);
    }

    @FunctionalInterface
    private interface ValueBody {
        void accept(int i);
    }

    private void forValues(ValueBody body) {
        parallel.forRanges(values.length, grain, (from, to) -> {
            for (int i = (int) from; i < to; i++) {
                body.accept(i);
            }
        });
    }
}
