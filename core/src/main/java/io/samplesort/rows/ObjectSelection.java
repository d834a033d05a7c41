package io.samplesort.rows;

import io.samplesort.cpu.select.RowSelection;
import io.samplesort.types.Keys;
import java.util.Comparator;

/// Finds the objects that come first or last, without sorting the others. The first key is taken out of all objects,
/// and each further one only out of those that are tied by the keys before it. Where the order of a key is known only
/// to a comparator, the tied objects are compared, each with one bound.
///
/// @param <T> the type of the objects
public final class ObjectSelection<T> {
    private final Comparator<? super T> order;
    private final T[] objects;
    private final RowSelection selection;
    private final int threads;

    /// @param wanted at least one
    public ObjectSelection(Comparator<? super T> order, T[] objects, int wanted, boolean isLast, int threads) {
        this.order = order;
        this.objects = objects;
        this.threads = threads;
        this.selection = new RowSelection(objects.length, wanted, isLast, threads);
    }

    /// Returns the indexes of objects among which the wanted ones are, ascending: exactly these, or some more.
    ///
    /// @throws NullPointerException if a key is null and the order does not say where nulls come. The message may name
    ///     another index if the key is not the first one.
    public int[] rows() {
        if (order instanceof Keys<? super T> keys && narrow(keys)) {
            return selection.rows(true);
        }
        if (!selection.isDone()) {
            Comparator<T> compared = KeyComparator.of(order);
            selection.compare((a, b) -> compared.compare(objects[(int) a], objects[(int) b]));
        }
        return selection.rows(false);
    }

    /// Leaves objects open that are tied by the keys whose order is known.
    ///
    /// @return whether these are all keys, so that the open objects are equal
    private <S> boolean narrow(Keys<S> keys) {
        for (int number = 0; number < keys.keys().size() && !selection.isDone(); number++) {
            Object[] open = number == 0 ? objects : openObjects();
            KeyPrefix key = new KeyTaker<>(keys, open, 0, threads).prefix(number);
            if (key == null) {
                return false;
            }
            RowSelection amongOpen =
                    new RowSelection(open.length, selection.wanted(), selection.isLast(), threads);
            boolean isExact = ColumnSelection.narrow(amongOpen, key.column()) && key.isWhole();
            selection.narrow(amongOpen);
            if (!isExact) {
                return selection.isDone();
            }
        }
        return true;
    }

    private Object[] openObjects() {
        Object[] open = new Object[selection.openCount()];
        for (int i = 0; i < open.length; i++) {
            open[i] = objects[selection.open(i)];
        }
        return open;
    }
}
