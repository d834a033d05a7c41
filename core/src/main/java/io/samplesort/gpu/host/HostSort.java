package io.samplesort.gpu.host;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import io.samplesort.errors.CudaException;
import io.samplesort.errors.SampleSortException;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.reports.SortWatch;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;

/// Sorts host memory, also more of it than the device holds, as fast as the link to the device can carry it.
///
/// Elements are cut into chunks. Each chunk becomes a sorted **run** while the next chunks are on their way up. Once
/// all runs are there, they are cut into **buckets** as large as the chunks, so that all elements of a bucket come
/// before all of the next one. Each bucket is gathered and sorted while those before it are on their way down. So the
/// copies hide all of the device's work except the sorts of one chunk and one bucket. The cuts are exact: whatever the
/// input, no bucket is larger than planned. The elements of a bucket are gathered in the order of their runs, so the
/// whole sort is stable if the sorts of chunks and buckets are.
///
/// If the runs fit the device, they stay there ([DeviceRuns]), and elements cross the link once each way. Otherwise
/// the runs go to other host memory and come back as buckets ([HostRuns]), so elements cross the link twice each way.
/// Several GPUs share a sort in this second way.
public final class HostSort implements AutoCloseable {
    /// The pinned memory that is kept between sorts has room for the sizes of this many buckets, which is enough for
    /// every sort whose runs stay on the device.
    private static final int KEPT_BUCKETS = 2 * KernelConstants.MAX_RUNS;

    private final DeviceSort sort;
    private final Comparator<MemorySegment> order;
    private final Stream sorting;
    private final Stream up;
    private final Stream down;
    private final HostTransfer transfer;
    private final MemorySegment largestBuckets;
    private final MemorySegment cuts;
    private final Owned owned = new Owned();
    /// The plan of the last sort whose elements stayed on the device and that had all the memory it wanted. Most
    /// programs sort the same number of elements again. Making a plan takes a while, and with the same plan the
    /// launches can be repeated.
    private HostPlan last;

    /// @param order   the order of the elements of the first column
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
            cuts = pinned(owned, KernelConstants.MAX_RUNS * KernelConstants.MAX_RUNS);
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Sorts columns in place; all have the same number of elements.
    ///
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException before anything is changed
    /// @throws io.samplesort.errors.SampleSortException if the GPU fails when part of the result has been written; in
    ///     that case the message says what the columns hold
    public SortReport sort(List<MemorySegment> columns, boolean isTimed) {
        long start = System.nanoTime();
        long count = columns.getFirst().byteSize() / sort.columnBytes()[0];
        HostPlan plan = plan(count);
        return run(
                plan.staysOnDevice()
                        ? new DeviceRuns(this, plan, columns, isTimed)
                        : new HostRuns(List.of(this), List.of(plan), columns, isTimed, order),
                start);
    }

    private HostPlan plan(long count) {
        if (last == null || last.count() != count) {
            last = HostPlan.onDevice(count, sort, Long.MAX_VALUE);
        }
        // The memory that earlier sorts have left in the pool is usually enough, and asking the device takes a while.
        return last != null && sort.strategies().hasRoom(last.deviceBytes(sort), 0)
                ? last
                : HostPlan.of(count, sort, sort.strategies().freeBytes());
    }

    /// Sorts columns in place as [#sort] does, on several GPUs side by side. The elements cross the links twice each
    /// way, but each GPU has a link of its own.
    ///
    /// @param gpus the sorts of host memory of the GPUs, for elements and orders of one kind; the context of none has
    ///     to be current
    public static SortReport sortOnAll(List<HostSort> gpus, List<MemorySegment> columns, boolean isTimed) {
        long start = System.nanoTime();
        HostSort first = gpus.getFirst();
        long count = columns.getFirst().byteSize() / first.sort.columnBytes()[0];
        return run(new HostRuns(gpus, HostPlan.forAll(count, gpus), columns, isTimed, first.order), start);
    }

    private static SortReport run(HostPipeline sort, long start) {
        SortWatch.current().onlyReads();
        try (HostPipeline pipeline = sort) {
            pipeline.run();
            return pipeline.report(start);
        } catch (CudaException e) {
            if (sort.isWrittenBack()) {
                throw new SampleSortException(
                        "the GPU failed when all elements had been copied back: the input is sorted", e);
            }
            throw e;
        }
    }

    DeviceSort sort() {
        return sort;
    }

    Context context() {
        return sort.context();
    }

    /// Returns the stream on which sorts run.
    Stream sorting() {
        return sorting;
    }

    UploadFlow uploads(long bytes, StageClock clock) {
        return transfer.up(up, bytes, clock);
    }

    DownloadFlow downloads(long bytes, StageClock clock) {
        return transfer.down(down, bytes, clock);
    }

    /// Returns pinned memory for the sizes of the largest buckets of `count` sorts.
    ///
    /// @param owner closes the memory, unless it is the memory that this object keeps
    MemorySegment largestBuckets(int count, Owned owner) {
        return count <= KEPT_BUCKETS ? largestBuckets : pinned(owner, count);
    }

    /// Returns pinned memory for all cuts that the device finds.
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
