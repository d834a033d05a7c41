package io.samplesort.cpu.records;

import io.samplesort.memory.KeptMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// The memory that a [GatherSort] needs in addition to the input, kept for the next sort. All of it is allocated before
/// a record moves.
public final class GatherMemory {
    private final KeptMemory copy;
    private final KeptMemory packed = new KeptMemory();
    private final List<GatherWorker> workers = new ArrayList<>();

    /// @param copy memory for a copy of all records; its owner releases it
    public GatherMemory(KeptMemory copy) {
        this.copy = copy;
    }

    /// Allocates what is missing to sort `count` records.
    void reserve(RecordLayout layout, int workerCount, int count) {
        while (workers.size() < workerCount) {
            workers.add(new GatherWorker(layout));
        }
        packed.reserve((long) count * Long.BYTES);
        copy.reserve((long) count * layout.recordBytes());
    }

    GatherWorker worker(int i) {
        return workers.get(i);
    }

    /// Returns room for one long for each of `count` records.
    MemorySegment packed(int count) {
        return packed.segment().asSlice(0, (long) count * Long.BYTES);
    }

    /// Returns room for all records.
    MemorySegment copy() {
        return copy.segment();
    }

    /// Returns the bytes of this memory, without the copy.
    public long bytes() {
        return packed.segment().byteSize()
                + workers.stream().mapToLong(GatherWorker::heapBytes).sum();
    }

    /// Gives the memory back, except for the copy.
    public void release() {
        packed.release();
        workers.clear();
    }
}
