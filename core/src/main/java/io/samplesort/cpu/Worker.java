package io.samplesort.cpu;

import java.util.concurrent.ConcurrentLinkedQueue;

/// The buffers of one thread, lent for a task and used again by the next.
final class Worker {
    final Lane keys;
    /// Null where elements have no payload.
    final Lane payloads;

    byte[] buckets = new byte[0];
    int[] positions = new int[0];

    private Worker(Column keys, Column payloads) {
        this.keys = keys.newLane();
        this.payloads = payloads == null ? null : payloads.newLane();
    }

    void ensureCapacity(int count) {
        keys.ensureCapacity(count);
        if (payloads != null) {
            payloads.ensureCapacity(count);
            if (positions.length < count) {
                positions = new int[count];
            }
        }
    }

    void ensureTileCapacity(int count) {
        ensureCapacity(count);
        if (buckets.length < count) {
            buckets = new byte[count];
        }
        if (positions.length < count) {
            positions = new int[count];
        }
    }

    /// All workers of one sort.
    static final class Pool {
        private final ConcurrentLinkedQueue<Worker> idle = new ConcurrentLinkedQueue<>();
        private final Column keys;
        private final Column payloads;

        Pool(Column keys, Column payloads) {
            this.keys = keys;
            this.payloads = payloads;
        }

        Worker take() {
            Worker worker = idle.poll();
            return worker == null ? new Worker(keys, payloads) : worker;
        }

        void give(Worker worker) {
            idle.add(worker);
        }
    }
}
