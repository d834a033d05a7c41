package io.samplesort.gpu;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.launch.IndexKernels;

/// A checked permutation in device memory, which gives columns their new order.
///
/// @param address    device address of the index of the element that comes first, second, …
/// @param indexBytes bytes of an index, 4 or 8
/// @param count      how many elements there are
record DevicePermutation(GpuResources gpu, long address, int indexBytes, long count) {
    /// Checks a permutation, and waits for that. The context of the GPU must be current.
    ///
    /// @throws IllegalArgumentException if an index is out of range or appears twice
    static DevicePermutation checked(GpuResources gpu, long address, int indexBytes, long count) {
        Stream stream = gpu.stream();
        // One bit for each index that has appeared; after these a long, which stays 0 if nothing is wrong.
        long seenBytes = Math.ceilDiv(count, Long.SIZE) * Long.BYTES;
        try (DeviceAllocation seen = DeviceAllocation.allocateAsync(gpu.context(), stream, seenBytes + Long.BYTES)) {
            stream.fill(seen.address(), (byte) 0, seenBytes + Long.BYTES);
            long wrongAddress = seen.address() + seenBytes;
            kernels(gpu).checkPermutation(stream, address, indexBytes, count, seen.address(), wrongAddress);
            long wrong = gpu.read(wrongAddress);
            if (wrong != 0) {
                throw new IllegalArgumentException("the permutation is not valid: the index at place " + (count - wrong)
                        + " is not from 0 to " + (count - 1) + ", or it appears twice");
            }
        }
        return new DevicePermutation(gpu, address, indexBytes, count);
    }

    /// Checks a permutation, puts element `permutation[i]` of `from` at place i of `to`, all in device memory, and
    /// waits for it.
    ///
    /// @throws IllegalArgumentException if an index is out of range or appears twice; nothing is changed then
    static void applyChecked(
            GpuResources gpu, long permutation, int indexBytes, long from, long to, int elementBytes, long count) {
        try (WaitedCall call = new WaitedCall(gpu)) {
            checked(gpu, permutation, indexBytes, count).apply(from, to, elementBytes);
            call.finish();
        }
    }

    private static IndexKernels kernels(GpuResources gpu) {
        return gpu.sort().kernels().indexed();
    }

    /// Puts a copy of element `permutation[i]` of `from` to place i of `to` on the engine's stream.
    void apply(long from, long to, int elementBytes) {
        kernels(gpu).applyPermutation(gpu.stream(), address, indexBytes, from, to, count, elementBytes);
    }
}
