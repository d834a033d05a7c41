package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;

/// The device memory of one sort beside its input: one stream-ordered allocation carved into regions. Nearly all of it
/// is for elements: in the exact layout as many as the input has, in the fast layout as many again as buckets have
/// slack (segments.cuh). The rest is a few bytes a bucket, and, where elements keep their order, a word for each tile
/// and bucket of a pass.
public final class Workspace implements AutoCloseable {
    static final int PASS_BYTES = 15 * Long.BYTES;
    static final int QUEUES_BYTES = 12 * Long.BYTES;

    private final WorkspaceLayout layout;
    private final DeviceAllocation allocation;

    /// Allocates on `stream`, and clears the counters there.
    Workspace(Context context, Stream stream, WorkspaceLayout layout) {
        this.layout = layout;
        this.allocation = DeviceAllocation.allocateAsync(context, stream, layout.byteSize);
        stream.fill(allocation.address(), (byte) 0, layout.zeroedBytes);
    }

    WorkspaceLayout layout() {
        return layout;
    }

    /// The elements of a buffer of the layout.
    DeviceElements buffer(int buffer) {
        return new DeviceElements(
                address(layout.bufferKeys[buffer]), layout.holdsPairs ? 0 : address(layout.bufferPayloads[buffer]));
    }

    /// Where a pass writes: the exact layout goes to and fro between the input and one buffer, the fast one leaves the
    /// input as it is until the small sort.
    DeviceElements target(int pass, DeviceElements input) {
        if (layout.isFast) {
            return buffer(pass % 2);
        }
        return pass % 2 == 0 ? buffer(0) : input;
    }

    /// The buffer that the last pass has not written.
    DeviceElements scratch() {
        return buffer(layout.isFast ? layout.plan.passCount() % 2 : 0);
    }

    /// The device address of a region of the layout.
    long address(long region) {
        return allocation.address() + region;
    }

    /// The struct `Pass` of segments.cuh.
    long[] pass(int pass) {
        return new long[] {
            layout.plan.elementCount(),
            layout.plan.segmentCount(pass),
            layout.plan.logBucketCounts()[pass],
            address(layout.segmentOffsets[pass]),
            address(layout.segmentBegins[pass]),
            address(layout.equality[pass]),
            address(layout.segmentKinds[pass]),
            address(layout.splitterTrees[pass]),
            address(layout.writePositions[pass]),
            address(layout.segmentOffsets[pass + 1]),
            address(layout.segmentBegins[pass + 1]),
            address(layout.equality[pass + 1]),
            pass,
            address(layout.overflows),
            layout.room[pass]
        };
    }

    /// The struct `Queues` of queues.cuh.
    ///
    /// @param lowestClass the size class for the smallest buckets
    long[] queues(int lowestClass) {
        int passes = layout.plan.passCount();
        return new long[] {
            address(layout.segmentOffsets[passes]),
            address(layout.segmentBegins[passes]),
            layout.queueCapacity,
            address(layout.queueSizes),
            address(layout.queueTaken),
            address(layout.queueEntries),
            address(layout.largestBucket),
            layout.isFast ? 1 : passes % 2,
            address(layout.overflows),
            passes,
            layout.plan.elementCount(),
            lowestClass
        };
    }

    /// Gives the memory back to the pool once the stream has come this far.
    @Override
    public void close() {
        allocation.close();
    }
}
