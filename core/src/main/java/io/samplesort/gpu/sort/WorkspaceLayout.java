package io.samplesort.gpu.sort;

import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.code.SizeClasses;
import io.samplesort.types.Tuning;
import java.util.ArrayList;
import java.util.List;

/// Where each region of a [Workspace] begins, relative to the allocation, in one of four memory layouts.
///
/// In the **fast** layout buckets are written where the sample says that there is room, without counting them first. In
/// the **grouped** layout, too, but the buckets of the first pass are divided further and sorted in groups, one group
/// after another, so the later passes need room for a few groups alone. In the **exact** layout buckets are counted
/// first, and passes go to and fro between the input and one buffer.
///
/// In the **counted** layout, where values are counted and no key is moved, there are only the counts, and the plan has
/// no pass.
public final class WorkspaceLayout {
    private static final int ALIGNMENT = 256;
    private static final int ELEMENTS_PER_SAMPLED_KEY = 8192;
    private static final int ELEMENTS_PER_COUNTED_KEY = 128;
    private static final long MAX_COUNTED_KEYS = 1 << 21;
    private static final int MAX_GROUPS = 64;
    /// More groups take less memory, and each takes some time to begin and to end.
    private static final int GROUP_ELEMENTS = 1 << 24;

    public enum Kind {
        COUNTED,
        FAST,
        GROUPED,
        EXACT
    }

    /// The work lists of the small sort. Each group has counters of its own.
    ///
    /// @param capacity  entries that a queue has room for
    /// @param laneBytes from the queues of one lane to those of the next
    record QueueRegions(
            long sizes,
            long taken,
            long largestBucket,
            long largeCount,
            long largeBuckets,
            long entries,
            long capacity,
            long laneBytes) {}

    /// What the blocks of a pass count. It is 0 before the pass.
    ///
    /// @param tickets   of a pass that keeps the order of equal elements: how many tiles blocks have taken, for each
    ///     group
    /// @param tileWords of such a pass: what is known of each tile (tile_chain.cuh)
    record CounterRegions(long writePositions, long overflows, long tickets, long tileWords) {}

    /// The segments that a pass divides, or, behind the last pass, its buckets.
    record SegmentRegions(long offsets, long begins, long ends, long moved, long marks) {}

    /// The splitters of a pass, and how they are chosen.
    ///
    /// @param sampleCount  sampled keys of a segment
    /// @param countedCount keys of a larger sample that is counted to give the buckets room; 0 without one
    /// @param room         room for each element in units of 1 / [KernelConstants#ROOM_UNIT]; 0 in the exact layout
    record SplitterRegions(long kinds, long trees, long sampleCount, long countedCount, long room) {}

    /// How often each value occurs, which is 0 before the sort, and where its keys belong.
    record ValueRegions(long totals, long offsets) {}

    /// An array of so many elements.
    ///
    /// @param laneBytes from the array of one lane to that of the next
    record BufferRegions(long keys, long payloads, long count, long laneBytes) {}

    public final SortPlan plan;
    final boolean isFast;
    /// Whether the buffers hold pairs as whole elements. They do not in the exact layout, where the input is a buffer
    /// too.
    final boolean holdsPairs;

    /// Null where elements are moved.
    final ValueRegions values;
    final int keyBytes;
    /// How many groups there are; a power of two.
    final int groupCount;
    /// How many groups have memory of their own; the others use it after them.
    final int laneCount;

    final QueueRegions queues;
    final long mergeProgress;
    /// Whether the input is checked for order that is there already.
    final boolean seeksOrder;
    /// Without such a check, nothing.
    final long orderSearch;
    final CounterRegions[] counters;
    final SegmentRegions[] segments;
    final SplitterRegions[] splitters;
    /// An array for each pass of the fast layout. The exact layout has one, and the input is the other.
    final BufferRegions[] buffers;
    /// How many bytes at the beginning are 0 before a sort.
    final long zeroedBytes;

    /// What the [WorkspaceGuard] watches; empty without one.
    final List<WorkspaceGuard.Gap> gaps = new ArrayList<>();

    public final long byteSize;

    private final long gapBytes = WorkspaceGuard.installed().gapBytes();
    private long end;

    public WorkspaceLayout(SortPlan given, KernelElement element, Tuning tuning, Kind kind) {
        boolean isCounted = kind == Kind.COUNTED;
        plan = isCounted ? given.withoutPasses() : given;
        isFast = kind != Kind.EXACT;
        holdsPairs = isFast && element.movesPairs();
        keyBytes = element.keyBytes();
        groupCount = groupCount(kind, tuning);
        laneCount = Math.min(groupCount, Lanes.COUNT);
        int passes = plan.passCount();

        long queueCounters = groupCount * (long) SizeClasses.COUNT * Integer.BYTES;
        long queueSizes = region(queueCounters);
        long queueTaken = region(queueCounters);
        long largestBucket = region(Long.BYTES);
        long largeCount = region(Integer.BYTES);
        mergeProgress = region(KernelStructs.MERGE_PROGRESS_BYTES);
        seeksOrder = passes > 0 && seeksOrder(plan.elementCount(), tuning);
        orderSearch = seeksOrder ? region(KernelStructs.ORDER_SEARCH_BYTES) : 0;
        long inputMarks = region(1);
        counters = new CounterRegions[passes];
        for (int pass = 0; pass < passes; pass++) {
            counters[pass] = counterRegions(pass, element.keepsOrder(), tuning);
        }
        long totals = isCounted ? region(element.valueCount() * (long) Long.BYTES) : 0;
        zeroedBytes = end;

        values = isCounted ? new ValueRegions(totals, region((element.valueCount() + 1L) * Long.BYTES)) : null;
        segments = new SegmentRegions[passes + 1];
        for (int pass = 0; pass <= passes; pass++) {
            segments[pass] = segmentRegions(pass, inputMarks);
        }
        splitters = new SplitterRegions[passes];
        for (int pass = 0; pass < passes; pass++) {
            splitters[pass] = splitterRegions(pass, element.keyBytes(), tuning);
        }
        // Buckets above the limit stand in their queue in parts.
        long largeBuckets = isCounted ? 0 : plan.elementCount() / tuning.smallSortLimit() + 1;
        long capacity = isCounted ? 0 : plan.segmentCount(passes) / groupCount + largeBuckets;
        long queueBytes = SizeClasses.COUNT * capacity * Long.BYTES;
        queues = new QueueRegions(
                queueSizes,
                queueTaken,
                largestBucket,
                largeCount,
                region(largeBuckets * Long.BYTES),
                region(laneCount * queueBytes),
                capacity,
                queueBytes);
        // Without a pass the small sort works in place.
        buffers = new BufferRegions[isFast ? passes : Math.min(passes, 1)];
        for (int buffer = 0; buffer < buffers.length; buffer++) {
            buffers[buffer] = bufferRegions(buffer, element, tuning);
        }
        byteSize = end;
    }

    /// Returns whether values are counted and no element is moved.
    boolean countsValues() {
        return values != null;
    }

    /// Returns whether a sort only reads its input until it writes the result.
    boolean leavesInput() {
        return countsValues() || isFast && plan.passCount() > 0;
    }

    private static boolean seeksOrder(long count, Tuning tuning) {
        return tuning.orderCheckSize() > 0 && count >= tuning.orderCheckSize();
    }

    private int groupCount(Kind kind, Tuning tuning) {
        int tuned = tuning.groupElements();
        if (plan.passCount() < 2 || kind == Kind.EXACT || kind == Kind.FAST && tuned == 0) {
            return 1;
        }
        long groups = Math.clamp(plan.elementCount() / (tuned > 0 ? tuned : GROUP_ELEMENTS), 1, MAX_GROUPS);
        return (int) Math.min(Long.highestOneBit(groups), plan.segmentCount(1));
    }

    /// Returns how many segments of a pass a group has; of the first pass, which has one segment for all groups, that
    /// one.
    long groupSize(int pass) {
        return pass == 0 ? plan.segmentCount(0) : plan.segmentCount(pass) / groupCount;
    }

    private CounterRegions counterRegions(int pass, boolean keepsOrder, Tuning tuning) {
        long writePositions = region(plan.segmentCount(pass + 1) * Long.BYTES);
        long overflows = region(plan.segmentCount(pass) * Integer.BYTES);
        if (!keepsOrder) {
            return new CounterRegions(writePositions, overflows, 0, 0);
        }
        long tickets = region(groupCount * (long) Integer.BYTES);
        long words = Math.multiplyExact(plan.tileSlots(pass, tuning), plan.bucketCount(pass));
        return new CounterRegions(
                writePositions, overflows, tickets, region(Math.multiplyExact(words, tileWordBytes())));
    }

    /// Returns where the words of a group's tiles begin. Each group numbers its segments from 0 on, so the slots of its
    /// tiles would overlap those of the group before it.
    long tileWords(int pass, Group group) {
        long segment = plan.segmentCount(pass) / group.count() * group.number();
        return counters[pass].tileWords() + segment * plan.bucketCount(pass) * tileWordBytes();
    }

    private int tileWordBytes() {
        return plan.elementCount() < 1L << KernelConstants.NARROW_COUNT_BITS ? Integer.BYTES : Long.BYTES;
    }

    private SegmentRegions segmentRegions(int pass, long inputMarks) {
        long count = plan.segmentCount(pass);
        long offsets = region((count + 1) * Long.BYTES);
        if (!isFast) {
            // Buckets lie where they belong, and each ends where the next one begins.
            return new SegmentRegions(
                    offsets, offsets, offsets + Long.BYTES, offsets, pass > 0 ? region(count) : inputMarks);
        }
        if (pass == 0) {
            return new SegmentRegions(offsets, offsets, offsets, region(Long.BYTES), inputMarks);
        }
        long begins = region(count * Long.BYTES);
        long ends = region(count * Long.BYTES);
        return new SegmentRegions(offsets, begins, ends, region(count * Long.BYTES), region(count));
    }

    private SplitterRegions splitterRegions(int pass, int keyBytes, Tuning tuning) {
        long kinds = region(plan.segmentCount(pass));
        long trees = region(plan.segmentCount(pass + 1) * keyBytes);
        long sampleCount = sampleCount(pass, tuning);
        long countedCount = pass == 0 && groupCount > 1 ? countedCount(sampleCount) : 0;
        long roomCount = Math.max(sampleCount, countedCount);
        long room = isFast ? room(roomCount, plan.bucketCount(pass), tuning.bucketSlack()) : 0;
        return new SplitterRegions(kinds, trees, sampleCount, countedCount, room);
    }

    /// Returns the size of a segment's sample, which is larger than the oversampling asks for where segments are large:
    /// that costs next to nothing there, and the better the sample, the less room buckets need.
    private long sampleCount(int pass, Tuning tuning) {
        long wanted = Math.max(
                (long) tuning.oversampling() * plan.bucketCount(pass),
                plan.elementCount() / plan.segmentCount(pass) / ELEMENTS_PER_SAMPLED_KEY);
        return Math.min(wanted, (long) tuning.sampleThreads() * tuning.sampleItems());
    }

    private long countedCount(long sampleCount) {
        return Math.clamp(plan.elementCount() / ELEMENTS_PER_COUNTED_KEY, sampleCount, MAX_COUNTED_KEYS);
    }

    /// Returns room for any sizes that buckets may have in a sample, as `bucket_room` gives it: the sum of the square
    /// roots of the sizes is largest where the sizes are equal. One more unit makes up for rounding.
    private static long room(long sampleCount, int bucketCount, int slack) {
        double factor = slackFactor((double) sampleCount / bucketCount, slack);
        return (long) Math.ceil(factor * KernelConstants.ROOM_UNIT) + 1;
    }

    /// Returns how many times the size that a part of so many sampled keys suggests has room.
    private static double slackFactor(double sampledKeys, int slack) {
        return 1 + slack / Math.sqrt(sampledKeys) + slack * slack / 2.0 / sampledKeys;
    }

    private BufferRegions bufferRegions(int buffer, KernelElement element, Tuning tuning) {
        long count = bufferCount(buffer, tuning);
        long begin = end;
        BufferRegions first = bufferRegions(count, element, 0);
        long laneBytes = end - begin;
        for (int lane = 1; lane < laneCount && buffer > 0; lane++) {
            bufferRegions(count, element, laneBytes);
        }
        return new BufferRegions(first.keys(), first.payloads(), count, laneBytes);
    }

    private BufferRegions bufferRegions(long count, KernelElement element, long laneBytes) {
        long keyBytes = holdsPairs ? element.elementBytes() : element.keyBytes();
        long payloadBytes = holdsPairs ? 0 : element.payloadBytes();
        long keys = region(Math.multiplyExact(count, keyBytes));
        return new BufferRegions(keys, region(Math.multiplyExact(count, payloadBytes)), count, laneBytes);
    }

    private long bufferCount(int buffer, Tuning tuning) {
        long count = plan.elementCount();
        if (!isFast) {
            return count;
        }
        long moved = buffer == 0 ? count : groupMost(tuning);
        long buckets = plan.segmentCount(buffer + 1) / (buffer == 0 ? 1 : groupCount);
        long room = Math.multiplyExact(moved / KernelConstants.ROOM_UNIT + 1, splitters[buffer].room());
        // The merge sort uses the first buffer as scratch memory, as large as the input.
        return Math.max(buffer == 0 ? count : 0, Math.addExact(room, buckets));
    }

    /// Returns how many elements of a group are moved at most, with as much slack as buckets have: a group has so many
    /// keys of the first sample. What has no room stays where it lies and is sorted all the same.
    private long groupMost(Tuning tuning) {
        if (groupCount == 1) {
            return plan.elementCount();
        }
        double sampledKeys = (double) splitters[0].sampleCount() / groupCount;
        double most = plan.elementCount() / (double) groupCount * slackFactor(sampledKeys, tuning.bucketSlack());
        return Math.min(plan.elementCount(), (long) Math.ceil(most));
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
