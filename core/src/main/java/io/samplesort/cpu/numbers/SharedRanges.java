package io.samplesort.cpu.numbers;

import io.samplesort.cpu.threads.Crew;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/// Ranges of a sort that threads take one after the other and divide, until all are done. A thread that has divided a
/// range may go on with its last part, which lies in its caches. Other threads take the parts that were made first,
/// which are the longest. So threads need not wait for each other as long as some range is left.
final class SharedRanges<R> {
    /// A thread that has found no range for as long as a crew is patient pauses for this long before it looks again.
    private static final long PAUSE_NANOS = 20_000;

    /// Guarded by this object, as are the next three.
    private final PriorityQueue<R> waiting;

    /// The parts that each thread has made and will go on with, the latest at the end.
    private final List<ArrayDeque<R>> kept = new ArrayList<>();

    private int waitingCount;

    /// How many ranges are waiting or being worked on.
    private int unfinished;

    /// Tells threads that look for a range whether it is worth asking.
    private volatile boolean hasWaiting;

    private volatile boolean isDone;

    private final Comparator<R> order;
    private final boolean isInOrder;

    /// @param order     compares ranges by which is to be taken first
    /// @param isInOrder whether threads take parts in this order, too; otherwise each goes on with what it has divided
    SharedRanges(Collection<R> ranges, Comparator<R> order, boolean isInOrder) {
        this.order = order;
        this.isInOrder = isInOrder;
        waiting = new PriorityQueue<>(order);
        waiting.addAll(ranges);
        waitingCount = ranges.size();
        unfinished = ranges.size();
        hasWaiting = !ranges.isEmpty();
        isDone = ranges.isEmpty();
    }

    /// Works on ranges until all are done. Several threads may call this at once; a single one does everything.
    ///
    /// @param work returns the parts of a range that are left to do
    void work(Function<R, List<R>> work) {
        ArrayDeque<R> own = new ArrayDeque<>();
        keep(own);
        long idleSince = System.nanoTime();
        while (!isDone) {
            R range = hasWaiting ? take(own) : null;
            if (range != null) {
                workOn(range, work, own);
                idleSince = System.nanoTime();
            } else if (System.nanoTime() - idleSince < Crew.PATIENCE_NANOS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private synchronized void keep(ArrayDeque<R> own) {
        kept.add(own);
    }

    private void workOn(R range, Function<R, List<R>> work, ArrayDeque<R> own) {
        boolean isWorked = false;
        try {
            replace(work.apply(range), own);
            isWorked = true;
        } finally {
            if (!isWorked) {
                // If the work fails, other threads must not wait for this range.
                isDone = true;
            }
        }
    }

    private synchronized R take(ArrayDeque<R> own) {
        R range = own.isEmpty() ? takeFirst() : own.removeLast();
        waitingCount -= range == null ? 0 : 1;
        hasWaiting = waitingCount > 0;
        return range;
    }

    /// Takes the range that is first in order, among those that no thread keeps and the first one of each thread.
    private R takeFirst() {
        R first = waiting.peek();
        ArrayDeque<R> keeper = null;
        for (ArrayDeque<R> parts : kept) {
            R part = parts.peekFirst();
            if (part != null && (first == null || order.compare(part, first) < 0)) {
                first = part;
                keeper = parts;
            }
        }
        return keeper == null ? waiting.poll() : keeper.removeFirst();
    }

    private synchronized void replace(List<R> parts, ArrayDeque<R> own) {
        (isInOrder ? waiting : own).addAll(parts);
        waitingCount += parts.size();
        hasWaiting = waitingCount > 0;
        unfinished += parts.size() - 1;
        if (unfinished == 0) {
            isDone = true;
        }
    }
}
