package io.samplesort.gpu;

import io.samplesort.ElementType;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;

/// The device memory of one sort beside its input: one stream-ordered allocation carved into regions. The scratch array
/// is as large as the input; all the rest depends on the bucket count and is a few bytes a bucket.
final class Workspace implements AutoCloseable {
    /// Where each region begins, relative to the allocation.
    static final class Layout {
        private static final int ALIGNMENT = 256;

        final SortPlan plan;
        final long queueSizes;
        final long queueTaken;
        final long largestBucket;
        final long barrierArrivals;
        final long[] bucketCounts;
        final long zeroedBytes;
        final long[] segmentOffsets;
        final long[] equality;
        final long[] segmentKinds;
        final long[] splitterTrees;
        final long queueEntries;
        final long queueCapacity;
        final long scratchKeys;
        final long scratchPayloads;
        final long byteSize;

        private long end;

        Layout(SortPlan plan, ElementType key, ElementType payload) {
            this.plan = plan;
            int passes = plan.passCount();
            bucketCounts = new long[passes];
            segmentOffsets = new long[passes + 1];
            equality = new long[passes + 1];
            segmentKinds = new long[passes];
            splitterTrees = new long[passes];

            queueSizes = region(Kernels.QUEUE_COUNT * (long) Integer.BYTES);
            queueTaken = region(Kernels.QUEUE_COUNT * (long) Integer.BYTES);
            largestBucket = region(Long.BYTES);
            barrierArrivals = region(Integer.BYTES);
            equality[0] = region(1);
            for (int pass = 0; pass < passes; pass++) {
                bucketCounts[pass] = region(plan.segmentCount(pass + 1) * Long.BYTES);
            }
            zeroedBytes = end;

            for (int pass = 0; pass <= passes; pass++) {
                segmentOffsets[pass] = region((plan.segmentCount(pass) + 1) * Long.BYTES);
                if (pass > 0) {
                    equality[pass] = region(plan.segmentCount(pass));
                }
            }
            for (int pass = 0; pass < passes; pass++) {
                segmentKinds[pass] = region(plan.segmentCount(pass));
                splitterTrees[pass] = region(plan.segmentCount(pass + 1) * key.byteSize());
            }
            queueCapacity = plan.segmentCount(passes);
            queueEntries = region(Kernels.QUEUE_COUNT * queueCapacity * Integer.BYTES);
            // Without a pass the small sort works in place.
            long scratchCount = passes == 0 ? 0 : plan.elementCount();
            scratchKeys = region(scratchCount * key.byteSize());
            scratchPayloads = region(payload == null ? 0 : scratchCount * payload.byteSize());
            byteSize = end;
        }

        private long region(long bytes) {
            long begin = end;
            end = Math.addExact(begin, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
            return begin;
        }
    }

    private final Layout layout;
    private final DeviceAllocation allocation;

    /// Allocates on `stream`, and clears the counters there.
    Workspace(Context context, Stream stream, Layout layout) {
        this.layout = layout;
        this.allocation = DeviceAllocation.allocateAsync(context, stream, layout.byteSize);
        stream.fill(allocation.address(), (byte) 0, layout.zeroedBytes);
    }

    Layout layout() {
        return layout;
    }

    /// The device address of a region of the layout.
    long address(long region) {
        return allocation.address() + region;
    }

    /// Gives the memory back to the pool once the stream has come this far.
    @Override
    public void close() {
        allocation.close();
    }
}
