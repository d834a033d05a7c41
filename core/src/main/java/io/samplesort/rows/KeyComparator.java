package io.samplesort.rows;

import io.samplesort.types.Keys;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/// Compares objects as [Keys] do, but as fast as a chain of the JDK's comparators: the kind of each key is looked up
/// once, and not in each comparison.
public final class KeyComparator {
    private KeyComparator() {}

    /// Returns a comparator with the same order, for one sort.
    @SuppressWarnings("unchecked")
    public static <T> Comparator<T> of(Comparator<? super T> order) {
        return order instanceof Keys<? super T> keys ? ofKeys((Keys<T>) keys) : (Comparator<T>) order;
    }

    private static <T> Comparator<T> ofKeys(Keys<T> order) {
        List<Keys.Key<T>> keys = order.keys();
        Comparator<T> next = null;
        for (int i = keys.size() - 1; i >= 0; i--) {
            Comparator<T> rest = next;
            // A switch over classes would take as long as some comparisons.
            if (keys.get(i) instanceof Keys.IntKey<T> key) {
                next = ofInts(key.function(), key.isReversed(), rest);
            } else if (keys.get(i) instanceof Keys.LongKey<T> key) {
                next = ofLongs(key.function(), key.isReversed(), rest);
            } else if (keys.get(i) instanceof Keys.DoubleKey<T> key) {
                next = ofDoubles(key.function(), key.isReversed(), order);
            } else {
                next = order;
            }
        }
        return next;
    }

    private static <T> Comparator<T> ofInts(ToIntFunction<? super T> key, boolean descends, Comparator<T> rest) {
        return (a, b) -> {
            int first = key.applyAsInt(a);
            int second = key.applyAsInt(b);
            return first == second ? rest == null ? 0 : rest.compare(a, b) : first < second != descends ? -1 : 1;
        };
    }

    private static <T> Comparator<T> ofLongs(ToLongFunction<? super T> key, boolean descends, Comparator<T> rest) {
        return (a, b) -> {
            long first = key.applyAsLong(a);
            long second = key.applyAsLong(b);
            return first == second ? rest == null ? 0 : rest.compare(a, b) : first < second != descends ? -1 : 1;
        };
    }

    /// Zeros, NaNs and equal numbers are left to the keys themselves.
    private static <T> Comparator<T> ofDoubles(ToDoubleFunction<? super T> key, boolean descends, Comparator<T> all) {
        return (a, b) -> {
            double first = key.applyAsDouble(a);
            double second = key.applyAsDouble(b);
            return first < second ? descends ? 1 : -1 : first > second ? descends ? -1 : 1 : all.compare(a, b);
        };
    }
}
