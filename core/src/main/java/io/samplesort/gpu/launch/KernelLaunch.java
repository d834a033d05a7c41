package io.samplesort.gpu.launch;

import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Stream;

/// A kernel with the properties that its launches share: the threads and the shared memory of a block, and how it
/// follows the kernel before it. A launch takes the arguments in the order of the kernel's parameters, and then the
/// number of blocks.
public final class KernelLaunch {
    /// There are this many times the blocks that fit at once, so that late blocks even out differences between early
    /// ones.
    public static final int WAVES = 4;

    private final Kernel kernel;
    private final int multiprocessorCount;
    private final int threads;
    private final int sharedBytes;
    private final Kernel.Mode mode;
    /// How many blocks fit the GPU at once; 0 until it is first needed.
    private int residentBlocks;

    KernelLaunch(Kernel kernel, int multiprocessorCount, int threads, int sharedBytes, Kernel.Mode mode) {
        this.kernel = kernel;
        this.multiprocessorCount = multiprocessorCount;
        this.threads = threads;
        this.sharedBytes = sharedBytes;
        this.mode = mode;
    }

    /// Returns launches of the same kernel with blocks of another shape.
    public KernelLaunch ofBlocks(int otherThreads, int otherSharedBytes) {
        return new KernelLaunch(kernel, multiprocessorCount, otherThreads, otherSharedBytes, mode);
    }

    /// Returns launches of the same kernel with another amount of shared memory.
    public KernelLaunch ofShared(int otherSharedBytes) {
        return ofBlocks(threads, otherSharedBytes);
    }

    /// Returns launches of the same kernel that begin only when everything before them has ended.
    public KernelLaunch after() {
        return new KernelLaunch(kernel, multiprocessorCount, threads, sharedBytes, Kernel.Mode.AFTER);
    }

    /// Lets the kernel run at the same time as others that ask for much shared memory, as [Kernel#preferSharedMemory]
    /// says.
    void preferSharedMemory() {
        kernel.preferSharedMemory();
    }

    /// Returns how many blocks fit the GPU at once, at least one.
    public int residentBlocks() {
        if (residentBlocks == 0) {
            int most = kernel.activeBlocksPerMultiprocessor(threads, sharedBytes);
            residentBlocks = Math.max(1, most) * multiprocessorCount;
        }
        return residentBlocks;
    }

    /// Gives the next arguments, each a struct.
    public KernelLaunch with(long[]... structs) {
        for (long[] fields : structs) {
            kernel.with(fields);
        }
        return this;
    }

    /// Gives the next arguments, each a single value.
    public KernelLaunch values(long... values) {
        for (long value : values) {
            kernel.with(value);
        }
        return this;
    }

    /// Gives the next argument, 1 or 0.
    public KernelLaunch flag(boolean isSet) {
        return values(isSet ? 1 : 0);
    }

    /// Puts a launch of this many blocks on the stream.
    public void launch(Stream stream, long blocks) {
        kernel.launch(stream, Math.toIntExact(blocks), threads, sharedBytes, mode);
    }

    /// Puts a launch on the stream with a block for each part of the work, but with no more blocks than fit at once.
    public void launchFor(Stream stream, long parts) {
        launch(stream, Math.clamp(parts, 1, residentBlocks()));
    }

    /// Does the same with at most [#WAVES] times as many blocks as fit at once.
    public void launchInWaves(Stream stream, long parts) {
        launch(stream, Math.clamp(parts, 1, (long) residentBlocks() * WAVES));
    }
}
