package io.samplesort.gpu.chunks;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Event;
import io.samplesort.gpu.sort.ArrivingPass;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.GivenSegments;
import io.samplesort.gpu.sort.WorkspaceLayout;
import io.samplesort.gpu.transfer.DownloadFlow;
import io.samplesort.gpu.transfer.TransferBatch;
import io.samplesort.gpu.transfer.UploadFlow;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

/// A sort of host memory that is hidden behind its transfers, where the device holds the elements twice and more: see
/// [HostSort]. Elements are put into buckets as they arrive, piece by piece ([ArrivingPass]). When all are there,
/// groups
/// of buckets are sorted one after another, and each is on its way back while the next ones are sorted. So only the
/// first pass of the last piece and the sort of the first group are not hidden.
///
/// If a bucket had too little room, the elements are sorted as a whole before any of them goes back.
final class ArrivalSort extends DevicePipeline {
    private final ArrivalPlan arrival;
    private final SegmentAllocator pinned;
    private WorkspaceLayout layout;
    private long extraBytes;

    ArrivalSort(HostSort owner, ArrivalPlan arrival, List<MemorySegment> host, boolean isTimed) {
        super(owner, arrival.whole(), host, isTimed);
        this.arrival = arrival;
        long passBytes =
                ArrivingPass.pinnedBytes(sort, arrival.logBuckets(), arrival.sampleCount(), arrival.pieces() + 1);
        // Groups of one bucket take most.
        long groupBytes = GivenSegments.bytes(1) << arrival.logBuckets();
        pinned = SegmentAllocator.slicingAllocator(owner.pinned(passBytes + groupBytes));
    }

    @Override
    public void run() {
        try (DeviceColumns elements = new DeviceColumns(owner.context(), sorting, sort.columnBytes(), plan.count());
                ArrivingPass pass = new ArrivingPass(
                        sort,
                        sorting,
                        elements.from(0),
                        arrival.bounds(),
                        arrival.logBuckets(),
                        arrival.sampleCount(),
                        pinned)) {
            boolean isStaged = divide(elements, pass);
            download(downloads -> {
                if (isStaged) {
                    // The device has the last piece to divide meanwhile.
                    downloads.wake();
                }
                sorting.synchronize();
                if (!sortByBuckets(elements, pass, downloads)) {
                    pass.close();
                    sortAsAWhole(elements, downloads);
                }
            });
        }
    }

    /// Has the elements come to the device, and puts them into buckets. Returns whether threads had to help.
    private boolean divide(DeviceColumns elements, ArrivingPass pass) {
        Event allocated = mark();
        try (UploadFlow uploads = owner.uploads(byteSize(), uploadClock)) {
            List<TransferBatch> batches = new ArrayList<>();
            for (int piece = 0; piece < arrival.pieces(); piece++) {
                long begin = arrival.begin(piece);
                batches.add(uploads.submit(parts(elements, begin, arrival.begin(piece + 1) - begin), allocated));
            }
            ArrivalSample.draw(host.getFirst(), sort.columnBytes()[0], pass.drawn());
            enqueueStep(pass::begin);
            for (int piece = 0; piece < arrival.pieces(); piece++) {
                int arrived = piece;
                sorting.waitFor(batches.get(piece).completion());
                enqueueStep(() -> pass.scatter(arrived));
            }
            pass.end();
            uploads.finish();
            return uploads.isAwake();
        }
    }

    /// Returns false if that cannot be done; nothing has been changed then.
    private boolean sortByBuckets(DeviceColumns elements, ArrivingPass pass, DownloadFlow downloads) {
        GivenSegments buckets = pass.segments();
        if (buckets == null) {
            return false;
        }
        List<BucketGroups.Group> groups = BucketGroups.of(buckets);
        layout = largestLayout(groups);
        if (!sort.layouts().hasRoom(layout.byteSize, byteSize() + pass.bucketBytes())) {
            return false;
        }
        // The pool keeps this, so that the sorts of all groups get their memory.
        DeviceAllocation.allocateAsync(owner.context(), sorting, layout.byteSize)
                .close();
        extraBytes = byteSize() + pass.bucketBytes() + layout.byteSize;
        for (BucketGroups.Group group : groups) {
            long pinnedBytes = GivenSegments.bytes(group.segments().sizes().length);
            MemorySegment segments = pinned.allocate(pinnedBytes, Long.BYTES);
            enqueueSort(
                    group.count(),
                    largestBucket -> sort.enqueueBehind(
                            sorting,
                            layout(group),
                            group.segments(),
                            segments,
                            pass.bucketsFrom(group.begin()),
                            elements.from(group.place()),
                            layout.byteSize,
                            largestBucket));
            downloads.submit(parts(elements, group.place(), group.count()), mark());
        }
        return true;
    }

    private WorkspaceLayout largestLayout(List<BucketGroups.Group> groups) {
        BucketGroups.Group largest = groups.getFirst();
        for (BucketGroups.Group group : groups) {
            if (group.count() > largest.count()) {
                largest = group;
            }
        }
        return layout(largest);
    }

    private WorkspaceLayout layout(BucketGroups.Group group) {
        return sort.layoutBehind(group.count(), group.segments().sizes().length);
    }

    private void sortAsAWhole(DeviceColumns elements, DownloadFlow downloads) {
        layout = plan.layout();
        extraBytes = byteSize() + layout.byteSize;
        enqueueSort(plan.count(), elements.from(0));
        // A failed kernel shows here, while the input is still as it was.
        sorting.synchronize();
        downloads.submit(parts(elements, 0, plan.count()), null);
    }

    /// Returns the parts of a transfer of elements between host memory and the same places in device memory.
    private List<TransferBatch.Part> parts(DeviceColumns elements, long begin, long count) {
        return parts(host, begin, count, elements, begin);
    }

    @Override
    public SortReport report(long start) {
        return report(start, layout, 1, extraBytes);
    }
}
