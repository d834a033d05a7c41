package io.samplesort.cpu.leaf;

/// Sorts whole arrays of numbers in natural order, one after the other, by a kernel, and allocates nothing meanwhile.
/// For one thread.
public final class ArrayKernel {
    private final Kernels kernels;
    private final SimdKeys.Type type;
    /// The offsets of the one segment that each array is.
    private final long[] offsets = new long[2];

    private ArrayKernel(Kernels kernels, SimdKeys.Type type) {
        this.kernels = kernels;
        this.type = type;
    }

    /// Returns a sort of arrays of this type; null if kernels may not be called in this process.
    ///
    /// @param waits whether to wait until they are loaded; otherwise this returns null until then
    public static ArrayKernel of(SimdKeys.Type type, boolean waits) {
        Kernels kernels = SimdKeys.kernels(waits);
        return kernels == null ? null : new ArrayKernel(kernels, type);
    }

    /// Sorts an array of this length.
    public void sort(Object array, int length) {
        offsets[1] = length;
        kernels.sortSegments(array, type, offsets, 1);
    }
}
