package io.samplesort.gpu.chunks;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.Kernels;
import io.samplesort.gpu.transfer.DownloadFlow;
import io.samplesort.gpu.transfer.HostTransfer;
import io.samplesort.gpu.transfer.StageClock;
import io.samplesort.gpu.transfer.UploadFlow;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;

/// Sorts host memory as fast as the link to the device can carry it, and more of it than the device holds.
///
/// Elements are cut into chunks. Each is sorted while the next ones are on their way up: sorted **runs**. Where all
/// runs are known, they are cut into **buckets** as large as the chunks, with all elements of a bucket before all of
/// the next one; each bucket is gathered and sorted while those before it are on their way down. So of the device's
/// work only the sorts of one chunk and of one bucket are not hidden behind copies. The cuts are exact: no bucket is
/// larger than planned for, whatever the input. Elements of one bucket come in the order of their runs, so this is
/// stable where the sorts are.
///
/// Runs stay on the device where they fit ([DeviceRuns]), and elements cross the link once each way. Otherwise runs go
/// to other host memory and come back as buckets ([HostRuns]): twice each way.
public final class HostSort implements AutoCloseable {
    /// Enough where all is on the device.
    private static final int KEPT_BUCKETS = 2 * Kernels.MAX_RUNS;

    private final DeviceSort sort;
    private final Comparator<MemorySegment> order;
    private final Stream sorting;
    private final Stream up;
    private final Stream down;
    private final HostTransfer transfer;
    private final MemorySegment largestBuckets;
    private final MemorySegment cuts;
    private final Owned owned = new Owned();

    /// @param order   of the elements of the first column
    /// @param sorting the stream on which sorts run
    public HostSort(DeviceSort sort, Comparator<MemorySegment> order, Stream sorting, HostTransfer transfer) {
        this.sort = sort;
        this.order = order;
        this.sorting = sorting;
        this.transfer = transfer;
        try {
            up = owned.add(Stream.create(context()));
            down = owned.add(Stream.create(context()));
            largestBuckets = pinned(owned, KEPT_BUCKETS);
            cuts = pinned(owned, Kernels.MAX_RUNS * Kernels.MAX_RUNS);
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Sorts columns of as many elements each, in place.
    ///
    /// @throws io.samplesort.types.InsufficientDeviceMemoryException before anything is changed
    /// @throws io.samplesort.types.SampleSortException if the GPU fails when part of the result has been written; the
    /// message
    ///     says what the columns hold then
    public SortReport sort(List<MemorySegment> columns, boolean isTimed) {
        long start = System.nanoTime();
        long count = columns.getFirst().byteSize() / sort.columnBytes()[0];
        HostPlan plan = HostPlan.of(count, sort, sort.layouts().freeBytes());
        try (ChunkPipeline pipeline = plan.staysOnDevice()
                ? new DeviceRuns(this, plan, columns, isTimed)
                : new HostRuns(this, plan, columns, isTimed, order)) {
            pipeline.run();
            return pipeline.report(start);
        }
    }

    DeviceSort sort() {
        return sort;
    }

    Context context() {
        return sort.context();
    }

    /// The stream on which sorts run.
    Stream sorting() {
        return sorting;
    }

    UploadFlow uploads(long bytes, StageClock clock) {
        return transfer.up(up, bytes, clock);
    }

    DownloadFlow downloads(long bytes, StageClock clock) {
        return transfer.down(down, bytes, clock);
    }

    /// Pinned memory for the largest buckets of so many sorts.
    ///
    /// @param owner closes it, unless it is this object's
    MemorySegment largestBuckets(int count, Owned owner) {
        return count <= KEPT_BUCKETS ? largestBuckets : pinned(owner, count);
    }

    /// Pinned memory for all cuts that the device finds.
    MemorySegment cuts() {
        return cuts;
    }

    private MemorySegment pinned(Owned owner, int count) {
        return owner.add(PinnedMemory.allocate(context(), (long) count * Long.BYTES))
                .segment();
    }

    @Override
    public void close() {
        owned.close();
    }
}
