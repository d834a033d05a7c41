package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelStructs.ElementArray;
import io.samplesort.gpu.code.KernelStructs.Pass;
import io.samplesort.gpu.code.KernelStructs.Queues;
import io.samplesort.gpu.code.SizeClasses;
import io.samplesort.gpu.code.StructValues;

/// The device memory of one sort beside its input, and the stream of the sort: one stream-ordered allocation carved
/// into regions. Nearly all of it is for elements: the exact layout has room for as many as the input has, the fast
/// layout for as many and those of a group, and the slack of the buckets (segments.cuh). The rest is a few bytes for
/// each bucket, and, where elements keep their order, a word for each tile and bucket of a pass.
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

    private DeviceElements buffer(WorkspaceLayout.BufferRegions regions, int lane) {
        long offset = lane * regions.laneBytes();
        return new DeviceElements(
                address(regions.keys()) + offset, layout.holdsPairs ? 0 : address(regions.payloads()) + offset);
    }

    /// Returns where a pass writes. The exact layout goes to and fro between the input and one buffer; the fast layout
    /// leaves the input as it is until the small sort.
    DeviceElements target(int pass, int lane, DeviceElements input) {
        if (layout.isFast) {
            return buffer(layout.buffers[pass], pass == 0 ? 0 : lane);
        }
        return pass % 2 == 0 ? buffer(layout.buffers[0], 0) : input;
    }

    /// Returns the struct `PassArrays` of queues.cuh. Arrays that there are not are the input.
    long[] arrays(DeviceElements input, int lane) {
        long[] arrays = new long[ElementArray.values().length * (KernelConstants.MAX_PASSES + 1)];
        for (int array = 0; array <= KernelConstants.MAX_PASSES; array++) {
            boolean isWritten = array > 0 && array <= layout.plan.passCount();
            long[] fields = (isWritten ? target(array - 1, lane, input) : input).fields();
            System.arraycopy(fields, 0, arrays, array * fields.length, fields.length);
        }
        return arrays;
    }

    /// Returns an array as large as the input that nothing lies in once all buckets have been sorted; without a pass,
    /// the input itself.
    DeviceElements scratch(DeviceElements input) {
        return layout.plan.passCount() == 0 ? input : buffer(layout.buffers[0], 0);
    }

    /// Returns the device address of a region of the layout.
    long address(long region) {
        return allocation.address() + region;
    }

    /// Returns the struct `Pass` of segments.cuh for the segments of one group.
    long[] pass(int pass, Group group) {
        WorkspaceLayout.SegmentRegions segments = layout.segments[pass];
        WorkspaceLayout.SegmentRegions buckets = layout.segments[pass + 1];
        WorkspaceLayout.SplitterRegions splitters = layout.splitters[pass];
        WorkspaceLayout.CounterRegions counters = layout.counters[pass];
        long segmentCount = layout.plan.segmentCount(pass) / group.count();
        long segment = segmentCount * group.number();
        long bucket = segment << layout.plan.logBucketCounts()[pass];
        return new StructValues<>(Pass.values())
                .set(Pass.ELEMENT_COUNT, layout.plan.elementCount())
                .set(Pass.SEGMENT_COUNT, segmentCount)
                .set(Pass.LOG_BUCKET_COUNT, layout.plan.logBucketCounts()[pass])
                .set(Pass.SEGMENT_OFFSETS, address(segments.offsets()) + segment * Long.BYTES)
                .set(Pass.SEGMENT_BEGINS, address(segments.begins()) + segment * Long.BYTES)
                .set(Pass.SEGMENT_MOVED, address(segments.moved()) + segment * Long.BYTES)
                .set(Pass.SEGMENT_MARKS, address(segments.marks()) + segment)
                .set(Pass.SEGMENT_KINDS, address(splitters.kinds()) + segment)
                .set(Pass.SPLITTER_TREES, address(splitters.trees()) + bucket * layout.keyBytes)
                .set(Pass.WRITE_POSITIONS, address(counters.writePositions()) + bucket * Long.BYTES)
                .set(Pass.BUCKET_OFFSETS, address(buckets.offsets()) + bucket * Long.BYTES)
                .set(Pass.BUCKET_BEGINS, address(buckets.begins()) + bucket * Long.BYTES)
                .set(Pass.BUCKET_ENDS, address(buckets.ends()) + bucket * Long.BYTES)
                .set(Pass.BUCKET_MOVED, address(buckets.moved()) + bucket * Long.BYTES)
                .set(Pass.BUCKET_MARKS, address(buckets.marks()) + bucket)
                .set(Pass.INDEX, pass)
                .set(Pass.OVERFLOWS, address(counters.overflows()) + segment * Integer.BYTES)
                .set(Pass.ROOM, splitters.room())
                .set(Pass.CAPACITY, layout.buffers[layout.isFast ? pass : 0].count())
                .set(Pass.GROUP_SIZE, layout.groupSize(pass))
                .toArray();
    }

    /// Returns the struct `Queues` of queues.cuh for one group.
    ///
    /// @param lowestClass the size class for the smallest buckets
    long[] queues(int lowestClass, Group group) {
        int passes = layout.plan.passCount();
        WorkspaceLayout.SegmentRegions buckets = layout.segments[passes];
        WorkspaceLayout.QueueRegions queues = layout.queues;
        long bucket = layout.groupSize(passes) * group.number();
        long counters = group.number() * (long) SizeClasses.COUNT * Integer.BYTES;
        return new StructValues<>(Queues.values())
                .set(Queues.BUCKET_OFFSETS, address(buckets.offsets()) + bucket * Long.BYTES)
                .set(Queues.BUCKET_BEGINS, address(buckets.begins()) + bucket * Long.BYTES)
                .set(Queues.FIRST_BUCKET, bucket)
                .set(Queues.CAPACITY, queues.capacity())
                .set(Queues.SIZES, address(queues.sizes()) + counters)
                .set(Queues.TAKEN, address(queues.taken()) + counters)
                .set(Queues.ENTRIES, address(queues.entries()) + group.lane() * queues.laneBytes())
                .set(Queues.LARGE_COUNT, address(queues.largeCount()))
                .set(Queues.LARGE_BUCKETS, address(queues.largeBuckets()))
                .set(Queues.LARGEST_BUCKET, address(queues.largestBucket()))
                .set(Queues.COPY_NEEDED, layout.isFast ? 1 : passes % 2)
                .set(Queues.ELEMENT_COUNT, layout.plan.elementCount())
                .set(Queues.LOWEST_CLASS, lowestClass)
                .set(Queues.LAST_ARRAY, passes)
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
