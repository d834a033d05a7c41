package io.samplesort.cpu.lanes;

import java.util.Arrays;

/// The lane of keys of at most 4 bytes without payload.
public final class IntLane extends Lane {
    private final IntCodec codec;
    private int[] buffer = {};
    private int[] pages = {};
    /// As long as the buffer; empty until runs are merged.
    private int[] merged = {};
    /// Where the opened tile is: in the buffer, or in the array that is sorted.
    private int[] tile = {};

    private int tileStart;

    public IntLane(CpuTuning tuning, IntCodec codec) {
        super(tuning, Integer.BYTES);
        this.codec = codec;
    }

    @Override
    public void reserve(int count) {
        if (buffer.length < count) {
            buffer = new int[count];
            leafSort.reserveInts(count);
        }
    }

    @Override
    void allocatePages(int count) {
        pages = new int[count];
    }

    @Override
    public long heapBytes() {
        return Integer.BYTES * (0L + buffer.length + pages.length + merged.length) + leafSort.heapBytes();
    }

    @Override
    public void load(Elements source, long from, int at, int count) {
        codec.load(source, from, buffer, at, count);
    }

    @Override
    public void store(int at, Elements target, long to, int count) {
        codec.store(buffer, at, target, to, count);
    }

    @Override
    public long key(int at) {
        return buffer[at];
    }

    @Override
    public long keyUnit() {
        return 1;
    }

    @Override
    public boolean hasIntKeys() {
        return true;
    }

    @Override
    public boolean isKeyOnly() {
        return true;
    }

    @Override
    public void fill(int count, long key) {
        Arrays.fill(buffer, 0, count, (int) key);
    }

    @Override
    public void findBuckets(BucketFinder finder, int count) {
        finder.findBuckets(buffer, count, oracle, nodes);
    }

    @Override
    public int scatter(int from, int count) {
        int[] elements = buffer;
        int[] open = pages;
        int[] ends = pageEnds;
        short[] buckets = oracle;
        int mask = pageSize - 1;
        for (int i = from; i < count; i++) {
            int b = buckets[i];
            int end = ends[b];
            open[end++] = elements[i];
            ends[b] = end;
            if ((end & mask) == 0) {
                fullBucket = b;
                return i + 1;
            }
        }
        fullBucket = -1;
        return count;
    }

    @Override
    public void openTile(Elements source, long from, int count) {
        int index = codec.isIdentity() ? source.arrayIndex(Elements.Column.KEYS, from, int[].class) : -1;
        if (index < 0) {
            reserve(count);
            load(source, from, 0, count);
            tile = buffer;
            tileStart = 0;
        } else {
            tile = (int[]) source.keys().heapBase().orElseThrow();
            tileStart = index;
        }
    }

    @Override
    public int scatter(SplitterGrid grid, int from, int count) {
        int[] elements = tile;
        int[] open = pages;
        int[] ends = pageEnds;
        short[] buckets = grid.buckets();
        int low = (int) grid.low();
        int high = (int) grid.high();
        int shift = grid.shift();
        int mask = pageSize - 1;
        int start = tileStart;
        for (int i = from; i < count; i++) {
            int element = elements[start + i];
            int b = buckets[SplitterGrid.cell(element, low, high, shift)];
            int end = ends[b];
            open[end++] = element;
            ends[b] = end;
            if ((end & mask) == 0) {
                fullBucket = b;
                return i + 1;
            }
        }
        fullBucket = -1;
        return count;
    }

    @Override
    public boolean countTile(KeyTable table, int count, int[] counts) {
        return table.count(tile, tileStart, tileStart + count, counts);
    }

    @Override
    public void storePage(int bucket, Elements target, long to, int count) {
        codec.store(pages, bucket * pageSize, target, to, count);
        pageEnds[bucket] = bucket * pageSize;
    }

    @Override
    public void takePage(Lane owner, int bucket, int at) {
        System.arraycopy(((IntLane) owner).pages, bucket * pageSize, buffer, at, owner.pageFill(bucket));
    }

    @Override
    public void smallSort(int count) {
        leafSort.sort(buffer, 0, count);
    }

    @Override
    public void reserveMerge(int count) {
        reserve(count);
        if (merged.length < buffer.length) {
            merged = new int[buffer.length];
        }
    }

    @Override
    public void mergeRuns(int[] ends, int runCount) {
        for (int left = runCount; left > 1; left = halve(ends, left)) {
            for (int run = 0; run < left; run += 2) {
                int from = run == 0 ? 0 : ends[run - 1];
                TwoRuns.merge(buffer, from, ends[run], ends[Math.min(run + 1, left - 1)], merged);
            }
            int[] unmerged = buffer;
            buffer = merged;
            merged = unmerged;
        }
    }

    @Override
    public boolean sortsInPlace(Elements elements) {
        return codec.isIdentity() && elements.arrayIndex(Elements.Column.KEYS, 0, int[].class) >= 0;
    }

    @Override
    public int smallSortLimit(Elements elements) {
        return leafSort.sortsLargeRanges() && sortsInPlace(elements) ? SIMD_RANGE * smallSortLimit : smallSortLimit;
    }

    @Override
    public void smallSort(Elements elements, long from, int count) {
        int index = elements.arrayIndex(Elements.Column.KEYS, from, int[].class);
        leafSort.sort((int[]) elements.keys().heapBase().orElseThrow(), index, index + count);
    }

    @Override
    public boolean isAscending(Elements source, long from, int count) {
        openTile(source, from, count);
        return Monotony.isAscending(tile, tileStart, tileStart + count);
    }

    @Override
    public boolean isDescending(Elements source, long from, int count) {
        openTile(source, from, count);
        return Monotony.isDescending(tile, tileStart, tileStart + count);
    }

    @Override
    public boolean isUniform(int count) {
        return Arrays.mismatch(buffer, 0, count - 1, buffer, 1, count) < 0;
    }

    @Override
    public void reverse(int at, int count) {
        for (int i = at, j = at + count - 1; i < j; i++, j--) {
            int element = buffer[i];
            buffer[i] = buffer[j];
            buffer[j] = element;
        }
    }
}
