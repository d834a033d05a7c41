package io.samplesort.rows;

import io.samplesort.cpu.select.RowSelection;
import io.samplesort.types.Keys;
import java.util.Comparator;
import java.util.function.ToIntFunction;

/// Finds the objects that come first or last, without sorting the others: each object is compared with a bound that a
/// sample has given. For most objects this takes their first key and nothing else, and no column of keys is written.
///
/// @param <T> the type of the objects
public final class ObjectSelection<T> {
    private final Comparator<? super T> order;
    private final T[] objects;

    public ObjectSelection(Comparator<? super T> order, T[] objects) {
        this.order = order;
        this.objects = objects;
    }

    /// Returns the indexes of the wanted objects and a few more, ascending.
    ///
    /// @param wanted at least one
    public int[] rows(int wanted, boolean isLast, int threads) {
        RowSelection selection = new RowSelection(objects.length, wanted, isLast, threads);
        Comparator<T> compared = KeyComparator.of(order);
        selection.compare((a, b) -> compared.compare(objects[(int) a], objects[(int) b]), bound -> {
            ToIntFunction<T> toBound = toBound(objects[bound]);
            return row -> toBound.applyAsInt(objects[row]);
        });
        return selection.rows(false);
    }

    /// Returns what compares objects with a bound, whose first key is taken once.
    private ToIntFunction<T> toBound(T bound) {
        return order instanceof Keys<? super T> keys ? toBound(keys, bound) : object -> order.compare(object, bound);
    }

    private static <S, T extends S> ToIntFunction<T> toBound(Keys<S> keys, T bound) {
        Keys.Key<S> first = keys.keys().getFirst();
        boolean isOnly = keys.keys().size() == 1;
        int less = first.isReversed() ? 1 : -1;
        return switch (first) {
            case Keys.IntKey<S> key -> {
                int other = key.function().applyAsInt(bound);
                yield object -> {
                    int value = key.function().applyAsInt(object);
                    return value < other ? less : value > other ? -less : isOnly ? 0 : keys.compare(object, bound);
                };
            }
            case Keys.LongKey<S> key -> {
                long other = key.function().applyAsLong(bound);
                yield object -> {
                    long value = key.function().applyAsLong(object);
                    return value < other ? less : value > other ? -less : isOnly ? 0 : keys.compare(object, bound);
                };
            }
            case Keys.DoubleKey<S> key -> {
                double other = key.function().applyAsDouble(bound);
                // Zeros and NaNs are left to the keys themselves.
                yield object -> {
                    double value = key.function().applyAsDouble(object);
                    return value < other ? less : value > other ? -less : keys.compare(object, bound);
                };
            }
            case Keys.ObjectKey<S> key -> {
                Object other = key.function().apply(bound);
                yield object -> {
                    Object value = other == null ? null : key.function().apply(object);
                    if (value == null) {
                        // The keys know where nulls come, or refuse them.
                        return keys.compare(object, bound);
                    }
                    int compared = key.compareKeys(value, other);
                    return compared < 0 ? less : compared > 0 ? -less : isOnly ? 0 : keys.compare(object, bound);
                };
            }
        };
    }
}
