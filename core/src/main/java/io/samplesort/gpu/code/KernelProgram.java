package io.samplesort.gpu.code;

import io.samplesort.types.Tuning;
import java.util.ArrayList;
import java.util.List;

/// What is compiled in one piece: one phase or a few short ones. The programs are compiled side by side, so the first
/// sort of a kind waits for the longest of them and not for all of them one after another.
public enum KernelProgram {
    SPLITTERS(
            "phases/find_order.cuh",
            "phases/check_order.cuh",
            "phases/select_splitters.cuh",
            "phases/give_room.cuh",
            "phases/place_rooms.cuh",
            "phases/scan_counts.cuh",
            "phases/draw_sample.cuh",
            "phases/plant_tree.cuh"),
    SCATTER("phases/count_sample.cuh"),
    SMALL_SORT("phases/small_sort.cuh"),
    /// The small sort of buckets with few different numbers.
    SMALL_SORT_FEW("phases/small_sort_few.cuh"),
    MERGE_SORT("phases/merge_sort.cuh", "phases/find_cuts.cuh"),
    /// The kernels that find and merge the sorted runs of an input.
    RUNS("phases/find_runs.cuh", "phases/cut_runs.cuh", "phases/merge_runs.cuh"),
    /// The kernels that only sorts on several GPUs use.
    EXCHANGE("phases/cut_parts.cuh"),
    /// The kernels that only sorts of segments use.
    SEGMENTS(
            "phases/sort_segments.cuh",
            "phases/list_segments.cuh",
            "phases/list_long_segments.cuh",
            "phases/take_first.cuh"),
    /// The kernels of sorts in place.
    PAGES(
            "phases/begin_chunk.cuh",
            "phases/list_pages.cuh",
            "phases/plan_regions.cuh",
            "phases/plan_moves.cuh",
            "phases/select_page_splitters.cuh",
            "phases/count_page_sample.cuh",
            "phases/move_pages.cuh"),
    /// The kernels that only selections use, which need sort keys with indexes.
    SELECT("phases/sample_sort_keys.cuh", "phases/keep_between.cuh"),
    /// The kernels that only operations on sorted arrays use, which need sort keys with indexes.
    SORTED("phases/merge_sorted.cuh", "phases/combine_sorted.cuh", "phases/keep_first.cuh", "phases/find_bounds.cuh");

    private static final String PAGE_SCATTER_PHASE = "phases/scatter_to_pages.cuh";
    private static final String STABLE_PAGE_SCATTER_PHASE = "phases/stable_scatter_to_pages.cuh";

    private static final String SCATTER_PHASE = "phases/scatter.cuh";
    private static final String STABLE_SCATTER_PHASE = "phases/stable_scatter.cuh";

    /// The kernels that only sorts by index use. They are compiled as part of the shortest program.
    private static final String INDEX_PHASE = "phases/gather.cuh";

    /// The kernel that merges sorted parts on several GPUs.
    private static final String MERGE_PARTS_PHASE = "phases/merge_parts.cuh";

    /// The kernel that selects from segments, for elements without payloads.
    private static final String SELECT_OF_SEGMENTS_PHASE = "phases/select_of_segments.cuh";

    /// The kernel that merges the runs of a small input.
    private static final String RANK_RUNS_PHASE = "phases/rank_runs.cuh";

    /// The kernels that only sorts of keys with few possible values use. They are compiled as part of a short program.
    private static final List<String> VALUE_PHASES =
            List.of("phases/count_values.cuh", "phases/scan_values.cuh", "phases/fill_values.cuh");

    /// The kernels for such keys with payloads, except those for keys of 16 bits.
    private static final List<String> BYTE_PHASES = List.of(
            "phases/count_bytes.cuh", "phases/place_bytes.cuh", "phases/copy_payloads.cuh", "phases/fill_bytes.cuh");

    private static final String COUNT_LOW_BYTES_PHASE = "phases/count_low_bytes.cuh";
    private static final String SCATTER_HIGH_BYTES_PHASE = "phases/scatter_high_bytes.cuh";
    private static final String SCATTER_LOW_BYTES_PHASE = "phases/scatter_low_bytes.cuh";

    private final List<String> phases;

    KernelProgram(String... phases) {
        this.phases = List.of(phases);
    }

    /// Returns the programs of a sort of such elements.
    public static List<KernelProgram> of(KernelElement element, Tuning tuning) {
        List<KernelProgram> all = new ArrayList<>(List.of(values()));
        if (!element.mergesRuns(tuning)) {
            all.remove(RUNS);
        }
        if (!element.hasPages()) {
            all.remove(PAGES);
        }
        if (!element.sortsIndexes()) {
            all.removeAll(List.of(SELECT, SORTED));
        }
        if (!new SharedMemory(element, tuning).tellsFewNumbers()) {
            all.remove(SMALL_SORT_FEW);
        }
        return all;
    }

    /// Returns whether the first sort waits for this program. Sorts in place or of segments are rare, and
    /// so are selections, what is done with sorted arrays, and inputs so large that they are searched for order. The
    /// first of these compiles what only they need.
    ///
    /// @param isOnSeveralGpus whether several GPUs sort one array together
    public boolean isNeededAtOnce(boolean isOnSeveralGpus) {
        return switch (this) {
            case RUNS, SEGMENTS, PAGES, SELECT, SORTED -> false;
            case EXCHANGE -> isOnSeveralGpus;
            default -> true;
        };
    }

    /// Returns the files with the kernels that all sorts use.
    List<String> phases() {
        return phases;
    }

    /// Returns the files of all kernels, whether all sorts use them or only some.
    List<String> everyPhase() {
        List<String> all = new ArrayList<>(phases);
        switch (this) {
            case SPLITTERS -> {
                all.addAll(VALUE_PHASES);
                all.addAll(BYTE_PHASES);
                all.add(COUNT_LOW_BYTES_PHASE);
            }
            case SCATTER ->
                all.addAll(List.of(
                        SCATTER_PHASE, STABLE_SCATTER_PHASE, SCATTER_HIGH_BYTES_PHASE, SCATTER_LOW_BYTES_PHASE));
            case MERGE_SORT -> all.addAll(List.of(RANK_RUNS_PHASE, INDEX_PHASE));
            case SMALL_SORT, SMALL_SORT_FEW, RUNS, SELECT, SORTED -> {}
            case SEGMENTS -> all.add(SELECT_OF_SEGMENTS_PHASE);
            case EXCHANGE -> all.add(MERGE_PARTS_PHASE);
            case PAGES -> all.addAll(List.of(PAGE_SCATTER_PHASE, STABLE_PAGE_SCATTER_PHASE));
        }
        return all;
    }

    /// Returns the files with the kernels of a sort of such elements.
    List<String> phases(KernelElement element, Tuning tuning) {
        List<String> all = new ArrayList<>(phases);
        if (this == EXCHANGE && element.mergesParts(tuning)) {
            all.add(MERGE_PARTS_PHASE);
        }
        if (this == MERGE_SORT && element.ranksRuns(tuning)) {
            all.add(RANK_RUNS_PHASE);
        }
        if (this == SEGMENTS && element.payloadBytes() == 0) {
            all.add(SELECT_OF_SEGMENTS_PHASE);
        }
        if (this == SPLITTERS && element.isCounted()) {
            all.addAll(VALUE_PHASES);
        }
        if (this == SCATTER) {
            all.add(element.keepsOrder() ? STABLE_SCATTER_PHASE : SCATTER_PHASE);
        }
        if (this == PAGES) {
            all.add(element.keepsOrder() ? STABLE_PAGE_SCATTER_PHASE : PAGE_SCATTER_PHASE);
        }
        if (element.movesByValue()) {
            addBytePhases(all, element.keyBytes() > 1);
        }
        if (this == MERGE_SORT && element.sortsIndexes()) {
            all.add(INDEX_PHASE);
        }
        return all;
    }

    private void addBytePhases(List<String> all, boolean hasTwoBytes) {
        if (this == SPLITTERS) {
            all.addAll(BYTE_PHASES);
            if (hasTwoBytes) {
                all.add(COUNT_LOW_BYTES_PHASE);
            }
        }
        if (this == SCATTER) {
            if (hasTwoBytes) {
                all.add(SCATTER_HIGH_BYTES_PHASE);
            }
            all.add(SCATTER_LOW_BYTES_PHASE);
        }
    }
}
