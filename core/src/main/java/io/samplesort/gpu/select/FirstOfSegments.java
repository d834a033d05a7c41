package io.samplesort.gpu.select;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.launch.KernelLaunch;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.SegmentTotals.SegmentOffsetsOnDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The first or the last elements of each segment of an array in device memory: how many there are, where they go, and
/// a copy of them once the segments are sorted. The results of a segment lie behind those of the one before.
public final class FirstOfSegments implements AutoCloseable {
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

    /// Copies the results, after [#place].
    ///
    /// @param sorted device address of the elements, or of their sort keys, with each segment sorted
    /// @param isLast whether the last ones are wanted, and not the first
    /// @param target device address of room for the results
    public void take(long sorted, boolean isLast, long target) {
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
