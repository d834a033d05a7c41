package io.samplesort.cpu.numbers;

import io.samplesort.cpu.leaf.LeafSort;
import java.util.SplittableRandom;

/// The heap memory of one worker, and all work that depends on the type of the elements. A lane has a buffer, for a
/// tile or for a bucket that is small enough to be sorted, and one open page for each bucket. Its elements are decoded:
/// they are ints or longs whose signed order is the order of the sort.
///
/// Only lanes look at keys, so an order given by a comparator would be one more lane.
public abstract sealed class Lane permits IntLane, LongLane, PairLane {
    /// In an array, SIMD functions sort up to this many times the small-sort limit faster than a distribution pass
    /// divides it.
    static final int SIMD_RANGE = 8;

    /// How many elements are looked up at a time.
    public final int tileSize;
    /// Elements in a page, a power of two.
    public final int pageSize;
    /// The most elements that the buffer may hold.
    public final int smallSortLimit;

    /// Sorts the keys of a small bucket.
    public final LeafSort leafSort = new LeafSort();

    /// The bucket index of each element of the tile: the oracle.
    public short[] oracle = {};
    /// The node of the splitter tree that each element of the tile has reached.
    int[] nodes = {};
    /// Where in the open pages the next element of each bucket goes.
    int[] pageEnds = {};

    /// The bucket whose open page the last scatter has filled; -1 if it filled none.
    public int fullBucket;

    private final int bucketCount;

    Lane(CpuTuning tuning, int elementBytes) {
        tileSize = tuning.tileSize();
        pageSize = tuning.pageSize(elementBytes);
        smallSortLimit = tuning.smallSortLimit(elementBytes);
        bucketCount = tuning.bucketCount();
    }

    /// Makes room in the buffer for `count` elements; what is in it is lost.
    public abstract void reserve(int count);

    /// Makes room for the oracle and the open pages of all buckets.
    public final void reservePages() {
        if (oracle.length == 0) {
            oracle = new short[tileSize];
            nodes = new int[tileSize];
            pageEnds = new int[bucketCount];
            allocatePages(bucketCount * pageSize);
        }
    }

    /// Allocates open pages for `count` elements.
    abstract void allocatePages(int count);

    /// Returns the bytes of heap that this lane holds.
    public abstract long heapBytes();

    /// Reads elements `from..from + count` of `source` to index `at` of the buffer.
    public abstract void load(Elements source, long from, int at, int count);

    /// Writes `count` elements at index `at` of the buffer to index `to` of `target`. Afterwards the content of the
    /// buffer is undefined there.
    public abstract void store(int at, Elements target, long to, int count);

    /// Returns the key at index `at` of the buffer, as [SplitterTree] takes it.
    public abstract long key(int at);

    /// Draws `sample[start..end)` at random from the keys of elements `from..from + count`. What is in the buffer is
    /// lost.
    public final void drawSample(Elements source, long from, long count, long[] sample, int start, int end) {
        SplittableRandom random = new SplittableRandom((from * 31 + count) * 31 + start);
        for (int i = start; i < end; i++) {
            load(source, from + random.nextLong(count), 0, 1);
            sample[i] = key(0);
        }
    }

    /// Returns the distance of neighbouring keys; see [SplitterTree#build].
    public abstract long keyUnit();

    /// Returns whether all keys fit an int.
    public abstract boolean hasIntKeys();

    /// Returns whether elements with equal keys are the same, so that counting them is as good as moving them.
    public abstract boolean isKeyOnly();

    /// Sets the first `count` elements of the buffer to `key`; only if [#isKeyOnly] is true.
    public abstract void fill(int count, long key);

    /// Counts the keys of `count` elements of `source`; only if [#isKeyOnly] is true. What is in the buffer is lost.
    ///
    /// @return false if there are too many distinct keys
    abstract boolean count(Elements source, long from, int count, CountedKeys counts);

    /// Fills the oracle for the tile, the first `count` elements of the buffer.
    public abstract void findBuckets(BucketFinder finder, int count);

    /// Moves the tile's elements from index `from` on to the open pages that the oracle names, up to `count` or until
    /// a page is full, which becomes [#fullBucket].
    ///
    /// @return the index of the first element that was not moved
    public abstract int scatter(int from, int count);

    /// Makes `count` elements of `source` the tile for [#scatter(SplitterGrid, int, int)]. They are copied to the
    /// buffer, which grows to hold them, only if they have to be decoded, so the caller may overwrite only those that
    /// have been moved.
    public abstract void openTile(Elements source, long from, int count);

    /// Finds the buckets of the opened tile's elements from index `from` on and moves them to the open pages, up to
    /// `count` or until a page is full, which becomes [#fullBucket].
    ///
    /// @return the index of the first element that was not moved
    public abstract int scatter(SplitterGrid grid, int from, int count);

    /// Writes the first `count` elements of the open page of `bucket` to index `to` of `target` and empties the page.
    public abstract void storePage(int bucket, Elements target, long to, int count);

    /// Copies what the open page of `bucket` holds in `owner`, a lane of this class, to index `at` of the buffer.
    public abstract void takePage(Lane owner, int bucket, int at);

    /// Sorts the first `count` elements of the buffer.
    public abstract void smallSort(int count);

    /// Returns where the run ends that begins at `from` in the buffer, after a descending one has been reversed; `from`
    /// if this lane finds no runs.
    public int orderedRun(int from, int to) {
        return from;
    }

    /// Makes room for [#mergeRuns] of `count` elements; what is in the buffer is lost.
    public void reserveMerge(int count) {
        reserve(count);
    }

    /// Merges the sorted runs at the beginning of the buffer.
    ///
    /// @param ends     where each run ends; this is overwritten
    /// @param runCount how many runs there are
    public void mergeRuns(int[] ends, int runCount) {
        smallSort(ends[runCount - 1]);
    }

    /// Halves the number of runs: the ends of every second one are kept.
    ///
    /// @return how many runs are left
    static int halve(int[] ends, int runCount) {
        for (int i = 1; i < runCount; i += 2) {
            ends[i / 2] = ends[i];
        }
        if (runCount % 2 == 1) {
            ends[runCount / 2] = ends[runCount - 1];
        }
        return (runCount + 1) / 2;
    }

    /// Returns whether [#smallSort(Elements, long, int)] can sort these elements.
    public abstract boolean sortsInPlace(Elements elements);

    /// Returns the most elements that [#smallSort(Elements, long, int)] sorts faster than a distribution pass divides
    /// them, and without more memory.
    public abstract int smallSortLimit(Elements elements);

    /// Sorts `count` elements, where they are if possible. The content of the buffer is lost.
    public abstract void smallSort(Elements elements, long from, int count);

    /// Returns whether no key among `count` elements of `source` is greater than the next. What is in the buffer is
    /// lost.
    public abstract boolean isAscending(Elements source, long from, int count);

    /// Returns whether no key among `count` elements of `source` is less than the next. What is in the buffer is lost.
    public abstract boolean isDescending(Elements source, long from, int count);

    /// Reverses `count` elements from index `at` of the buffer.
    public abstract void reverse(int at, int count);

    public final void clearPages() {
        for (int b = 0; b < pageEnds.length; b++) {
            pageEnds[b] = b * pageSize;
        }
    }

    public final void clearPage(int bucket) {
        pageEnds[bucket] = bucket * pageSize;
    }

    /// Returns how many elements the open page of `bucket` holds.
    public final int pageFill(int bucket) {
        return pageEnds[bucket] - bucket * pageSize;
    }
}
