package io.samplesort.gpu.launch;

import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.types.Tuning;

/// How much room buckets get, and which groups of buckets share it. Buckets are not counted before they are written, so
/// each gets some slack.
///
/// The first pass writes to an array as large as the input and the slack of its buckets. All later passes of a group
/// write to memory that is free by then (place_rooms.cuh), and to a head: memory in front of that array, as large as
/// the groups need. The more groups there are, the smaller the head is. If memory does not matter there are no groups,
/// and the head has room for all buckets.
public final class Rooms {
    /// Segments have at least this many elements for each sampled key, unless the oversampling asks for more keys. The
    /// segments of passes between the first and the last are few and large.
    private static final int ELEMENTS_PER_SAMPLED_KEY = 8192;
    private static final int ELEMENTS_PER_SAMPLED_KEY_BETWEEN = 1024;

    /// The same for sorts in which the size of the room decides how much is sorted at a time.
    private static final int ELEMENTS_PER_SAMPLED_KEY_OF_LITTLE_ROOM = 32;

    /// Such sorts also count a sample: this many keys for each bucket, unless a segment has fewer elements for each
    /// such key than the constant after this one says.
    private static final int COUNTED_KEYS_A_BUCKET_OF_LITTLE_ROOM = 256;

    private static final int ELEMENTS_PER_COUNTED_KEY_OF_LITTLE_ROOM = 32;

    /// Segments have at least this many elements for each key of the counted sample. A sort of one pass is small, and
    /// so are its buckets.
    private static final int ELEMENTS_PER_COUNTED_KEY = 32;
    private static final int ELEMENTS_PER_COUNTED_KEY_OF_ONE_PASS = 4;
    private static final long MAX_COUNTED_KEYS = 1 << 20;

    /// A group may be larger than its part of the sample suggests by this many standard deviations. If it is larger
    /// still, one of its segments has to stay where it lies.
    private static final double GROUP_SLACK = 4;

    private final long movedCount;
    private final SortPlan plan;
    private final Tuning tuning;
    private final boolean isCounted;
    /// For each pass: how many keys of a segment are sampled, and the room for each element in units of 1 /
    /// [KernelConstants#ROOM_UNIT].
    private final long[] sampleCounts;

    private final long[] rooms;
    /// The pass whose buckets get their room from a counted sample.
    private final int countedPass;
    private final long countedCount;

    /// Where groups begin, in buckets of the first pass, and where the last one ends.
    final int[] groupBegins;

    /// Elements for which the array of the first pass has room.
    final long firstSize;

    /// The room for each element in all passes after the first one, and the number of buckets that they make of
    /// whatever shares a part of it.
    public final long allLaterRoom;

    public final long allLaterBuckets;

    /// Elements for which the head has room.
    public final long headSize;

    /// @param groups how many groups there are, from 1 to [#mostGroups]; 0 means one group without a counted sample
    public Rooms(SortPlan plan, KernelElement element, Tuning tuning, int groups) {
        this(plan, element, tuning, groups, plan.elementCount());
    }

    /// Does the same where not all elements are moved.
    ///
    /// @param movedCount the most elements that passes move
    Rooms(SortPlan plan, KernelElement element, Tuning tuning, int groups, long movedCount) {
        this.movedCount = movedCount;
        this.plan = plan;
        this.tuning = tuning;
        int passes = plan.passCount();
        isCounted = groups > 0 && passes > 0;
        sampleCounts = new long[passes];
        for (int pass = 0; pass < passes; pass++) {
            sampleCounts[pass] = sampleCount(pass);
        }
        int elementsPerKey = passes == 1 ? ELEMENTS_PER_COUNTED_KEY_OF_ONE_PASS : ELEMENTS_PER_COUNTED_KEY;
        countedPass = 0;
        countedCount =
                isCounted ? Math.clamp(plan.elementCount() / elementsPerKey, sampleCounts[0], MAX_COUNTED_KEYS) : 0;
        rooms = new long[passes];
        for (int pass = 0; pass < passes; pass++) {
            rooms[pass] = room(Math.max(sampleCounts[pass], pass == 0 ? countedCount : 0), pass);
        }
        allLaterRoom = laterRoom(passes);
        allLaterBuckets = laterBuckets(passes);
        // The merge sort uses the first array as scratch memory, as large as the input.
        firstSize = passes == 0 ? 0 : Math.max(plan.elementCount(), roomFor(rooms[0], plan.segmentCount(1)));
        if (!hasParts()) {
            groupBegins = new int[] {0, passes == 0 ? 1 : Math.toIntExact(plan.segmentCount(1))};
            headSize = passes == 0 ? 0 : aligned(roomFor(laterRoom(passes), laterBuckets(passes)));
            return;
        }
        int pieces = pieces(element);
        groupBegins = begins(groups, pieces > 1);
        double head = 0;
        for (int group = 0; group < groups; group++) {
            head = Math.max(head, headFor(groupBegins[group], groupBegins[group + 1], pieces));
        }
        headSize = aligned((long) head);
    }

    /// Returns the rooms of passes after a first one that was made elsewhere. The host gives each of its buckets a part
    /// of the room, and chooses the groups.
    ///
    /// @param headSize      elements for which there is room
    /// @param groups        the most groups that there are
    /// @param mostOfAGroup  the most buckets of the first pass in a group
    static Rooms behindFirst(SortPlan plan, Tuning tuning, long headSize, int groups, int mostOfAGroup) {
        int[] begins = new int[groups + 1];
        for (int group = 1; group <= groups; group++) {
            begins[group] = Math.min(group * mostOfAGroup, plan.bucketCount(0));
        }
        return new Rooms(plan, tuning, headSize, begins);
    }

    private Rooms(SortPlan plan, Tuning tuning, long headSize, int[] groupBegins) {
        movedCount = plan.elementCount();
        this.plan = plan;
        this.tuning = tuning;
        this.headSize = headSize;
        this.groupBegins = groupBegins;
        isCounted = true;
        firstSize = 0;
        sampleCounts = new long[plan.passCount()];
        rooms = new long[plan.passCount()];
        for (int pass = 0; pass < rooms.length; pass++) {
            sampleCounts[pass] = pass == 1 ? sampleCountOfLittleRoom() : sampleCount(pass);
        }
        countedPass = 1;
        countedCount = countedOfLittleRoom();
        for (int pass = 0; pass < rooms.length; pass++) {
            rooms[pass] = room(pass == countedPass ? countedCount : sampleCounts[pass], pass);
        }
        allLaterRoom = laterRoom(rooms.length);
        allLaterBuckets = laterBuckets(rooms.length);
    }

    /// Returns a size of the sample of a segment of the second pass that makes buckets of nearly equal sizes.
    private long sampleCountOfLittleRoom() {
        long most = (long) tuning.sampleThreads() * tuning.sampleItems();
        return Math.clamp(segmentOfLittleRoom() / ELEMENTS_PER_SAMPLED_KEY_OF_LITTLE_ROOM, sampleCount(1), most);
    }

    /// Returns a size of the counted sample of such a segment that leaves buckets little room.
    private long countedOfLittleRoom() {
        long wanted = (long) COUNTED_KEYS_A_BUCKET_OF_LITTLE_ROOM * plan.bucketCount(1);
        long most = segmentOfLittleRoom() / ELEMENTS_PER_COUNTED_KEY_OF_LITTLE_ROOM;
        return Math.max(sampleCounts[1], Math.min(wanted, most));
    }

    /// Returns the average size of a segment: there are half as many segments as in the plan.
    private long segmentOfLittleRoom() {
        return plan.elementCount() / plan.segmentCount(1) * 2;
    }

    /// Returns how much of the room a bucket of the first pass takes.
    public long partFor(long size) {
        long room = allLaterRoom;
        long unit = KernelConstants.ROOM_UNIT;
        return size == 0 ? 0 : size / unit * room + size % unit * room / unit + allLaterBuckets;
    }

    /// Returns the most elements that a bucket of the first pass can have if its part of the room is no larger than
    /// this.
    public long mostWithin(long part) {
        return Math.max(0, part - allLaterBuckets) / allLaterRoom * KernelConstants.ROOM_UNIT;
    }

    /// Returns the most groups that a sort can have.
    public static int mostGroups(SortPlan plan) {
        return plan.passCount() > 1 ? Math.min(plan.bucketCount(0), KernelConstants.MAX_GROUPS) : 1;
    }

    private static long aligned(long elements) {
        return Math.ceilDiv(elements, 256L) * 256;
    }

    /// Returns how many pieces of memory a group's room may be in: the head with the first array, and the arrays of the
    /// result, unless elements lie in two arrays.
    private static int pieces(KernelElement element) {
        return element.movesPairs() ? 3 : element.payloadBytes() == 0 ? 2 : 1;
    }

    int groupCount() {
        return groupBegins.length - 1;
    }

    /// Returns the most buckets of the first pass that a group has.
    long largestGroup() {
        long largest = 0;
        for (int group = 0; group < groupCount(); group++) {
            largest = Math.max(largest, groupBegins[group + 1] - groupBegins[group]);
        }
        return largest;
    }

    /// Returns whether each bucket of the first pass has a part of the room of later passes.
    public boolean hasParts() {
        return isCounted && plan.passCount() > 1;
    }

    /// Returns the size of the sample of a segment of a pass.
    public long sampled(int pass) {
        return sampleCounts[pass];
    }

    /// Returns the size of a larger sample that is counted to give the buckets room; 0 without one.
    public long counted(int pass) {
        return pass == countedPass ? countedCount : 0;
    }

    /// Returns how much room each element of a pass gets, in units of 1 / [KernelConstants#ROOM_UNIT].
    long room(int pass) {
        return rooms[pass];
    }

    /// Returns the room beyond the expected size of a bucket, in standard deviations of that size. If a bucket of the
    /// first pass has too little room, the whole input is merged instead; in a later pass only a segment is.
    int slack(int pass) {
        return pass == 0 ? tuning.bucketSlack() : Math.max(1, tuning.bucketSlack() - 1);
    }

    /// Returns how many segments of a pass share a part of the room: those of one bucket of the first pass, or all
    /// segments if there are no parts.
    long partSize(int pass) {
        return plan.segmentCount(pass) / (pass > 0 && hasParts() ? plan.bucketCount(0) : 1);
    }

    /// Returns the room for each element that all passes between the first one and this one have.
    long laterRoom(int pass) {
        long sum = 0;
        for (int later = 1; later < pass; later++) {
            sum += rooms[later];
        }
        return sum;
    }

    /// Returns how many buckets these passes make of whatever shares a part of the room. The room of each is rounded
    /// up.
    long laterBuckets(int pass) {
        long sum = 0;
        for (int later = 1; later < pass; later++) {
            sum += partSize(later) * plan.bucketCount(later);
        }
        return sum;
    }

    private long roomFor(long room, long buckets) {
        long units = movedCount / KernelConstants.ROOM_UNIT + 1;
        return Math.addExact(Math.multiplyExact(units, room), buckets);
    }

    /// Returns the size of a segment's sample. For large segments it is larger than the oversampling asks for: that
    /// costs next to nothing there, and the better the sample, the less room buckets need.
    private long sampleCount(int pass) {
        boolean isBetween = pass > 0 && pass < plan.passCount() - 1;
        int elementsPerKey = isBetween ? ELEMENTS_PER_SAMPLED_KEY_BETWEEN : ELEMENTS_PER_SAMPLED_KEY;
        long wanted = Math.max(
                (long) tuning.oversampling() * plan.bucketCount(pass),
                movedCount / plan.segmentCount(pass) / elementsPerKey);
        return Math.min(wanted, (long) tuning.sampleThreads() * tuning.sampleItems());
    }

    /// Returns enough room, as `bucket_room` gives it, for any sizes that buckets may have in a sample: the sum of the
    /// square roots of the sizes is largest if the sizes are equal. One more unit makes up for rounding.
    private long room(long sampled, int pass) {
        double factor = slackFactor((double) sampled / plan.bucketCount(pass), slack(pass));
        return (long) Math.ceil(factor * KernelConstants.ROOM_UNIT) + 1;
    }

    /// Returns the factor by which room exceeds the size that a part of this many sampled keys suggests.
    static double slackFactor(double sampledKeys, double slack) {
        return 1 + slack / Math.sqrt(sampledKeys) + slack * slack / 2.0 / sampledKeys;
    }

    /// Returns where groups begin. If they use the array of the result, all have the same size, because the free memory
    /// before and after a group is the same in total for each. Otherwise each group is larger than the one before it,
    /// as it also has that one's memory.
    private int[] begins(int groups, boolean usesResult) {
        int buckets = plan.bucketCount(0);
        double growth = 1 + (double) KernelConstants.ROOM_UNIT / laterRoom(plan.passCount());
        int[] begins = new int[groups + 1];
        for (int group = 1; group <= groups; group++) {
            double share = usesResult
                    ? (double) group / groups
                    : (Math.pow(growth, group) - 1) / (Math.pow(growth, groups) - 1);
            int most = buckets - (groups - group);
            begins[group] = Math.clamp(Math.round(share * buckets), begins[group - 1] + 1, most);
        }
        return begins;
    }

    /// Returns how large the head has to be for a group, once the groups before it are done: it takes what fits neither
    /// in the first array before the group nor in up to two arrays of the result after it. Each piece of memory takes
    /// whole parts, so a part of each piece but one is lost.
    private double headFor(int begin, int end, int pieces) {
        int passes = plan.passCount();
        double bucket = (double) plan.elementCount() / plan.bucketCount(0);
        double sampledKeys = (double) sampleCounts[0] / plan.bucketCount(0) * (end - begin);
        double others = 1 - (end - begin) / (double) plan.bucketCount(0);
        double group = (end - begin) * bucket * slackFactor(sampledKeys, GROUP_SLACK * Math.sqrt(others));
        double room = (double) laterRoom(passes) / KernelConstants.ROOM_UNIT;
        double need = Math.min(plan.elementCount(), group) * room + (end - begin) * (double) laterBuckets(passes);
        double behind = pieces > 1 ? plan.elementCount() - end * bucket : 0;
        double lost = (pieces - 1) * (bucket * room + laterBuckets(passes));
        return need + lost - begin * bucket - behind;
    }
}
