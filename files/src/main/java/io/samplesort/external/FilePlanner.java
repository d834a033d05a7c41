package io.samplesort.external;

import io.samplesort.files.types.FilePlan;
import io.samplesort.types.ElementCost;

/// Decides how a file is sorted, from its size and the memory alone.
public final class FilePlanner {
    /// One chunk is read, another is sorted and a third is written, all at the same time.
    private static final int PIPELINE_BUFFERS = 3;

    /// Sorts may take the Java heap divided by this.
    private static final int HEAP_SHARE = 2;

    /// Long chunks have a multiple of this many elements if there is memory for it. Then they begin at whole blocks of
    /// the disk, which are read and written without a copy.
    private static final long ALIGNED_TO = 4096;

    private static final long LEAST_ALIGNED = 1 << 20;

    /// A bucket of a merge is not larger than this, as all that stages of the pipeline gain from overlapping is gained
    /// by then, unless the pieces of the inputs would be too short to be read at the speed of a disk.
    private static final long BUCKET_BYTES = 32L << 20;

    private static final long LEAST_PIECE_BYTES = 1L << 20;

    /// Each bucket of a merge takes a search in all inputs, so that a merge in more of them would hardly end.
    private static final long MOST_BUCKETS = 1 << 16;

    private FilePlanner() {}

    /// Returns the plan for a file of `count` elements.
    ///
    /// @throws IllegalArgumentException if the memory is too little; the message says how much would be enough
    static FilePlan plan(long count, ElementCost cost, long memoryBytes, long maxHeapBytes) {
        long heapLimit = cost.heapBytes() == 0 ? Long.MAX_VALUE : maxHeapBytes / HEAP_SHARE / cost.heapBytes();
        long limit = Math.min(cost.maxCount(), heapLimit);
        // Small parts are sorted by fewer threads, or by the calling thread alone. So threads never take more than
        // half.
        long forElements = memoryBytes - Math.min(cost.threadBytes(), memoryBytes / 2);
        long alone = Math.min(limit, forElements / bytesPerElement(cost, 1));
        if (count <= alone) {
            return new FilePlan(count, cost.elementBytes(), count, 1, 1);
        }
        long chunk = Math.min(limit, forElements / bytesPerElement(cost, PIPELINE_BUFFERS));
        if (chunk == 0 || Math.ceilDiv(count, chunk) > ElementCost.MOST_PARTS) {
            long least = Math.ceilDiv(count, ElementCost.MOST_PARTS);
            long needed = least * bytesPerElement(cost, PIPELINE_BUFFERS);
            throw new IllegalArgumentException("memory of " + memoryBytes + " bytes is too little to sort " + count
                    + " elements of " + cost.elementBytes() + " bytes: give "
                    + (needed + Math.min(cost.threadBytes(), needed)) + " or more"
                    + (least > limit ? ", and a larger Java heap" : ""));
        }
        // All chunks but the last have the same length. The last one is hardly shorter, and none is longer than
        // necessary.
        long even = Math.ceilDiv(count, Math.ceilDiv(count, chunk));
        long aligned = Math.ceilDiv(even, ALIGNED_TO) * ALIGNED_TO;
        even = even >= LEAST_ALIGNED && aligned <= chunk ? aligned : even;
        return new FilePlan(count, cost.elementBytes(), even, (int) Math.ceilDiv(count, even), PIPELINE_BUFFERS);
    }

    /// Returns the plan for a merge of sorted inputs with `count` elements in all. Its chunks are the buckets.
    ///
    /// @throws IllegalArgumentException if the memory is too little
    static FilePlan mergePlan(long count, int inputs, ElementCost cost, long memoryBytes) {
        long forElements = memoryBytes - Math.min(cost.threadBytes(), memoryBytes / 2);
        // One more for the result of a merge.
        long bytes = (PIPELINE_BUFFERS + 1L) * cost.elementBytes();
        long wanted = Math.max(BUCKET_BYTES, inputs * LEAST_PIECE_BYTES) / cost.elementBytes();
        long bucket = Math.min(Math.min(Math.max(1, wanted), count), forElements / bytes);
        long least = Math.ceilDiv(count, MOST_BUCKETS);
        if (bucket < least) {
            long needed = least * bytes;
            throw new IllegalArgumentException("memory of " + memoryBytes + " bytes is too little to merge " + count
                    + " elements of " + cost.elementBytes() + " bytes: give "
                    + (needed + Math.min(cost.threadBytes(), needed)) + " or more");
        }
        boolean isAligned = bucket < count && bucket >= ALIGNED_TO;
        long length = isAligned ? bucket / ALIGNED_TO * ALIGNED_TO : bucket;
        return new FilePlan(count, cost.elementBytes(), length, 1, PIPELINE_BUFFERS);
    }

    private static long bytesPerElement(ElementCost cost, int buffers) {
        return (long) buffers * cost.elementBytes() + cost.nativeBytes() + cost.heapBytes();
    }
}
