package io.samplesort.gpu.select;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.launch.KernelLaunch;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.SegmentTotals;
import io.samplesort.gpu.sort.SegmentTotals.SegmentOffsetsOnDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The first or the last elements of each segment of an array in device memory: how many there are, where they go, and
/// what they are. Each warp selects them from a segment, or they are copied once the segments are sorted. The results
/// of a segment lie behind those of the one before.
public final class FirstOfSegments implements AutoCloseable {
    /// A warp selects from no segment that has more than such a part of all elements: it would be the last one to end
    /// by far. Nor does it from one that is longer than its kernel counts.
    private static final int PARTS_OF_LONGEST = 512;

    private static final long MOST_COUNTED = Integer.MAX_VALUE;

    /// Shorter segments are sorted faster than warps select from them.
    private static final int LEAST_LENGTH = 256;

    /// A warp keeps this many times the wanted elements before it sorts them, if it has room for so many, and at least
    /// [#LEAST_ROOM]. The first few thus give a bound that keeps most of the others out.
    private static final int ROOM_FACTOR = 4;

    private static final int LEAST_ROOM = 2 * KernelConstants.WARP_SIZE;

    private static final long COUNT_BYTES = KernelConstants.LIST_BLOCKS * (long) Long.BYTES;

    private final DeviceSort sort;
    private final Stream stream;
    private final SegmentOffsetsOnDevice segments;
    private final SegmentOffsetsOnDevice results;
    private final long count;
    private final long most;
    private final DeviceAllocation counts;
    private long total;

    /// @param results room for as many offsets as the segments have, of as many bytes
    /// @param count   the elements of the array
    /// @param most    how many elements of a segment are wanted
    public FirstOfSegments(
            DeviceSort sort,
            Stream stream,
            SegmentOffsetsOnDevice segments,
            SegmentOffsetsOnDevice results,
            long count,
            long most) {
        this.sort = sort;
        this.stream = stream;
        this.segments = segments;
        this.results = results;
        this.count = count;
        this.most = most;
        counts = DeviceAllocation.allocateAsync(sort.context(), stream, COUNT_BYTES);
    }

    /// Counts the results, and waits until that is done. If offsets are wrong, the sum is, too.
    ///
    /// @param pinned pinned memory of [SegmentTotals#MOST_BYTES] bytes
    /// @return how many results there are
    public long count(MemorySegment pinned) {
        of("count_first")
                .with(segments.struct(count))
                .values(most, counts.address())
                .launch(stream, KernelConstants.LIST_BLOCKS);
        stream.copyToHost(pinned, counts.address(), COUNT_BYTES);
        stream.synchronize();
        total = 0;
        for (int block = 0; block < KernelConstants.LIST_BLOCKS; block++) {
            total += pinned.getAtIndex(ValueLayout.JAVA_LONG, block);
        }
        return total;
    }

    /// Writes the offsets of the results, after [#count].
    public void place() {
        of("place_first")
                .with(segments.struct(count), results.struct(total))
                .values(most, counts.address())
                .launch(stream, KernelConstants.LIST_BLOCKS);
    }

    /// Returns whether warps select the elements: if few are wanted of segments that are long enough, and none of these
    /// is much longer than all others.
    public boolean isForWarps(SegmentTotals totals) {
        return most <= mostRoom() / 2
                && count / LEAST_LENGTH >= segments.segments()
                && !totals.mayExceed(Math.min(count / PARTS_OF_LONGEST, MOST_COUNTED));
    }

    private int mostRoom() {
        return sort.element().shortSegment();
    }

    /// Writes the offsets of the results, and selects these, after [#count], if that is for warps.
    ///
    /// @param elements the elements, which stay as they are
    /// @param isLast   whether the last ones are wanted, and not the first
    /// @param target   device address of room for the results, or for their sort keys
    public void select(long elements, boolean isLast, long target) {
        place();
        int wanted = Integer.highestOneBit((int) most * 2 - 1);
        int room = Math.clamp((long) wanted * ROOM_FACTOR, LEAST_ROOM, mostRoom());
        int warps = KernelConstants.SEGMENT_THREADS / KernelConstants.WARP_SIZE;
        of("select_of_segments")
                .ofBlocks(KernelConstants.SEGMENT_THREADS, SharedMemory.warpItems(sort.element(), room))
                .with(sort.asInput(elements, 0).fields(), segments.struct(count), results.struct(total))
                .values(target, most, room)
                .flag(isLast)
                .launch(stream, Math.ceilDiv(segments.segments(), (long) warps));
    }

    /// Writes the offsets of the results, and copies these, after [#count].
    ///
    /// @param sorted device address of the elements, or of their sort keys, with each segment sorted
    /// @param isLast whether the last ones are wanted, and not the first
    /// @param target device address of room for the results
    public void take(long sorted, boolean isLast, long target) {
        place();
        of("take_first")
                .with(segments.struct(count), results.struct(total))
                .values(sorted, target)
                .flag(isLast)
                .launchInWaves(stream, Math.ceilDiv(total, (long) KernelConstants.TAKEN_TILE));
    }

    private KernelLaunch of(String kernel) {
        return sort.kernels().of(kernel);
    }

    @Override
    public void close() {
        counts.close();
    }
}
