package io.samplesort.gpu.code;

import java.util.List;
import java.util.stream.Stream;

/// What is compiled at once: a phase or a few short ones. They are compiled side by side, so that the first sort of a
/// kind waits for the longest of them and not for their sum.
public enum KernelProgram {
    SPLITTERS(
            List.of("phases/prepare.cuh", "parts/sample.cuh", "phases/select_splitters.cuh", "phases/scan_counts.cuh")),
    SCATTER(List.of("phases/count_buckets.cuh")),
    SMALL_SORT(List.of("phases/small_sort.cuh")),
    MERGE_SORT(List.of("phases/merge_sort.cuh", "phases/find_cuts.cuh"));

    /// The kernels that only sorts by index have, compiled with the shortest of the programs.
    private static final String INDEX_PHASE = "phases/gather.cuh";

    /// How elements get to their buckets, and how where equal ones keep their order.
    private static final String SCATTER_PHASE = "phases/scatter.cuh";

    private static final String STABLE_SCATTER_PHASE = "phases/stable_scatter.cuh";

    private final List<String> phases;

    KernelProgram(List<String> phases) {
        this.phases = phases;
    }

    /// The files with the kernels that all sorts have.
    List<String> phases() {
        return phases;
    }

    /// The files with the program's kernels.
    List<String> phases(KernelElement element) {
        if (this == SCATTER) {
            String scatter = element.keepsOrder() ? STABLE_SCATTER_PHASE : SCATTER_PHASE;
            return Stream.concat(phases.stream(), Stream.of(scatter)).toList();
        }
        if (this != MERGE_SORT || !element.sortsIndexes()) {
            return phases;
        }
        return Stream.concat(phases.stream(), Stream.of(INDEX_PHASE)).toList();
    }
}
