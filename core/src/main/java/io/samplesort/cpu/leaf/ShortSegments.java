package io.samplesort.cpu.leaf;

/// Sorts many short segments of an array, each by itself, by one call of a kernel (`samplesort_segments.cpp`), on
/// processors that have AVX2 and not what the other kernels need. For one thread.
public final class ShortSegments {
    /// How many segments one call sorts.
    public static final int MOST_SEGMENTS = 1 << 12;

    /// The most keys of a segment, of 8 bytes and of 4. Longer ones are sorted faster in other ways: the JDK sorts
    /// those of 4 bytes by SIMD instructions.
    private static final int MOST = 128;

    private static final int MOST_INTS = 16;

    private final SimdKeys.Type type;
    private final int order;
    private final long[] offsets = new long[MOST_SEGMENTS + 1];

    private ShortSegments(SimdKeys.Type type, boolean isDescending) {
        this.type = type;
        this.order = type.order() | (isDescending ? Kernels.DESCENDING_SEGMENTS : 0);
    }

    /// Whether the kernel may be called in this process.
    private static final class Found {
        private static final boolean IS_THERE = find();

        private static boolean find() {
            if (!SimdLibrary.hasAvx2() || KernelLibrary.problem() != null) {
                return false;
            }
            KernelLeftovers.remove();
            try {
                long[] trial = {2, 4, 1, 3};
                sort(trial, 0, Long.BYTES, new long[] {0, 4}, 1, MOST, SimdKeys.Type.LONG.order());
                return trial[0] == 1 && trial[1] == 2 && trial[2] == 3 && trial[3] == 4;
            } catch (UnsatisfiedLinkError e) {
                // The library is of another version.
                return false;
            }
        }
    }

    /// Returns a sort of keys of this type; null if the kernel may not be called in this process. The first call loads
    /// it.
    public static ShortSegments of(SimdKeys.Type type, boolean isDescending) {
        return Found.IS_THERE ? new ShortSegments(type, isDescending) : null;
    }

    /// Returns the length of the longest segments that are sorted. Longer ones stay as they are.
    public int most() {
        return type.bytes() == Integer.BYTES ? MOST_INTS : MOST;
    }

    /// Returns the array for the offsets of the segments that the next call sorts, in keys.
    public long[] offsets() {
        return offsets;
    }

    /// Sorts those of this many segments that are not too long.
    ///
    /// @param array an array of the type of the keys
    /// @param at    where in the array the keys begin, in bytes
    public void sort(Object array, long at, int count) {
        sort(array, at, type.bytes(), offsets, count, most(), order);
    }

    private static native void sort(
            Object keys, long keysAt, int keyBytes, long[] offsets, int count, int most, int order);
}
