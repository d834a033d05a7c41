package io.samplesort.gpu.launch;

import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.types.Tuning;

/// The memory in which the tiles of a pass that keeps the order of equal elements tell each other how many elements
/// each has for each bucket (tile_chain.cuh): a word for each tile and bucket.
///
/// @param isOfOneGroup whether groups use the same memory one after another, as they do after a first pass in place
record TileWords(SortPlan plan, Tuning tuning, Rooms rooms, boolean isOfOneGroup) {
    /// Returns the bytes of a pass.
    long bytes(int pass) {
        if (isOfOneGroup && pass == 0) {
            return 0;
        }
        long slots = isOfOneGroup
                ? rooms.mostWithin(rooms.headSize) / tuning.tileSize()
                        + 1
                        + rooms.largestGroup() * plan.segmentsOfABucket(pass)
                : plan.tileSlots(pass, tuning);
        return Math.multiplyExact(Math.multiplyExact(slots, plan.bucketCount(pass)), wordBytes());
    }

    /// Returns how far from the beginning of this memory the words of a group's tiles begin. Each group numbers its
    /// segments from 0 on, so without this offset the slots of its tiles would overlap those of the group before it.
    long offset(int pass, Group group) {
        // If the memory is for one group, the slots before the group have no words.
        long slots = isOfOneGroup ? -(group.place() / tuning.tileSize()) : plan.firstSegment(pass, group);
        return slots * plan.bucketCount(pass) * wordBytes();
    }

    private int wordBytes() {
        return plan.elementCount() < 1L << KernelConstants.NARROW_COUNT_BITS ? Integer.BYTES : Long.BYTES;
    }
}
