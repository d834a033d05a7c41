package io.samplesort.cpu.leaf;

/// Sorts many short segments of keys, each by itself, by few calls of a kernel. For one thread.
public final class KeySegments {
    /// How many segments one call sorts.
    public static final int MOST_SEGMENTS = 1 << 12;

    private final SimdKeys keys;
    /// Where the offsets begin in the memory: behind what sorts of pairs need.
    private final int start;
    private final long[] memory;

    KeySegments(SimdKeys keys) {
        this.keys = keys;
        this.start = keys.hasPayload() ? Kernels.SCRATCH : 0;
        this.memory = new long[start + MOST_SEGMENTS + 1];
    }

    /// Returns the array for the offsets of the segments that the next call sorts.
    public long[] offsets() {
        return memory;
    }

    /// Returns the place of the first offset in this array.
    public int start() {
        return start;
    }

    /// Sorts this many segments, in the order of the keys.
    public void sort(int count) {
        keys.callOnSegments(memory, count);
    }
}
