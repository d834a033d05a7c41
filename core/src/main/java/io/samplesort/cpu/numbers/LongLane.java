package io.samplesort.cpu.numbers;

import java.util.Arrays;

/// The lane of elements that fit one long: keys of 8 bytes alone, or a key and a payload of at most 4 bytes each, with
/// the key in the upper half.
public final class LongLane extends Lane {
    private final LongCodec codec;
    /// The low bits that do not belong to the key.
    private final long ignored;

    private long[] buffer = {};
    private long[] pages = {};
    /// As long as the buffer; empty until runs are merged.
    private long[] merged = {};
    /// The array in which the opened tile is: the buffer, or the array that is sorted.
    private long[] tile = {};

    private int tileStart;

    /// @param keyUnit 1 if a whole element is the key, 2^32 if its upper half is
    public LongLane(CpuTuning tuning, LongCodec codec, long keyUnit) {
        super(tuning, Long.BYTES);
        this.codec = codec;
        this.ignored = keyUnit - 1; // int: this.ignored = 0;
    }

    @Override
    public void reserve(int count) {
        if (buffer.length < count) {
            buffer = new long[count];
            leafSort.reserveLongs(count);
        }
    }

    @Override
    void allocatePages(int count) {
        pages = new long[count];
    }

    @Override
    public long heapBytes() {
        return Long.BYTES * (0L + buffer.length + pages.length + merged.length) + leafSort.heapBytes();
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
        return ignored + 1;
    }

    @Override
    public boolean hasIntKeys() {
        return false; // int: return true;
    }

    @Override
    public boolean isKeyOnly() {
        return ignored == 0;
    }

    @Override
    public void fill(int count, long key) {
        Arrays.fill(buffer, 0, count, key); // int: Arrays.fill(buffer, 0, count, (int) key);
    }

    @Override
    boolean count(Elements source, long from, int count, CountedKeys counts) {
        openTile(source, from, count);
        return counts.add(tile, tileStart, tileStart + count);
    }

    @Override
    public void findBuckets(BucketFinder finder, int count) {
        finder.findBuckets(buffer, count, oracle, nodes);
    }

    @Override
    public int scatter(int from, int count) {
        long[] elements = buffer;
        long[] open = pages;
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
        int index = codec.isIdentity() ? source.arrayIndex(Elements.Column.KEYS, from, long[].class) : -1;
        if (index < 0) {
            reserve(count);
            load(source, from, 0, count);
            tile = buffer;
            tileStart = 0;
        } else {
            tile = (long[]) source.keys().heapBase().orElseThrow();
            tileStart = index;
        }
    }

    @Override
    public int scatter(SplitterGrid grid, int from, int count) {
        long[] elements = tile;
        long[] open = pages;
        int[] ends = pageEnds;
        int mask = pageSize - 1;
        int start = tileStart;
        for (int i = from; i < count; i++) {
            long element = elements[start + i];
            int b = grid.bucketOf(element);
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
    public void storePage(int bucket, Elements target, long to, int count) {
        codec.store(pages, bucket * pageSize, target, to, count);
        pageEnds[bucket] = bucket * pageSize;
    }

    @Override
    public void takePage(Lane owner, int bucket, int at) {
        System.arraycopy(((LongLane) owner).pages, bucket * pageSize, buffer, at, owner.pageFill(bucket));
    }

    @Override
    public void smallSort(int count) {
        leafSort.sort(buffer, 0, count);
    }

    @Override
    public int orderedRun(int from, int to) {
        return LongRuns.orderedRun(buffer, from, to);
    }

    @Override
    public void reserveMerge(int count) {
        reserve(count);
        if (merged.length < buffer.length) {
            merged = new long[buffer.length];
        }
    }

    @Override
    public void mergeRuns(int[] ends, int runCount) {
        for (int left = runCount; left > 1; left = halve(ends, left)) {
            for (int run = 0; run < left; run += 2) {
                int from = run == 0 ? 0 : ends[run - 1];
                LongRuns.merge(buffer, from, ends[run], ends[Math.min(run + 1, left - 1)], merged);
            }
            long[] unmerged = buffer;
            buffer = merged;
            merged = unmerged;
        }
    }

    @Override
    public boolean sortsInPlace(Elements elements) {
        // only longs
        if (codec.isOfDoubles() && elements.arrayIndex(Elements.Column.KEYS, 0, double[].class) >= 0) {
            return true;
        }
        // ints too
        return codec.isIdentity() && elements.arrayIndex(Elements.Column.KEYS, 0, long[].class) >= 0;
    }

    @Override
    public int smallSortLimit(Elements elements) {
        return leafSort.sortsLargeRanges() && sortsInPlace(elements) ? SIMD_RANGE * smallSortLimit : smallSortLimit;
    }

    @Override
    public void smallSort(Elements elements, long from, int count) {
        Object array = elements.keys().heapBase().orElseThrow();
        int index = elements.arrayIndex(Elements.Column.KEYS, from, array.getClass());
        // only longs
        if (array instanceof double[] doubles) {
            if (!leafSort.trySort(doubles, index, index + count)) {
                reserve(count);
                load(elements, from, 0, count);
                smallSort(count);
                store(0, elements, from, count);
            }
            return;
        }
        // ints too
        leafSort.sort((long[]) array, index, index + count);
    }

    @Override
    public boolean isAscending(Elements source, long from, int count) {
        // only longs
        int index = codec.isOfDoubles() ? source.arrayIndex(Elements.Column.KEYS, from, double[].class) : -1;
        if (index >= 0) {
            double[] keys = (double[]) source.keys().heapBase().orElseThrow();
            return LongRuns.isAscending(keys, index, index + count);
        }
        // ints too
        openTile(source, from, count);
        return LongRuns.isAscending(tile, tileStart, tileStart + count, ignored);
    }

    @Override
    public boolean isDescending(Elements source, long from, int count) {
        openTile(source, from, count);
        return LongRuns.isDescending(tile, tileStart, tileStart + count, ignored);
    }

    @Override
    public void reverse(int at, int count) {
        for (int i = at, j = at + count - 1; i < j; i++, j--) {
            long element = buffer[i];
            buffer[i] = buffer[j];
            buffer[j] = element;
        }
    }
}
