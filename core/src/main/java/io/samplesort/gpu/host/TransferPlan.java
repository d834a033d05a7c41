package io.samplesort.gpu.host;

import io.samplesort.types.Tuning;
import java.util.concurrent.TimeUnit;

/// How a flow divides its work: into groups of blocks, each sent by one copy over the link, and into blocks, each moved
/// by one thread.
///
/// @param bytes       about how many bytes will go through it
/// @param helpers     threads in addition to the one that submits batches
/// @param blockBytes  the most bytes of a block
/// @param groupBlocks the most blocks of a group
/// @param buffers     how many buffers, each with room for a group, may be in use at once
/// @param awakeNanos  how long a thread waits for others before it sleeps; if 0, all groups have the same size
record TransferPlan(long bytes, int helpers, long blockBytes, int groupBlocks, int buffers, long awakeNanos) {
    /// A copy of fewer bytes than this takes the driver more time than the copy engine.
    private static final long MIN_BLOCK_BYTES = 128 << 10;

    private static final int BLOCKS_PER_THREAD = 4;

    /// With fewer groups than this, the first and the last copy take a large part of the flow's time, and no thread has
    /// anything to do meanwhile.
    private static final int MIN_GROUPS = 8;

    /// Waking a thread costs more than copying fewer bytes than this.
    private static final long MIN_BYTES_PER_THREAD = 1 << 20;

    /// If blocks are small, this many of them for each thread are enough.
    private static final int MIN_BLOCKS_PER_THREAD = 8;

    /// A thread fills or empties one buffer while the copy engine works on the other.
    private static final int BUFFERS_PER_THREAD = 2;

    /// Several threads need one buffer on the link, one that they work on, and one that they begin when all blocks of
    /// that one are taken.
    private static final int MIN_BUFFERS = 3;

    /// Two more buffers keep the link busy when threads are late.
    private static final int MIN_BUFFERS_OF_AWAKE = 5;

    /// Plans a flow.
    ///
    /// @param bytes about how many bytes will go through it
    static TransferPlan of(long bytes, Tuning tuning, int processors) {
        int maxThreads = Math.min(tuning.transferThreads(), processors);
        // Blocks are so small that all threads get some, and that the first copy begins soon.
        long share = bytes / ((long) BLOCKS_PER_THREAD * maxThreads);
        long blockBytes =
                Math.min(tuning.transferBytes(), Math.max(MIN_BLOCK_BYTES, Long.highestOneBit(Math.max(1, share))));
        long perThread = Math.min(MIN_BYTES_PER_THREAD, (long) MIN_BLOCKS_PER_THREAD * tuning.transferBytes());
        int threads = Math.clamp(bytes / perThread, 1, maxThreads);
        if (threads == 1) {
            // With one thread, a group of several blocks would only delay its copy.
            return new TransferPlan(bytes, 0, blockBytes, 1, BUFFERS_PER_THREAD, 0);
        }
        int groupBlocks = Math.clamp(bytes / blockBytes / MIN_GROUPS, 1, tuning.transferBlocks());
        long awakeNanos = TimeUnit.MICROSECONDS.toNanos(tuning.transferAwakeMicros());
        int least = awakeNanos > 0 ? MIN_BUFFERS_OF_AWAKE : MIN_BUFFERS;
        int buffers = Math.max(least, threads * BUFFERS_PER_THREAD / groupBlocks);
        return new TransferPlan(bytes, threads - 1, blockBytes, groupBlocks, buffers, awakeNanos);
    }

    /// Returns the bytes of a full group.
    long groupBytes() {
        return groupBlocks * blockBytes;
    }

    /// Returns how many bytes the next group gets. If threads stay awake, groups grow at the beginning, so that the
    /// link starts soon, and shrink at the end, so that little is left to do after the last copy.
    ///
    /// @param begun the bytes of all groups before it
    long groupBytes(long begun) {
        if (awakeNanos == 0) {
            return groupBytes();
        }
        long least = Math.min(groupBytes(), (helpers + 1) * MIN_BLOCK_BYTES);
        return Math.clamp(Math.min(begun, (bytes - begun) / 2) / blockBytes * blockBytes, least, groupBytes());
    }

    /// Returns the bytes of a block in a group of this size.
    long blockBytes(long bytesOfGroup) {
        if (awakeNanos == 0) {
            return blockBytes;
        }
        long share = Math.ceilDiv(Math.ceilDiv(bytesOfGroup, helpers + 1L), MIN_BLOCK_BYTES) * MIN_BLOCK_BYTES;
        return Math.min(blockBytes, share);
    }
}
