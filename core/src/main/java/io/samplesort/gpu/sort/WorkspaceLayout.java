package io.samplesort.gpu.sort;

import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.code.SizeClasses;
import io.samplesort.types.Tuning;
import java.util.ArrayList;
import java.util.List;

/// Where each region of a [Workspace] begins, relative to the allocation.
///
/// Buckets are written where a sample says that there is room, without counting them first. If there are groups, the
/// buckets of the first pass are divided further and sorted one group after another, so the later passes need room for
/// one group alone, and find most of it where the groups before and behind have left memory free ([Rooms]).
///
/// Where buckets of the first pass come from several GPUs, or from chunks of an array that is sorted in place, the
/// array
/// that this pass writes is somebody else's.
///
/// Where values are counted and no key is moved, there are only the counts, and the plan has no pass.
public final class WorkspaceLayout {
    private static final int ALIGNMENT = 256;

    /// Sections of merged runs have so many tiles of a block at least, and there are at most so many.
    private static final int TILES_A_SECTION = 12;

    private static final int MOST_SECTIONS = 1 << 14;

    /// What a sort does: it divides its input into buckets, counts values and moves no element, divides what a first
    /// pass of several GPUs has left, or makes runs and places their elements by ranks.
    private enum Kind {
        BUCKETS,
        COUNTS,
        EXCHANGE,
        RANKS
    }

    /// The work lists of the small sort. Each group has counters of its own.
    ///
    /// @param capacity entries that a queue has room for, enough for any group
    record QueueRegions(
            long sizes,
            long taken,
            long largestBucket,
            long largeCount,
            long largeBuckets,
            long entries,
            long capacity) {}

    /// Where sorted runs are looked for, and where they are cut into sections for their merge. The search is 0 before.
    record RunRegions(long search, long cuts, int sections) {}

    /// What the blocks of a pass count. It is 0 before the pass.
    ///
    /// @param tickets   of a pass that keeps the order of equal elements: how many tiles blocks have taken, for each
    ///     group
    /// @param tileWords of such a pass: what is known of each tile (tile_chain.cuh)
    record CounterRegions(long writePositions, long overflows, long tickets, long tileWords) {}

    /// The segments that a pass divides, or, behind the last pass, its buckets.
    record SegmentRegions(long offsets, long begins, long ends, long moved, long marks) {}

    /// The splitters of a pass.
    record SplitterRegions(long kinds, long trees) {}

    /// Where each bucket of the first pass has its part of the room; 0 without groups.
    record PartRegions(long begins, long ends) {}

    /// How often each value occurs, which is 0 before the sort, and where its keys belong.
    record ValueRegions(long totals, long offsets) {}

    /// All memory for elements.
    ///
    /// @param headSize elements in front of the array that the first pass writes
    record BufferRegions(long keys, long payloads, long headSize) {}

    public final SortPlan plan;
    private final KernelElement element;
    private final Tuning tuning;
    private final int groups;
    private final Kind kind;
    /// Whether the array of the first pass is somebody else's.
    final boolean isExchanged;
    /// Whether the buffers hold pairs as whole elements.
    final boolean holdsPairs;

    /// Null where elements are moved.
    final ValueRegions values;
    final int keyBytes;
    final Rooms rooms;
    final QueueRegions queues;
    final long mergeProgress;
    /// Whether the input is checked for order that is there already.
    final boolean seeksOrder;
    /// Without such a check, nothing.
    final long orderSearch;
    /// Null where sorted runs are not looked for.
    final RunRegions runs;
    final CounterRegions[] counters;
    final SegmentRegions[] segments;
    final SplitterRegions[] splitters;
    final PartRegions parts;
    final BufferRegions buffer;
    /// Bytes of an element in the arrays of the buffer.
    final int elementBytes;

    final int payloadBytes;
    final int smallSortLimit;
    /// How many bytes at the beginning are 0 before a sort.
    final long zeroedBytes;

    /// What the [WorkspaceGuard] watches; empty without one.
    final List<WorkspaceGuard.Gap> gaps = new ArrayList<>();

    public final long byteSize;

    private final long gapBytes = WorkspaceGuard.installed().gapBytes();
    private long end;

    /// @param groups as [Rooms] takes it
    WorkspaceLayout(SortPlan plan, KernelElement element, Tuning tuning, int groups) {
        this(plan, element, tuning, groups, Kind.BUCKETS);
    }

    /// Returns the layout of a sort that counts values and moves no element.
    static WorkspaceLayout ofCounts(long count, KernelElement element, Tuning tuning) {
        return new WorkspaceLayout(new SortPlan(count, new int[0]), element, tuning, 0, Kind.COUNTS);
    }

    /// Returns the layout of passes of a sort on several GPUs, or in place.
    static WorkspaceLayout ofExchange(SortPlan plan, KernelElement element, Tuning tuning) {
        return new WorkspaceLayout(plan, element, tuning, 0, Kind.EXCHANGE);
    }

    /// Returns the layout of a sort that makes runs and places their elements by ranks.
    static WorkspaceLayout ofRanks(long count, KernelElement element, Tuning tuning) {
        return new WorkspaceLayout(new SortPlan(count, new int[0]), element, tuning, 0, Kind.RANKS);
    }

    private WorkspaceLayout(SortPlan plan, KernelElement element, Tuning tuning, int groups, Kind kind) {
        this.plan = plan;
        this.element = element;
        this.tuning = tuning;
        this.groups = groups;
        this.kind = kind;
        isExchanged = kind == Kind.EXCHANGE;
        boolean isCounted = kind == Kind.COUNTS;
        holdsPairs = element.movesPairs();
        keyBytes = element.keyBytes();
        smallSortLimit = tuning.smallSortLimit();
        elementBytes = holdsPairs ? element.elementBytes() : keyBytes;
        payloadBytes = holdsPairs ? 0 : element.payloadBytes();
        int passes = plan.passCount();
        rooms = new Rooms(plan, element, tuning, groups);

        long queueCounters = groupCount() * (long) SizeClasses.COUNT * Integer.BYTES;
        long queueSizes = region(queueCounters);
        long queueTaken = region(queueCounters);
        long largestBucket = region(Long.BYTES);
        long largeCount = region(Integer.BYTES);
        mergeProgress = region(KernelStructs.MERGE_PROGRESS_BYTES);
        seeksOrder = passes > 0 && !isExchanged && seeksOrder(plan.elementCount(), tuning);
        orderSearch = seeksOrder ? region(KernelStructs.ORDER_SEARCH_BYTES) : 0;
        boolean seeksRuns = seeksOrder && element.mergesRuns(tuning);
        long runSearch = seeksRuns ? region(KernelStructs.RUN_SEARCH_BYTES) : 0;
        long inputMarks = region(1);
        counters = new CounterRegions[passes];
        for (int pass = 0; pass < passes; pass++) {
            counters[pass] = counterRegions(pass);
        }
        long totals = isCounted ? region(element.valueCount() * (long) Long.BYTES) : 0;
        zeroedBytes = ranksRuns() ? 0 : end;

        values = isCounted ? new ValueRegions(totals, region((element.valueCount() + 1L) * Long.BYTES)) : null;
        runs = seeksRuns ? runRegions(runSearch) : null;
        segments = new SegmentRegions[passes + 1];
        for (int pass = 0; pass <= passes; pass++) {
            segments[pass] = segmentRegions(pass, inputMarks);
        }
        splitters = new SplitterRegions[passes];
        for (int pass = 0; pass < passes; pass++) {
            splitters[pass] = splitterRegions(pass);
        }
        long partBytes = rooms.hasParts() ? plan.segmentCount(1) * Long.BYTES : 0;
        parts = new PartRegions(region(partBytes), region(partBytes));
        // Buckets above the limit stand in their queue in parts.
        long largeBuckets = isCounted ? 0 : plan.elementCount() / tuning.smallSortLimit() + 1;
        long capacity = isCounted ? 0 : largestGroup() * scale(passes) + largeBuckets;
        long queueBytes = SizeClasses.COUNT * capacity * Long.BYTES;
        queues = new QueueRegions(
                queueSizes,
                queueTaken,
                largestBucket,
                largeCount,
                region(largeBuckets * Long.BYTES),
                region(queueBytes),
                capacity);
        buffer = bufferRegions();
        byteSize = isOneLaunch() ? 0 : end;
    }

    /// Returns whether one block sorts the whole input in its place, for which no memory is needed.
    boolean isOneLaunch() {
        return plan.passCount() == 0 && !countsValues() && !ranksRuns();
    }

    /// Returns whether the small sort makes runs, and their elements are placed by ranks.
    boolean ranksRuns() {
        return kind == Kind.RANKS;
    }

    /// Returns the bytes of an element on its way between passes.
    static long elementBytes(KernelElement element) {
        return element.movesPairs() ? element.elementBytes() : element.keyBytes() + element.payloadBytes();
    }

    /// Returns a layout for fewer elements that takes no more memory. One of their own, with fewer passes, might.
    public WorkspaceLayout forFewer(long count) {
        if (ranksRuns() && count >= element.fewestRanked(tuning)) {
            return ofRanks(count, element, tuning);
        }
        SortPlan few = SortPlan.of(count, tuning);
        return few.passCount() == 0
                ? new WorkspaceLayout(few, element, tuning, 0)
                : new WorkspaceLayout(new SortPlan(count, plan.logBucketCounts()), element, tuning, groups);
    }

    /// Returns whether values are counted and no element is moved.
    boolean countsValues() {
        return values != null;
    }

    /// Returns whether a sort only reads its input until it writes the result.
    boolean leavesInput() {
        return !isOneLaunch();
    }

    private RunRegions runRegions(long search) {
        long tiles = plan.elementCount() / new SharedMemory(element, tuning).mergeRunsTile();
        int sections = Math.clamp(tiles / TILES_A_SECTION, 1, MOST_SECTIONS);
        return new RunRegions(search, region((sections + 1L) * KernelConstants.MOST_RUNS * Long.BYTES), sections);
    }

    private static boolean seeksOrder(long count, Tuning tuning) {
        return tuning.orderCheckSize() > 0 && count >= tuning.orderCheckSize();
    }

    /// Returns how many segments of a pass are made of each bucket of the first one.
    private long scale(int pass) {
        return plan.segmentCount(pass) / plan.segmentCount(Math.min(1, plan.passCount()));
    }

    /// Returns which segment of a pass is the first of a group; of the first pass, which has one segment for all
    /// groups, that one.
    long firstSegment(int pass, Group group) {
        return pass == 0 ? 0 : group.begin() * scale(pass);
    }

    /// Returns how many segments of a pass a group has.
    long segmentCount(int pass, Group group) {
        return pass == 0 ? 1 : (group.end() - group.begin()) * scale(pass);
    }

    int groupCount() {
        return rooms.groupCount();
    }

    private long largestGroup() {
        long largest = 0;
        for (int number = 0; number < groupCount(); number++) {
            largest = Math.max(largest, group(number).end() - group(number).begin());
        }
        return largest;
    }

    Group group(int number) {
        return new Group(number, rooms.groupBegins[number], rooms.groupBegins[number + 1]);
    }

    /// Returns what a launch sees that has nothing to do with groups.
    Group all() {
        return new Group(0, 0, rooms.groupBegins[rooms.groupCount()]);
    }

    private CounterRegions counterRegions(int pass) {
        long writePositions = region(plan.segmentCount(pass + 1) * Long.BYTES);
        long overflows = region(plan.segmentCount(pass) * Integer.BYTES);
        if (!element.keepsOrder()) {
            return new CounterRegions(writePositions, overflows, 0, 0);
        }
        long tickets = region(groupCount() * (long) Integer.BYTES);
        long words = Math.multiplyExact(plan.tileSlots(pass, tuning), plan.bucketCount(pass));
        return new CounterRegions(
                writePositions, overflows, tickets, region(Math.multiplyExact(words, tileWordBytes())));
    }

    /// Returns where the words of a group's tiles begin. Each group numbers its segments from 0 on, so the slots of its
    /// tiles would overlap those of the group before it.
    long tileWords(int pass, Group group) {
        long segment = firstSegment(pass, group);
        return counters[pass].tileWords() + segment * plan.bucketCount(pass) * tileWordBytes();
    }

    private int tileWordBytes() {
        return plan.elementCount() < 1L << KernelConstants.NARROW_COUNT_BITS ? Integer.BYTES : Long.BYTES;
    }

    private SegmentRegions segmentRegions(int pass, long inputMarks) {
        long count = plan.segmentCount(pass);
        if (isExchanged && pass == 1) {
            return givenRegions(count);
        }
        long offsets = region((count + 1) * Long.BYTES);
        if (pass == 0) {
            return new SegmentRegions(offsets, offsets, offsets, region(Long.BYTES), inputMarks);
        }
        long begins = region(count * Long.BYTES);
        long ends = region(count * Long.BYTES);
        return new SegmentRegions(offsets, begins, ends, region(count * Long.BYTES), region(count));
    }

    /// Returns the regions of segments that the host writes, without gaps: one copy fills them all ([GivenSegments]),
    /// and one copy the rooms of buckets ([FirstPass]).
    private SegmentRegions givenRegions(long count) {
        long bytes = count * Long.BYTES;
        long offsets = region(GivenSegments.regionBytes(count));
        long moved = offsets + bytes + Long.BYTES;
        long begins = moved + bytes;
        long ends = begins + bytes;
        return new SegmentRegions(offsets, begins, ends, moved, ends + bytes);
    }

    private SplitterRegions splitterRegions(int pass) {
        long kinds = region(plan.segmentCount(pass));
        return new SplitterRegions(kinds, region(plan.segmentCount(pass + 1) * keyBytes));
    }

    private BufferRegions bufferRegions() {
        int passes = plan.passCount();
        if (passes == 0 && !ranksRuns()) {
            // The small sort works in place.
            return new BufferRegions(0, 0, 0);
        }
        long head = rooms.headSize;
        long first = ranksRuns() ? plan.elementCount() : rooms.firstSize;
        long count = Math.addExact(head, isExchanged ? 0 : first);
        long keys = region(Math.multiplyExact(count, (long) elementBytes));
        return new BufferRegions(keys, region(Math.multiplyExact(count, (long) payloadBytes)), head);
    }

    private long region(long bytes) {
        long begin = end;
        long regionEnd = Math.addExact(begin, bytes);
        end = Math.addExact(regionEnd, gapBytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        if (gapBytes > 0) {
            gaps.add(new WorkspaceGuard.Gap(regionEnd, end - regionEnd));
        }
        return begin;
    }
}
