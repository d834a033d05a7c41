package io.samplesort.cpu.lanes;

import java.util.Arrays;

/// The lane of keys of at most 4 bytes without payload.
public final class IntLane extends Lane {
    private final IntCodec codec;
    private int[] buffer = {};
    private int[] pages = {};

    public IntLane(CpuTuning tuning, IntCodec codec) {
        super(tuning, Integer.BYTES);
        this.codec = codec;
    }

    @Override
    public void reserve(int count) {
        if (buffer.length < count) {
            buffer = new int[count];
        }
    }

    @Override
    void allocatePages(int count) {
        pages = new int[count];
    }

    @Override
    public long heapBytes() {
        return Integer.BYTES * (0L + buffer.length + pages.length);
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
    public void findBuckets(SplitterTree tree, int count) {
        tree.findBuckets(buffer, count, oracle, nodes);
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
                return i + 1;
            }
        }
        return count;
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
        Arrays.sort(buffer, 0, count);
    }

    @Override
    public boolean isAscending(Elements source, long from, int count) {
        if (codec.isIdentity() && source.keys().heapBase().orElse(null) instanceof int[] keys) {
            int start = (int) (source.keys().address() / Integer.BYTES + from);
            return Monotony.isAscending(keys, start, start + count);
        }
        load(source, from, 0, count);
        return Monotony.isAscending(buffer, 0, count);
    }

    @Override
    public boolean isDescending(Elements source, long from, int count) {
        load(source, from, 0, count);
        return Monotony.isDescending(buffer, 0, count);
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

    /// Counts the first `count` keys of the buffer; the number of keys `least` goes to `counts[0]`.
    public void countKeys(int count, int least, long[] counts) {
        int[] keys = buffer;
        for (int i = 0; i < count; i++) {
            counts[keys[i] - least]++;
        }
    }

    /// Sets `count` elements from index `at` of the buffer to `key`.
    public void fillRun(int at, int count, int key) {
        Arrays.fill(buffer, at, at + count, key);
    }
}
