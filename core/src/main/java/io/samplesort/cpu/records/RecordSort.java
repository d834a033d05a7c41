package io.samplesort.cpu.records;

import io.samplesort.cpu.numbers.BucketFinder;
import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.PhaseTimes;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.reports.SortWatch;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// One stable sort of records that moves them whole, twice in most inputs: a distribution pass moves them to pages of
/// their buckets in other memory, and from there each bucket is sorted to its place in the input.
///
/// Each [RecordShare] is scattered by one worker, and the pages of a bucket are read in the order of the shares and of
/// their pages, so records keep their order.
public final class RecordSort {
    /// The keys are in the first column.
    private final List<MemorySegment> columns;
    private final MemorySegment records;
    private final int count;
    private final RecordLayout layout;
    private final RecordMemory memory;
    private final Parallel parallel;
    private final SortWatch watch = SortWatch.current();
    private final int workerCount;
    private final int grain;

    private final PhaseTimes times;
    private final long[] offsets;
    private final int[] pageOffsets;
    private int shareCount;
    private int passes;
    private long bytesMoved;
    private final AtomicInteger largestBucket = new AtomicInteger();

    /// Records `from..to`, which are equal in everything that comes before `key`.
    private record Task(SortKey key, int from, int to, int depth) {
        int count() {
            return to - from;
        }
    }

    /// @param grain the calling thread alone sorts up to this many records
    public RecordSort(
            List<MemorySegment> columns,
            int count,
            RecordLayout layout,
            RecordMemory memory,
            PhaseTimes times,
            int grain,
            int parallelism) {
        this.columns = columns;
        this.records = columns.getFirst();
        this.count = count;
        this.layout = layout;
        this.memory = memory;
        this.times = times;
        this.workerCount = count <= grain ? 1 : parallelism;
        this.parallel = new Parallel(workerCount);
        this.grain = Math.max(2, grain);
        this.offsets = new long[(1 << layout.bucketLog()) + 1];
        this.pageOffsets = new int[(1 << layout.bucketLog()) + 1];
        memory.reserve(layout, workerCount, count);
    }

    /// Sorts all records.
    public void sort(SortKey wholeKey) {
        Deque<Task> tasks = new ArrayDeque<>();
        tasks.add(new Task(wholeKey, 0, count, 0));
        while (!tasks.isEmpty()) {
            watch.mayStop();
            Task task = tasks.removeLast();
            SortKey key = task.key;
            if (!key.isWholeInPrefix()) {
                key = key.narrowed(records, i -> i, task.from, task.to, parallel, grain);
                times.lap(PhaseTimes.Phase.MAKE_SORT_KEYS);
            }
            if (task.count() <= layout.leafLimit()) {
                sortLeaf(memory.worker(0), task, key);
            } else {
                distribute(key, task, tasks);
            }
        }
    }

    private void sortLeaf(RecordWorker worker, Task task, SortKey key) {
        long bytes = layout.recordBytes();
        watch.moves();
        worker.readLeaf(columns, task.from, task.count());
        worker.sortLeaf(task.count(), inRecords(key), columns, task.from);
        largestBucket.accumulateAndGet(task.count(), Math::max);
        bytesMoved += 2 * bytes * task.count();
        times.lap(PhaseTimes.Phase.SMALL_SORT);
    }

    /// @param tasks takes what is left to sort
    private void distribute(SortKey key, Task task, Deque<Task> tasks) {
        passes = Math.max(passes, task.depth + 1);
        int bucketLog = layout.bucketLogFor(task.count(), workerCount);
        int pageSize = layout.pageSize(bucketLog);
        BucketFinder finder = memory.splitters().select(records, task.from, task.count(), key, bucketLog, parallel);
        times.lap(PhaseTimes.Phase.SELECT_SPLITTERS);
        divideInShares(task, bucketLog);
        AtomicInteger nextShare = new AtomicInteger();
        parallel.forRanges(workerCount, 1, (w, end) -> {
            RecordWorker worker = memory.worker((int) w);
            for (int s = nextShare.getAndIncrement(); s < shareCount; s = nextShare.getAndIncrement()) {
                watch.mayStopReading();
                worker.scatter(
                        columns,
                        memory.share(s),
                        inRecords(key),
                        finder,
                        pageSize,
                        memory.pages(),
                        memory.bucketOfPage());
            }
        });
        bytesMoved += 2L * task.count() * layout.recordBytes();
        times.lap(PhaseTimes.Phase.SCATTER);
        layOut(task, finder.bucketCount(), pageSize);
        watch.mayStop();
        watch.moves();
        AtomicInteger nextBucket = new AtomicInteger();
        Queue<Task> left = new ConcurrentLinkedQueue<>();
        parallel.forRanges(workerCount, 1, (w, end) -> {
            RecordWorker worker = memory.worker((int) w);
            for (int b = nextBucket.getAndIncrement(); b < finder.bucketCount(); b = nextBucket.getAndIncrement()) {
                finishBucket(worker, key, task, finder, b, pageSize, left);
            }
        });
        bytesMoved += 2L * task.count() * layout.recordBytes();
        times.lap(PhaseTimes.Phase.SMALL_SORT);
        tasks.addAll(left);
    }

    private void divideInShares(Task task, int bucketLog) {
        shareCount = layout.shareCountFor(task.count(), bucketLog, workerCount);
        int pageSize = layout.pageSize(bucketLog);
        for (int s = 0; s < shareCount; s++) {
            RecordShare share = memory.share(s);
            share.start = task.from + (int) ((long) task.count() * s / shareCount);
            share.end = task.from + (int) ((long) task.count() * (s + 1) / shareCount);
            share.firstPage = (share.start - task.from) / pageSize + s;
        }
    }

    /// Finds where buckets begin, and which pages each has.
    private void layOut(Task task, int bucketCount, int pageSize) {
        long offset = task.from;
        int pages = 0;
        for (int b = 0; b < bucketCount; b++) {
            offsets[b] = offset;
            pageOffsets[b] = pages;
            for (int s = 0; s < shareCount; s++) {
                RecordShare share = memory.share(s);
                offset += (long) share.fullPages(b) * pageSize + share.restSize(b);
                pages += share.fullPages(b);
            }
        }
        offsets[bucketCount] = offset;
        pageOffsets[bucketCount] = pages;
        if (offset != task.to) {
            throw new AssertionError("buckets hold " + (offset - task.from) + " records, not " + task.count());
        }
        int[] next = pageOffsets.clone();
        short[] buckets = memory.bucketOfPage();
        int[] starts = memory.pagesByBucket();
        for (int s = 0; s < shareCount; s++) {
            RecordShare share = memory.share(s);
            for (int page = 0; page < share.pageCount; page++) {
                starts[next[buckets[share.firstPage + page]]++] = share.start + page * pageSize;
            }
        }
    }

    private void finishBucket(
            RecordWorker worker, SortKey key, Task task, BucketFinder finder, int b, int pageSize, Queue<Task> left) {
        int size = (int) (offsets[b + 1] - offsets[b]);
        if (size == 0) {
            return;
        }
        boolean isEqual = finder.isEqualityBucket(b);
        boolean isDone = isEqual && key.isWholeInPrefix();
        if (size <= layout.leafLimit() && !isDone) {
            fillLeaf(worker, b, pageSize);
            worker.sortLeaf(size, inRecords(key), columns, offsets[b]);
            largestBucket.accumulateAndGet(size, Math::max);
            watch.advance(size);
            return;
        }
        writeUnsorted(worker, b, pageSize);
        if (!isDone) {
            if (size == task.count() && !isEqual) {
                throw new AssertionError("one bucket got all " + size + " records and more than one key");
            }
            SortKey rest = isEqual ? key.rest() : key;
            left.add(new Task(rest, (int) offsets[b], (int) offsets[b + 1], task.depth + 1));
        }
    }

    private SortKey inRecords(SortKey key) {
        return key.ofElements(layout.recordBytes());
    }

    /// Copies the records of a bucket to the worker's leaf, in the order that they had in the input.
    private void fillLeaf(RecordWorker worker, int b, int pageSize) {
        int[] starts = memory.pagesByBucket();
        int page = pageOffsets[b];
        int at = 0;
        for (int s = 0; s < shareCount; s++) {
            RecordShare share = memory.share(s);
            for (int end = page + share.fullPages(b); page < end; page++) {
                worker.takePage(memory.pages(), starts[page], pageSize, at);
                at += pageSize;
            }
            worker.takePage(memory.pages(), share.restStart(b), share.restSize(b), at);
            at += share.restSize(b);
        }
    }

    /// Writes the records of a bucket to its place, in the order that they had in the input.
    private void writeUnsorted(RecordWorker worker, int b, int pageSize) {
        int[] starts = memory.pagesByBucket();
        int page = pageOffsets[b];
        long at = offsets[b];
        for (int s = 0; s < shareCount; s++) {
            RecordShare share = memory.share(s);
            for (int end = page + share.fullPages(b); page < end; page++) {
                at = writeUnsorted(worker, starts[page], pageSize, at);
            }
            at = writeUnsorted(worker, share.restStart(b), share.restSize(b), at);
        }
    }

    private long writeUnsorted(RecordWorker worker, int from, int size, long at) {
        worker.takePage(memory.pages(), from, size, 0);
        worker.writeUnsorted(size, columns, at);
        return at + size;
    }

    /// Returns what this sort did.
    public SortReport report() {
        return new SortReportBuilder(CpuSorter.deviceName(parallel.parallelism()))
                .elementCount(count)
                .passes(passes)
                .phases(times.phases())
                .total(times.total())
                .bytesMoved(bytesMoved)
                .extraBytes(memory.bytes())
                .largestBucket(largestBucket.get())
                .build();
    }
}
