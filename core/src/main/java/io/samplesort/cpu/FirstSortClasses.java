package io.samplesort.cpu;

/// The classes of a sort by kernels, which the first sort of a process has loaded while another thread loads the
/// kernels. Java takes a quarter of a millisecond for each of them.
final class FirstSortClasses {
    private static final String[] NAMES = {
        "threads.Loops",
        "threads.Crew",
        "threads.Helpers$Shared",
        "threads.Crew$Help",
        "threads.Helpers$Helper",
        "passes.PhaseTimes",
        "passes.OrderCheck$Run",
        "leaf.Place",
        "leaf.SampledKeys",
        "RepeatedKeys",
        "QuickSort",
        "ParallelSplit",
        "QuickSort$Range",
        "ParallelSplit$Task",
        "leaf.SimdKeys$First",
        "ParallelSplit$Misplaced",
        "ParallelSplit$Part",
        "threads.Crew$Loop",
        "SharedRanges",
        "QuickSort$TakingOrder",
        "QuickSort$Work"
    };

    static {
        for (String name : NAMES) {
            try {
                Class.forName("io.samplesort.cpu.".concat(name));
            } catch (ClassNotFoundException e) {
                throw new AssertionError("there is no class " + name, e);
            }
        }
    }

    private FirstSortClasses() {}

    /// Loads them, the first time that this is called.
    static void load() {}
}
