package io.samplesort.gpu.inplace;

import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.code.KernelStructs.Region;
import io.samplesort.gpu.launch.Group;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What the GPU has decided after the first pass (region_plan.cuh): regions, which are neighbouring segments that are
/// divided further and sorted together, and how many pages move before each of them is sorted.
final class RegionPlan {
    private static final int HEAD = KernelStructs.RegionPlan.values().length;
    private static final int FIELDS = Region.values().length;

    private final long[] values;

    /// @param told what the GPU has written, with [#bytes] bytes
    RegionPlan(MemorySegment told) {
        values = told.toArray(ValueLayout.JAVA_LONG);
    }

    /// Returns the bytes of a plan of this many regions.
    static long bytes(int regions) {
        return (HEAD + (long) FIELDS * regions) * Long.BYTES;
    }

    /// Returns where a plan has the number of pages that move from the work area to the array.
    static long settledAt() {
        return KernelStructs.RegionPlan.SETTLED.ordinal() * (long) Long.BYTES;
    }

    /// Returns where a plan has the number of pages that move before a region is sorted.
    static long movesAt(int region) {
        return at(region, Region.MOVES) * (long) Long.BYTES;
    }

    private static int at(int region, Region field) {
        return HEAD + FIELDS * region + field.ordinal();
    }

    private long head(KernelStructs.RegionPlan field) {
        return values[field.ordinal()];
    }

    private long field(int region, Region field) {
        return values[at(region, field)];
    }

    /// Returns whether there was a free page whenever one was needed.
    boolean isComplete() {
        return regionCount() > 0 && head(KernelStructs.RegionPlan.LACKS_PAGES) == 0;
    }

    /// Returns whether no element of a segment comes before one of the segment before it.
    boolean isInOrder() {
        return head(KernelStructs.RegionPlan.IS_IN_ORDER) != 0;
    }

    int regionCount() {
        return Math.toIntExact(head(KernelStructs.RegionPlan.REGION_COUNT));
    }

    /// Returns how many elements move with their pages.
    long movedElements() {
        return head(KernelStructs.RegionPlan.MOVED_ELEMENTS);
    }

    /// Returns how many pages move from the work area to the array.
    long settled() {
        return head(KernelStructs.RegionPlan.SETTLED);
    }

    /// Returns the segments of a region.
    Group group(int region) {
        return new Group(
                region,
                field(region, Region.FIRST_SEGMENT),
                field(region, Region.LAST_SEGMENT),
                field(region, Region.BEGIN));
    }

    /// Returns how many elements a region has.
    long count(int region) {
        return field(region, Region.COUNT);
    }

    /// Returns how many pages move before a region is sorted.
    long moves(int region) {
        return field(region, Region.MOVES);
    }

    /// Returns whether these pages move to where the region was before it was divided.
    boolean areMovesBehind(int region) {
        return field(region, Region.MOVES_BEHIND) != 0;
    }
}
