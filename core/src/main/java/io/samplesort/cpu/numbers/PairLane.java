package io.samplesort.cpu.numbers;

/// The lane of pairs whose key or payload takes 8 bytes: two parallel arrays of longs.
public final class PairLane extends Lane {
    private final LongCodec keyCodec;
    private final LongCodec payloadCodec;
    private final PairSort pairSort = new PairSort(leafSort);
    private long[] keys = {};
    private long[] payload = {};
    private long[] keyPages = {};
    private long[] payloadPages = {};

    public PairLane(CpuTuning tuning, LongCodec keyCodec, LongCodec payloadCodec) {
        super(tuning, 2 * Long.BYTES);
        this.keyCodec = keyCodec;
        this.payloadCodec = payloadCodec;
    }

    @Override
    public void reserve(int count) {
        if (keys.length < count) {
            keys = new long[count];
            payload = new long[count];
            pairSort.reserve(count);
        }
    }

    @Override
    void allocatePages(int count) {
        keyPages = new long[count];
        payloadPages = new long[count];
    }

    @Override
    public long heapBytes() {
        return 2 * Long.BYTES * (0L + keys.length + keyPages.length) + pairSort.heapBytes() + leafSort.heapBytes();
    }

    @Override
    public void load(Elements source, long from, int at, int count) {
        keyCodec.load(source, from, keys, at, count);
        payloadCodec.load(source, from, payload, at, count);
    }

    @Override
    public void store(int at, Elements target, long to, int count) {
        keyCodec.store(keys, at, target, to, count);
        payloadCodec.store(payload, at, target, to, count);
    }

    @Override
    public long key(int at) {
        return keys[at];
    }

    @Override
    public long keyUnit() {
        return 1;
    }

    @Override
    public boolean hasIntKeys() {
        return false;
    }

    @Override
    public boolean isKeyOnly() {
        return false;
    }

    @Override
    public void fill(int count, long key) {
        throw new IllegalStateException("a pair is more than its key");
    }

    @Override
    boolean count(Elements source, long from, int count, CountedKeys counts) {
        throw new IllegalStateException("a pair is more than its key");
    }

    @Override
    public void findBuckets(BucketFinder finder, int count) {
        finder.findBuckets(keys, count, oracle, nodes);
    }

    @Override
    public int scatter(int from, int count) {
        long[] elements = keys;
        long[] carried = payload;
        long[] open = keyPages;
        long[] openPayload = payloadPages;
        int[] ends = pageEnds;
        short[] buckets = oracle;
        int mask = pageSize - 1;
        for (int i = from; i < count; i++) {
            int b = buckets[i];
            int end = ends[b];
            openPayload[end] = carried[i];
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
        load(source, from, 0, count);
    }

    @Override
    public int scatter(SplitterGrid grid, int from, int count) {
        long[] elements = keys;
        long[] carried = payload;
        long[] open = keyPages;
        long[] openPayload = payloadPages;
        int[] ends = pageEnds;
        int mask = pageSize - 1;
        for (int i = from; i < count; i++) {
            long key = elements[i];
            int b = grid.bucketOf(key);
            int end = ends[b];
            openPayload[end] = carried[i];
            open[end++] = key;
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
        int at = bucket * pageSize;
        keyCodec.store(keyPages, at, target, to, count);
        payloadCodec.store(payloadPages, at, target, to, count);
        pageEnds[bucket] = at;
    }

    @Override
    public void takePage(Lane owner, int bucket, int at) {
        PairLane lane = (PairLane) owner;
        System.arraycopy(lane.keyPages, bucket * pageSize, keys, at, lane.pageFill(bucket));
        System.arraycopy(lane.payloadPages, bucket * pageSize, payload, at, lane.pageFill(bucket));
    }

    @Override
    public void smallSort(int count) {
        pairSort.sort(keys, payload, 0, count);
    }

    @Override
    public boolean sortsInPlace(Elements elements) {
        return false;
    }

    @Override
    public int smallSortLimit(Elements elements) {
        return smallSortLimit;
    }

    @Override
    public void smallSort(Elements elements, long from, int count) {
        throw new IllegalStateException("pairs are sorted in the buffer");
    }

    @Override
    public boolean isAscending(Elements source, long from, int count) {
        keyCodec.load(source, from, keys, 0, count);
        return LongRuns.isAscending(keys, 0, count, 0);
    }

    @Override
    public boolean isDescending(Elements source, long from, int count) {
        keyCodec.load(source, from, keys, 0, count);
        return LongRuns.isDescending(keys, 0, count, 0);
    }

    @Override
    public void reverse(int at, int count) {
        for (int i = at, j = at + count - 1; i < j; i++, j--) {
            swap(keys, i, j);
            swap(payload, i, j);
        }
    }

    private static void swap(long[] values, int i, int j) {
        long value = values[i];
        values[i] = values[j];
        values[j] = value;
    }
}
