package io.samplesort;

import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.ListIterator;
import java.util.function.IntFunction;

/// Writes sorted elements back to lists of any kind. Only an iterator visits every list in its order: a view, such as
/// [List#reversed], may call the function that [List#replaceAll] takes in any order.
final class Lists {
    private Lists() {}

    /// Returns whether an iterator of a list sets elements. That of a [java.util.concurrent.CopyOnWriteArrayList] does
    /// not, and only [List#sort] sorts such a list in one step. To find out, this sets an element to itself.
    ///
    /// @throws UnsupportedOperationException if the list cannot be changed at all
    static <T> boolean areSetByIterators(List<T> list) {
        ListIterator<T> places = list.listIterator();
        if (!places.hasNext()) {
            return true;
        }
        T first = places.next();
        try {
            places.set(first);
            return true;
        } catch (UnsupportedOperationException byIterator) {
            try {
                list.set(0, first);
                return false;
            } catch (UnsupportedOperationException e) {
                throw new UnsupportedOperationException(
                        "the list cannot be changed, and so not sorted: sort a copy, such as new ArrayList<>(list)", e);
            }
        }
    }

    /// Sets all elements of a list.
    ///
    /// @param count  how many elements the list had when they were copied
    /// @param sorted the element for each place
    /// @throws ConcurrentModificationException if the list now has another size; it is unchanged in that case
    static <T> void set(List<T> list, int count, IntFunction<T> sorted) {
        // Whoever iterates over a synchronized list must hold its lock.
        synchronized (list) {
            if (list.size() != count) {
                throw new ConcurrentModificationException(
                        "the list had " + count + " elements when the sort began, and has " + list.size() + " now");
            }
            ListIterator<T> places = list.listIterator();
            for (int i = 0; i < count; i++) {
                places.next();
                places.set(sorted.apply(i));
            }
        }
    }
}
