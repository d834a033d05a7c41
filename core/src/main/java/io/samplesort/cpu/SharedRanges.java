package io.samplesort.cpu;

import java.util.Collection;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/// Ranges of a sort that threads take one after the other and divide, until all are done. Who has divided one hands in
/// the parts, so threads need not wait for each other as long as some range is left.
final class SharedRanges<R> {
    /// A thread that has found no range for as long as a crew is patient looks again after a pause each time.
    private static final long PAUSE_NANOS = 20_000;

    /// Guarded by this object, as is the next.
    private final PriorityQueue<R> waiting;

    /// Ranges that wait or that a thread works on.
    private int unfinished;

    /// Tells threads that look for a range whether to ask for it.
    private volatile boolean hasWaiting;

    private volatile boolean isDone;

    /// @param order which range is to be taken first
    SharedRanges(Collection<R> ranges, Comparator<R> order) {
        waiting = new PriorityQueue<>(order);
        waiting.addAll(ranges);
        unfinished = ranges.size();
        hasWaiting = !ranges.isEmpty();
        isDone = ranges.isEmpty();
    }

    /// Works on ranges until all are done. Several threads call this at once, and one alone does everything.
    ///
    /// @param work returns the parts of a range that are left to do
    void work(Function<R, Collection<R>> work) {
        long idleSince = System.nanoTime();
        while (!isDone) {
            R range = hasWaiting ? take() : null;
            if (range != null) {
                workOn(range, work);
                idleSince = System.nanoTime();
            } else if (System.nanoTime() - idleSince < Crew.PATIENCE_NANOS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void workOn(R range, Function<R, Collection<R>> work) {
        boolean isWorked = false;
        try {
            replace(work.apply(range));
            isWorked = true;
        } finally {
            if (!isWorked) {
                // Nobody else is to wait for this range.
                isDone = true;
            }
        }
    }

    private synchronized R take() {
        R range = waiting.poll();
        hasWaiting = !waiting.isEmpty();
        return range;
    }

    private synchronized void replace(Collection<R> parts) {
        waiting.addAll(parts);
        hasWaiting = !waiting.isEmpty();
        unfinished += parts.size() - 1;
        if (unfinished == 0) {
            isDone = true;
        }
    }
}
