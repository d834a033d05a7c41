package io.samplesort.cpu.records;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.CpuTuning;
import io.samplesort.cpu.numbers.PhaseTimes;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/// One stable sort of the indexes of elements, which themselves stay where they are.
///
/// With a sort key, indexes are sorted as numbers. Prefixes of the key go through [CpuSorter] along with the indexes.
/// Long runs of equal prefixes go through it again with the next part of the key.
final class IndexSort {
    private final MemorySegment elements;
    private final int count;
    private final int indexBits;
    private final IndexMemory memory;
    private final NumberSorters sorters;
    private final Parallel parallel;
    private final int grain;

    private final PhaseTimes times = new PhaseTimes();
    private int passes;
    private long bytesMoved;
    private long sorterBytes;
    private long largestBucket;

    /// Indexes that are left to sort: those at places `from..to`. Their elements are equal in everything that comes
    /// before `key`, which is null if nothing is left of the key.
    private record Task(SortKey key, int from, int to) {
        int count() {
            return to - from;
        }
    }

    IndexSort(
            MemorySegment elements,
            int count,
            IndexMemory memory,
            NumberSorters sorters,
            CpuTuning tuning,
            int parallelism) {
        this.elements = elements;
        this.count = count;
        this.indexBits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, count - 1));
        this.memory = memory;
        this.sorters = sorters;
        this.parallel = new Parallel(count <= tuning.sequentialLimit() ? 1 : parallelism);
        this.grain = Math.max(tuning.sequentialLimit(), 2);
    }

    /// Sorts all indexes by a comparator of which nothing is known.
    void sort(ElementComparator comparator) {
        numberIndexes();
        mergeSort(comparator).sort(0, count);
        largestBucket = count;
        times.lap(PhaseTimes.Phase.MERGE_SORT);
    }

    /// Sorts all indexes by the elements' sort keys.
    void sort(SortKey wholeKey) {
        numberIndexes();
        Deque<Task> tasks = new ArrayDeque<>();
        tasks.add(new Task(wholeKey, 0, count));
        while (!tasks.isEmpty()) {
            Task task = tasks.removeLast();
            if (task.key == null) {
                add(sorters.indexes().sort(indexesOf(task), null));
                continue;
            }
            SortKey key = task.key;
            if (!key.isPackable(indexBits)) {
                int[] indexes = memory.indexes();
                key = key.narrowed(elements, i -> indexes[(int) i], task.from, task.to, parallel, grain);
            }
            if (key.isPackable(indexBits)) {
                sortPacked(key, task);
            } else {
                sortPairs(key, task, tasks);
            }
        }
    }

    private void numberIndexes() {
        int[] indexes = memory.indexes();
        parallel.forRanges(count, grain, (from, to) -> {
            for (int i = (int) from; i < to; i++) {
                indexes[i] = i;
            }
        });
    }

    private IndexMergeSort mergeSort(ElementComparator comparator) {
        return new IndexMergeSort(parallel, comparator, memory.indexes(), memory.spare(count), grain);
    }

    /// Sorts a task whose prefix and index fit one long. Such longs sort faster than pairs, and no two are equal.
    private void sortPacked(SortKey key, Task task) {
        makePrefixes(key, task, indexBits);
        add(sorters.packed().sort(prefixesOf(task), null));
        long[] packed = memory.prefixes();
        int[] indexes = memory.indexes();
        long mask = (1L << indexBits) - 1;
        parallel.forRanges(task.count(), grain, (first, last) -> {
            for (int i = task.from + (int) first; i < task.from + last; i++) {
                indexes[i] = (int) (packed[i] & mask);
            }
        });
        times.lap(PhaseTimes.Phase.SORT_TIES);
    }

    /// @param tasks takes the runs that are left to sort
    private void sortPairs(SortKey key, Task task, Deque<Task> tasks) {
        makePrefixes(key, task, 0);
        add(sorters.pairs().sort(prefixesOf(task), indexesOf(task)));
        SortKey rest = key.rest();
        IndexMergeSort byRest = rest == null ? null : mergeSort(rest.comparator(elements));
        new TieSort(parallel, grain, memory.prefixes(), memory.indexes(), elements, rest, byRest)
                .sort(task.from, task.to)
                .forEach(run -> tasks.add(new Task(rest, run.from(), run.to())));
        times.lap(PhaseTimes.Phase.SORT_TIES);
    }

    /// Makes the prefixes, with `indexBits` bits of the index below them.
    private void makePrefixes(SortKey key, Task task, int indexBits) {
        long[] prefixes = memory.prefixes();
        int[] indexes = memory.indexes();
        parallel.forRanges(task.count(), grain, (first, last) -> {
            for (int i = task.from + (int) first; i < task.from + last; i++) {
                int index = indexes[i];
                long prefix = key.prefix(elements, index);
                // The inverted sign bit turns the unsigned prefix into a signed one, as the sorters need it.
                prefixes[i] = (indexBits == 0 ? prefix : prefix << indexBits | index) ^ Long.MIN_VALUE;
            }
        });
        bytesMoved += (long) Long.BYTES * task.count();
        times.lap(PhaseTimes.Phase.MAKE_SORT_KEYS);
    }

    private MemorySegment prefixesOf(Task task) {
        return MemorySegment.ofArray(memory.prefixes())
                .asSlice((long) Long.BYTES * task.from, (long) Long.BYTES * task.count());
    }

    private MemorySegment indexesOf(Task task) {
        return MemorySegment.ofArray(memory.indexes())
                .asSlice((long) Integer.BYTES * task.from, (long) Integer.BYTES * task.count());
    }

    private void add(SortReport sorted) {
        times.add(sorted.phases());
        passes = Math.max(passes, sorted.passes());
        bytesMoved += sorted.bytesMoved();
        sorterBytes = Math.max(sorterBytes, sorted.extraBytes());
        largestBucket = Math.max(largestBucket, sorted.largestBucket());
    }

    /// Returns what moves elements to their places, now that their indexes are sorted.
    Gather gather() {
        return new Gather(parallel, grain, memory.indexes(), count);
    }

    /// Returns what this sort did.
    ///
    /// @param bytesGathered bytes read and written since the indexes were sorted
    SortReport report(long bytesGathered) {
        times.lap(PhaseTimes.Phase.GATHER);
        return new SortReportBuilder(CpuSorter.deviceName(parallel.parallelism()))
                .elementCount(count)
                .passes(passes)
                .phases(times.phases())
                .total(times.total())
                .bytesMoved(bytesMoved + bytesGathered)
                .extraBytes(memory.bytes() + sorterBytes)
                .largestBucket(largestBucket)
                .build();
    }
}
