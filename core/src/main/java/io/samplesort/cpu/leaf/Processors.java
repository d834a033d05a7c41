package io.samplesort.cpu.leaf;

/// Chooses the processors on which threads wake up, by native kernels if these are loaded.
///
/// Linux may wake a thread on the processor of the thread that wakes it, even if other processors are idle: in a
/// virtual machine, it assumes that the host has given processors that were idle for a while to others. The two threads
/// then take turns of up to three milliseconds, in which a million keys could be sorted. So a thread that wakes another
/// keeps it away from its own processor until it is awake.
public final class Processors {
    private Processors() {}

    /// Returns the system's number of this thread; 0 if the kernels are not loaded. This does not begin to load them:
    /// sorts of text need only their own kernels.
    public static int threadNumber() {
        SimdSort simd = SimdLibrary.loaded();
        return simd == null || simd.kernels() == null ? 0 : Kernels.threadNumber();
    }

    /// Keeps another thread, which is sleeping, away from the processor of this thread.
    ///
    /// @param number the number of the other thread, from [#threadNumber]
    /// @return the processor, to be given to [#allow] by the other thread when it is awake; -1 if nothing was done
    public static int keepAway(int number) {
        return Kernels.keepAway(number);
    }

    /// Lets this thread run again on the processor from which it was kept away.
    public static void allow(int processor) {
        Kernels.allow(processor);
    }
}
