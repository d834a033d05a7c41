package io.samplesort.gpu.sort;

/// The regions of a [Workspace], which [WorkspaceLayout] lays out: each number is where one begins, relative to the
/// allocation.
final class Regions {
    private Regions() {}

    /// The work lists of the small sort. Each group has counters of its own.
    ///
    /// @param capacity entries that a queue has room for, enough for any group
    record Queues(
            long sizes,
            long taken,
            long largestBucket,
            long largeCount,
            long largeBuckets,
            long entries,
            long capacity) {}

    /// Where sorted runs are looked for, and where they are cut into sections for their merge. The search is 0 before.
    record Runs(long search, long cuts, int sections) {}

    /// Where elements that are out of place are looked for, which is 0 before, and where they are marked
    /// (outliers.cuh).
    ///
    /// @param bits   a bit for each element of all tiles
    /// @param counts how many outliers each tile has
    /// @param most   so many elements may be out of place
    record Outliers(long search, long bits, long counts, long tiles, long most) {}

    /// What the blocks of a pass count. It is 0 before the pass.
    ///
    /// @param tickets   of a pass that keeps the order of equal elements: how many tiles blocks have taken, for each
    ///     group
    /// @param tileWords of such a pass: what is known of each tile (tile_chain.cuh)
    record Counters(long writePositions, long overflows, long tickets, long tileWords) {}

    /// The segments that a pass divides, or, behind the last pass, its buckets.
    record Segments(long offsets, long begins, long ends, long moved, long marks) {}

    /// The splitters of a pass.
    record Splitters(long kinds, long trees) {}

    /// Where each bucket of the first pass has its part of the room; 0 without groups.
    record Parts(long begins, long ends) {}

    /// How often each value occurs, which is 0 before the sort; and where its keys belong. Where payloads are moved by
    /// value, bytes are counted instead.
    record Values(long totals, long offsets) {}

    /// For each pass that moves payloads by value: how often each byte occurs in each segment, which is 0 before the
    /// sort; where its segments begin; and where the next element of each bucket goes.
    record Places(long[] totals, long[] segments, long[] positions) {}

    /// All memory for elements.
    ///
    /// @param headSize elements in front of the array that the first pass writes
    record Buffer(long keys, long payloads, long headSize) {}
}
