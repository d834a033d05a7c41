package io.samplesort;

import io.samplesort.memory.LittleHeap;
import java.util.function.Supplier;

/// Sorts that keep something on the Java heap for each element: where there is too little of it, the error says how
/// much is wanted and what to do.
final class HeapArrays {
    private HeapArrays() {}

    /// Returns an array for a permutation.
    ///
    /// @param otherwise the method that takes memory outside of the heap
    static int[] permutation(long count, String otherwise) {
        try {
            return new int[(int) count];
        } catch (OutOfMemoryError e) {
            throw LittleHeap.told(
                    e,
                    "a permutation of " + count + " elements",
                    count * Integer.BYTES,
                    "use " + otherwise + " with a segment outside of the heap");
        }
    }

    /// Does a sort, and says what it takes of the heap if that is too little.
    ///
    /// @param what  such as "a sort of 5 rows"
    /// @param bytes how much of the heap the sort takes, about
    static <T> T told(String what, long bytes, Supplier<T> sort) {
        try {
            return sort.get();
        } catch (OutOfMemoryError e) {
            throw LittleHeap.told(e, what, bytes, "sort fewer at a time");
        }
    }
}
