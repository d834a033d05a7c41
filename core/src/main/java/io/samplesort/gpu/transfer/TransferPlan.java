package io.samplesort.gpu.transfer;

import io.samplesort.types.Tuning;

/// How a flow divides its work: blocks that a thread copies at a time, groups of blocks that share a copy over the
/// link.
///
/// @param helpers     threads beside the one that submits batches
/// @param blockBytes  bytes of a block
/// @param groupBlocks blocks of a group
/// @param buffers     most buffers in use at once; each has room for a group
record TransferPlan(int helpers, long blockBytes, int groupBlocks, int buffers) {
    /// Smaller ones cost the driver more than the copy engine.
    private static final long MIN_BLOCK_BYTES = 128 << 10;

    private static final int BLOCKS_PER_THREAD = 4;

    /// Of a flow: with fewer, its first and last copies stand out, beside which no thread has anything to do.
    private static final int MIN_GROUPS = 8;

    /// Fewer cost more to wake a thread for than to copy.
    private static final long MAX_BYTES_PER_THREAD = 1 << 20;

    /// The same where buffers are small.
    private static final int MAX_BLOCKS_PER_THREAD = 8;

    /// Of one thread: it fills or empties one while the copy engine works on the other.
    private static final int BUFFERS_PER_THREAD = 2;

    /// Of several threads: one on the link, one that they work on, and one to begin when all of that is taken.
    private static final int MIN_BUFFERS = 3;

    /// @param bytes how many will go through the flow, about
    static TransferPlan of(long bytes, Tuning tuning, int processors) {
        int maxThreads = Math.min(tuning.transferThreads(), processors);
        // Small enough that all threads have some, and the first copy begins soon.
        long share = bytes / ((long) BLOCKS_PER_THREAD * maxThreads);
        long blockBytes =
                Math.min(tuning.transferBytes(), Math.max(MIN_BLOCK_BYTES, Long.highestOneBit(Math.max(1, share))));
        long perThread = Math.min(MAX_BYTES_PER_THREAD, (long) MAX_BLOCKS_PER_THREAD * tuning.transferBytes());
        int threads = Math.clamp(bytes / perThread, 1, maxThreads);
        if (threads == 1) {
            // A group that one thread fills would only begin later.
            return new TransferPlan(0, blockBytes, 1, BUFFERS_PER_THREAD);
        }
        int groupBlocks = Math.clamp(bytes / blockBytes / MIN_GROUPS, 1, tuning.transferBlocks());
        int buffers = Math.max(MIN_BUFFERS, threads * BUFFERS_PER_THREAD / groupBlocks);
        return new TransferPlan(threads - 1, blockBytes, groupBlocks, buffers);
    }

    /// Bytes of a group that is full.
    long groupBytes() {
        return groupBlocks * blockBytes;
    }
}
