package io.samplesort.gpu.launch;

import io.samplesort.gpu.code.KernelConstants;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// The segments that a first pass of several GPUs has left on one of them, in sorted order. The plan may have more
/// segments; these are empty.
///
/// @param sizes    elements of each segment
/// @param begins   where each segment lies in the array that the pass has written, in elements
/// @param areEqual whether all keys of a segment are equal
public record GivenSegments(long[] sizes, long[] begins, boolean[] areEqual) {
    private static final long STAYS_APART = 1L << KernelConstants.STAYS_APART_BIT;

    /// Returns enough bytes of pinned memory for this many segments.
    public static long bytes(int segmentCount) {
        return Math.ceilDiv(regionBytes(2L * segmentCount), (long) Long.BYTES) * Long.BYTES;
    }

    /// Returns the bytes of the contiguous regions of this many segments in device memory: offsets and one more, counts
    /// of elements that are moved before each, begins, ends and marks.
    static long regionBytes(long count) {
        return (4 * count + 1) * Long.BYTES + count;
    }

    /// Writes what `scan_counts` would have written after that pass.
    public void upload(DividingMemory memory, MemorySegment pinned) {
        DividingLayout layout = memory.layout();
        int count = Math.toIntExact(layout.plan.segmentCount(1));
        int limit = layout.smallSortLimit;
        long[] words = new long[4 * count + 1];
        byte[] marks = new byte[count];
        long offset = 0;
        long moved = 0;
        for (int segment = 0; segment < sizes.length; segment++) {
            // An equality bucket that the small sort cannot take stays where it is until it is copied.
            boolean stays = areEqual[segment] && sizes[segment] > limit;
            words[segment] = offset;
            words[count + 1 + segment] = moved;
            words[2 * count + 1 + segment] = begins[segment] | (stays ? STAYS_APART : 0);
            // The end of a segment's room is never read.
            marks[segment] = (byte)
                    (stays
                            ? KernelConstants.IS_EQUALITY | KernelConstants.STAYS_IN_FIRST
                            : areEqual[segment] ? KernelConstants.IS_EQUALITY : 0);
            offset += sizes[segment];
            moved += stays ? 0 : sizes[segment];
        }
        Arrays.fill(words, sizes.length, count + 1, offset);
        Arrays.fill(words, count + 1 + sizes.length, 2 * count + 1, moved);
        // Copied in one call, since single accesses are slow in a process that has just started.
        MemorySegment.copy(words, 0, pinned, ValueLayout.JAVA_LONG, 0, words.length);
        MemorySegment.copy(marks, 0, pinned, ValueLayout.JAVA_BYTE, (long) words.length * Long.BYTES, count);
        memory.stream().copyToDevice(memory.address(layout.segments[1].offsets()), pinned, regionBytes(count));
    }
}
