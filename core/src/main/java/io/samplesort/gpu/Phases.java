package io.samplesort.gpu;

import io.samplesort.GpuUnavailableException;
import io.samplesort.InsufficientDeviceMemoryException;
import io.samplesort.Tuning;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;

/// A sort on the device: sample sort as the phases of the paper (Section 4), each a kernel, put on a stream one after
/// another without waiting for any of them.
///
/// @param element     what the kernels move
/// @param memoryLimit device memory that sorts may take however much is free, in bytes
record Phases(Context context, Kernels kernels, KernelElement element, Tuning tuning, long memoryLimit) {
    /// Any constant will do: samples are stratified, and what an unlucky one makes slow is still sorted right.
    private static final long SAMPLE_SEED = 0x5eed5a3713500L;

    /// The pool grows by pieces of 32 MiB, and a sort has a handful of allocations.
    private static final long MAX_POOL_GAPS = 256L << 20;

    private static final int GAPS_PER_DEVICE = 128;

    /// The fast layout where the tuning and the free memory allow it.
    ///
    /// @param what        the sort, for errors, with a place for the count
    /// @param besideBytes what has to be free beside the layout
    /// @throws InsufficientDeviceMemoryException if there is not enough memory for the exact layout either
    Workspace.Layout layout(String what, long count, long besideBytes) {
        if (element.sortsIndexes() && count > IndexedColumns.MAX_COUNT) {
            throw new GpuUnavailableException(text(what, count) + " by index: a GPU sorts at most "
                    + IndexedColumns.MAX_COUNT + " of them so; sort unstably, or use the CPU");
        }
        SortPlan plan = SortPlan.of(count, tuning);
        if (tuning.bucketSlack() > 0) {
            // What sorts before this one have left in the pool is mostly enough, and asking the device takes a while.
            // Gaps do not count here: an allocation that they are in the way of goes back to the device.
            Workspace.Layout fast = layout(plan, true);
            if (fast.byteSize <= Math.min(context.pooledBytes(), memoryLimit) - besideBytes) {
                return fast;
            }
        }
        long free = freeBytes();
        Workspace.Layout layout = layoutWithin(count, free - besideBytes);
        if (layout == null) {
            throw new InsufficientDeviceMemoryException(
                    text(what, count), Math.addExact(layout(plan, false).byteSize, besideBytes), free);
        }
        return layout;
    }

    private static String text(String what, long count) {
        return String.format(Locale.ROOT, what, count);
    }

    /// Device memory that a sort may take.
    long freeBytes() {
        return within(context.freeBytes());
    }

    /// Of memory that is free the pool may leave some unused between its allocations.
    private long within(long free) {
        long gaps = Math.min(MAX_POOL_GAPS, context.device().totalBytes() / GAPS_PER_DEVICE);
        return Math.clamp(free - gaps, 0, memoryLimit);
    }

    /// The fast layout where the tuning and so much memory allow it, or the exact one; null if that is too large as
    /// well.
    Workspace.Layout layoutWithin(long count, long bytes) {
        SortPlan plan = SortPlan.of(count, tuning);
        if (tuning.bucketSlack() > 0) {
            Workspace.Layout fast = layout(plan, true);
            if (fast.byteSize <= bytes) {
                return fast;
            }
        }
        Workspace.Layout exact = layout(plan, false);
        return exact.byteSize <= bytes ? exact : null;
    }

    private Workspace.Layout layout(SortPlan plan, boolean isFast) {
        return new Workspace.Layout(plan, element, tuning, isFast);
    }

    /// Puts the phases of a sort on a stream.
    ///
    /// @param output where the result goes: the input itself, or in the fast layout another array
    /// @param largestBucket pinned memory for the size of the largest bucket; null where nobody asks
    void enqueue(
            Stream on,
            Workspace.Layout layout,
            DeviceElements input,
            DeviceElements output,
            PhaseTimer timer,
            MemorySegment largestBucket) {
        SortPlan plan = layout.plan;
        try (Workspace workspace = new Workspace(context, on, layout)) {
            DeviceElements in = input;
            if (plan.passCount() == 0) {
                timer.phase("prepare");
                kernels.prepare(on, workspace, input);
            }
            for (int pass = 0; pass < plan.passCount(); pass++) {
                // The exact layout goes to and fro between the input and one buffer, the fast one leaves the input
                // as it is until the small sort.
                DeviceElements out =
                        layout.isFast ? workspace.buffer(pass % 2) : pass % 2 == 0 ? workspace.buffer(0) : input;
                timer.phase("select_splitters");
                kernels.selectSplitters(on, workspace, pass, in, SAMPLE_SEED + pass);
                if (!layout.isFast) {
                    timer.phase("count_buckets");
                    kernels.countBuckets(on, workspace, pass, in);
                    timer.phase("scan_counts");
                    kernels.scanCounts(on, workspace, pass);
                }
                timer.phase("scatter");
                kernels.scatter(on, workspace, pass, in, out);
                if (layout.isFast) {
                    timer.phase("scan_counts");
                    kernels.scanCounts(on, workspace, pass);
                }
                in = out;
            }
            boolean hasPasses = plan.passCount() > 0;
            DeviceElements scratch = hasPasses ? workspace.buffer(layout.isFast ? plan.passCount() % 2 : 0) : in;
            timer.phase("small_sort");
            kernels.smallSort(on, workspace, in, output, scratch, input);
            if (hasPasses) {
                timer.phase("merge_sort");
                kernels.mergeSort(on, workspace, output, scratch, largestBucket);
            } else if (largestBucket != null) {
                largestBucket.set(ValueLayout.JAVA_LONG, 0, plan.elementCount());
            }
            timer.end();
        }
    }
}
