package io.samplesort.gpu.launch;

import static io.samplesort.gpu.code.KernelConstants.GATHER_THREADS;
import static io.samplesort.gpu.code.KernelProgram.MERGE_SORT;

import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.cubins.KernelModules;

/// The kernels that only sorts by index have (gather.cuh), with one method for each. They make sort keys from elements
/// and elements from sort keys, and apply and check permutations.
public final class IndexKernels {
    private static final int LARGEST_UNIT_BYTES = 16;

    private final int multiprocessorCount;
    private final int stagedKeyBytes;
    private final Kernel makeSortKeys;
    private final Kernel restoreElements;
    private final Kernel gather;
    private final Kernel writePermutation;
    private final Kernel applyPermutation;
    private final Kernel checkPermutation;
    private final Kernel checkOrder;

    IndexKernels(KernelModules modules, SharedMemory sharedMemory, int multiprocessorCount) {
        this.multiprocessorCount = multiprocessorCount;
        stagedKeyBytes = sharedMemory.makeSortKeys();
        makeSortKeys = modules.kernel(MERGE_SORT, "make_sort_keys", stagedKeyBytes);
        restoreElements = modules.kernel(MERGE_SORT, "restore_elements", 0);
        gather = modules.kernel(MERGE_SORT, "gather", SharedMemory.gather());
        writePermutation = modules.kernel(MERGE_SORT, "write_permutation", 0);
        applyPermutation = modules.kernel(MERGE_SORT, "apply_permutation", SharedMemory.gather());
        checkPermutation = modules.kernel(MERGE_SORT, "check_permutation", 0);
        checkOrder = modules.kernel(MERGE_SORT, "check_order", 0);
    }

    /// Makes the sort keys of `count` elements of `elementBytes` bytes each.
    public void makeSortKeys(Stream stream, long elements, long elementBytes, long keys, long count) {
        launch(stream, makeSortKeys, stagedKeyBytes, count, elements, elementBytes, keys, count);
    }

    /// Makes `count` elements of `elementBytes` bytes each from their sort keys, where these hold all of an element.
    public void restoreElements(Stream stream, long keys, long elements, long elementBytes, long count) {
        launch(stream, restoreElements, 0, count, keys, elements, elementBytes, count);
    }

    /// Copies `count` elements of `elementBytes` bytes each to where their sort keys say.
    public void gather(Stream stream, long keys, long from, long to, long count, long elementBytes) {
        long unitBytes = unitBytes(from, to, elementBytes);
        launch(stream, gather, SharedMemory.gather(), count, keys, from, to, count, elementBytes, unitBytes);
    }

    /// Writes the indexes of the sort keys, of `indexBytes` bytes each.
    public void writePermutation(Stream stream, long keys, long permutation, long count, long indexBytes) {
        launch(stream, writePermutation, 0, count, keys, permutation, count, indexBytes);
    }

    /// Copies `count` elements of `elementBytes` bytes each to where the permutation says.
    public void applyPermutation(
            Stream stream, long permutation, long indexBytes, long from, long to, long count, long elementBytes) {
        long unitBytes = unitBytes(from, to, elementBytes);
        launch(
                stream,
                applyPermutation,
                SharedMemory.gather(),
                count,
                permutation,
                indexBytes,
                from,
                to,
                count,
                elementBytes,
                unitBytes);
    }

    /// Returns the largest unit, a power of two, that elements can be copied by.
    private static long unitBytes(long from, long to, long elementBytes) {
        return Math.min(LARGEST_UNIT_BYTES, Long.lowestOneBit(from | to | elementBytes));
    }

    /// Checks that every index is there once. Where one is too large or appears twice, `wrong`, which is 0 before,
    /// tells how far the first such index is from the end.
    ///
    /// @param met room for one bit for each index, all 0
    public void checkPermutation(Stream stream, long permutation, long indexBytes, long count, long met, long wrong) {
        launch(stream, checkPermutation, 0, count, permutation, indexBytes, count, met, wrong);
    }

    /// Checks that elements are in order. Where they are not, `wrong`, which is 0 before, tells how far from the end
    /// the first element is that belongs before the one at its left.
    public void checkOrder(Stream stream, long elements, long elementBytes, long count, long wrong) {
        launch(stream, checkOrder, 0, count, elements, elementBytes, count, wrong);
    }

    private void launch(Stream stream, Kernel kernel, int sharedBytes, long count, long... values) {
        if (count == 0) {
            return;
        }
        for (long value : values) {
            kernel.with(value);
        }
        int resident = Math.max(1, kernel.activeBlocksPerMultiprocessor(GATHER_THREADS, sharedBytes));
        long most = (long) resident * multiprocessorCount * Kernels.WAVES;
        int blocks = (int) Math.min((count + GATHER_THREADS - 1) / GATHER_THREADS, most);
        kernel.launch(stream, blocks, GATHER_THREADS, sharedBytes, Kernel.Mode.AFTER);
    }
}
