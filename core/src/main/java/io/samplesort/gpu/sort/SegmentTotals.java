package io.samplesort.gpu.sort;

import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.code.KernelStructs.SegmentCounts;
import io.samplesort.gpu.code.KernelStructs.UserSegments;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.code.StructValues;
import io.samplesort.gpu.launch.RegionSpace;
import io.samplesort.gpu.launch.Workspace;
import io.samplesort.gpu.launch.WorkspaceLayout;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// How many segments of which lengths an array in device memory has. The device counts them before anything is sorted,
/// and the host reads the counts: only what is there is launched then, and memory is taken for that alone.
///
/// Segments longer than the small-sort limit have classes by their lengths, and those longer than a sixteenth of the
/// array are huge.
public final class SegmentTotals {
    /// No more segments than [KernelConstants#MOST_HUGE] are longer than such a part of the array.
    private static final int PARTS_OF_HUGE = KernelConstants.MOST_HUGE;

    /// Segments of one class differ by this factor in length (as log2, `kLogClassFactor`).
    private static final int LOG_CLASS_FACTOR = 3;

    /// The most bytes that the host reads.
    public static final long MOST_BYTES =
            (KernelStructs.SEGMENT_TOTALS_LONGS + 2L * KernelConstants.MOST_CLASSES * KernelConstants.LIST_BLOCKS)
                    * Long.BYTES;

    private final SegmentOffsetsOnDevice offsets;
    private final long count;
    private final Tuning tuning;
    private final int classCount;
    private final long hugeFrom;
    private final long totalsAt;
    private final long segmentsAt;
    private final long elementsAt;
    private final WorkspaceLayout memory;
    private long[] counted;

    /// The offsets of segments in device memory: one more than there are segments.
    ///
    /// @param address  device address
    /// @param bytes    bytes of an offset, 4 or 8
    /// @param segments the number of segments
    public record SegmentOffsetsOnDevice(long address, int bytes, long segments) {
        /// Returns the struct `UserSegments`.
        ///
        /// @param count the elements of the array that has these segments
        public long[] struct(long count) {
            return new StructValues<>(UserSegments.values())
                    .set(UserSegments.OFFSETS, address)
                    .set(UserSegments.OFFSET_BYTES, bytes)
                    .set(UserSegments.SEGMENT_COUNT, segments)
                    .set(UserSegments.ELEMENT_COUNT, count)
                    .toArray();
        }
    }

    /// @param count the elements of the array, all segments and what lies around them
    public SegmentTotals(long count, SegmentOffsetsOnDevice offsets, Tuning tuning) {
        this.count = count;
        this.offsets = offsets;
        this.tuning = tuning;
        hugeFrom = Math.max(tuning.smallSortLimit(), count / PARTS_OF_HUGE);
        int classes = 0;
        while (classes < KernelConstants.MOST_CLASSES && shortest(classes) < hugeFrom) {
            classes++;
        }
        classCount = classes;
        RegionSpace space = new RegionSpace();
        long arrayBytes = classCount * (long) KernelConstants.LIST_BLOCKS * Long.BYTES;
        long totalsBytes = KernelStructs.SEGMENT_TOTALS_LONGS * (long) Long.BYTES;
        // One region, so that one copy reads it all.
        totalsAt = space.region(totalsBytes + 2 * arrayBytes);
        space.zeroSoFar();
        segmentsAt = totalsAt + totalsBytes;
        elementsAt = segmentsAt + arrayBytes;
        memory = space.layout();
    }

    /// Returns the memory of the counts.
    public WorkspaceLayout memory() {
        return memory;
    }

    private long byteSize() {
        return (KernelStructs.SEGMENT_TOTALS_LONGS + 2L * classCount * KernelConstants.LIST_BLOCKS) * Long.BYTES;
    }

    /// Counts on the device.
    public void enqueueCount(Stream on, SortLauncher launcher, Workspace workspace) {
        // A block has a thread for each of its segments, up to the most that fit it.
        long share = Math.ceilDiv(offsets.segments(), (long) KernelConstants.LIST_BLOCKS);
        long warps = Math.ceilDiv(Math.max(1, share), (long) KernelConstants.WARP_SIZE);
        long threads = Math.min(KernelConstants.SEGMENT_COUNT_THREADS, warps * KernelConstants.WARP_SIZE);
        launcher.kernels()
                .of("count_segments")
                .ofBlocks((int) threads, SharedMemory.LIST_LONG_SEGMENTS)
                .with(segments(), counts(workspace))
                .launch(on, KernelConstants.LIST_BLOCKS);
    }

    /// Waits for the counts, and reads them.
    ///
    /// @param pinned pinned memory of [#MOST_BYTES] bytes
    public void read(Stream on, Workspace workspace, MemorySegment pinned) {
        on.copyToHost(pinned, workspace.address(totalsAt), byteSize());
        on.synchronize();
        counted = pinned.asSlice(0, byteSize()).toArray(ValueLayout.JAVA_LONG);
    }

    SegmentOffsetsOnDevice offsets() {
        return offsets;
    }

    /// Returns the elements of the array.
    long count() {
        return count;
    }

    /// Returns the number of the first wrong offset; -1 if all are right.
    public long wrongOffset() {
        return counted[0] == 0 ? -1 : offsets.segments + 1 - counted[0];
    }

    /// Returns whether a segment may be longer than this and than the small-sort limit.
    public boolean mayExceed(long length) {
        for (int number = 0; number < classCount; number++) {
            for (int range = 0; range < KernelConstants.LIST_BLOCKS; range++) {
                if (longest(number) > length && segmentsOf(number, range) > 0) {
                    return true;
                }
            }
        }
        return hugeCount() > 0;
    }

    /// Returns how many segments warps sort.
    long inWarps() {
        return counted[1];
    }

    /// Returns how many segments the small sort takes.
    long inBlocks() {
        return counted[2];
    }

    int hugeCount() {
        return Math.toIntExact(counted[3]);
    }

    long hugeBegin(int number) {
        return counted[4 + 2 * number];
    }

    long hugeSize(int number) {
        return counted[5 + 2 * number];
    }

    int classCount() {
        return classCount;
    }

    /// Returns the length that segments of a class exceed.
    private long shortest(int number) {
        return (long) tuning.smallSortLimit() << LOG_CLASS_FACTOR * number;
    }

    /// Returns the length of the longest segments that a class may have.
    long longest(int number) {
        return number + 1 == classCount ? hugeFrom : Math.min(hugeFrom, shortest(number + 1));
    }

    /// Returns how many segments of a class a range of segments has.
    long segmentsOf(int number, int range) {
        return counted[KernelStructs.SEGMENT_TOTALS_LONGS + number * KernelConstants.LIST_BLOCKS + range];
    }

    /// Returns the elements of these segments.
    long elementsOf(int number, int range) {
        return counted[
                KernelStructs.SEGMENT_TOTALS_LONGS + (classCount + number) * KernelConstants.LIST_BLOCKS + range];
    }

    /// Returns the struct `UserSegments`.
    long[] segments() {
        return offsets.struct(count);
    }

    /// Returns the struct `SegmentCounts`.
    long[] counts(Workspace workspace) {
        return new StructValues<>(SegmentCounts.values())
                .set(SegmentCounts.TOTALS, workspace.address(totalsAt))
                .set(SegmentCounts.SEGMENTS, workspace.address(segmentsAt))
                .set(SegmentCounts.ELEMENTS, workspace.address(elementsAt))
                .set(SegmentCounts.CLASS_COUNT, classCount)
                .set(SegmentCounts.HUGE_FROM, hugeFrom)
                .toArray();
    }
}
