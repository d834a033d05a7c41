package io.samplesort.gpu.sort;

import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.code.SizeClasses;
import io.samplesort.types.Tuning;
import java.util.ArrayList;
import java.util.List;

/// Where each region of a [Workspace] begins, relative to the allocation, in one of two memory layouts.
///
/// In the **fast** layout buckets are written where the sample says that there is room, without counting them first. In
/// the **exact** layout they are counted first, and passes go to and fro between the input and one buffer.
///
/// Where values are counted and no key is moved, there are only the counts, and the plan has no pass.
public final class WorkspaceLayout {
    private static final int ALIGNMENT = 256;
    private static final int ELEMENTS_PER_SAMPLED_KEY = 8192;

    /// The work lists of the small sort.
    ///
    /// @param capacity entries that a queue has room for
    record QueueRegions(long sizes, long taken, long largestBucket, long entries, long capacity) {}

    /// What the blocks of a pass count. It is 0 before the pass.
    ///
    /// @param tickets   of a pass that keeps the order of equal elements: how many tiles blocks have taken
    /// @param tileWords of such a pass: what is known of each tile (tile_chain.cuh)
    record CounterRegions(long writePositions, long tickets, long tileWords) {}

    /// The segments that a pass divides, or, behind the last pass, its buckets.
    record SegmentRegions(long offsets, long begins, long equality) {}

    /// The splitters of a pass, and how they are chosen.
    ///
    /// @param sampleCount sampled keys of a segment
    /// @param room        room for each element in units of 1 / [KernelConstants#ROOM_UNIT]; 0 in the exact layout
    record SplitterRegions(long kinds, long trees, long sampleCount, long room) {}

    /// How often each value occurs, which is 0 before the sort, and where its keys belong.
    record ValueRegions(long totals, long offsets) {}

    /// An array of elements.
    record BufferRegions(long keys, long payloads) {}

    public final SortPlan plan;
    final boolean isFast;
    /// Whether the buffers hold pairs as whole elements. They do not in the exact layout, where the input is a buffer
    /// too.
    final boolean holdsPairs;

    /// Null where elements are moved.
    final ValueRegions values;

    final QueueRegions queues;
    final long mergeProgress;
    final long overflows;
    final CounterRegions[] counters;
    final SegmentRegions[] segments;
    final SplitterRegions[] splitters;
    /// The two arrays that the passes of the fast layout write in turn. The exact layout has one, and the input is the
    /// other.
    final BufferRegions[] buffers;
    /// How many bytes at the beginning are 0 before a sort.
    final long zeroedBytes;

    /// What the [WorkspaceGuard] watches; empty without one.
    final List<WorkspaceGuard.Gap> gaps = new ArrayList<>();

    public final long byteSize;

    private final long gapBytes = WorkspaceGuard.installed().gapBytes();
    private long end;

    public WorkspaceLayout(SortPlan given, KernelElement element, Tuning tuning, boolean isFast) {
        boolean isCounted = element.isCounted() && given.passCount() > 0;
        plan = isCounted ? given.withoutPasses() : given;
        this.isFast = isFast;
        holdsPairs = isFast && element.movesPairs();
        int passes = plan.passCount();

        long queueSizes = region(SizeClasses.QUEUE_COUNT * (long) Integer.BYTES);
        long queueTaken = region(SizeClasses.QUEUE_COUNT * (long) Integer.BYTES);
        long largestBucket = region(Long.BYTES);
        mergeProgress = region(KernelStructs.MERGE_PROGRESS_BYTES);
        overflows = region(Math.max(1, passes) * (long) Integer.BYTES);
        long inputEquality = region(1);
        counters = new CounterRegions[passes];
        for (int pass = 0; pass < passes; pass++) {
            counters[pass] = counterRegions(pass, element.keepsOrder(), tuning);
        }
        long totals = isCounted ? region(element.valueCount() * (long) Long.BYTES) : 0;
        zeroedBytes = end;

        values = isCounted ? new ValueRegions(totals, region((element.valueCount() + 1L) * Long.BYTES)) : null;
        segments = new SegmentRegions[passes + 1];
        for (int pass = 0; pass <= passes; pass++) {
            segments[pass] = segmentRegions(pass, inputEquality);
        }
        splitters = new SplitterRegions[passes];
        for (int pass = 0; pass < passes; pass++) {
            splitters[pass] = splitterRegions(pass, element.keyBytes(), tuning);
        }
        // Buckets above the limit stand in their queue in parts.
        long capacity = isCounted ? 0 : plan.segmentCount(passes) + plan.elementCount() / tuning.smallSortLimit() + 1;
        long entries = region(SizeClasses.QUEUE_COUNT * capacity * Long.BYTES);
        queues = new QueueRegions(queueSizes, queueTaken, largestBucket, entries, capacity);
        // Without a pass the small sort works in place.
        buffers = new BufferRegions[passes == 0 ? 0 : isFast ? 2 : 1];
        for (int buffer = 0; buffer < buffers.length; buffer++) {
            buffers[buffer] = bufferRegions(buffer, element);
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

    private CounterRegions counterRegions(int pass, boolean keepsOrder, Tuning tuning) {
        long writePositions = region(plan.segmentCount(pass + 1) * Long.BYTES);
        if (!keepsOrder) {
            return new CounterRegions(writePositions, 0, 0);
        }
        long tickets = region(Integer.BYTES);
        long words = Math.multiplyExact(plan.tileSlots(pass, tuning), plan.bucketCount(pass));
        return new CounterRegions(writePositions, tickets, region(Math.multiplyExact(words, tileWordBytes())));
    }

    private int tileWordBytes() {
        return plan.elementCount() < 1L << KernelConstants.NARROW_COUNT_BITS ? Integer.BYTES : Long.BYTES;
    }

    private SegmentRegions segmentRegions(int pass, long inputEquality) {
        long count = plan.segmentCount(pass);
        long offsets = region((count + 1) * Long.BYTES);
        long begins = isFast && pass > 0 ? region((count + 1) * Long.BYTES) : offsets;
        return new SegmentRegions(offsets, begins, pass > 0 ? region(count) : inputEquality);
    }

    private SplitterRegions splitterRegions(int pass, int keyBytes, Tuning tuning) {
        long kinds = region(plan.segmentCount(pass));
        long trees = region(plan.segmentCount(pass + 1) * keyBytes);
        long sampleCount = sampleCount(pass, tuning);
        long room = isFast ? room(sampleCount, plan.bucketCount(pass), tuning.bucketSlack()) : 0;
        return new SplitterRegions(kinds, trees, sampleCount, room);
    }

    /// Returns the size of a segment's sample, which is larger than the oversampling asks for where segments are large:
    /// that costs next to nothing there, and the better the sample, the less room buckets need.
    private long sampleCount(int pass, Tuning tuning) {
        long wanted = Math.max(
                (long) tuning.oversampling() * plan.bucketCount(pass),
                plan.elementCount() / plan.segmentCount(pass) / ELEMENTS_PER_SAMPLED_KEY);
        return Math.min(wanted, (long) tuning.sampleThreads() * tuning.sampleItems());
    }

    /// Returns room for any sizes that buckets may have in a sample, as `bucket_room` gives it: the sum of the square
    /// roots of the sizes is largest where the sizes are equal. One more unit makes up for rounding.
    private static long room(long sampleCount, int bucketCount, int slack) {
        double bucketsPerKey = (double) bucketCount / sampleCount;
        double factor = 1 + slack * Math.sqrt(bucketsPerKey) + slack * slack / 2.0 * bucketsPerKey;
        return (long) Math.ceil(factor * KernelConstants.ROOM_UNIT) + 1;
    }

    private BufferRegions bufferRegions(int buffer, KernelElement element) {
        long count = bufferCount(buffer);
        if (holdsPairs) {
            return new BufferRegions(region(Math.multiplyExact(count, element.elementBytes())), 0);
        }
        long keys = region(Math.multiplyExact(count, element.keyBytes()));
        return new BufferRegions(keys, region(Math.multiplyExact(count, element.payloadBytes())));
    }

    private long bufferCount(int buffer) {
        // The merge sort uses the buffer that the last pass did not write as scratch memory, as large as the input.
        long count = plan.elementCount();
        for (int pass = buffer; pass < plan.passCount() && isFast; pass += 2) {
            long room = Math.multiplyExact(plan.elementCount() / KernelConstants.ROOM_UNIT + 1, splitters[pass].room());
            count = Math.max(count, Math.addExact(room, plan.segmentCount(pass + 1)));
        }
        return count;
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
