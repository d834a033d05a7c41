package io.samplesort.gpu.sort;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelStructs.Pass;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/// The first pass of a sort whose elements arrive on the device in parts, one after another. A sample of all of them
/// says in advance where the splitters are and how much room each bucket needs. The host does not wait, and copies
/// nothing to the device but once at the beginning: while the elements are on their way, a copy would have to wait for
/// those that are on the link before it.
///
/// The context of the GPU is current whenever a method is called.
public final class ArrivingPass implements AutoCloseable {
    private final DeviceSort sort;
    private final long count;
    private final int bucketCount;
    private final int sampleCount;
    private final DeviceElements input;
    private final Owned owned = new Owned();
    private final Workspace workspace;
    private final DeviceColumns buckets;
    private final long bucketBytes;
    private final long capacity;
    private final DeviceColumns sample;
    private final long bounds;
    private final MemorySegment drawn;
    private final MemorySegment ranks;
    private final MemorySegment begins;
    private final MemorySegment positions;
    private final MemorySegment marks;
    private final MemorySegment overflow;

    /// Takes the memory of the pass.
    ///
    /// @param elements   device addresses of the columns that the elements arrive in
    /// @param partBounds where each part begins, in elements, and where the last one ends
    /// @param pinned     memory for [#pinnedBytes], for this pass alone until it has ended
    public ArrivingPass(
            DeviceSort sort,
            Stream stream,
            long[] elements,
            long[] partBounds,
            int logBuckets,
            int sampleCount,
            SegmentAllocator pinned) {
        this.sort = sort;
        this.sampleCount = sampleCount;
        bucketCount = 1 << logBuckets;
        input = elements(elements);
        count = partBounds[partBounds.length - 1];
        capacity = capacity(sort, count, logBuckets, sampleCount);
        bucketBytes = bucketBytes(sort, count, logBuckets, sampleCount);
        drawn = pinned.allocate((long) sampleCount * sort.columnBytes()[0], Long.BYTES);
        ranks = pinned.allocate(ValueLayout.JAVA_INT, bucketCount);
        begins = pinned.allocate(ValueLayout.JAVA_LONG, bucketCount);
        positions = pinned.allocate(ValueLayout.JAVA_LONG, bucketCount);
        marks = pinned.allocate(bucketCount, Long.BYTES);
        overflow = pinned.allocate(ValueLayout.JAVA_LONG);
        MemorySegment boundsOnHost = pinned.allocateFrom(ValueLayout.JAVA_LONG, partBounds);
        try {
            buckets = owned.add(new DeviceColumns(sort.context(), stream, sort.movedBytes(), capacity));
            sample = owned.add(new DeviceColumns(sort.context(), stream, sampledBytes(), sampleCount));
            WorkspaceLayout layout =
                    WorkspaceLayout.ofExchange(SortPlan.ofFirstPass(count, logBuckets), sort.element(), sort.tuning());
            workspace = owned.add(new Workspace(sort.context(), stream, layout, input, 0));
            bounds = owned.add(DeviceAllocation.allocateAsync(sort.context(), stream, boundsOnHost.byteSize()))
                    .address();
            stream.copyToDevice(bounds, boundsOnHost, boundsOnHost.byteSize());
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Returns how many bytes of pinned memory a pass takes.
    public static long pinnedBytes(DeviceSort sort, int logBuckets, int sampleCount, int parts) {
        long ofBuckets = (Integer.BYTES + 2 * Long.BYTES + 1L) << logBuckets;
        // Each of the pieces begins at a whole word.
        return ofBuckets + (long) sampleCount * sort.columnBytes()[0] + (parts + 8L) * Long.BYTES;
    }

    /// Returns the device memory that buckets take with their room.
    public static long bucketBytes(DeviceSort sort, long count, int logBuckets, int sampleCount) {
        long bytes = 0;
        for (int moved : sort.movedBytes()) {
            bytes += moved * capacity(sort, count, logBuckets, sampleCount);
        }
        return bytes;
    }

    /// Returns room for any sizes that buckets may have in a sample.
    private static long capacity(DeviceSort sort, long count, int logBuckets, int sampleCount) {
        double sampled = (double) sampleCount / (1 << logBuckets);
        double factor = Rooms.slackFactor(sampled, sort.tuning().bucketSlack());
        return (long) Math.ceil(count * factor) + (2L << logBuckets);
    }

    private static DeviceElements elements(long[] columns) {
        return new DeviceElements(columns[0], columns.length > 1 ? columns[1] : 0);
    }

    /// Returns the columns of the sample: the compared elements, and where payloads are moved along, room for those.
    private int[] sampledBytes() {
        int[] bytes = sort.columnBytes();
        return sort.element().payloadBytes() > 0 ? new int[] {bytes[0], bytes[1]} : new int[] {bytes[0]};
    }

    /// Returns where the host writes the sample before [#begin], elements in the user's form and in any order.
    public MemorySegment drawn() {
        return drawn;
    }

    /// Chooses the splitters, and gives buckets their room.
    public void begin() {
        Stream stream = workspace.stream();
        int[] bytes = sampledBytes();
        // A sample of as many elements as there are is a copy, and this one reads the memory of the host.
        sort.kernels()
                .exchange()
                .drawSample(stream, drawn.address(), bytes[0], sampleCount, sample.address(0, 0), sampleCount, 0);
        if (bytes.length > 1) {
            // Payloads of a sample are moved along and mean nothing.
            stream.fill(sample.address(1, 0), (byte) 0, (long) sampleCount * bytes[1]);
        }
        sort.enqueue(stream, sort.layouts().smallest(sampleCount, 0), sample.from(0), PhaseTimer.none(), null);
        for (int splitter = 0; splitter + 1 < bucketCount; splitter++) {
            ranks.setAtIndex(ValueLayout.JAVA_INT, splitter, (int) ((splitter + 1L) * sampleCount / bucketCount));
        }
        DeviceElements sorted = elements(sample.from(0));
        sort.kernels().plantTree(workspace, sorted, ranks.address());
        // With as many strata as elements, each element is drawn once.
        long[] ofSample = workspace.firstPass();
        ofSample[Pass.ELEMENT_COUNT.ordinal()] = sampleCount;
        sort.kernels().countSample(workspace, ofSample, sorted, 0, sampleCount);
        long[] ofAll = workspace.firstPass();
        ofAll[Pass.CAPACITY.ordinal()] = capacity;
        // No less than that for all elements together.
        ofAll[Pass.ROOM.ordinal()] = Math.ceilDiv(capacity * KernelConstants.ROOM_UNIT, count) + 1;
        sort.kernels().giveRoom(workspace, ofAll, sampleCount);
    }

    /// Moves the elements of a part to their buckets, behind those that are there already. The stream has come past
    /// their arrival.
    public void scatter(int part) {
        long[] pass = workspace.firstPass();
        // The only segment of a first pass begins where it belongs.
        pass[Pass.SEGMENT_OFFSETS.ordinal()] = bounds + part * (long) Long.BYTES;
        pass[Pass.SEGMENT_BEGINS.ordinal()] = pass[Pass.SEGMENT_OFFSETS.ordinal()];
        sort.kernels().scatter(workspace, pass, 0, workspace.layout().all(), input, elements(buckets.from(0)));
    }

    /// Asks for the sizes of the buckets, which are there once the stream has come this far.
    public void end() {
        Regions.Segments made = workspace.layout().segments[1];
        Regions.Counters counters = workspace.layout().counters[0];
        copy(begins, made.begins());
        copy(positions, counters.writePositions());
        copy(marks, made.marks());
        copy(overflow.asSlice(0, Integer.BYTES), counters.overflows());
    }

    private void copy(MemorySegment target, long region) {
        workspace.stream().copyToHost(target, workspace.address(region), target.byteSize());
    }

    /// Returns the buckets; null if one had too little room.
    public GivenSegments segments() {
        if (overflow.get(ValueLayout.JAVA_INT, 0) != 0) {
            return null;
        }
        long[] places = begins.toArray(ValueLayout.JAVA_LONG);
        long[] sizes = positions.toArray(ValueLayout.JAVA_LONG);
        boolean[] areEqual = new boolean[bucketCount];
        for (int bucket = 0; bucket < bucketCount; bucket++) {
            sizes[bucket] -= places[bucket];
            areEqual[bucket] = (marks.get(ValueLayout.JAVA_BYTE, bucket) & KernelConstants.IS_EQUALITY) != 0;
        }
        return new GivenSegments(sizes, places, areEqual);
    }

    /// Returns device addresses in the arrays that hold the buckets.
    ///
    /// @param begin in elements
    public long[] bucketsFrom(long begin) {
        return buckets.from(begin);
    }

    /// Returns the device memory that the buckets take.
    public long bucketBytes() {
        return bucketBytes;
    }

    /// Gives the memory back once the stream has come this far.
    @Override
    public void close() {
        owned.close();
    }
}
