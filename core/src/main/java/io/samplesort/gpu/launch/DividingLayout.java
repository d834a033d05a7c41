package io.samplesort.gpu.launch;

import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.types.Tuning;

/// The passes of a sort that divides its input into buckets, and where each region of its memory begins, relative to
/// the allocation.
///
/// Buckets are written where a sample says that there is room, without counting them first. If there are groups, the
/// buckets of the first pass are divided further and sorted one group after another. So the later passes need room for
/// one group only, and find most of it where earlier and later groups leave memory free ([Rooms]).
///
/// If buckets of the first pass come from several GPUs, or from chunks of an array that is sorted in place, the array
/// that this pass writes belongs to the caller.
public final class DividingLayout {
    /// Where the first pass writes its buckets: to memory of the sort, to an array that several GPUs fill, or to pages
    /// of an array that is sorted in place.
    private enum First {
        OWN,
        GIVEN,
        PAGES
    }

    /// The passes for which this has room.
    public final SortPlan plan;

    private final KernelElement element;
    private final First first;
    /// Whether the buffers hold pairs as whole elements.
    final boolean holdsPairs;

    final int keyBytes;
    /// The room of the buckets.
    public final Rooms rooms;

    private final TileWords tileWords;
    /// The counters that a workspace begins with.
    public final Regions.Head head;
    /// The queues of the small sort.
    public final Regions.Queues queues;
    /// Whether the input is searched for order.
    public final boolean seeksOrder;
    /// Null if sorted runs are not looked for.
    public final Regions.Runs runs;

    /// The counters of each pass.
    public final Regions.Counters[] counters;
    /// The segments of each pass, and after them the buckets of the last one.
    public final Regions.Segments[] segments;

    final Regions.Splitters[] splitters;
    /// Where buckets of the first pass have their parts of the room; empty without groups.
    public final Regions.Parts parts;

    final Regions.Buffer buffer;
    /// Bytes of an element in the arrays of the buffer.
    final int elementBytes;

    final int payloadBytes;
    final int smallSortLimit;
    /// How much memory all regions take.
    public final WorkspaceLayout memory;

    /// @param groups as [Rooms] takes it
    public DividingLayout(SortPlan plan, KernelElement element, Tuning tuning, int groups) {
        this(plan, element, tuning, First.OWN, new Rooms(plan, element, tuning, groups));
    }

    /// Returns the layout of the passes that divide long segments of a user's array.
    ///
    /// @param movedCount the elements of these segments
    public static DividingLayout ofUserSegments(SortPlan plan, KernelElement element, Tuning tuning, long movedCount) {
        return new DividingLayout(plan, element, tuning, First.OWN, new Rooms(plan, element, tuning, 0, movedCount));
    }

    /// Returns the layout of the passes of a sort on several GPUs, or of the first pass in place.
    public static DividingLayout ofExchange(SortPlan plan, KernelElement element, Tuning tuning) {
        return new DividingLayout(plan, element, tuning, First.GIVEN, new Rooms(plan, element, tuning, 0));
    }

    /// Returns the layout of the passes after a first one in place, which has left its buckets in pages.
    ///
    /// @param headSize     elements for which the passes have room
    /// @param groups       the most groups that there are
    /// @param mostOfAGroup the most segments of a group
    public static DividingLayout ofPages(
            SortPlan plan, KernelElement element, Tuning tuning, long headSize, int groups, int mostOfAGroup) {
        Rooms rooms = Rooms.behindFirst(plan, tuning, headSize, groups, mostOfAGroup);
        return new DividingLayout(plan, element, tuning, First.PAGES, rooms);
    }

    private DividingLayout(SortPlan plan, KernelElement element, Tuning tuning, First first, Rooms rooms) {
        this.plan = plan;
        this.element = element;
        this.first = first;
        this.rooms = rooms;
        holdsPairs = element.movesPairs();
        keyBytes = element.keyBytes();
        smallSortLimit = tuning.smallSortLimit();
        elementBytes = holdsPairs ? element.elementBytes() : keyBytes;
        payloadBytes = holdsPairs ? 0 : element.payloadBytes();
        tileWords = new TileWords(plan, tuning, rooms, isPaged());
        int passes = plan.passCount();
        seeksOrder = first == First.OWN && plan.logFirstSegments() == 0 && plan.seeksOrder(tuning);
        boolean seeksRuns = seeksOrder && element.mergesRuns(tuning);

        RegionSpace space = new RegionSpace();
        head = Regions.Head.in(space, groupCount(), seeksOrder, seeksRuns);
        counters = new Regions.Counters[passes];
        for (int pass = 0; pass < passes; pass++) {
            counters[pass] = element.keepsOrder()
                    ? Regions.Counters.keepingOrder(space, plan, pass, groupCount(), tileWords.bytes(pass))
                    : Regions.Counters.in(space, plan, pass);
        }
        space.zeroSoFar();

        runs = seeksRuns
                ? Regions.Runs.in(space, plan.elementCount() / new SharedMemory(element, tuning).mergeRunsTile())
                : null;
        segments = new Regions.Segments[passes + 1];
        segments[0] = plan.logFirstSegments() == 0
                ? Regions.Segments.ofInput(space, head.inputMark())
                : Regions.Segments.ofPass(space, plan.segmentCount(0));
        for (int pass = 1; pass <= passes; pass++) {
            segments[pass] = isGiven() && pass == 1
                    ? Regions.Segments.given(space, plan.segmentCount(pass))
                    : Regions.Segments.ofPass(space, plan.segmentCount(pass));
        }
        splitters = new Regions.Splitters[passes];
        for (int pass = 0; pass < passes; pass++) {
            splitters[pass] =
                    Regions.Splitters.in(space, plan.segmentCount(pass), plan.segmentCount(pass + 1) * keyBytes);
        }
        long partBytes = rooms.hasParts() ? plan.segmentCount(1) * Long.BYTES : 0;
        parts = new Regions.Parts(space.region(partBytes), space.region(partBytes));
        long bucketsOfAGroup = rooms.largestGroup() * plan.segmentsOfABucket(passes);
        queues = Regions.Queues.in(space, bucketsOfAGroup, plan.elementCount(), smallSortLimit);
        buffer = bufferRegions(space);
        memory = space.layout();
    }

    private Regions.Buffer bufferRegions(RegionSpace space) {
        if (isPaged()) {
            // Pages lie here before the two columns do, so both columns share one region.
            long keys = space.region(headBytes());
            return new Regions.Buffer(keys, keys + headKeyBytes(), rooms.headSize);
        }
        long count = Math.addExact(rooms.headSize, isGiven() ? 0 : rooms.firstSize);
        long keys = space.region(Math.multiplyExact(count, (long) elementBytes));
        return new Regions.Buffer(keys, space.region(Math.multiplyExact(count, (long) payloadBytes)), rooms.headSize);
    }

    /// Returns whether the caller owns the array that the first pass writes.
    public boolean isGiven() {
        return first != First.OWN;
    }

    /// Returns whether the first pass has left its buckets in pages.
    public boolean isPaged() {
        return first == First.PAGES;
    }

    /// Returns the bytes of all regions together.
    public long byteSize() {
        return memory.byteSize();
    }

    /// Returns where the memory for elements begins.
    public long bufferAt() {
        return buffer.keys();
    }

    /// Returns the bytes of the memory for elements of the passes after a first one in place.
    public long headBytes() {
        return headKeyBytes() + rooms.headSize * payloadBytes;
    }

    private long headKeyBytes() {
        return RegionSpace.aligned(rooms.headSize * elementBytes);
    }

    /// Returns the number of passes.
    public int passCount() {
        return plan.passCount();
    }

    /// Returns the most segments that the first pass can leave.
    public int mostSegments() {
        return Math.toIntExact(plan.segmentCount(1));
    }

    /// Returns how many segments of a pass a group has.
    public long segmentCount(int pass, Group group) {
        return pass == 0 ? plan.segmentCount(0) : (group.end() - group.begin()) * plan.segmentsOfABucket(pass);
    }

    /// Returns how many groups of buckets are sorted one after another.
    public int groupCount() {
        return rooms.groupCount();
    }

    /// Returns a group by its number, from 0.
    public Group group(int number) {
        return new Group(number, rooms.groupBegins[number], rooms.groupBegins[number + 1]);
    }

    /// Returns the group of all segments, for launches that have nothing to do with groups.
    public Group all() {
        return new Group(0, 0, rooms.groupBegins[rooms.groupCount()]);
    }

    /// Returns the begin and the number of the bytes in which the tiles of a pass tell each other their counts, if each
    /// group needs these to be 0 again; null if not.
    public long[] tileWordsOfAGroup(int pass) {
        return element.keepsOrder() ? new long[] {counters[pass].tileWords(), tileWords.bytes(pass)} : null;
    }

    /// Returns where the words of a group's tiles begin.
    public long tileWords(int pass, Group group) {
        return counters[pass].tileWords() + tileWords.offset(pass, group);
    }
}
