package io.samplesort.gpu.launch;

import static io.samplesort.gpu.code.KernelConstants.GATHER_THREADS;

import io.samplesort.cuda.Stream;

/// The kernels that only sorts by index use (gather.cuh), with one method for each. They make sort keys from elements
/// and elements from sort keys, and apply and check permutations.
public final class IndexKernels {
    private static final int LARGEST_UNIT_BYTES = 16;

    private final KernelTable table;

    IndexKernels(KernelTable table) {
        this.table = table;
    }

    /// Makes the sort keys of `count` elements of `elementBytes` bytes each.
    public void makeSortKeys(Stream stream, long elements, long elementBytes, long keys, long count) {
        launch(stream, "make_sort_keys", count, elements, elementBytes, keys, count);
    }

    /// Makes `count` elements of `elementBytes` bytes each from their sort keys, if these hold whole elements.
    public void restoreElements(Stream stream, long keys, long elements, long elementBytes, long count) {
        launch(stream, "restore_elements", count, keys, elements, elementBytes, count);
    }

    /// Copies `count` elements of `elementBytes` bytes each to where their sort keys say.
    public void gather(Stream stream, long keys, long from, long to, long count, long elementBytes) {
        launch(stream, "gather", count, keys, from, to, count, elementBytes, unitBytes(from, to, elementBytes));
    }

    /// Numbers sort keys anew: key `i` gets index `i`.
    public void numberKeys(Stream stream, long keys, long count) {
        launch(stream, "number_keys", count, keys, count);
    }

    /// Writes the indexes of the sort keys, of `indexBytes` bytes each.
    ///
    /// @param first what is added to each of them
    public void writePermutation(Stream stream, long keys, long permutation, long count, long indexBytes, long first) {
        launch(stream, "write_permutation", count, keys, permutation, count, indexBytes, first);
    }

    /// Copies `count` elements of `elementBytes` bytes each to where the permutation says.
    public void applyPermutation(
            Stream stream, long permutation, long indexBytes, long from, long to, long count, long elementBytes) {
        long unitBytes = unitBytes(from, to, elementBytes);
        launch(stream, "apply_permutation", count, permutation, indexBytes, from, to, count, elementBytes, unitBytes);
    }

    /// Returns the largest unit, a power of two, in which elements can be copied.
    private static long unitBytes(long from, long to, long elementBytes) {
        return Math.min(LARGEST_UNIT_BYTES, Long.lowestOneBit(from | to | elementBytes));
    }

    /// Checks that every index appears once. If an index is too large or appears twice, `wrong`, which must be 0
    /// before, tells how far from the end the first such index is.
    ///
    /// @param met one bit for each index, all 0
    public void checkPermutation(Stream stream, long permutation, long indexBytes, long count, long met, long wrong) {
        launch(stream, "check_permutation", count, permutation, indexBytes, count, met, wrong);
    }

    /// Checks that elements are in order. If they are not, `wrong`, which must be 0 before, tells how far from the end
    /// the first element lies that sorts before the one to its left.
    public void checkOrder(Stream stream, long elements, long elementBytes, long count, long wrong) {
        launch(stream, "check_elements", count, elements, elementBytes, count, wrong);
    }

    private void launch(Stream stream, String name, long count, long... values) {
        if (count > 0) {
            table.of(name).values(values).launchInWaves(stream, Math.ceilDiv(count, (long) GATHER_THREADS));
        }
    }
}
