package io.samplesort.disk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Arrays;

/// Reads, sorts and writes pieces of work in a few buffers at the same time: while the calling thread sorts one piece,
/// a second thread reads the next and a third writes the one before.
///
/// Piece i is in buffer i modulo the number of buffers, so it can be read as soon as the piece that was in its buffer
/// is written. The beginning of a piece may be written while the rest is still sorted ([#sortedUpTo]). A failure
/// anywhere stops everything; [#run] returns when no thread uses the buffers any more.
public final class Pipeline {
    /// What a stage does with a piece.
    @FunctionalInterface
    public interface Work {
        void on(int piece, int buffer) throws IOException, InterruptedException;
    }

    /// The stages that a piece goes through.
    public enum Stage {
        READ,
        SORT,
        WRITE
    }

    /// Ends a stage when another has failed, or when the thread that waits for the end was interrupted.
    private static final class StoppedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StoppedException() {
            super("stopped, since another stage has failed", null, false, false);
        }
    }

    private final int buffers;
    private final long[] busyNanos = new long[Stage.values().length];
    private final long[] waitingNanos = new long[Stage.values().length];

    /// How many pieces have been through each stage in this run.
    private final int[] done = new int[Stage.values().length];
    /// How many elements at the front of the piece that is being sorted are final.
    private long sortedCount;
    /// How long the writing stage has waited in the middle of its piece.
    private long pausedNanos;

    private Throwable failure;

    /// @param buffers how many pieces there may be at once, counted from the beginning of reading to the end of writing
    public Pipeline(int buffers) {
        this.buffers = buffers;
    }

    /// Takes `pieces` pieces through all stages. Each stage takes them in order.
    ///
    /// @throws InterruptedIOException if the calling thread is interrupted; its interrupt status stays set
    /// @throws IOException            or whatever else a stage throws, after all stages have stopped
    public void run(int pieces, Work read, Work sort, Work write) throws IOException {
        synchronized (this) {
            failure = null;
            Arrays.fill(done, 0);
            sortedCount = 0;
            pausedNanos = 0;
        }
        Thread reader = thread("samplesort-read", () -> work(Stage.READ, pieces, read));
        Thread writer = thread("samplesort-write", () -> work(Stage.WRITE, pieces, write));
        reader.start();
        try {
            writer.start();
        } catch (OutOfMemoryError e) {
            // The reader uses the buffers already, so it has to be stopped as after any other failure.
            fail(e);
        }
        work(Stage.SORT, pieces, sort);
        join(writer);
        join(reader);
        switch (failure) {
            case null -> {}
            case InterruptedException e -> {
                Thread.currentThread().interrupt();
                throw (IOException) new InterruptedIOException("the sort was interrupted").initCause(e);
            }
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(failure);
        }
    }

    private static Thread thread(String name, Runnable task) {
        return Thread.ofPlatform().daemon().name(name).unstarted(task);
    }

    private void work(Stage stage, int pieces, Work work) {
        try {
            for (int piece = 0; piece < pieces; piece++) {
                long from = System.nanoTime();
                await(stage, piece);
                long began = System.nanoTime();
                work.on(piece, piece % buffers);
                long ended = System.nanoTime();
                synchronized (this) {
                    long paused = stage == Stage.WRITE ? pausedNanos : 0;
                    if (busyNanos[stage.ordinal()] != 0) {
                        waitingNanos[stage.ordinal()] += began - from;
                    }
                    waitingNanos[stage.ordinal()] += paused;
                    busyNanos[stage.ordinal()] += ended - began - paused;
                    if (stage == Stage.SORT) {
                        sortedCount = 0;
                    } else if (stage == Stage.WRITE) {
                        pausedNanos = 0;
                    }
                    done[stage.ordinal()]++;
                    notifyAll();
                }
            }
        } catch (StoppedException e) {
            return;
        } catch (Throwable e) {
            // This includes errors, such as too little memory: the other stages must not wait for ever.
            fail(e);
        }
    }

    /// Waits until a stage may begin its next piece.
    private synchronized void await(Stage stage, int piece) throws InterruptedException {
        int before = (stage.ordinal() + done.length - 1) % done.length;
        int needed = stage == Stage.READ ? piece - buffers + 1 : piece + 1;
        while (failure == null && done[before] < needed && !(stage == Stage.WRITE && hasBegun(piece))) {
            wait();
        }
        checkGoing();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /// Returns whether the piece is being sorted, and some of its elements are final.
    private boolean hasBegun(int piece) {
        return done[Stage.SORT.ordinal()] == piece && sortedCount > 0;
    }

    /// Reports how many elements at the front of the piece that is being sorted are final. They may be written now. Any
    /// thread that takes part in the sort may call this; the counts must not fall.
    public synchronized void sortedUpTo(long count) {
        checkGoing();
        sortedCount = count;
        notifyAll();
    }

    /// Waits until the first `needed` elements of a piece are final. The writing stage calls this.
    ///
    /// @param count how many elements the piece has
    /// @return how many are final
    public synchronized long awaitSorted(int piece, long needed, long count) throws InterruptedException {
        long from = System.nanoTime();
        while (failure == null && done[Stage.SORT.ordinal()] <= piece && sortedCount < needed) {
            wait();
        }
        pausedNanos += System.nanoTime() - from;
        checkGoing();
        return done[Stage.SORT.ordinal()] <= piece ? sortedCount : count;
    }

    /// Throws if another stage has failed. Work that takes long on a piece calls this now and then.
    public synchronized void checkGoing() {
        if (failure != null) {
            throw new StoppedException();
        }
    }

    private synchronized void fail(Throwable reason) {
        if (failure == null) {
            failure = reason;
        }
        notifyAll();
    }

    /// Waits for the end of a thread, however often the calling thread is interrupted, since the other thread uses the
    /// buffers until then.
    private void join(Thread thread) {
        while (true) {
            try {
                thread.join();
                return;
            } catch (InterruptedException e) {
                fail(e);
            }
        }
    }

    /// Returns how long a stage has worked, in all runs.
    public Duration busy(Stage stage) {
        return Duration.ofNanos(busyNanos[stage.ordinal()]);
    }

    /// Returns how long a stage has waited for the others, from its first piece of work to its last, in all runs.
    public Duration waiting(Stage stage) {
        return Duration.ofNanos(waitingNanos[stage.ordinal()]);
    }
}
