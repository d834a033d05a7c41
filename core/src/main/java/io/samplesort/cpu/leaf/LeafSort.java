package io.samplesort.cpu.leaf;

import java.util.function.Supplier;

/// Sorts numbers in the caches of one core. Every sort of the CPU engine ends here: distribution passes divide the
/// input until a bucket is small enough. It uses [SimdSort] if this process may, and sorts by cells otherwise.
///
/// An instance has working memory of its own, and serves one thread at a time.
public final class LeafSort {
    /// A thread of its own loads the SIMD sort, which takes some 70 ms, so each sort asks for it anew.
    private final Supplier<SimdSort> simdSort;

    private final LongCellSort longCells = new LongCellSort();
    private final IntCellSort intCells = new IntCellSort();

    public LeafSort() {
        this(SimdLibrary::find);
    }

    /// @param simdSort returns the SIMD sort, or null if none may be used
    LeafSort(Supplier<SimdSort> simdSort) {
        this.simdSort = simdSort;
    }

    /// Makes room, so that no sort of at most `count` longs has to allocate.
    public void reserveLongs(int count) {
        SimdSort simd = simdSort.get();
        if (simd == null || !simd.sortsLongs()) {
            longCells.reserve(count);
        }
    }

    /// Makes room, so that no sort of at most `count` ints has to allocate.
    public void reserveInts(int count) {
        if (simdSort.get() == null) {
            intCells.reserve(count);
        }
    }

    /// Returns whether a range that does not fit a core's caches is sorted faster than a distribution pass divides it.
    public boolean sortsLargeRanges() {
        SimdSort simd = simdSort.get();
        return simd != null && simd.sortsLongs();
    }

    /// Returns which SIMD instructions numbers are sorted with in this process, or why there are none, for users.
    public static String simdInWords() {
        return SimdLibrary.words();
    }

    /// Returns whether ints are sorted by SIMD instructions in this process as it is now.
    public static boolean hasSimd() {
        return SimdLibrary.find() != null;
    }

    /// Returns about how many bytes of heap a sort of `count` numbers needs in this process as it is now.
    ///
    /// @param numberBytes 4 for ints, 8 for longs
    public static long heapBytes(int count, int numberBytes) {
        SimdSort simd = SimdLibrary.find();
        if (simd != null && (numberBytes == Integer.BYTES || simd.sortsLongs())) {
            return 0;
        }
        return numberBytes == Integer.BYTES ? IntCellSort.heapBytes(count) : LongCellSort.heapBytes(count);
    }

    /// Returns the bytes of heap that this sort holds.
    public long heapBytes() {
        return longCells.heapBytes() + intCells.heapBytes();
    }

    /// Sorts `values[from..to)` in signed order. It is fastest if they span less than 2^62.
    public void sort(long[] values, int from, int to) {
        SimdSort simd = simdSort.get();
        if (simd != null && simd.sortsLongs()) {
            simd.sort(values, from, to);
        } else {
            longCells.sort(values, from, to);
        }
    }

    /// Sorts `values[from..to)` in signed order.
    public void sort(int[] values, int from, int to) {
        SimdSort simd = simdSort.get();
        if (simd != null) {
            simd.sort(values, from, to);
        } else {
            intCells.sort(values, from, to);
        }
    }

    /// Sorts `values[from..to)` in Java's order, with NaNs whose sign bit is set after the others, if this is faster
    /// than sorting their bits in another array.
    ///
    /// @return whether they are sorted; otherwise nothing has moved
    public boolean trySort(double[] values, int from, int to) {
        SimdSort simd = simdSort.get();
        if (simd == null || !simd.sortsLongs()) {
            return false;
        }
        new SimdKeys(simd.kernels(), Place.of(values, 0), SimdKeys.Type.DOUBLE).sortFloating(from, to);
        return true;
    }
}
