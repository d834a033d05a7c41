package io.samplesort.cpu.numbers;

/// Ranges that are still to be sorted. They are disjoint, and each is longer than the small-sort limit. This limits how
/// many there can be, so all memory is allocated before the sort begins.
final class PendingRanges {
    private long[] starts = {};
    private long[] ends = {};
    private int[] depths = {};
    private int size;

    /// Makes room for all ranges that `count` elements can have.
    void reserve(long count, int smallSortLimit) {
        int limit = Math.toIntExact(count / smallSortLimit + 1);
        if (starts.length < limit) {
            starts = new long[limit];
            ends = new long[limit];
            depths = new int[limit];
        }
        size = 0;
    }

    long heapBytes() {
        return (2L * Long.BYTES + Integer.BYTES) * starts.length;
    }

    /// @param depth how many distribution passes the range has been through
    void add(long start, long end, int depth) {
        starts[size] = start;
        ends[size] = end;
        depths[size++] = depth;
    }

    int size() {
        return size;
    }

    long start(int i) {
        return starts[i];
    }

    long end(int i) {
        return ends[i];
    }

    int depth(int i) {
        return depths[i];
    }

    /// Puts the ranges in the order of their places. They are mostly in order already.
    void sort() {
        for (int i = 1; i < size; i++) {
            long start = starts[i];
            long end = ends[i];
            int depth = depths[i];
            int to = i;
            for (; to > 0 && starts[to - 1] > start; to--) {
                starts[to] = starts[to - 1];
                ends[to] = ends[to - 1];
                depths[to] = depths[to - 1];
            }
            starts[to] = start;
            ends[to] = end;
            depths[to] = depth;
        }
    }

    /// Removes range `i` and puts the last range in its place.
    void replaceWithLast(int i) {
        size--;
        starts[i] = starts[size];
        ends[i] = ends[size];
        depths[i] = depths[size];
    }
}
