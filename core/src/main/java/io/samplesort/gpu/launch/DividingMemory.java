package io.samplesort.gpu.launch;

import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelStructs.ElementArray;
import io.samplesort.gpu.code.KernelStructs.FreePlaces;
import io.samplesort.gpu.code.KernelStructs.Pass;
import io.samplesort.gpu.code.KernelStructs.Queues;
import io.samplesort.gpu.code.SizeClasses;
import io.samplesort.gpu.code.StructValues;

/// The memory of a sort that divides its input, and the structs that its kernels take. Nearly all of it is for elements
/// ([Rooms]). Groups also use the array of the result where no result lies yet. The rest is a few bytes for each bucket
/// and, if elements keep their order, a word for each tile and bucket of a pass.
public final class DividingMemory implements AutoCloseable {
    private final Workspace workspace;
    private final DividingLayout layout;
    /// The distance in elements from the begin of the array of later passes to the memory of this workspace. That array
    /// begins no later than the result, so that places in it are never negative.
    private final long shift;
    /// The array that the first pass writes, if the caller owns it; otherwise null.
    private final DeviceElements given;

    /// Takes a workspace, and closes it in the end.
    ///
    /// @param output where the result goes
    public DividingMemory(Workspace workspace, DividingLayout layout, DeviceElements output) {
        this(workspace, layout, output, null);
    }

    /// Does the same.
    ///
    /// @param given the array that the first pass writes, if the caller owns it; null while there is none
    public DividingMemory(Workspace workspace, DividingLayout layout, DeviceElements output, DeviceElements given) {
        this.workspace = workspace;
        this.layout = layout;
        this.given = given;
        shift = shift(output);
    }

    /// Returns the stream of the sort.
    public Stream stream() {
        return workspace.stream();
    }

    /// Returns where the regions lie.
    public DividingLayout layout() {
        return layout;
    }

    private long shift(DeviceElements output) {
        if (!usesResult()) {
            return 0;
        }
        long lowest = layout.holdsPairs ? Math.min(output.keys(), output.payloads()) : output.keys();
        return Math.max(0, Math.ceilDiv(address(layout.buffer.keys()) - lowest, layout.elementBytes));
    }

    /// Returns whether later passes may write to the array of the result. They may not if elements lie in two arrays,
    /// since a place is the same number in both.
    private boolean usesResult() {
        return layout.rooms.hasParts() && layout.payloadBytes == 0 && !layout.isGiven();
    }

    /// Returns the array that begins this many elements after the begin of the memory for elements.
    private DeviceElements buffer(long first) {
        Regions.Buffer regions = layout.buffer;
        return new DeviceElements(
                address(regions.keys()) + first * layout.elementBytes,
                layout.holdsPairs ? 0 : address(regions.payloads()) + first * layout.payloadBytes);
    }

    /// Returns where a pass writes. The input stays as it is until the small sort, unless it is the result and there
    /// are groups.
    public DeviceElements target(int pass) {
        if (pass == 0 && layout.isGiven()) {
            return given;
        }
        return buffer(pass == 0 ? layout.buffer.headSize() : -shift);
    }

    /// Returns the array of later passes as if it began with this place of the result.
    public DeviceElements targetFrom(long place) {
        return buffer(-place);
    }

    /// Returns the struct `PassArrays` of queues.cuh. The input stands for arrays that do not exist.
    public long[] arrays(DeviceElements input) {
        long[] arrays = new long[ElementArray.values().length * (KernelConstants.MAX_PASSES + 1)];
        for (int array = 0; array <= KernelConstants.MAX_PASSES; array++) {
            boolean isWritten = array > 0 && array <= layout.plan.passCount();
            long[] fields = (isWritten ? target(array - 1) : input).fields();
            System.arraycopy(fields, 0, arrays, array * fields.length, fields.length);
        }
        return arrays;
    }

    /// Returns an array as large as the input that is free once all buckets have been sorted.
    public DeviceElements scratch() {
        return layout.isGiven() ? given : buffer(layout.buffer.headSize());
    }

    /// Returns the device address of a region of the layout.
    public long address(long region) {
        return workspace.address(region);
    }

    /// Returns the device address of the mark of the input as the only segment of the first pass. `put_in_order` and
    /// `find_runs` set it if they have put the elements where they belong.
    public long inputMark() {
        return address(layout.head.inputMark());
    }

    /// Returns the struct `Pass` of the first pass.
    public long[] firstPass() {
        return pass(0, layout.all());
    }

    /// Returns the struct `Pass` of segments.cuh for the segments of one group.
    public long[] pass(int pass, Group group) {
        Regions.Segments segments = layout.segments[pass];
        Regions.Segments buckets = layout.segments[pass + 1];
        Regions.Splitters splitters = layout.splitters[pass];
        Regions.Counters counters = layout.counters[pass];
        Rooms rooms = layout.rooms;
        long segment = layout.plan.firstSegment(pass, group);
        long bucket = segment << layout.plan.logBucketCounts()[pass];
        boolean hasParts = rooms.hasParts() && pass > 0;
        return new StructValues<>(Pass.values())
                .set(Pass.ELEMENT_COUNT, layout.plan.elementCount())
                .set(Pass.SEGMENT_COUNT, layout.segmentCount(pass, group))
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
                .set(Pass.ROOM, rooms.room(pass))
                .set(Pass.SLACK, rooms.slack(pass))
                .set(Pass.CAPACITY, pass == 0 ? rooms.firstSize : rooms.headSize)
                .set(Pass.PART_BEGINS, hasParts ? address(layout.parts.begins()) + group.begin() * Long.BYTES : 0)
                .set(Pass.PART_ENDS, hasParts ? address(layout.parts.ends()) + group.begin() * Long.BYTES : 0)
                .set(Pass.LOG_PART_SIZE, Long.numberOfTrailingZeros(rooms.partSize(pass)))
                .set(Pass.PART_ROOM, rooms.laterRoom(pass))
                .set(Pass.PART_BUCKETS, rooms.laterBuckets(pass))
                .set(Pass.IS_OF_INPUT, pass == 0 && layout.plan.logFirstSegments() == 0 ? 1 : 0)
                .toArray();
    }

    /// Returns the device address of the counter that hands out the tiles of a group, if elements keep their order.
    public long tickets(int pass, Group group) {
        return address(layout.counters[pass].tickets()) + group.number() * (long) Integer.BYTES;
    }

    /// Returns the device address of the words in which these tiles tell each other their counts.
    public long tileWords(int pass, Group group) {
        return address(layout.tileWords(pass, group));
    }

    /// Returns the struct `Groups` of place_rooms.cuh.
    public long[] groups() {
        long[] begins = new long[KernelConstants.MAX_GROUPS + 1];
        for (int group = 0; group < begins.length; group++) {
            begins[group] = layout.rooms.groupBegins[Math.min(group, layout.groupCount())];
        }
        return begins;
    }

    /// Returns the struct `FreePlaces` of place_rooms.cuh.
    public long[] freePlaces(DeviceElements output) {
        Rooms rooms = layout.rooms;
        int passes = layout.plan.passCount();
        long first = usesResult() ? place(output.keys()) : 0;
        long second = usesResult() && layout.holdsPairs ? place(output.payloads()) : first;
        // The array may begin within an element.
        long whole = layout.plan.elementCount() * layout.keyBytes / layout.elementBytes - 1;
        return new StructValues<>(FreePlaces.values())
                .set(FreePlaces.HEAD_BEGIN, shift)
                .set(FreePlaces.HEAD_SIZE, layout.buffer.headSize())
                .set(FreePlaces.TAIL_BEGIN, first)
                .set(FreePlaces.TAIL_SIZE, usesResult() ? whole : 0)
                .set(FreePlaces.SECOND_TAIL_BEGIN, second)
                .set(FreePlaces.SECOND_TAIL_SIZE, usesResult() && layout.holdsPairs ? whole : 0)
                .set(FreePlaces.RESULT_ELEMENTS, Math.max(1, layout.elementBytes / layout.keyBytes))
                .set(FreePlaces.ROOM, rooms.laterRoom(passes))
                .set(FreePlaces.BUCKETS, rooms.laterBuckets(passes))
                .toArray();
    }

    /// Returns the first place of the array of later passes that is not before an address.
    private long place(long address) {
        return shift + Math.ceilDiv(address - address(layout.buffer.keys()), layout.elementBytes);
    }

    /// Returns the struct `Queues` of queues.cuh for one group.
    ///
    /// @param lowestClass the size class for the smallest buckets
    public long[] queues(int lowestClass, Group group) {
        int passes = layout.plan.passCount();
        Regions.Segments buckets = layout.segments[passes];
        Regions.Head head = layout.head;
        long bucket = layout.plan.firstSegment(passes, group);
        long counters = group.number() * (long) SizeClasses.QUEUE_COUNT * Integer.BYTES;
        return new StructValues<>(Queues.values())
                .set(Queues.BUCKET_OFFSETS, address(buckets.offsets()) + bucket * Long.BYTES)
                .set(Queues.BUCKET_BEGINS, address(buckets.begins()) + bucket * Long.BYTES)
                .set(Queues.FIRST_BUCKET, bucket)
                .set(Queues.CAPACITY, layout.queues.capacity())
                .set(Queues.SIZES, address(head.sizes()) + counters)
                .set(Queues.TAKEN, address(head.taken()) + counters)
                .set(Queues.UNEVEN, address(head.uneven()) + counters)
                .set(Queues.ENTRIES, address(layout.queues.entries()))
                .set(Queues.LARGE_COUNT, address(head.largeCount()))
                .set(Queues.LARGE_BUCKETS, address(layout.queues.largeBuckets()))
                .set(Queues.LARGEST_BUCKET, address(head.largestBucket()))
                .set(Queues.ELEMENT_COUNT, layout.plan.elementCount())
                .set(Queues.LOWEST_CLASS, lowestClass)
                .set(Queues.LAST_ARRAY, passes)
                .toArray();
    }

    /// Gives the memory back once the stream has come this far.
    @Override
    public void close() {
        workspace.close();
    }
}
