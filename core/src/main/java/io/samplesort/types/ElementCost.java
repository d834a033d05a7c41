package io.samplesort.types;

/// The host memory that a sort takes for each element, and for its threads.
///
/// @param elementBytes bytes of the element and its payloads
/// @param nativeBytes  native bytes that the sort takes in addition
/// @param heapBytes    bytes of the Java heap that the sort takes in addition
/// @param threadBytes  bytes that all threads of the sort take together, unless there are few elements
/// @param maxCount     how many elements one sort can take
public record ElementCost(int elementBytes, int nativeBytes, int heapBytes, long threadBytes, long maxCount) {
    /// The most parts that elements are divided into if there are more than one sort can take. Later steps read a piece
    /// of each part, so the number of reads grows with the square of this, and the pieces become too small.
    public static final int MOST_PARTS = 4096;

    /// Returns the cost of a sort that moves the elements themselves: it takes no memory for each of them.
    public static ElementCost inPlace(int elementBytes, long threadBytes) {
        return new ElementCost(elementBytes, 0, 0, threadBytes, Long.MAX_VALUE);
    }

    /// Returns the same cost for sorts that take at most this many elements.
    public ElementCost upTo(long count) {
        return new ElementCost(elementBytes, nativeBytes, heapBytes, threadBytes, Math.min(maxCount, count));
    }
}
