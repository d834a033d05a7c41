package io.samplesort.gpu.launch;

import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.code.SizeClasses;

/// The kinds of regions that a [DividingLayout] lays out in a [RegionSpace]: each number is the begin of a region,
/// relative to the allocation.
public final class Regions {
    private Regions() {}

    /// The first regions of the workspace of a sort by dividing, all 0 before a sort.
    ///
    /// @param sizes         of the queues of the small sort, for each group, like the next two
    /// @param taken         the entries that blocks have taken
    /// @param uneven        as in queues.cuh
    /// @param mergeProgress how far the blocks of the merge sort are
    /// @param orderSearch   the state of the search for order; empty without one
    /// @param runSearch     the state of the search for sorted runs; empty without one
    /// @param inputMark     the mark of the input as the only segment of a first pass
    public record Head(
            long sizes,
            long taken,
            long uneven,
            long largestBucket,
            long largeCount,
            long mergeProgress,
            long orderSearch,
            long runSearch,
            long inputMark) {
        public static Head in(RegionSpace space, int groups, boolean seeksOrder, boolean seeksRuns) {
            long counters = groups * (long) SizeClasses.QUEUE_COUNT * Integer.BYTES;
            return new Head(
                    space.region(counters),
                    space.region(counters),
                    space.region(counters),
                    space.region(Long.BYTES),
                    space.region(Integer.BYTES),
                    space.region(KernelStructs.MERGE_PROGRESS_BYTES),
                    space.region(seeksOrder ? KernelStructs.ORDER_SEARCH_BYTES : 0),
                    space.region(seeksRuns ? KernelStructs.RUN_SEARCH_BYTES : 0),
                    space.region(1));
        }
    }

    /// The work lists of the small sort.
    ///
    /// @param largeBuckets the buckets that are merged
    /// @param capacity     the entries for which a queue has room, enough for any group
    public record Queues(long largeBuckets, long entries, long capacity) {
        /// @param buckets the most buckets of a group
        public static Queues in(RegionSpace space, long buckets, long elementCount, int smallSortLimit) {
            // Buckets above the limit are in their queue in parts.
            long largeBuckets = elementCount / smallSortLimit + 1;
            long capacity = buckets + largeBuckets;
            long list = space.region(largeBuckets * Long.BYTES);
            return new Queues(list, space.region(SizeClasses.COUNT * capacity * Long.BYTES), capacity);
        }
    }

    /// Where sorted runs are cut into sections for their merge.
    public record Runs(long cuts, int sections) {
        /// Sections have at least this many tiles of a block.
        private static final int TILES_A_SECTION = 12;

        private static final int MOST_SECTIONS = 1 << 14;

        /// @param tiles the number of tiles that the blocks of the merge have
        static Runs in(RegionSpace space, long tiles) {
            int sections = Math.clamp(tiles / TILES_A_SECTION, 1, MOST_SECTIONS);
            return new Runs(space.region((sections + 1L) * KernelConstants.MOST_RUNS * Long.BYTES), sections);
        }
    }

    /// The counters of the blocks of a pass, 0 before the pass.
    ///
    /// @param tickets   in a pass that keeps the order of equal elements, how many tiles blocks have taken, for each
    ///     group
    /// @param tileWords in such a pass, the counts of each tile (tile_chain.cuh)
    public record Counters(long writePositions, long overflows, long tickets, long tileWords) {
        static Counters in(RegionSpace space, SortPlan plan, int pass) {
            long writePositions = space.region(plan.segmentCount(pass + 1) * Long.BYTES);
            return new Counters(writePositions, space.region(plan.segmentCount(pass) * Integer.BYTES), 0, 0);
        }

        /// Returns the regions of a pass that keeps the order of equal elements.
        static Counters keepingOrder(RegionSpace space, SortPlan plan, int pass, int groups, long tileWordsBytes) {
            Counters all = in(space, plan, pass);
            long tickets = space.region(groups * (long) Integer.BYTES);
            return new Counters(all.writePositions, all.overflows, tickets, space.region(tileWordsBytes));
        }
    }

    /// The segments that a pass divides, or, after the last pass, its buckets.
    public record Segments(long offsets, long begins, long ends, long moved, long marks) {
        /// Returns the regions of the input, which is the only segment of a first pass.
        static Segments ofInput(RegionSpace space, long mark) {
            long offsets = space.region(2 * Long.BYTES);
            return new Segments(offsets, offsets, offsets, space.region(Long.BYTES), mark);
        }

        /// Returns the regions of segments that a pass makes.
        static Segments ofPass(RegionSpace space, long count) {
            long offsets = space.region((count + 1) * Long.BYTES);
            long begins = space.region(count * Long.BYTES);
            long ends = space.region(count * Long.BYTES);
            return new Segments(offsets, begins, ends, space.region(count * Long.BYTES), space.region(count));
        }

        /// Returns the regions of segments that the host writes. They have no gaps, so that one copy fills them all
        /// ([GivenSegments]), or fills the rooms of all buckets ([FirstPass]).
        static Segments given(RegionSpace space, long count) {
            long bytes = count * Long.BYTES;
            long offsets = space.region(GivenSegments.regionBytes(count));
            long moved = offsets + bytes + Long.BYTES;
            long begins = moved + bytes;
            long ends = begins + bytes;
            return new Segments(offsets, begins, ends, moved, ends + bytes);
        }
    }

    /// The splitters of a pass.
    public record Splitters(long kinds, long trees) {
        static Splitters in(RegionSpace space, long segments, long treeBytes) {
            long kinds = space.region(segments);
            return new Splitters(kinds, space.region(treeBytes));
        }
    }

    /// Where each bucket of the first pass has its part of the room; 0 without groups.
    public record Parts(long begins, long ends) {}

    /// All memory for elements.
    ///
    /// @param headSize elements before the array that the first pass writes
    public record Buffer(long keys, long payloads, long headSize) {}
}
