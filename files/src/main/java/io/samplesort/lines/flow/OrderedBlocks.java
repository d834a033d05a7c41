package io.samplesort.lines.flow;

import io.samplesort.disk.Closing;
import io.samplesort.shared.Workers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/// Work on blocks that several threads do at the same time, where a part of the work on each block is done in the order
/// of the blocks: writing what was gathered, for example.
///
/// Threads take blocks in their order. So a thread only ever waits for blocks that other threads are working on, and
/// there are no more blocks whose turn has not passed than there are threads. A turn that passes wakes the one thread
/// that waits for it.
public final class OrderedBlocks {
    /// Work on one block.
    @FunctionalInterface
    public interface Work {
        /// @param turns to await the turn of the block; the turn passes on when the work ends, if not before
        void on(long block, OrderedBlocks turns) throws IOException;
    }

    /// Ends the work of a thread when that of another has failed.
    private static final class StoppedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StoppedException() {
            super("stopped, since the work of another thread has failed", null, false, false);
        }
    }

    /// Most turns come so soon that sleeping and waking takes longer than looking this many times more.
    private static final int LOOKS = 64;

    private volatile long turn;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    /// The threads that wait, each at the remainder of its block.
    private final AtomicReferenceArray<Thread> waiting;

    private OrderedBlocks(int threads) {
        waiting = new AtomicReferenceArray<>(threads);
    }

    /// Does the work on blocks 0 to `blocks - 1` with at most this many threads.
    ///
    /// @throws IOException or whatever else the work throws, after all threads have stopped
    public static void run(int threads, long blocks, Work work) throws IOException {
        OrderedBlocks turns = new OrderedBlocks(threads);
        try {
            Workers.forRanges(threads, blocks, (from, to) -> {
                for (long block = from; block < to; block++) {
                    turns.work(block, work);
                }
            });
        } catch (StoppedException e) {
            // The failure is thrown below.
        }
        Closing.rethrow(turns.failure.get());
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

    /// Waits until all blocks before this one have passed their turns. Returns at once if this block has passed its
    /// turn, too.
    public void await(long block) throws InterruptedIOException {
        for (int look = 0; mustWait(block) && look < LOOKS; look++) {
            Thread.onSpinWait();
        }
        if (mustWait(block)) {
            sleep(block);
        }
        if (failure.get() != null) {
            throw new StoppedException();
        }
    }

    private boolean mustWait(long block) {
        return turn < block && failure.get() == null;
    }

    private void sleep(long block) throws InterruptedIOException {
        int place = place(block);
        // The thread that passes the turn looks here afterwards, so one of the two sees the other.
        waiting.set(place, Thread.currentThread());
        while (mustWait(block)) {
            LockSupport.park(this);
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("the sort was interrupted");
            }
        }
        waiting.set(place, null);
    }

    private int place(long block) {
        return (int) (block % waiting.length());
    }

    /// Lets the next block have its turn. Only the thread that works on the block, and has awaited its turn, may call
    /// this. A second call does nothing.
    public void pass(long block) {
        if (turn == block) {
            turn = block + 1;
            LockSupport.unpark(waiting.get(place(block + 1)));
        }
    }

    private void fail(Throwable reason) {
        failure.compareAndSet(null, reason);
        for (int i = 0; i < waiting.length(); i++) {
            LockSupport.unpark(waiting.get(i));
        }
    }
}
