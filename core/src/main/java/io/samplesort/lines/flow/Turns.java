package io.samplesort.lines.flow;

import io.samplesort.cpu.Parallel;
import java.io.IOException;
import java.io.InterruptedIOException;

/// Work on blocks that several threads do side by side, with a part of the work on each block that is done in the order
/// of the blocks: writing what was gathered, for example.
///
/// Threads take blocks in their order. So a thread only ever waits for blocks that other threads are working on.
public final class Turns {
    /// Work on one block.
    @FunctionalInterface
    public interface Work {
        /// @param turns to await the turn of the block; the turn passes on when the work ends, if it has not before
        void on(long block, Turns turns) throws IOException;
    }

    /// Ends the work of a thread when that of another has failed.
    private static final class StoppedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StoppedException() {
            super("stopped, since the work of another thread has failed", null, false, false);
        }
    }

    private long turn;
    private Throwable failure;

    private Turns() {}

    /// Does the work on blocks 0 to `blocks - 1` with so many threads at most.
    ///
    /// @throws IOException and whatever else the work throws, after all threads have stopped
    public static void run(int threads, long blocks, Work work) throws IOException {
        Turns turns = new Turns();
        try {
            new Parallel(threads).forRanges(blocks, 1, (from, to) -> {
                for (long block = from; block < to; block++) {
                    turns.work(block, work);
                }
            });
        } catch (StoppedException e) {
            // The failure is told below.
        }
        switch (turns.failure()) {
            case null -> {}
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(turns.failure());
        }
    }

    private void work(long block, Work work) {
        try {
            work.on(block, this);
            await(block);
            pass(block);
        } catch (StoppedException e) {
            throw e;
        } catch (Throwable e) {
            fail(e);
            throw new StoppedException();
        }
    }

    /// Waits until all blocks before this one have passed their turns. Returns at once if this one has, too.
    public synchronized void await(long block) throws InterruptedIOException {
        while (failure == null && turn < block) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("the sort was interrupted");
            }
        }
        if (failure != null) {
            throw new StoppedException();
        }
    }

    /// Returns whether it is this block's turn.
    public synchronized boolean isAt(long block) {
        return turn >= block;
    }

    /// Lets the next block have its turn. A second call does nothing.
    public synchronized void pass(long block) {
        if (turn == block) {
            turn++;
            notifyAll();
        }
    }

    private synchronized void fail(Throwable reason) {
        if (failure == null) {
            failure = reason;
        }
        notifyAll();
    }

    private synchronized Throwable failure() {
        return failure;
    }
}
