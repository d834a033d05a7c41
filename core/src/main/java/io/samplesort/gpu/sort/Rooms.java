package io.samplesort.gpu.sort;

import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.types.Tuning;
import java.util.ArrayList;
import java.util.List;

/// How much room buckets get that are not counted before they are written, and which groups of buckets share it.
///
/// The first pass writes to an array as large as the input and the slack of its buckets. All later passes of a group
/// write to memory that is free by then (place_rooms.cuh), so a group is as large as that memory allows.
final class Rooms {
    private static final int ELEMENTS_PER_SAMPLED_KEY = 8192;
    private static final int ELEMENTS_PER_COUNTED_KEY = 32;
    private static final long MAX_COUNTED_KEYS = 1 << 20;

    /// What a sort in groups takes beside the input, as a multiple of the elements.
    private static final double GROUPED_SIZE = 1.29;
    /// What it takes for each bucket in the end, beside the elements.
    private static final int BYTES_A_BUCKET = 128;
    /// A group is larger than its part of the sample says by so many standard deviations at most. If it is larger yet,
    /// a segment of it has to stay where it lies.
    private static final double GROUP_SLACK = 4;

    private final SortPlan plan;
    private final Tuning tuning;
    private final boolean isGrouped;
    /// For each pass: how many keys of a segment are sampled, and the room for each element in units of 1 /
    /// [KernelConstants#ROOM_UNIT].
    private final long[] sampleCounts;

    private final long[] rooms;
    private final long countedCount;

    /// Where groups begin, in buckets of the first pass, and where the last one ends.
    final int[] groupBegins;

    /// Elements that the array of the first pass has room for.
    final long firstSize;

    /// Elements that the memory in front of that array has room for, which only later passes use.
    final long headSize;

    /// @param isGrouped    whether buckets are sorted in groups that share memory
    /// @param otherBytes   what the sort takes beside elements and buckets
    Rooms(SortPlan plan, KernelElement element, Tuning tuning, boolean isGrouped, long otherBytes) {
        this.plan = plan;
        this.tuning = tuning;
        this.isGrouped = isGrouped && plan.passCount() > 1;
        int passes = plan.passCount();
        sampleCounts = new long[passes];
        for (int pass = 0; pass < passes; pass++) {
            sampleCounts[pass] = sampleCount(pass);
        }
        countedCount = this.isGrouped
                ? Math.clamp(plan.elementCount() / ELEMENTS_PER_COUNTED_KEY, sampleCounts[0], MAX_COUNTED_KEYS)
                : 0;
        rooms = new long[passes];
        for (int pass = 0; pass < passes; pass++) {
            rooms[pass] = room(Math.max(sampleCounts[pass], pass == 0 ? countedCount : 0), pass);
        }
        // The merge sort uses the first array as scratch memory, as large as the input.
        firstSize = passes == 0 ? 0 : Math.max(plan.elementCount(), roomFor(rooms[0], plan.bucketCount(0)));
        if (!this.isGrouped) {
            groupBegins = new int[] {0, passes == 0 ? 1 : plan.bucketCount(0)};
            headSize = passes == 0 ? 0 : aligned(roomFor(laterRoom(passes), laterBuckets(passes)));
            return;
        }
        long bytes = elementBytes(element);
        double most = GROUPED_SIZE * plan.elementCount() * bytes
                - otherBytes
                - (double) plan.segmentCount(passes) * BYTES_A_BUCKET;
        long head = Math.max(0, (long) (most / bytes) - firstSize);
        boolean usesResult = element.payloadBytes() == 0 || element.movesPairs();
        int pieces = usesResult ? element.movesPairs() ? 3 : 2 : 1;
        List<Integer> begins = groups(head, pieces, mostBuckets());
        while (begins == null) {
            // The memory of small inputs is full of slack.
            head += Math.max(1, plan.elementCount() / 32);
            begins = groups(head, pieces, mostBuckets());
        }
        List<Integer> equal = groups(head, pieces, Math.ceilDiv(plan.bucketCount(0), begins.size() - 1));
        if (equal != null && equal.size() == begins.size()) {
            begins = equal;
        }
        headSize = aligned(head);
        groupBegins = begins.stream().mapToInt(Integer::intValue).toArray();
    }

    private static long elementBytes(KernelElement element) {
        return element.movesPairs() ? element.elementBytes() : element.keyBytes() + element.payloadBytes();
    }

    private static long aligned(long elements) {
        return Math.ceilDiv(elements, 256L) * 256;
    }

    int groupCount() {
        return groupBegins.length - 1;
    }

    boolean isGrouped() {
        return isGrouped;
    }

    /// Returns the size of the sample of a segment of a pass.
    long sampled(int pass) {
        return sampleCounts[pass];
    }

    /// Returns the size of a larger sample that is counted to give the buckets room; 0 without one.
    long counted(int pass) {
        return pass == 0 ? countedCount : 0;
    }

    /// Returns the room for each element of a pass in units of 1 / [KernelConstants#ROOM_UNIT].
    long room(int pass) {
        return rooms[pass];
    }

    /// Returns how many standard deviations of a bucket's size have room beyond that size. A bucket of the first pass
    /// that has too little room leaves the whole input to merging, one of a later pass a segment.
    int slack(int pass) {
        return pass == 0 ? tuning.bucketSlack() : Math.max(1, tuning.bucketSlack() - 1);
    }

    /// Returns how many segments of a pass share a part of the room: those of a bucket of the first pass, or without
    /// groups all.
    long partSize(int pass) {
        return pass == 0 ? 1 : plan.segmentCount(pass) / (isGrouped ? plan.bucketCount(0) : 1);
    }

    /// Returns the room for each element that all passes between the first one and this one have.
    long laterRoom(int pass) {
        long sum = 0;
        for (int later = 1; later < pass; later++) {
            sum += rooms[later];
        }
        return sum;
    }

    /// Returns how many buckets these passes make of what shares a part of the room. The room of each is rounded up.
    long laterBuckets(int pass) {
        long sum = 0;
        for (int later = 1; later < pass; later++) {
            sum += partSize(later) * plan.bucketCount(later);
        }
        return sum;
    }

    private long roomFor(long room, long buckets) {
        long units = plan.elementCount() / KernelConstants.ROOM_UNIT + 1;
        return Math.addExact(Math.multiplyExact(units, room), buckets);
    }

    /// Returns the size of a segment's sample, which is larger than the oversampling asks for where segments are large:
    /// that costs next to nothing there, and the better the sample, the less room buckets need.
    private long sampleCount(int pass) {
        long wanted = Math.max(
                (long) tuning.oversampling() * plan.bucketCount(pass),
                plan.elementCount() / plan.segmentCount(pass) / ELEMENTS_PER_SAMPLED_KEY);
        return Math.min(wanted, (long) tuning.sampleThreads() * tuning.sampleItems());
    }

    /// Returns room for any sizes that buckets may have in a sample, as `bucket_room` gives it: the sum of the square
    /// roots of the sizes is largest where the sizes are equal. One more unit makes up for rounding.
    private long room(long sampled, int pass) {
        double factor = slackFactor((double) sampled / plan.bucketCount(pass), slack(pass));
        return (long) Math.ceil(factor * KernelConstants.ROOM_UNIT) + 1;
    }

    /// Returns how many times the size that a part of so many sampled keys suggests has room.
    private static double slackFactor(double sampledKeys, double slack) {
        return 1 + slack / Math.sqrt(sampledKeys) + slack * slack / 2.0 / sampledKeys;
    }

    /// Returns where groups begin that need no more room than there is, with so much memory in front of the first
    /// array; null if that is too little.
    ///
    /// @param pieces pieces of memory that a group's room is in
    /// @param most   buckets of the first pass that a group may have
    private List<Integer> groups(long head, int pieces, long most) {
        int buckets = plan.bucketCount(0);
        List<Integer> begins = new ArrayList<>(List.of(0));
        for (int begin = 0; begin < buckets; begins.add(begin)) {
            int end = begin;
            while (end < buckets && end - begin < most && hasRoom(begin, end + 1, head, pieces)) {
                end++;
            }
            if (end == begin || begins.size() > KernelConstants.MAX_GROUPS) {
                return null;
            }
            begin = end;
        }
        return begins;
    }

    /// Returns how many buckets of the first pass a group shall have at most.
    private long mostBuckets() {
        long elements = tuning.groupElements() > 0 ? tuning.groupElements() : Long.MAX_VALUE;
        int buckets = plan.bucketCount(0);
        return elements >= plan.elementCount()
                ? buckets
                : Math.max(Math.ceilDiv(buckets, KernelConstants.MAX_GROUPS), elements * buckets / plan.elementCount());
    }

    /// Returns whether there is room for a group, once those before it are done: in the head, and in up to two arrays
    /// of the result behind the group. Each piece of memory takes whole parts, so a part of each but one is lost.
    private boolean hasRoom(int begin, int end, long head, int pieces) {
        double bucket = (double) plan.elementCount() / plan.bucketCount(0);
        double group = (end - begin) * bucket;
        double sampledKeys = (double) sampleCounts[0] / plan.bucketCount(0) * (end - begin);
        double moved = Math.min(plan.elementCount(), group * slackFactor(sampledKeys, GROUP_SLACK));
        int passes = plan.passCount();
        double room = (double) laterRoom(passes) / KernelConstants.ROOM_UNIT;
        double part = bucket * room + laterBuckets(passes);
        double behind = pieces > 1 ? plan.elementCount() - end * bucket : 0;
        double free = head + begin * bucket + behind - (pieces - 1) * part;
        return moved * room + (end - begin) * (double) laterBuckets(passes) <= free;
    }
}
