package io.samplesort.cpu.records;

import io.samplesort.memory.KeptMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// The memory that a sort of records needs in addition to the input, kept for the next sort. All of it is allocated
/// before a record moves.
public final class RecordMemory {
    private final List<RecordWorker> workers = new ArrayList<>();
    private final List<RecordShare> shares = new ArrayList<>();
    /// Null until a distribution pass needs them.
    private RecordSplitters splitters;

    private short[] bucketOfPage = {};
    private int[] pagesByBucket = {};
    private final KeptMemory pages = new KeptMemory();

    /// Allocates what is missing to sort `count` records.
    void reserve(RecordLayout layout, int workerCount, int count) {
        while (workers.size() < workerCount) {
            workers.add(new RecordWorker(layout));
        }
        boolean isLeaf = count <= layout.leafLimit();
        workers.subList(0, workerCount).forEach(worker -> worker.reserve(Math.min(count, layout.leafLimit()), isLeaf));
        if (isLeaf) {
            return;
        }
        if (splitters == null) {
            splitters = new RecordSplitters(layout.bucketLog(), layout.oversampling());
        }
        while (shares.size() < layout.shareLimit(workerCount)) {
            shares.add(new RecordShare(layout.bucketLog()));
        }
        int pageLimit = layout.pageLimit(count, workerCount);
        // This is allocated last, so it shows whether everything has been allocated.
        if (pagesByBucket.length < pageLimit) {
            bucketOfPage = new short[0];
            bucketOfPage = new short[pageLimit];
            pagesByBucket = new int[0];
            pagesByBucket = new int[pageLimit];
        }
        pages.reserve((long) count * layout.recordBytes());
    }

    RecordWorker worker(int i) {
        return workers.get(i);
    }

    RecordShare share(int i) {
        return shares.get(i);
    }

    RecordSplitters splitters() {
        return splitters;
    }

    /// Returns the array for the bucket of each page.
    short[] bucketOfPage() {
        return bucketOfPage;
    }

    /// Returns the array for the first record of each page, by bucket.
    int[] pagesByBucket() {
        return pagesByBucket;
    }

    /// Returns the memory in which [#pages] lies, for other uses when there are no pages.
    public KeptMemory keptPages() {
        return pages;
    }

    /// Returns room for all records.
    MemorySegment pages() {
        return pages.segment();
    }

    public long bytes() {
        return workers.stream().mapToLong(RecordWorker::heapBytes).sum()
                + shares.stream().mapToLong(RecordShare::heapBytes).sum()
                + (long) Short.BYTES * bucketOfPage.length
                + (long) Integer.BYTES * pagesByBucket.length
                + (splitters == null ? 0 : splitters.heapBytes())
                + pages.segment().byteSize();
    }

    public void release() {
        workers.clear();
        shares.clear();
        splitters = null;
        bucketOfPage = new short[0];
        pagesByBucket = new int[0];
        pages.release();
    }
}
