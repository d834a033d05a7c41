package io.samplesort.gpu.chunks;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.FirstPass;
import io.samplesort.gpu.sort.GivenSegments;
import io.samplesort.gpu.sort.PhaseTimer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/// The first pass of a sort of host memory, which puts elements into buckets piece by piece as they arrive. The
/// splitters are keys of a sample that the host draws while the first piece is on its way, and the same sample says how
/// much room each bucket needs.
final class ArrivalPass implements AutoCloseable {
    private final DeviceSort sort;
    private final Stream stream;
    private final ArrivalPlan plan;
    private final DeviceColumns elements;
    private final SegmentAllocator pinned;
    private final Owned owned = new Owned();
    private FirstPass pass;
    private DeviceColumns buckets;
    private long bucketBytes;
    private long[] begins;
    private boolean[] areEqual;

    /// @param elements where the elements arrive
    /// @param pinned   memory for [#pinnedBytes]
    ArrivalPass(DeviceSort sort, Stream stream, ArrivalPlan plan, DeviceColumns elements, SegmentAllocator pinned) {
        this.sort = sort;
        this.stream = stream;
        this.plan = plan;
        this.elements = elements;
        this.pinned = pinned;
    }

    /// Returns how many bytes of pinned memory a pass takes, and the sorts of groups behind it.
    static long pinnedBytes(ArrivalPlan plan, DeviceSort sort) {
        return 2 * FirstPass.pinnedBytes(plan.bucketCount())
                + plan.bucketCount() * (Long.BYTES + GivenSegments.bytes(1))
                + plan.pieces() * 2L * Long.BYTES
                + (long) plan.sampleCount() * sort.columnBytes()[0]
                + Long.BYTES;
    }

    /// Draws the sample, and gives buckets their room. Waits for the device. Returns false if there is no memory for
    /// that.
    ///
    /// @param keys the elements that are compared, in host memory
    boolean begin(MemorySegment keys) {
        try (Owned sampled = new Owned()) {
            int[] bytes = Arrays.copyOf(sort.columnBytes(), sort.element().payloadBytes() > 0 ? 2 : 1);
            DeviceColumns sample = sampled.add(new DeviceColumns(sort.context(), stream, bytes, plan.sampleCount()));
            sortSample(keys, sample, bytes);
            long ranks = uploadRanks(sampled);
            FirstPass counting = sampled.add(pass(sample.from(0), plan.sampleCount()));
            counting.plant(sample.address(0, 0), ranks);
            counting.countAll();
            pass = owned.add(pass(elements.from(0), plan.count()));
            pass.plant(sample.address(0, 0), ranks);
            stream.synchronize();
            areEqual = counting.areEqual();
            return giveRooms(counting.counted());
        }
    }

    private void sortSample(MemorySegment keys, DeviceColumns sample, int[] bytes) {
        int count = plan.sampleCount();
        MemorySegment drawn = pinned.allocate((long) count * bytes[0], Long.BYTES);
        ArrivalSample.draw(keys, bytes[0], drawn);
        stream.copyToDevice(sample.address(0, 0), drawn, drawn.byteSize());
        if (bytes.length > 1) {
            // Payloads of a sample are moved along and mean nothing.
            stream.fill(sample.address(1, 0), (byte) 0, (long) count * bytes[1]);
        }
        sort.enqueue(stream, sort.layouts().smallest(count, 0), sample.from(0), PhaseTimer.none(), null);
    }

    private long uploadRanks(Owned owner) {
        int[] ranks = plan.ranks();
        MemorySegment onHost = pinned.allocateFrom(ValueLayout.JAVA_INT, ranks);
        long onDevice = owner.add(DeviceAllocation.allocateAsync(sort.context(), stream, onHost.byteSize()))
                .address();
        stream.copyToDevice(onDevice, onHost, onHost.byteSize());
        return onDevice;
    }

    private FirstPass pass(long[] columns, long count) {
        MemorySegment own = pinned.allocate(FirstPass.pinnedBytes(plan.bucketCount()), Long.BYTES);
        return new FirstPass(sort, stream, columns, count, plan.logBuckets(), own);
    }

    /// Gives each bucket room for as many elements as the sample says, and for some standard deviations more. Half the
    /// square of the slack makes up for the longer tail of small samples, as in rooms.cuh.
    private boolean giveRooms(long[] counted) {
        double slack = sort.tuning().bucketSlack();
        begins = new long[counted.length];
        long[] ends = new long[counted.length];
        long end = 0;
        for (int bucket = 0; bucket < counted.length; bucket++) {
            begins[bucket] = end;
            double keys = counted[bucket] + slack * Math.sqrt(counted[bucket]) + slack * slack / 2;
            end += Math.min(plan.count(), (long) (keys * plan.count() / plan.sampleCount()) + 1);
            ends[bucket] = end;
        }
        for (int bytes : sort.movedBytes()) {
            bucketBytes += bytes * end;
        }
        if (!sort.layouts().hasRoom(bucketBytes, plan.count() * sort.rowBytes())) {
            return false;
        }
        buckets = owned.add(new DeviceColumns(sort.context(), stream, sort.movedBytes(), end));
        pass.giveRooms(begins, ends);
        return true;
    }

    /// Puts the elements of a piece into their buckets.
    void scatter(int piece) {
        MemorySegment bounds = pinned.allocate(2L * Long.BYTES, Long.BYTES);
        pass.scatterPart(plan.begin(piece), plan.end(piece), buckets.from(0), bounds);
    }

    /// Waits until all pieces are in their buckets, and returns these in groups; null if a bucket had too little room.
    List<BucketGroups.Group> finish() {
        pass.readSizes();
        stream.synchronize();
        long[] sizes = pass.sizes();
        return sizes == null ? null : BucketGroups.of(sizes, begins, areEqual);
    }

    /// Returns the device addresses where a group of buckets begins.
    long[] bucketsFrom(BucketGroups.Group group) {
        return buckets.from(group.begin());
    }

    /// Returns the bytes of the buckets and their rooms.
    long bucketBytes() {
        return bucketBytes;
    }

    /// Gives the memory back once the stream has come this far.
    @Override
    public void close() {
        owned.close();
    }
}
