package io.samplesort;

/// How a file is sorted within a given memory, decided from its size alone: at once, or in parts. A file in parts is
/// sorted chunk by chunk, to runs in a temporary file; buckets as large as the chunks are then cut from all runs,
/// sorted and written.
///
/// @param elementCount  elements of the file
/// @param elementBytes  bytes of an element and its payloads
/// @param chunkLength   elements that are sorted at a time
/// @param runs          how many chunks there are, and as many buckets; 1 where all is sorted at once and no temporary
///     file is needed
/// @param buffers       chunks that are in memory at the same time
public record FilePlan(long elementCount, int elementBytes, long chunkLength, int runs, int buffers) {
    /// Reading one chunk, sorting another and writing a third.
    private static final int PIPELINE_BUFFERS = 3;

    /// Each bucket has a piece of each run: the reads become the square of this many, the pieces too small.
    static final int MAX_RUNS = 4096;

    /// Of the heap, as much for what sorts keep for each element.
    private static final int HEAP_SHARE = 2;

    static FilePlan of(long count, ElementCost cost, long memoryBytes, long maxHeapBytes) {
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

    /// Whether the file is larger than the memory and needs a temporary file.
    public boolean isInParts() {
        return runs > 1;
    }

    /// Bytes of the buffers; what the engine takes for each element comes beside.
    public long bufferBytes() {
        return buffers * chunkLength * elementBytes;
    }

    /// Bytes of the temporary file; 0 where none is needed.
    public long temporaryBytes() {
        return isInParts() ? elementCount * elementBytes : 0;
    }

    /// Bytes that are read and written: all of the file twice each where it is sorted in parts, else once each.
    public long movedBytes() {
        return (isInParts() ? 4 : 2) * elementCount * elementBytes;
    }

    /// Bytes of the pieces of which a bucket is read, on average; 0 where the file is sorted at once. With less than
    /// about a mebibyte a disk is slower than with long reads. Twice the memory makes four times the pieces.
    public long pieceBytes() {
        return isInParts() ? chunkLength * elementBytes / runs : 0;
    }
}
