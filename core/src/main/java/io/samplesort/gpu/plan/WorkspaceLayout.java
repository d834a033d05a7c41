package io.samplesort.gpu.plan;

import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.code.SizeClasses;
import io.samplesort.types.Tuning;
import java.util.Arrays;
import java.util.List;

/// Where each region of a [Workspace] begins, relative to the allocation.
///
/// Buckets are written where a sample says that there is room, without counting them first. If there are groups, the
/// buckets of the first pass are divided further and sorted one group after another, so the later passes need room for
/// one group alone, and find most of it where the groups before and behind have left memory free ([Rooms]).
///
/// Where buckets of the first pass come from several GPUs, or from chunks of an array that is sorted in place, the
/// array that this pass writes is somebody else's.
///
/// Where values are counted and no key is moved, there are only the counts, and the plan has no pass. Where payloads
/// are moved by value, there is also what the passes leave: the payloads, and between two passes a byte of each key.
public final class WorkspaceLayout {
    /// Bytes that a thread copies at once.
    public static final int WORD_BYTES = 16;

    /// What a sort does: it divides its input into buckets, counts values and moves no element, counts values and moves
    /// payloads to their places, divides what a first pass of several GPUs has left or one in place, or makes runs and
    /// places their elements by ranks.
    private enum Kind {
        BUCKETS,
        COUNTS,
        PLACES,
        EXCHANGE,
        PAGES,
        RANKS
    }

    /// The passes that this has room for.
    public final SortPlan plan;

    private final KernelElement element;
    private final Tuning tuning;
    private final int groups;
    private final Kind kind;
    /// Whether the array of the first pass is somebody else's.
    public final boolean isExchanged;
    /// Whether the buffers hold pairs as whole elements.
    final boolean holdsPairs;

    /// Null where values are not counted.
    public final Regions.Values values;
    /// Null where payloads are not moved by value.
    public final Regions.Places places;
    final int keyBytes;
    /// The room of the buckets.
    public final Rooms rooms;

    private final TileWords tileWords;
    /// The queues of the small sort.
    public final Regions.Queues queues;
    /// Where the blocks of the merge sort tell each other how far they are.
    public final long mergeProgress;
    /// Whether the input is checked for order that is there already.
    public final boolean seeksOrder;
    /// Without such a check, nothing.
    public final long orderSearch;
    /// Null where sorted runs are not looked for.
    public final Regions.Runs runs;

    /// The counters of each pass.
    public final Regions.Counters[] counters;
    /// The segments of each pass, and behind them the buckets of the last one.
    public final Regions.Segments[] segments;

    final Regions.Splitters[] splitters;
    /// Where buckets of the first pass have their parts of the room; without groups, nothing.
    public final Regions.Parts parts;

    final Regions.Buffer buffer;
    /// Bytes of an element in the arrays of the buffer.
    public final int elementBytes;

    final int payloadBytes;
    final int smallSortLimit;
    /// How many bytes at the beginning are 0 before a sort.
    final long zeroedBytes;

    /// What the [WorkspaceGuard] watches; empty without one.
    final List<WorkspaceGuard.Gap> gaps;

    /// Bytes of all regions together.
    public final long byteSize;

    /// @param groups as [Rooms] takes it
    public WorkspaceLayout(SortPlan plan, KernelElement element, Tuning tuning, int groups) {
        this(plan, element, tuning, groups, Kind.BUCKETS);
    }

    /// Returns the layout of a sort that counts values and moves no element.
    public static WorkspaceLayout ofCounts(long count, KernelElement element, Tuning tuning) {
        return new WorkspaceLayout(new SortPlan(count, new int[0]), element, tuning, 0, Kind.COUNTS);
    }

    /// Returns the layout of a sort that counts values and moves payloads to their places, by a byte of the key in each
    /// pass.
    public static WorkspaceLayout ofPlaces(long count, KernelElement element, Tuning tuning) {
        int[] logs = new int[element.keyBytes()];
        Arrays.fill(logs, Byte.SIZE);
        return new WorkspaceLayout(new SortPlan(count, logs), element, tuning, 0, Kind.PLACES);
    }

    /// Returns the layout of passes of a sort on several GPUs, or in place.
    public static WorkspaceLayout ofExchange(SortPlan plan, KernelElement element, Tuning tuning) {
        return new WorkspaceLayout(plan, element, tuning, 0, Kind.EXCHANGE);
    }

    /// Returns the layout of a sort that makes runs and places their elements by ranks.
    public static WorkspaceLayout ofRanks(long count, KernelElement element, Tuning tuning) {
        return new WorkspaceLayout(new SortPlan(count, new int[0]), element, tuning, 0, Kind.RANKS);
    }

    /// Returns the layout of the passes behind a first one in place, which has left its buckets in pages.
    ///
    /// @param headSize     elements that the passes have room for
    /// @param groups       how many groups there are at most
    /// @param mostOfAGroup segments that a group has at most
    public static WorkspaceLayout ofPages(
            SortPlan plan, KernelElement element, Tuning tuning, long headSize, int groups, int mostOfAGroup) {
        Rooms rooms = Rooms.behindFirst(plan, tuning, headSize, groups, mostOfAGroup);
        return new WorkspaceLayout(plan, element, tuning, groups, Kind.PAGES, rooms);
    }

    private WorkspaceLayout(SortPlan plan, KernelElement element, Tuning tuning, int groups, Kind kind) {
        // Passes that move by value have no sample and no room to spare.
        this(plan, element, tuning, groups, kind, new Rooms(sampled(plan, kind), element, tuning, groups));
    }

    private static SortPlan sampled(SortPlan plan, Kind kind) {
        return kind == Kind.PLACES ? new SortPlan(plan.elementCount(), new int[0]) : plan;
    }

    private WorkspaceLayout(SortPlan plan, KernelElement element, Tuning tuning, int groups, Kind kind, Rooms rooms) {
        this.plan = plan;
        this.element = element;
        this.tuning = tuning;
        this.groups = groups;
        this.kind = kind;
        this.rooms = rooms;
        isExchanged = kind == Kind.EXCHANGE || kind == Kind.PAGES;
        boolean isCounted = kind == Kind.COUNTS || kind == Kind.PLACES;
        holdsPairs = element.movesPairs();
        keyBytes = element.keyBytes();
        smallSortLimit = tuning.smallSortLimit();
        elementBytes = holdsPairs ? element.elementBytes() : keyBytes;
        payloadBytes = holdsPairs ? 0 : element.payloadBytes();
        tileWords = new TileWords(plan, tuning, rooms, isPaged());
        int passes = sampled(plan, kind).passCount();
        RegionSpace space = new RegionSpace();
        gaps = space.gaps();

        long queueCounters = groupCount() * (long) SizeClasses.QUEUE_COUNT * Integer.BYTES;
        long queueSizes = space.region(queueCounters);
        long queueTaken = space.region(queueCounters);
        long queueUneven = space.region(queueCounters);
        long largestBucket = space.region(Long.BYTES);
        long largeCount = space.region(Integer.BYTES);
        mergeProgress = space.region(KernelStructs.MERGE_PROGRESS_BYTES);
        seeksOrder = plan.passCount() > 0
                && !isExchanged
                && tuning.orderCheckSize() > 0
                && plan.elementCount() >= tuning.orderCheckSize();
        orderSearch = seeksOrder ? space.region(KernelStructs.ORDER_SEARCH_BYTES) : 0;
        boolean seeksRuns = seeksOrder && kind != Kind.PLACES && element.mergesRuns(tuning);
        long runSearch = seeksRuns ? space.region(KernelStructs.RUN_SEARCH_BYTES) : 0;
        long inputMarks = space.region(1);
        counters = new Regions.Counters[passes];
        for (int pass = 0; pass < passes; pass++) {
            counters[pass] = element.keepsOrder()
                    ? Regions.Counters.keepingOrder(space, plan, pass, groupCount(), tileWords.bytes(pass))
                    : Regions.Counters.in(space, plan, pass);
        }
        long totals = kind == Kind.COUNTS ? space.region(element.valueCount() * (long) Long.BYTES) : 0;
        long[] byteTotals = kind == Kind.PLACES ? Regions.Places.totals(space, plan) : null;
        zeroedBytes = ranksRuns() ? 0 : space.byteSize();

        values = isCounted ? new Regions.Values(totals, space.region((element.valueCount() + 1L) * Long.BYTES)) : null;
        runs = seeksRuns
                ? Regions.Runs.in(
                        space, runSearch, plan.elementCount() / new SharedMemory(element, tuning).mergeRunsTile())
                : null;
        places = kind == Kind.PLACES ? Regions.Places.in(space, plan, byteTotals) : null;
        segments = new Regions.Segments[passes + 1];
        for (int pass = 0; pass <= passes; pass++) {
            segments[pass] = segmentRegions(space, pass, inputMarks);
        }
        splitters = new Regions.Splitters[passes];
        for (int pass = 0; pass < passes; pass++) {
            splitters[pass] =
                    Regions.Splitters.in(space, plan.segmentCount(pass), plan.segmentCount(pass + 1) * keyBytes);
        }
        long partBytes = rooms.hasParts() ? plan.segmentCount(1) * Long.BYTES : 0;
        parts = new Regions.Parts(space.region(partBytes), space.region(partBytes));
        // Buckets above the limit stand in their queue in parts.
        long largeBuckets = isCounted ? 0 : plan.elementCount() / tuning.smallSortLimit() + 1;
        long capacity = isCounted ? 0 : rooms.largestGroup() * plan.segmentsOfABucket(passes) + largeBuckets;
        long queueBytes = SizeClasses.COUNT * capacity * Long.BYTES;
        queues = new Regions.Queues(
                queueSizes,
                queueTaken,
                queueUneven,
                largestBucket,
                largeCount,
                space.region(largeBuckets * Long.BYTES),
                space.region(queueBytes),
                capacity);
        buffer = bufferRegions(space);
        byteSize = isOneLaunch() ? 0 : space.byteSize();
    }

    /// Returns whether one block sorts the whole input in its place, for which no memory is needed.
    public boolean isOneLaunch() {
        return plan.passCount() == 0 && !countsValues() && !ranksRuns();
    }

    /// Returns whether the first pass has left its buckets in pages.
    public boolean isPaged() {
        return kind == Kind.PAGES;
    }

    /// Returns what a bucket of the first pass takes of the room of the passes behind it, in elements.
    public long partFor(long size) {
        return rooms.partFor(size);
    }

    /// Returns what a bucket of the first pass takes of that room for each element, in units of 1 /
    /// [io.samplesort.gpu.code.KernelConstants#ROOM_UNIT].
    public long partRoom() {
        return rooms.allLaterRoom;
    }

    /// Returns what it takes beside that.
    public long partBuckets() {
        return rooms.allLaterBuckets;
    }

    /// Returns the most elements that a bucket of the first pass can have for its part to be no larger.
    public long mostWithin(long part) {
        return rooms.mostWithin(part);
    }

    /// Returns where the memory for elements begins.
    public long bufferAt() {
        return buffer.keys();
    }

    /// Returns the bytes of the memory for elements of the passes behind a first one in place.
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

    /// Returns how many segments the first pass has left at most.
    public int mostSegments() {
        return Math.toIntExact(plan.segmentCount(1));
    }

    /// Returns whether values are counted, and payloads are moved to their places.
    public boolean movesByValue() {
        return kind == Kind.PLACES;
    }

    /// Returns whether the small sort makes runs, and their elements are placed by ranks.
    public boolean ranksRuns() {
        return kind == Kind.RANKS;
    }

    /// Returns the bytes of an element on its way between passes.
    public static long elementBytes(KernelElement element) {
        return element.movesPairs() ? element.elementBytes() : element.keyBytes() + element.payloadBytes();
    }

    /// Returns a layout for fewer elements that takes no more memory. One of their own, with fewer passes, might.
    public WorkspaceLayout forFewer(long count) {
        if (ranksRuns() && count >= element.fewestRanked(tuning)) {
            return ofRanks(count, element, tuning);
        }
        SortPlan few = SortPlan.of(count, tuning);
        if (few.passCount() == 0) {
            return new WorkspaceLayout(few, element, tuning, 0);
        }
        return new WorkspaceLayout(new SortPlan(count, plan.logBucketCounts()), element, tuning, groups, kind);
    }

    /// Returns whether values are counted and no element is moved.
    public boolean countsValues() {
        return kind == Kind.COUNTS;
    }

    /// Returns whether a sort only reads its input until it writes the result.
    public boolean leavesInput() {
        return !isOneLaunch();
    }

    /// Returns how many segments of a pass a group has.
    public long segmentCount(int pass, Group group) {
        return pass == 0 ? 1 : (group.end() - group.begin()) * plan.segmentsOfABucket(pass);
    }

    /// Returns how many groups of buckets are sorted one after another.
    public int groupCount() {
        return rooms.groupCount();
    }

    /// Returns a group by its number, from 0.
    public Group group(int number) {
        return new Group(number, rooms.groupBegins[number], rooms.groupBegins[number + 1]);
    }

    /// Returns what a launch sees that has nothing to do with groups.
    public Group all() {
        return new Group(0, 0, rooms.groupBegins[rooms.groupCount()]);
    }

    /// Returns where the bytes begin that the tiles of a pass tell each other in, and how many there are, if each group
    /// needs them to be 0 again; null if not.
    public long[] tileWordsOfAGroup(int pass) {
        return element.keepsOrder() ? new long[] {counters[pass].tileWords(), tileWords.bytes(pass)} : null;
    }

    /// Returns where the words of a group's tiles begin.
    public long tileWords(int pass, Group group) {
        return counters[pass].tileWords() + tileWords.offset(pass, group);
    }

    private Regions.Segments segmentRegions(RegionSpace space, int pass, long inputMarks) {
        long count = plan.segmentCount(pass);
        if (pass == 0) {
            return Regions.Segments.ofInput(space, count, inputMarks);
        }
        return isExchanged && pass == 1 ? Regions.Segments.given(space, count) : Regions.Segments.ofPass(space, count);
    }

    private Regions.Buffer bufferRegions(RegionSpace space) {
        int passes = plan.passCount();
        if (movesByValue()) {
            long bytes = passes > 1 ? plan.elementCount() : 0;
            // Payloads begin at the same place within a word as those of the result.
            long moved = Math.multiplyExact(plan.elementCount(), (long) payloadBytes) + WORD_BYTES;
            return new Regions.Buffer(space.region(bytes), space.region(moved), 0);
        }
        if (passes == 0 && !ranksRuns()) {
            // The small sort works in place.
            return new Regions.Buffer(0, 0, 0);
        }
        long head = rooms.headSize;
        long first = ranksRuns() ? plan.elementCount() : rooms.firstSize;
        long count = Math.addExact(head, isExchanged ? 0 : first);
        if (isPaged()) {
            // Pages lie here before, whatever the two columns are.
            long keys = space.region(headBytes());
            return new Regions.Buffer(keys, keys + headKeyBytes(), head);
        }
        long keys = space.region(Math.multiplyExact(count, (long) elementBytes));
        return new Regions.Buffer(keys, space.region(Math.multiplyExact(count, (long) payloadBytes)), head);
    }
}
