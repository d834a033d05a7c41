package io.samplesort.gpu.plan;

import io.samplesort.gpu.code.KernelConstants;

/// The regions of a [Workspace]: each number is where one begins, relative to the allocation. [WorkspaceLayout] decides
/// which there are, and lays them out in a [RegionSpace].
public final class Regions {
    private Regions() {}

    /// The work lists of the small sort. Each group has counters of its own.
    ///
    /// @param capacity entries that a queue has room for, enough for any group
    public record Queues(
            long sizes,
            long taken,
            long uneven,
            long largestBucket,
            long largeCount,
            long largeBuckets,
            long entries,
            long capacity) {}

    /// Where sorted runs are looked for, and where they are cut into sections for their merge. The search is 0 before.
    public record Runs(long search, long cuts, int sections) {
        /// Sections have so many tiles of a block at least, and there are at most so many.
        private static final int TILES_A_SECTION = 12;

        private static final int MOST_SECTIONS = 1 << 14;

        /// @param tiles that the blocks of the merge have
        static Runs in(RegionSpace space, long search, long tiles) {
            int sections = Math.clamp(tiles / TILES_A_SECTION, 1, MOST_SECTIONS);
            return new Runs(search, space.region((sections + 1L) * KernelConstants.MOST_RUNS * Long.BYTES), sections);
        }
    }

    /// What the blocks of a pass count. It is 0 before the pass.
    ///
    /// @param tickets   of a pass that keeps the order of equal elements: how many tiles blocks have taken, for each
    ///     group
    /// @param tileWords of such a pass: what is known of each tile (tile_chain.cuh)
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

    /// The segments that a pass divides, or, behind the last pass, its buckets.
    public record Segments(long offsets, long begins, long ends, long moved, long marks) {
        /// Returns the regions of the segments of a first pass.
        static Segments ofInput(RegionSpace space, long count, long marks) {
            long offsets = space.region((count + 1) * Long.BYTES);
            return new Segments(offsets, offsets, offsets, space.region(Long.BYTES), marks);
        }

        /// Returns the regions of segments that a pass makes.
        static Segments ofPass(RegionSpace space, long count) {
            long offsets = space.region((count + 1) * Long.BYTES);
            long begins = space.region(count * Long.BYTES);
            long ends = space.region(count * Long.BYTES);
            return new Segments(offsets, begins, ends, space.region(count * Long.BYTES), space.region(count));
        }

        /// Returns the regions of segments that the host writes, without gaps: one copy fills them all
        /// ([GivenSegments]), and one copy the rooms of buckets ([FirstPass]).
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

    /// How often each value occurs, which is 0 before the sort; and where its keys belong. Where payloads are moved by
    /// value, bytes are counted instead.
    public record Values(long totals, long offsets) {}

    /// For each pass that moves payloads by value: how often each byte occurs in each segment, which is 0 before the
    /// sort; where its segments begin; and where the next element of each bucket goes.
    public record Places(long[] totals, long[] segments, long[] positions) {
        /// Returns the regions of the counts of bytes, one for each pass.
        static long[] totals(RegionSpace space, SortPlan plan) {
            long[] totals = new long[plan.passCount()];
            for (int pass = 0; pass < totals.length; pass++) {
                totals[pass] = space.region(plan.segmentCount(pass + 1) * Long.BYTES);
            }
            return totals;
        }

        static Places in(RegionSpace space, SortPlan plan, long[] totals) {
            long[] begins = new long[plan.passCount()];
            long[] positions = new long[plan.passCount()];
            for (int pass = 0; pass < plan.passCount(); pass++) {
                begins[pass] = space.region((plan.segmentCount(pass) + 1) * Long.BYTES);
                positions[pass] = space.region(plan.segmentCount(pass + 1) * Long.BYTES);
            }
            return new Places(totals, begins, positions);
        }
    }

    /// All memory for elements.
    ///
    /// @param headSize elements in front of the array that the first pass writes
    public record Buffer(long keys, long payloads, long headSize) {}
}
