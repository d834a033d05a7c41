package io.samplesort.reports;

import io.samplesort.errors.SortCancelledException;
import io.samplesort.types.SortListener;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Connects one sort with its [SortListener]. Engines ask for [#current] on the thread that called the sort, and say
/// where the sort may stop. Without a listener, this does nothing.
///
/// A sort either **only reads** its input, in which case it may stop anywhere, or it **moves** elements, in which case
/// it may stop only where the memory of the input holds all elements. It counts as moving unless it says otherwise.
public final class SortWatch {
    private static final ScopedValue<SortWatch> CURRENT = ScopedValue.newInstance();
    private static final SortWatch NONE = new SortWatch(null, false, false);

    private static final long PAUSE_NANOS = 1_000_000;

    /// Null if there is no listener.
    private final @Nullable Asking asking;
    /// Whether this part of the sort never changes the input.
    private final boolean isReadOnly;
    /// Whether other parts of the sort may have changed the input, whatever this one says.
    private final boolean isPart;

    private volatile boolean isReading;

    private SortWatch(@Nullable Asking asking, boolean isReadOnly, boolean isPart) {
        this.asking = asking;
        this.isReadOnly = isReadOnly;
        this.isPart = isPart;
        this.isReading = isReadOnly;
    }

    /// Returns what watches the sort of the calling thread.
    public static SortWatch current() {
        return CURRENT.orElse(NONE);
    }

    /// Returns what watches sorts without a listener.
    public static SortWatch none() {
        return NONE;
    }

    /// Returns whether a listener watches, which may do anything when it is called.
    public boolean isWatched() {
        return asking != null;
    }

    /// Runs a sort that a listener watches.
    ///
    /// @param what  what an error calls it, such as "sort of"
    /// @param count how many elements are sorted
    /// @throws SortCancelledException if the listener cancels the sort, possibly before it begins
    public static <T> T watch(SortListener listener, String what, long count, Supplier<T> sort) {
        return watch(listener, what, count, PAUSE_NANOS, sort);
    }

    /// @param pauseNanos the listener is asked this often at most
    static <T> T watch(SortListener listener, String what, long count, long pauseNanos, Supplier<T> sort) {
        Asking asking = new Asking(listener, what, count, pauseNanos);
        asking.ask(true);
        return ScopedValue.where(CURRENT, new SortWatch(asking, false, false)).call(sort::get);
    }

    /// Runs a part of the current sort that does not change the input, whatever sorts of other memory it calls.
    public static <T> T onlyReading(Supplier<T> part) {
        SortWatch watch = current();
        return watch.asking == null
                ? part.get()
                : ScopedValue.where(CURRENT, new SortWatch(watch.asking, true, false))
                        .call(part::get);
    }

    /// Runs a sort of a part of the input, before or after which other parts are sorted.
    public static void part(Runnable part) {
        SortWatch watch = current();
        if (watch.asking == null || watch.isReadOnly) {
            part.run();
        } else {
            ScopedValue.where(CURRENT, new SortWatch(watch.asking, false, true)).run(part);
        }
    }

    /// Runs a part of the current sort that calls other sorts, and says itself how far it has come.
    public static void unwatched(Runnable part) {
        if (current().asking == null) {
            part.run();
        } else {
            ScopedValue.where(CURRENT, NONE).run(part);
        }
    }

    /// Returns whether a listener watches the sort.
    public boolean isWatching() {
        return asking != null;
    }

    /// Says that the sort does not change the input until it calls [#moves].
    public void onlyReads() {
        isReading = asking != null;
    }

    /// Says that the sort is about to change the input.
    public void moves() {
        isReading = isReadOnly;
    }

    /// Called where the memory of the input holds all elements, possibly in another order.
    ///
    /// @throws SortCancelledException if the sort is to stop
    public void mayStop() {
        if (asking != null) {
            asking.ask(isReading && !isPart);
        }
    }

    /// Called wherever a sort that only reads its input may stop.
    ///
    /// @throws SortCancelledException if the sort is to stop
    public void mayStopReading() {
        if (asking != null && isReading) {
            asking.ask(!isPart);
        }
    }

    /// Called when elements have come to their places.
    public void advance(long count) {
        if (asking != null) {
            asking.done.addAndGet(count);
        }
    }

    /// What all parts of a sort have in common.
    private static final class Asking {
        private final SortListener listener;
        private final String what;
        private final long count;
        private final long pauseNanos;
        private final AtomicLong done = new AtomicLong();
        private final AtomicLong next = new AtomicLong(System.nanoTime());
        private final ReentrantLock lock = new ReentrantLock();
        private volatile boolean isCancelled;

        Asking(SortListener listener, String what, long count, long pauseNanos) {
            this.listener = listener;
            this.what = what;
            this.count = count;
            this.pauseNanos = pauseNanos;
        }

        void ask(boolean isInputUnchanged) {
            if (!isCancelled && System.nanoTime() - next.get() >= 0 && lock.tryLock()) {
                try {
                    // Another thread may have asked meanwhile. What a listener sorts is not this sort.
                    if (!isCancelled) {
                        ScopedValue.where(CURRENT, NONE).run(this::callListener);
                    }
                } finally {
                    next.set(System.nanoTime() + pauseNanos);
                    lock.unlock();
                }
            }
            if (isCancelled) {
                throw new SortCancelledException(
                        "the listener has cancelled the " + what + " " + count + " elements: the input "
                                + (isInputUnchanged
                                        ? "is as it was"
                                        : "holds all its elements, each with its payloads, in no particular order"),
                        isInputUnchanged);
            }
        }

        private void callListener() {
            listener.progressed(Math.min(done.get(), count), count);
            isCancelled = listener.isCancelled();
        }
    }
}
