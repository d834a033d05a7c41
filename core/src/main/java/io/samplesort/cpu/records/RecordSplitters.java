package io.samplesort.cpu.records;

import io.samplesort.cpu.leaf.LeafSort;
import io.samplesort.cpu.numbers.BucketFinder;
import io.samplesort.cpu.numbers.NestedGrid;
import io.samplesort.cpu.numbers.SplitterTree;
import io.samplesort.cpu.threads.Parallel;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/// Chooses the buckets of a distribution pass from a random sample of the records' prefixes.
final class RecordSplitters {
    /// How many keys of a sample a thread draws at a time. Each is a cache miss or two.
    private static final int DRAWN_AT_A_TIME = 256;

    private final long[] sample;
    private final LeafSort leafSort = new LeafSort();
    private final int oversampling;
    private final NestedGrid grid;
    private final SplitterTree tree;

    /// @param bucketLog the binary logarithm of the most buckets of a pass
    RecordSplitters(int bucketLog, int oversampling) {
        this.oversampling = oversampling;
        this.sample = new long[oversampling << bucketLog];
        leafSort.reserveLongs(sample.length);
        this.grid = new NestedGrid(bucketLog);
        this.tree = new SplitterTree(bucketLog);
    }

    long heapBytes() {
        return (long) Long.BYTES * sample.length + leafSort.heapBytes();
    }

    /// Returns what finds the buckets of `count` records from index `from` on. It is valid until the next call.
    BucketFinder select(MemorySegment records, int from, int count, SortKey key, int bucketLog, Parallel parallel) {
        int limit = 1 << bucketLog;
        int most = oversampling << bucketLog;
        int size = Math.clamp(count / 32, Math.min(64, most), most);
        parallel.forRanges(size, DRAWN_AT_A_TIME, (start, end) -> {
            SplittableRandom random = new SplittableRandom((from * 31L + count) * 31 + start);
            for (int i = (int) start; i < end; i++) {
                // The inverted sign bit turns the unsigned prefix into a signed one.
                sample[i] = key.prefix(records, from + (long) random.nextInt(count)) ^ Long.MIN_VALUE;
            }
        });
        leafSort.sort(sample, 0, size);
        if (grid.build(sample, size, 1, limit)) {
            return grid;
        }
        tree.build(sample, size, 1, false, limit - 1);
        return tree;
    }
}
