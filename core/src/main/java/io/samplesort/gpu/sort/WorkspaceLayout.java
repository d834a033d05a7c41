package io.samplesort.gpu.sort;

import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.SizeClasses;
import io.samplesort.types.Tuning;

/// Where each region of a [Workspace] begins, relative to the allocation, and which of the two memory layouts it has.
///
/// In the **fast** layout buckets are written where the sample says that there is room, without counting them first. In
/// the **exact** layout they are counted first, and passes go to and fro between the input and one buffer.
public final class WorkspaceLayout {
    private static final int ALIGNMENT = 256;
    private static final int ROOM_UNIT = 256;
    /// `MergeProgress` in merge_sort.cuh: two counters, and a word for each round it may have.
    private static final int MERGE_PROGRESS_BYTES = 2 * Long.BYTES + 64 * Integer.BYTES;

    private static final int ELEMENTS_PER_SAMPLED_KEY = 8192;

    public final SortPlan plan;
    /// Whether buckets are written where the sample says that there is room, without counting them first.
    final boolean isFast;
    /// Of each pass: the room for each element in 256ths, 0 in the exact layout.
    final long[] room;
    /// Of each pass: sampled keys of a segment.
    final long[] sampleCounts;

    final long queueSizes;
    final long queueTaken;
    final long largestBucket;
    final long mergeProgress;
    final long overflows;
    final long[] writePositions;
    /// Of each pass that keeps the order of equal elements: tickets for its tiles, and what is known of each
    /// (tile_chain.cuh).
    final long[] tickets;
    final long[] tileWords;
    final long zeroedBytes;
    final long[] segmentOffsets;
    final long[] segmentBegins;
    final long[] equality;
    final long[] segmentKinds;
    final long[] splitterTrees;
    final long queueEntries;
    final long queueCapacity;
    /// Whether the buffers hold pairs as whole elements. Not so in the exact layout, where the input is a buffer
    /// too.
    final boolean holdsPairs;
    /// Two arrays of elements that the passes of the fast layout write in turn; one in the exact layout, where the
    /// other is the input.
    final long[] bufferKeys;
    final long[] bufferPayloads;
    public final long byteSize;

    private long end;

    public WorkspaceLayout(SortPlan plan, KernelElement element, Tuning tuning, boolean isFast) {
        this.plan = plan;
        this.isFast = isFast;
        holdsPairs = isFast && element.movesPairs();
        int passes = plan.passCount();
        room = new long[passes];
        sampleCounts = new long[passes];
        writePositions = new long[passes];
        tickets = new long[passes];
        tileWords = new long[passes];
        segmentOffsets = new long[passes + 1];
        segmentBegins = new long[passes + 1];
        equality = new long[passes + 1];
        segmentKinds = new long[passes];
        splitterTrees = new long[passes];

        queueSizes = region(SizeClasses.QUEUE_COUNT * (long) Integer.BYTES);
        queueTaken = region(SizeClasses.QUEUE_COUNT * (long) Integer.BYTES);
        largestBucket = region(Long.BYTES);
        mergeProgress = region(MERGE_PROGRESS_BYTES);
        overflows = region(Math.max(1, passes) * (long) Integer.BYTES);
        equality[0] = region(1);
        for (int pass = 0; pass < passes; pass++) {
            writePositions[pass] = region(plan.segmentCount(pass + 1) * Long.BYTES);
            if (element.keepsOrder()) {
                tickets[pass] = region(Integer.BYTES);
                long words = Math.multiplyExact(plan.tileSlots(pass, tuning), plan.bucketCount(pass));
                tileWords[pass] = region(Math.multiplyExact(words, tileWordBytes()));
            }
        }
        zeroedBytes = end;

        for (int pass = 0; pass <= passes; pass++) {
            segmentOffsets[pass] = region((plan.segmentCount(pass) + 1) * Long.BYTES);
            segmentBegins[pass] =
                    isFast && pass > 0 ? region((plan.segmentCount(pass) + 1) * Long.BYTES) : segmentOffsets[pass];
            if (pass > 0) {
                equality[pass] = region(plan.segmentCount(pass));
            }
        }
        for (int pass = 0; pass < passes; pass++) {
            segmentKinds[pass] = region(plan.segmentCount(pass));
            splitterTrees[pass] = region(plan.segmentCount(pass + 1) * element.keyBytes());
            sampleCounts[pass] = sampleCount(pass, tuning);
            room[pass] = isFast ? room(sampleCounts[pass], plan.bucketCount(pass), tuning.bucketSlack()) : 0;
        }
        // Buckets above the limit stand in it in parts.
        queueCapacity = plan.segmentCount(passes) + plan.elementCount() / tuning.smallSortLimit() + 1;
        queueEntries = region(SizeClasses.QUEUE_COUNT * queueCapacity * Long.BYTES);
        // Without a pass the small sort works in place.
        int buffers = passes == 0 ? 0 : isFast ? 2 : 1;
        bufferKeys = new long[buffers];
        bufferPayloads = new long[buffers];
        for (int buffer = 0; buffer < buffers; buffer++) {
            long count = bufferCount(buffer);
            int keyBytes = holdsPairs ? element.elementBytes() : element.keyBytes();
            bufferKeys[buffer] = region(Math.multiplyExact(count, keyBytes));
            bufferPayloads[buffer] = holdsPairs ? 0 : region(Math.multiplyExact(count, element.payloadBytes()));
        }
        byteSize = end;
    }

    /// More than the oversampling asks for where segments are large: it costs next to nothing there, and the better
    /// the sample the less room buckets need.
    private long sampleCount(int pass, Tuning tuning) {
        long wanted = Math.max(
                (long) tuning.oversampling() * plan.bucketCount(pass),
                plan.elementCount() / plan.segmentCount(pass) / ELEMENTS_PER_SAMPLED_KEY);
        return Math.min(wanted, (long) tuning.sampleThreads() * tuning.sampleItems());
    }

    /// Room for any sizes that buckets may have in a sample, as `bucket_room` gives it: the sum of the square roots
    /// of the sizes is largest where they are equal. One unit more for what is rounded.
    private static long room(long sampleCount, int bucketCount, int slack) {
        double bucketsPerKey = (double) bucketCount / sampleCount;
        double factor = 1 + slack * Math.sqrt(bucketsPerKey) + slack * slack / 2.0 * bucketsPerKey;
        return (long) Math.ceil(factor * ROOM_UNIT) + 1;
    }

    /// Two bits more than a count of elements has, in a word of 32 bits where that is enough.
    private int tileWordBytes() {
        return plan.elementCount() < 1L << Integer.SIZE - 2 ? Integer.BYTES : Long.BYTES;
    }

    private long bufferCount(int buffer) {
        // merge_sort takes what the last pass did not write for scratch, as large as the input.
        long count = plan.elementCount();
        for (int pass = buffer; pass < plan.passCount() && isFast; pass += 2) {
            count = Math.max(
                    count,
                    Math.addExact(
                            Math.multiplyExact(plan.elementCount() / ROOM_UNIT + 1, room[pass]),
                            plan.segmentCount(pass + 1)));
        }
        return count;
    }

    private long region(long bytes) {
        long begin = end;
        end = Math.addExact(begin, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
        return begin;
    }
}
