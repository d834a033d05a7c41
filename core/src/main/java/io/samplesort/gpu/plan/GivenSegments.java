package io.samplesort.gpu.plan;

import io.samplesort.gpu.code.KernelConstants;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The segments that a first pass of several GPUs has left on one of them, or a first pass in place, in sorted order.
/// Those behind the last one, up to the number that the plan has, are empty.
///
/// @param sizes    elements of each segment
/// @param begins   where each segment lies in the array that the pass has written, in elements
/// @param areEqual whether all keys of a segment are equal
public record GivenSegments(long[] sizes, long[] begins, boolean[] areEqual) {
    private static final long STAYS_APART = 1L << KernelConstants.STAYS_APART_BIT;

    /// Returns the bytes of pinned memory that so many segments take, and some more.
    public static long bytes(int segmentCount) {
        return Math.ceilDiv(regionBytes(2L * segmentCount), (long) Long.BYTES) * Long.BYTES;
    }

    /// Returns the bytes of the regions that so many segments have in device memory, one behind the other: offsets and
    /// one more, elements that are moved before each, begins, ends and marks.
    static long regionBytes(long count) {
        return (4 * count + 1) * Long.BYTES + count;
    }

    /// Writes what scan_counts would have written after that pass.
    public void upload(Workspace workspace, MemorySegment pinned) {
        WorkspaceLayout layout = workspace.layout();
        int count = Math.toIntExact(layout.plan.segmentCount(1));
        int limit = layout.smallSortLimit;
        long offset = 0;
        long moved = 0;
        for (int segment = 0; segment < count; segment++) {
            boolean exists = segment < sizes.length;
            boolean isEqual = exists && areEqual[segment];
            // An equality bucket that the small sort cannot take stays where it is until it is copied.
            boolean stays = isEqual && sizes[segment] > limit && !layout.isPaged();
            set(pinned, segment, offset);
            set(pinned, count + 1 + segment, moved);
            set(pinned, 2 * count + 1 + segment, exists ? begins[segment] | (stays ? STAYS_APART : 0) : 0);
            // Nobody asks where the room of a segment ends.
            set(pinned, 3 * count + 1 + segment, 0);
            int mark = stays
                    ? KernelConstants.IS_EQUALITY | KernelConstants.STAYS_IN_FIRST
                    : isEqual ? KernelConstants.IS_EQUALITY : 0;
            pinned.set(ValueLayout.JAVA_BYTE, (4L * count + 1) * Long.BYTES + segment, (byte) mark);
            offset += exists ? sizes[segment] : 0;
            moved += exists && !stays ? sizes[segment] : 0;
        }
        set(pinned, count, offset);
        workspace.stream().copyToDevice(workspace.address(layout.segments[1].offsets()), pinned, regionBytes(count));
    }

    private static void set(MemorySegment pinned, int index, long value) {
        pinned.setAtIndex(ValueLayout.JAVA_LONG, index, value);
    }
}
