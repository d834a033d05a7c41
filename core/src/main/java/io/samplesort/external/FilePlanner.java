package io.samplesort.external;

import io.samplesort.types.FilePlan;

/// Decides from the size of a file and the memory alone how the file is sorted.
public final class FilePlanner {
    /// Reading one chunk, sorting another and writing a third.
    private static final int PIPELINE_BUFFERS = 3;

    /// Each bucket has a piece of each run: the reads become the square of this many, the pieces too small.
    public static final int MAX_RUNS = 4096;

    /// Of the heap, as much for what sorts keep for each element.
    private static final int HEAP_SHARE = 2;

    private FilePlanner() {}

    /// @throws IllegalArgumentException if the memory is too little; the message says how much is enough
    static FilePlan plan(long count, ElementCost cost, long memoryBytes, long maxHeapBytes) {
        long heapLimit = cost.heapBytes() == 0 ? Long.MAX_VALUE : maxHeapBytes / HEAP_SHARE / cost.heapBytes();
        long limit = Math.min(cost.maxCount(), heapLimit);
        long alone = Math.min(limit, memoryBytes / bytesPerElement(cost, 1));
        if (count <= alone) {
            return new FilePlan(count, cost.elementBytes(), count, 1, 1);
        }
        long chunk = Math.min(limit, memoryBytes / bytesPerElement(cost, PIPELINE_BUFFERS));
        if (chunk == 0 || Math.ceilDiv(count, chunk) > MAX_RUNS) {
            long least = Math.ceilDiv(count, MAX_RUNS);
            throw new IllegalArgumentException("memory of " + memoryBytes + " bytes is too little to sort " + count
                    + " elements of " + cost.elementBytes() + " bytes: give "
                    + least * bytesPerElement(cost, PIPELINE_BUFFERS) + " or more"
                    + (least > limit ? ", and a larger Java heap" : ""));
        }
        // Chunks of the same length: the last is not much shorter than the others, and none longer than it must be.
        long even = Math.ceilDiv(count, Math.ceilDiv(count, chunk));
        return new FilePlan(count, cost.elementBytes(), even, (int) Math.ceilDiv(count, even), PIPELINE_BUFFERS);
    }

    private static long bytesPerElement(ElementCost cost, int buffers) {
        return (long) buffers * cost.elementBytes() + cost.nativeBytes() + cost.heapBytes();
    }
}
