package io.samplesort.external;

/// The host memory that a sort takes for each element.
///
/// @param elementBytes bytes of the element and its payloads
/// @param nativeBytes  native bytes that the sort takes beside them
/// @param heapBytes    bytes of the Java heap that the sort takes beside them
/// @param maxCount     how many elements one sort can take
public record ElementCost(int elementBytes, int nativeBytes, int heapBytes, long maxCount) {
    /// Returns the cost of a sort that moves the elements themselves, as on a GPU: it takes no memory beside them.
    public static ElementCost inPlace(int elementBytes) {
        return new ElementCost(elementBytes, 0, 0, Long.MAX_VALUE);
    }

    /// Returns the same cost for sorts that take at most so many elements.
    public ElementCost upTo(long count) {
        return new ElementCost(elementBytes, nativeBytes, heapBytes, Math.min(maxCount, count));
    }
}
