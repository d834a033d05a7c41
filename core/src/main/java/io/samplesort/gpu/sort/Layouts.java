package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.sort.WorkspaceLayout.Kind;
import io.samplesort.types.GpuUnavailableException;
import io.samplesort.types.InsufficientDeviceMemoryException;
import io.samplesort.types.Tuning;
import java.util.List;
import java.util.Locale;

/// The choice between the memory layouts of a sort: the fast one where the tuning and the free memory allow it, else
/// the grouped one, else the exact one.
///
/// @param element     what the kernels move
/// @param memoryLimit the device memory in bytes that sorts may take however much is free
public record Layouts(Context context, KernelElement element, Tuning tuning, long memoryLimit) {
    /// The pool grows by pieces of 32 MiB, and a sort has a handful of allocations.
    private static final long MAX_POOL_GAPS = 256L << 20;

    private static final int GAPS_PER_DEVICE = 128;

    /// Counting takes some time for each value that there may be. With fewer elements for each it takes longer than
    /// sorting.
    private static final long COUNTED_A_VALUE = 16;

    /// Chooses the fastest layout that the tuning and the free memory allow.
    ///
    /// @param what        the sort, for errors, with a place for the count
    /// @param besideBytes what has to be free beside the layout
    /// @throws InsufficientDeviceMemoryException if there is not enough memory for the exact layout either
    public WorkspaceLayout choose(String what, long count, long besideBytes) {
        return choose(what, count, besideBytes, 0);
    }

    /// Does the same for a sort that takes memory in the place of the layout later.
    ///
    /// @param laterBytes how much that is
    public WorkspaceLayout choose(String what, long count, long besideBytes, long laterBytes) {
        if (element.sortsIndexes() && count > IndexedColumns.MAX_COUNT) {
            throw new GpuUnavailableException(text(what, count) + " by index: a GPU sorts at most "
                    + IndexedColumns.MAX_COUNT + " of them so; sort unstably, or use the CPU");
        }
        SortPlan plan = SortPlan.of(count, tuning);
        Kind fastest = kinds(plan).getFirst();
        if (fastest != Kind.EXACT) {
            // The memory that earlier sorts have left in the pool is mostly enough, and asking the device takes a
            // while. Gaps do not count here: where they are in the way of an allocation, the pool gives them back to
            // the device.
            WorkspaceLayout fast = layout(plan, fastest);
            if (Math.max(fast.byteSize, laterBytes) <= Math.min(context.pooledBytes(), memoryLimit) - besideBytes) {
                return fast;
            }
        }
        long free = freeBytes();
        WorkspaceLayout layout = laterBytes > free - besideBytes ? null : within(count, free - besideBytes);
        if (layout == null) {
            WorkspaceLayout least = layout(plan, kinds(plan).getLast());
            throw new InsufficientDeviceMemoryException(
                    text(what, count), Math.addExact(Math.max(least.byteSize, laterBytes), besideBytes), free);
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

    /// Returns the fastest layout that the tuning and this much memory allow; null if even the exact one is too large.
    public WorkspaceLayout within(long count, long bytes) {
        SortPlan plan = SortPlan.of(count, tuning);
        for (Kind kind : kinds(plan)) {
            WorkspaceLayout layout = layout(plan, kind);
            if (layout.byteSize <= bytes) {
                return layout;
            }
        }
        return null;
    }

    /// Returns the layouts that a sort may have, the fastest first, which takes most memory.
    private List<Kind> kinds(SortPlan plan) {
        if (element.isCounted()
                && plan.passCount() > 0
                && plan.elementCount() >= COUNTED_A_VALUE * element.valueCount()) {
            return List.of(Kind.COUNTED);
        }
        return tuning.bucketSlack() > 0 ? List.of(Kind.FAST, Kind.GROUPED, Kind.EXACT) : List.of(Kind.EXACT);
    }

    private WorkspaceLayout layout(SortPlan plan, Kind kind) {
        return new WorkspaceLayout(plan, element, tuning, kind);
    }
}
