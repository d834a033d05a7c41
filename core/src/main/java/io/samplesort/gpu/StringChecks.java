package io.samplesort.gpu;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.rows.DeviceText;
import io.samplesort.gpu.rows.StringKernels;

/// Checks of strings in device memory before anything is written: whether their offsets are right, how many of them are
/// in order, and whether there is room for a copy. Each check waits for the device. The context of the GPU must be
/// current.
record StringChecks(GpuResources gpu, StringKernels kernels) {
    /// @throws IllegalArgumentException if an offset is wrong
    void checkOffsets(DeviceText text) {
        if (text.count() == 0) {
            text.checkSingleOffset(gpu.stream());
        } else {
            check(text, "check_offsets", Long.BYTES);
        }
    }

    /// Returns how many strings are in order, counted from the first one.
    ///
    /// @throws IllegalArgumentException if an offset is wrong
    long orderedCount(DeviceText text) {
        if (text.count() == 0) {
            text.checkSingleOffset(gpu.stream());
            return 0;
        }
        return text.count() - check(text, "check_string_order", 0);
    }

    /// Runs a kernel that checks strings, of which there is at least one, and returns the first of the two longs that
    /// it may write: how far from the
    /// end the first string lies that sorts before the string to its left. The second long says the same of the first
    /// string whose offsets are wrong.
    ///
    /// @param behind where the kernel begins to write, in bytes from the first long
    private long check(DeviceText text, String kernel, long behind) {
        Stream stream = gpu.stream();
        try (DeviceAllocation wrong = DeviceAllocation.allocateAsync(gpu.context(), stream, 2 * Long.BYTES)) {
            stream.fill(wrong.address(), (byte) 0, 2 * Long.BYTES);
            kernels.of(kernel, text)
                    .values(wrong.address() + behind)
                    .launchInWaves(stream, StringKernels.blocks(text.count()));
            long wrongOffset = gpu.read(wrong.address() + Long.BYTES);
            if (wrongOffset != 0) {
                throw text.wrongOffset(stream, text.count() - wrongOffset);
            }
            return gpu.read(wrong.address());
        }
    }

    /// Checks that a copy of strings whose offsets are right fits its target.
    ///
    /// @param source at least one string
    /// @throws IllegalArgumentException if it does not
    void checkRoom(DeviceText source, DeviceText target) {
        long bytes = readOffset(source, source.count()) - readOffset(source, 0);
        if (bytes > target.byteCount()) {
            throw new IllegalArgumentException(
                    "the target has room for " + target.byteCount() + " bytes, and the strings have " + bytes);
        }
        if (target.offsetBytes() == Integer.BYTES && bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "the strings have " + bytes + " bytes: the offsets of the target must be longs, and they are ints");
        }
    }

    private long readOffset(DeviceText text, long i) {
        return gpu.readOffset(text.offsets(), text.offsetBytes(), i);
    }
}
