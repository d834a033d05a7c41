package io.samplesort.cpu.numbers;

import io.samplesort.cpu.threads.Parallel;
import io.samplesort.reports.SortWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// The workers that share a distribution pass.
public final class Team {
    private final List<Worker> workers;
    private final Parallel parallel;
    private final SortWatch watch;

    /// @param workers  one or more; each is used by one thread at a time
    /// @param parallel runs their parts of the work
    /// @param watch    watches the sort
    Team(List<Worker> workers, Parallel parallel, SortWatch watch) {
        this.workers = List.copyOf(workers);
        this.parallel = parallel;
        this.watch = watch;
    }

    /// Returns a worker that works on the calling thread.
    static Team alone(Worker worker, SortWatch watch) {
        return new Team(List.of(worker), Parallel.ALONE, watch);
    }

    public int size() {
        return workers.size();
    }

    /// Returns what watches the sort.
    SortWatch watch() {
        return watch;
    }

    List<Worker> workers() {
        return workers;
    }

    /// Returns the worker whose memory holds what the whole team shares.
    Worker leader() {
        return workers.getFirst();
    }

    public long heapBytes() {
        long bytes = 0;
        for (Worker worker : workers) {
            bytes += worker.heapBytes();
        }
        return bytes;
    }

    /// Returns how many passes the deepest bucket of the last sort took.
    public int passes() {
        int passes = 0;
        for (Worker worker : workers) {
            passes = Math.max(passes, worker.deepestPass);
        }
        return passes;
    }

    /// Returns how many bytes the last sort read and wrote.
    public long bytesMoved() {
        long bytes = 0;
        for (Worker worker : workers) {
            bytes += worker.bytesMoved;
        }
        return bytes;
    }

    /// Returns how many elements the largest bucket of the last sort had.
    public long largestBucket() {
        long largest = 0;
        for (Worker worker : workers) {
            largest = Math.max(largest, worker.largestBucket);
        }
        return largest;
    }

    /// Runs `body` once with each worker, in parallel, and returns when all are done. No call may wait for another,
    /// since one thread may run them one after the other.
    void run(Consumer<Worker> body) {
        if (size() == 1) {
            body.accept(leader());
            return;
        }
        List<Runnable> works = new ArrayList<>(size());
        for (Worker worker : workers) {
            works.add(() -> body.accept(worker));
        }
        parallel.run(works);
    }
}
