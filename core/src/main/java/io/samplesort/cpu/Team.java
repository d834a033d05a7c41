package io.samplesort.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;
import java.util.function.Consumer;

/// The workers that share a distribution pass.
///
/// @param workers one or more; each is used by one thread at a time
record Team(List<Worker> workers) {
    Team {
        workers = List.copyOf(workers);
    }

    int size() {
        return workers.size();
    }

    /// Returns the worker whose memory holds what belongs to the team as a whole.
    Worker leader() {
        return workers.getFirst();
    }

    long heapBytes() {
        return workers.stream().mapToLong(Worker::heapBytes).sum();
    }

    /// Runs `body` once with each worker, in parallel on the current pool, and returns when all are done. No body may
    /// wait for another, since a busy pool may run them one after the other.
    void run(Consumer<Worker> body) {
        if (size() == 1) {
            body.accept(leader());
            return;
        }
        List<RecursiveAction> tasks = new ArrayList<>(size());
        for (Worker worker : workers) {
            tasks.add(new RecursiveAction() {
                private static final long serialVersionUID = 1L;

                @Override
                protected void compute() {
                    body.accept(worker);
                }
            });
        }
        ForkJoinTask.invokeAll(tasks);
    }
}
