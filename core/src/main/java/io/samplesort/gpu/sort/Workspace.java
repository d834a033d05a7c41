package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelStructs.Pass;
import io.samplesort.gpu.code.KernelStructs.Queues;
import io.samplesort.gpu.code.StructValues;

/// The device memory of one sort beside its input, and the stream of the sort: one stream-ordered allocation carved
/// into regions. Nearly all of it is for elements: the exact layout has room for as many as the input has, the fast
/// layout for twice as many and the slack of the buckets (segments.cuh). The rest is a few bytes for each bucket, and,
/// where elements keep their order, a word for each tile and bucket of a pass.
final class Workspace implements AutoCloseable {
    private final Stream stream;
    private final WorkspaceLayout layout;
    private final WorkspaceGuard guard = WorkspaceGuard.installed();
    private final DeviceAllocation allocation;
    private final Owned owned = new Owned();

    /// Allocates on `stream`, and clears the counters there.
    Workspace(Context context, Stream stream, WorkspaceLayout layout) {
        this.stream = stream;
        this.layout = layout;
        this.allocation = owned.add(DeviceAllocation.allocateAsync(context, stream, layout.byteSize));
        try {
            stream.fill(allocation.address(), (byte) 0, layout.zeroedBytes);
            guard.opened(this);
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    Stream stream() {
        return stream;
    }

    WorkspaceLayout layout() {
        return layout;
    }

    /// Returns the elements of a buffer of the layout.
    private DeviceElements buffer(int buffer) {
        WorkspaceLayout.BufferRegions regions = layout.buffers[buffer];
        return new DeviceElements(address(regions.keys()), layout.holdsPairs ? 0 : address(regions.payloads()));
    }

    /// Returns where a pass writes. The exact layout goes to and fro between the input and one buffer; the fast layout
    /// leaves the input as it is until the small sort.
    DeviceElements target(int pass, DeviceElements input) {
        if (layout.isFast) {
            return buffer(pass % 2);
        }
        return pass % 2 == 0 ? buffer(0) : input;
    }

    /// Returns a buffer that the last pass has not written; without a pass, the input itself.
    DeviceElements scratch(DeviceElements input) {
        int passes = layout.plan.passCount();
        return passes == 0 ? input : buffer(layout.isFast ? passes % 2 : 0);
    }

    /// Returns the device address of a region of the layout.
    long address(long region) {
        return allocation.address() + region;
    }

    /// Returns the struct `Pass` of segments.cuh.
    long[] pass(int pass) {
        WorkspaceLayout.SegmentRegions segments = layout.segments[pass];
        WorkspaceLayout.SegmentRegions buckets = layout.segments[pass + 1];
        WorkspaceLayout.SplitterRegions splitters = layout.splitters[pass];
        return new StructValues<>(Pass.values())
                .set(Pass.ELEMENT_COUNT, layout.plan.elementCount())
                .set(Pass.SEGMENT_COUNT, layout.plan.segmentCount(pass))
                .set(Pass.LOG_BUCKET_COUNT, layout.plan.logBucketCounts()[pass])
                .set(Pass.SEGMENT_OFFSETS, address(segments.offsets()))
                .set(Pass.SEGMENT_BEGINS, address(segments.begins()))
                .set(Pass.SEGMENT_EQUALITY, address(segments.equality()))
                .set(Pass.SEGMENT_KINDS, address(splitters.kinds()))
                .set(Pass.SPLITTER_TREES, address(splitters.trees()))
                .set(Pass.WRITE_POSITIONS, address(layout.counters[pass].writePositions()))
                .set(Pass.BUCKET_OFFSETS, address(buckets.offsets()))
                .set(Pass.BUCKET_BEGINS, address(buckets.begins()))
                .set(Pass.BUCKET_EQUALITY, address(buckets.equality()))
                .set(Pass.INDEX, pass)
                .set(Pass.OVERFLOWS, address(layout.overflows))
                .set(Pass.ROOM, splitters.room())
                .toArray();
    }

    /// Returns the struct `Queues` of queues.cuh.
    ///
    /// @param lowestClass the size class for the smallest buckets
    long[] queues(int lowestClass) {
        int passes = layout.plan.passCount();
        WorkspaceLayout.SegmentRegions buckets = layout.segments[passes];
        return new StructValues<>(Queues.values())
                .set(Queues.BUCKET_OFFSETS, address(buckets.offsets()))
                .set(Queues.BUCKET_BEGINS, address(buckets.begins()))
                .set(Queues.CAPACITY, layout.queues.capacity())
                .set(Queues.SIZES, address(layout.queues.sizes()))
                .set(Queues.TAKEN, address(layout.queues.taken()))
                .set(Queues.ENTRIES, address(layout.queues.entries()))
                .set(Queues.LARGEST_BUCKET, address(layout.queues.largestBucket()))
                .set(Queues.COPY_NEEDED, layout.isFast ? 1 : passes % 2)
                .set(Queues.OVERFLOWS, address(layout.overflows))
                .set(Queues.PASS_COUNT, passes)
                .set(Queues.ELEMENT_COUNT, layout.plan.elementCount())
                .set(Queues.LOWEST_CLASS, lowestClass)
                .toArray();
    }

    /// Gives the memory back to the pool once the stream has come this far.
    @Override
    public void close() {
        try (owned) {
            guard.closing(this);
        }
    }
}
