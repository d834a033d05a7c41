package io.samplesort.rows;

import java.util.Comparator;

/// Finds the object that an order cannot compare because something is null.
public final class NullElements {
    private NullElements() {}

    /// Returns an error that names the first object that cannot be compared even with itself; `failure` if there is
    /// none.
    ///
    /// @param failure    what a comparison of some objects has thrown
    /// @param firstIndex what the error calls the index of the first object
    public static <T> NullPointerException named(
            NullPointerException failure, Comparator<? super T> order, T[] objects, int firstIndex) {
        for (int i = 0; i < objects.length; i++) {
            try {
                order.compare(objects[i], objects[i]);
            } catch (NullPointerException e) {
                return objects[i] == null
                        ? nullElement(firstIndex + i, failure)
                        : error("a key of the element at index " + (firstIndex + i) + " is null", failure);
            } catch (RuntimeException e) {
                // The order also fails in another way. The user gets the failure that the sort met first.
                return failure;
            }
        }
        return failure;
    }

    /// Returns the error of an object that is null.
    static NullPointerException nullElement(int index, NullPointerException failure) {
        return error("the element at index " + index + " is null", failure);
    }

    private static NullPointerException error(String what, NullPointerException failure) {
        NullPointerException error = new NullPointerException(what
                + ", and the order does not take it: say where nulls come, as with Comparator.nullsFirst(…) or"
                + " Comparator.nullsLast(…)");
        error.initCause(failure);
        return error;
    }
}
