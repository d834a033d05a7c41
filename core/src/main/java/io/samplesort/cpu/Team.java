package io.samplesort.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// The workers that share a distribution pass.
///
/// @param workers  one or more; each is used by one thread at a time
/// @param parallel runs their parts of the work
record Team(List<Worker> workers, Parallel parallel) {
    private static final Parallel ALONE = new Parallel(1);

    Team {
        workers = List.copyOf(workers);
    }

    /// Returns a worker that works on the calling thread.
    static Team alone(Worker worker) {
        return new Team(List.of(worker), ALONE);
    }

    int size() {
        return workers.size();
    }

    /// Returns the worker whose memory holds what belongs to the team as a whole.
    Worker leader() {
        return workers.getFirst();
    }

    long heapBytes() {
        // A stream would take several milliseconds in the first sort of a process.
        long bytes = 0;
        for (Worker worker : workers) {
            bytes += worker.heapBytes();
        }
        return bytes;
    }

    /// Runs `body` once with each worker, in parallel, and returns when all are done. No body may wait for another,
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
