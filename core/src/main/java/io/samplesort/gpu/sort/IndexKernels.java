package io.samplesort.gpu.sort;

import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelModules;
import io.samplesort.gpu.code.KernelProgram;
import java.util.Arrays;

/// The kernels that only sorts by index have (gather.cuh), one method each: from elements to sort keys and back, and
/// permutations. All go over elements one by one.
public final class IndexKernels {
    /// A place for each unit of a tile.
    private static final int GATHER_SHARED_BYTES = 4096 * Long.BYTES;

    private static final int THREADS = 256;
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

    IndexKernels(KernelModules modules, KernelElement element, int multiprocessorCount) {
        this.multiprocessorCount = multiprocessorCount;
        stagedKeyBytes = THREADS * element.keyBytes();
        makeSortKeys = kernel(modules, "make_sort_keys", 4);
        restoreElements = kernel(modules, "restore_elements", 4);
        gather = kernel(modules, "gather", 6);
        writePermutation = kernel(modules, "write_permutation", 4);
        applyPermutation = kernel(modules, "apply_permutation", 7);
        checkPermutation = kernel(modules, "check_permutation", 5);
        checkOrder = kernel(modules, "check_order", 4);
    }

    private Kernel kernel(KernelModules modules, String name, int parameters) {
        int[] parameterBytes = new int[parameters];
        Arrays.fill(parameterBytes, Long.BYTES);
        Kernel kernel = modules.kernel(KernelProgram.MERGE_SORT, name, parameterBytes);
        kernel.allowDynamicSharedBytes(Math.max(stagedKeyBytes, GATHER_SHARED_BYTES));
        return kernel;
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
        launch(stream, gather, GATHER_SHARED_BYTES, count, keys, from, to, count, elementBytes, unitBytes);
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
                GATHER_SHARED_BYTES,
                count,
                permutation,
                indexBytes,
                from,
                to,
                count,
                elementBytes,
                unitBytes);
    }

    /// The largest power of two of bytes that elements can be copied by.
    private static long unitBytes(long from, long to, long elementBytes) {
        return Math.min(LARGEST_UNIT_BYTES, Long.lowestOneBit(from | to | elementBytes));
    }

    /// Leaves at `wrong`, which is 0, how far from the end the first index is that is none, or is there twice.
    ///
    /// @param met room for a bit an index, all 0
    public void checkPermutation(Stream stream, long permutation, long indexBytes, long count, long met, long wrong) {
        launch(stream, checkPermutation, 0, count, permutation, indexBytes, count, met, wrong);
    }

    /// Leaves at `wrong`, which is 0, how far from the end the first element is that comes before the one at its left.
    public void checkOrder(Stream stream, long elements, long elementBytes, long count, long wrong) {
        launch(stream, checkOrder, 0, count, elements, elementBytes, count, wrong);
    }

    private void launch(Stream stream, Kernel kernel, int sharedBytes, long count, long... values) {
        if (count == 0) {
            return;
        }
        for (int i = 0; i < values.length; i++) {
            kernel.set(i, values[i]);
        }
        int resident = Math.max(1, kernel.activeBlocksPerMultiprocessor(THREADS, sharedBytes));
        long blocks = Math.min((count + THREADS - 1) / THREADS, (long) resident * multiprocessorCount * Kernels.WAVES);
        kernel.launch(stream, (int) blocks, THREADS, sharedBytes, Kernel.Mode.AFTER);
    }
}
