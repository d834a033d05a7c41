package io.samplesort;

import io.samplesort.memory.LittleHeap;
import java.util.function.Supplier;

/// Runs sorts that keep something on the Java heap for each element. If the heap has too little room, the error says
/// how much is needed and what to do.
final class HeapArrays {
    private HeapArrays() {}

    /// Returns an array for a permutation.
    ///
    /// @param otherwise the method that writes to memory outside of the heap
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

    /// Runs a sort. If the heap has too little room for it, the error says how much it needs.
    ///
    /// @param what  such as "a sort of 5 rows"
    /// @param bytes about how much of the heap the sort takes
    static <T> T told(String what, long bytes, Supplier<T> sort) {
        try {
            return sort.get();
        } catch (OutOfMemoryError e) {
            throw LittleHeap.told(e, what, bytes, "sort fewer at a time");
        }
    }
}
