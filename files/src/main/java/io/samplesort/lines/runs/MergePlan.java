package io.samplesort.lines.runs;

import java.util.ArrayList;
import java.util.List;

/// How the memory of a merge is divided.
///
/// @param fanIn       how many runs are merged at a time at most
/// @param threads     how many threads merge, each a part of the lines at a time
/// @param bufferBytes how much a thread reads of each run at a time
/// @param blockBytes  how much a thread gathers before it is handed on
public record MergePlan(int fanIn, int threads, int bufferBytes, int blockBytes) {
    private static final int SMALL_BUFFER = 4 << 10;
    private static final int GOOD_BUFFER = 32 << 10;
    private static final int LARGEST_BUFFER = 256 << 10;
    private static final int LARGEST_BLOCK = 8 << 20;

    /// Merging more runs than this at a time takes a tree that does not fit a core's nearest cache.
    private static final int MOST_RUNS = 512;

    private static final int LEAST_RUNS = 2;

    /// With this many runs at a time, two passes merge hundreds. To merge this many, a merge gives up other threads.
    private static final int FEW_RUNS = 16;

    /// Half of the memory is for reading, half of the rest for writing, and the remainder is for lines that are longer
    /// than buffers and for what the system copies.
    private static final int READ_SHARE = 2;

    private static final int WRITE_SHARE = 4;

    /// Divides the memory of a merge.
    ///
    /// @param threads    how many threads may merge
    /// @param runs       how many runs there are
    /// @param mostMerged how many runs may be merged at a time, at least two
    public static MergePlan of(long memoryBytes, int threads, int runs, int mostMerged) {
        long good = memoryBytes / READ_SHARE / threads / GOOD_BUFFER;
        boolean isRoomy = good >= Math.min(runs, FEW_RUNS);
        int used = isRoomy ? threads : 1;
        long fitting = isRoomy ? good : memoryBytes / READ_SHARE / SMALL_BUFFER;
        int fanIn = Math.min(mostMerged, Math.clamp(fitting, LEAST_RUNS, isRoomy ? MOST_RUNS : FEW_RUNS));
        int merged = Math.max(1, Math.min(fanIn, runs));
        return new MergePlan(
                fanIn,
                used,
                Math.clamp(memoryBytes / READ_SHARE / used / merged, SMALL_BUFFER, LARGEST_BUFFER),
                Math.clamp(memoryBytes / WRITE_SHARE / used, SMALL_BUFFER, LARGEST_BLOCK));
    }

    /// Divides runs into groups that can be merged, in their order.
    public <T> List<List<T>> groups(List<T> runs) {
        List<List<T>> groups = new ArrayList<>();
        for (int from = 0; from < runs.size(); from += fanIn) {
            groups.add(runs.subList(from, Math.min(runs.size(), from + fanIn)));
        }
        return groups;
    }
}
