package io.samplesort.external;

/// The host memory that a sort takes for each element.
///
/// @param elementBytes bytes of the element and its payloads
/// @param nativeBytes  native bytes that the sort takes beside them
/// @param heapBytes    bytes of the Java heap that the sort takes beside them
/// @param maxCount     how many elements one sort can take
public record ElementCost(int elementBytes, int nativeBytes, int heapBytes, long maxCount) {
    /// The cost of sorts that move the elements themselves, as those on a GPU do: nothing beside the elements.
    public static ElementCost inPlace(int elementBytes) {
        return new ElementCost(elementBytes, 0, 0, Long.MAX_VALUE);
    }

    /// The same cost for sorts that take at most so many elements.
    public ElementCost upTo(long count) {
        return new ElementCost(elementBytes, nativeBytes, heapBytes, Math.min(maxCount, count));
    }
}
