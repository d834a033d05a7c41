package io.samplesort.cpu.leaf;

/// Where threads are woken, by the kernels of this engine if they are loaded.
///
/// Linux may wake a thread on the processor of the one that wakes it, though others have nothing to do: in a virtual
/// machine it takes those that have slept for a while for ones that the host has lent to somebody else. The two then
/// take turns of up to three milliseconds, in which a million keys are sorted. So a thread that wakes another keeps it
/// away from its own processor until it is awake.
public final class Processors {
    private Processors() {}

    /// Returns the number by which the system knows this thread; 0 if the kernels are not loaded. Nothing begins to
    /// load them here: sorts of text need no others than their own.
    public static int threadNumber() {
        SimdSort simd = SimdLibrary.loaded();
        return simd == null || simd.kernels() == null ? 0 : Kernels.threadNumber();
    }

    /// Keeps another thread, which sleeps, away from the processor of this one.
    ///
    /// @param number that of the other thread, as it has been told
    /// @return the processor, which is to be allowed again when the thread is awake; -1 if nothing was done
    public static int keepAway(int number) {
        return Kernels.keepAway(number);
    }

    /// Lets this thread run again on the processor from which it was kept away.
    public static void allow(int processor) {
        Kernels.allow(processor);
    }
}
