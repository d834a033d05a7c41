package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.types.GpuUnavailableException;
import io.samplesort.types.InsufficientDeviceMemoryException;
import io.samplesort.types.Tuning;
import java.util.Locale;

/// The choice between the memory layouts of a sort: the fast one where the tuning and the free memory allow it, else
/// the exact one.
///
/// @param element     what the kernels move
/// @param memoryLimit the device memory in bytes that sorts may take however much is free
public record Layouts(Context context, KernelElement element, Tuning tuning, long memoryLimit) {
    /// The pool grows by pieces of 32 MiB, and a sort has a handful of allocations.
    private static final long MAX_POOL_GAPS = 256L << 20;

    private static final int GAPS_PER_DEVICE = 128;

    /// Chooses the fast layout where the tuning and the free memory allow it, and else the exact one.
    ///
    /// @param what        the sort, for errors, with a place for the count
    /// @param besideBytes what has to be free beside the layout
    /// @throws InsufficientDeviceMemoryException if there is not enough memory for the exact layout either
    public WorkspaceLayout choose(String what, long count, long besideBytes) {
        if (element.sortsIndexes() && count > IndexedColumns.MAX_COUNT) {
            throw new GpuUnavailableException(text(what, count) + " by index: a GPU sorts at most "
                    + IndexedColumns.MAX_COUNT + " of them so; sort unstably, or use the CPU");
        }
        SortPlan plan = SortPlan.of(count, tuning);
        if (tuning.bucketSlack() > 0) {
            // The memory that earlier sorts have left in the pool is mostly enough, and asking the device takes a
            // while. Gaps do not count here: where they are in the way of an allocation, the pool gives them back to
            // the device.
            WorkspaceLayout fast = layout(plan, true);
            if (fast.byteSize <= Math.min(context.pooledBytes(), memoryLimit) - besideBytes) {
                return fast;
            }
        }
        long free = freeBytes();
        WorkspaceLayout layout = within(count, free - besideBytes);
        if (layout == null) {
            throw new InsufficientDeviceMemoryException(
                    text(what, count), Math.addExact(layout(plan, false).byteSize, besideBytes), free);
        }
        return layout;
    }

    private static String text(String what, long count) {
        return String.format(Locale.ROOT, what, count);
    }

    /// Returns the device memory that a sort may take.
    public long freeBytes() {
        return withoutGaps(context.freeBytes());
    }

    /// The pool may leave some of the free memory unused between its allocations.
    private long withoutGaps(long free) {
        long gaps = Math.min(MAX_POOL_GAPS, context.device().totalBytes() / GAPS_PER_DEVICE);
        return Math.clamp(free - gaps, 0, memoryLimit);
    }

    /// Returns the fast layout where the tuning and this much memory allow it, or the exact one; null if that is too
    /// large as well.
    public WorkspaceLayout within(long count, long bytes) {
        SortPlan plan = SortPlan.of(count, tuning);
        if (tuning.bucketSlack() > 0) {
            WorkspaceLayout fast = layout(plan, true);
            if (fast.byteSize <= bytes) {
                return fast;
            }
        }
        WorkspaceLayout exact = layout(plan, false);
        return exact.byteSize <= bytes ? exact : null;
    }

    private WorkspaceLayout layout(SortPlan plan, boolean isFast) {
        return new WorkspaceLayout(plan, element, tuning, isFast);
    }
}
