package io.samplesort.rows;

import io.samplesort.cpu.threads.Parallel;
import io.samplesort.keys.OrderedBits;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Keys;
import java.util.List;
import java.util.stream.IntStream;

/// Takes the keys out of objects, into a column for each key. All threads take part, and each takes its objects in the
/// order of their places, since most of the time goes to waiting for the memory of objects.
///
/// @param <T> the type of the objects
public final class KeyTaker<T> {
    /// A thread takes the keys of this many objects at a time.
    private static final int GRAIN = 1 << 12;

    private final Keys<T> keys;
    private final Object[] objects;
    private final int firstIndex;
    private final Parallel parallel;

    /// @param objects    of type `T`
    /// @param firstIndex what errors call the index of the first object
    public KeyTaker(Keys<T> keys, Object[] objects, int firstIndex, int threads) {
        this.keys = keys;
        this.objects = objects;
        this.firstIndex = firstIndex;
        this.parallel = new Parallel(objects.length <= GRAIN ? 1 : threads);
    }

    /// Returns the columns of the keys.
    ///
    /// @throws NullPointerException if a key is null and the order does not say where nulls come; the message names the
    ///     key and the object
    public List<KeyColumn> columns() {
        return IntStream.range(0, keys.keys().size())
                .mapToObj(number -> column(number, keys.keys().get(number)))
                .toList();
    }

    /// Checks that keys are null only where the order says where nulls come. This takes no keys out.
    ///
    /// @throws NullPointerException as by [#columns]
    public void requireNoUnexpectedNulls() {
        for (int number = 0; number < keys.keys().size(); number++) {
            requireNoUnexpectedNulls(number);
        }
    }

    /// Checks the same of one key.
    void requireNoUnexpectedNulls(int number) {
        if (keys.keys().get(number) instanceof Keys.ObjectKey<T> key && !ObjectColumn.takesNulls(key)) {
            forObjects((i, object) -> {
                if (key.function().apply(object) == null) {
                    throw ObjectColumn.nullKey(number, firstIndex + i);
                }
            });
        }
    }

    /// Returns a key of all objects as bits; null if its order is known only to a comparator.
    ///
    /// @throws NullPointerException as by [#columns]
    PackedKey packed(int number) {
        Keys.Key<T> key = keys.keys().get(number);
        if (key instanceof Keys.ObjectKey<T> k) {
            return packed(number, k);
        }
        long[] values = new long[objects.length];
        switch (key) {
            case Keys.IntKey<T> k ->
                forObjects((i, object) -> values[i] = k.function().applyAsInt(object));
            case Keys.LongKey<T> k ->
                forObjects((i, object) -> values[i] = k.function().applyAsLong(object));
            case Keys.DoubleKey<T> k ->
                forObjects(
                        (i, object) -> values[i] = OrderedBits.of(k.function().applyAsDouble(object)));
            case Keys.ObjectKey<T> k -> throw new AssertionError(k);
        }
        return PackedKey.of(values, key.isReversed());
    }

    private PackedKey packed(int number, Keys.ObjectKey<T> key) {
        if (key.comparator() != null) {
            return null;
        }
        Object[] values = new Object[objects.length];
        KeyTypes types = new KeyTypes();
        forObjects((i, object) -> {
            values[i] = key.function().apply(object);
            if (values[i] == null && !ObjectColumn.takesNulls(key)) {
                throw ObjectColumn.nullKey(number, firstIndex + i);
            }
            types.add(values[i]);
        });
        return PackedKey.of(values, types, key.isReversed(), areNullsFirst(key));
    }

    private KeyColumn column(int number, Keys.Key<T> key) {
        KeyColumn ascending = switch (key) {
            case Keys.IntKey<T> k -> {
                int[] values = new int[objects.length];
                forObjects((i, object) -> values[i] = k.function().applyAsInt(object));
                yield KeyColumn.of(values);
            }
            case Keys.LongKey<T> k -> {
                long[] values = new long[objects.length];
                forObjects((i, object) -> values[i] = k.function().applyAsLong(object));
                yield KeyColumn.of(values);
            }
            case Keys.DoubleKey<T> k -> {
                double[] values = new double[objects.length];
                forObjects((i, object) -> values[i] = k.function().applyAsDouble(object));
                yield KeyColumn.of(values);
            }
            case Keys.ObjectKey<T> k -> {
                Object[] values = new Object[objects.length];
                forObjects((i, object) -> values[i] = k.function().apply(object));
                yield new ObjectColumn<>(number, k, values, firstIndex, parallel, GRAIN).column();
            }
        };
        KeyColumn directed = key.isReversed() ? ascending.reversed() : ascending;
        return areNullsFirst(key) ? directed.nullsFirst() : directed.nullsLast();
    }

    private static boolean areNullsFirst(Keys.Key<?> key) {
        return key instanceof Keys.ObjectKey<?> k && k.nulls() == Keys.Nulls.FIRST;
    }

    @FunctionalInterface
    private interface Taker<T> {
        void take(int i, T object);
    }

    @SuppressWarnings("unchecked")
    private void forObjects(Taker<T> taker) {
        parallel.forRanges(objects.length, GRAIN, (first, last) -> {
            for (int i = (int) first; i < last; i++) {
                try {
                    taker.take(i, (T) objects[i]);
                } catch (NullPointerException e) {
                    throw objects[i] == null ? NullElements.nullElement(firstIndex + i, e) : e;
                }
            }
        });
    }
}
