package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.errors.GpuUnavailableException;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.plan.Rooms;
import io.samplesort.gpu.plan.SortPlan;
import io.samplesort.gpu.plan.WorkspaceLayout;
import io.samplesort.types.Tuning;
import java.util.Locale;

/// The choice of the memory layout of a sort, which is that of the number of groups: as few as the memory allows that
/// the sort may take.
///
/// One thread at a time uses it.
public final class Layouts {
    /// The pool grows by pieces of 32 MiB, and a sort has a handful of allocations.
    private static final long MAX_POOL_GAPS = 256L << 20;

    private static final int GAPS_PER_DEVICE = 128;

    /// Nobody misses this part of the device's memory, and small sorts need no groups with it.
    private static final int FREELY_TAKEN_PER_DEVICE = 64;

    private static final double PERCENT = 100;

    /// Counting takes some time for each value that there may be. With fewer elements for each it takes longer than
    /// sorting.
    private static final long COUNTED_A_VALUE = 16;

    /// The fewest elements that are moved by value, with keys of 8 and of 16 bits. The passes of fewer leave most of a
    /// GPU idle.
    private static final long[] FEWEST_MOVED_BY_VALUE = {1 << 17, 1 << 21};

    /// So many elements are divided, whatever they are.
    private static final long REHEARSED_COUNT = 1 << 20;

    private final Context context;
    private final KernelElement element;
    private final Tuning tuning;
    private final long memoryLimit;
    /// The layout of the last sort that was chosen, and within which memory. Programs mostly sort equally much again,
    /// and some fifty regions take a while to be laid out.
    private WorkspaceLayout last;

    private long lastBytes;

    /// @param element     what the kernels move
    /// @param memoryLimit the device memory in bytes that sorts may take however much is free
    public Layouts(Context context, KernelElement element, Tuning tuning, long memoryLimit) {
        this.context = context;
        this.element = element;
        this.tuning = tuning;
        this.memoryLimit = memoryLimit;
    }

    /// Chooses a layout that nobody uses, so that Java has loaded what chooses that of the first sort. Callers wait for
    /// something else meanwhile.
    public static void rehearse(KernelElement element, Tuning tuning) {
        smallest(element, tuning, REHEARSED_COUNT, Long.MAX_VALUE);
    }

    KernelElement element() {
        return element;
    }

    Tuning tuning() {
        return tuning;
    }

    /// Chooses the fastest layout within the memory that the tuning allows and that is free, or else the one that takes
    /// least memory.
    ///
    /// @param what        the sort, for errors, with a place for the count
    /// @param besideBytes what has to be free beside the layout
    /// @throws InsufficientDeviceMemoryException if there is not enough memory for any layout
    public WorkspaceLayout choose(String what, long count, long besideBytes) {
        return choose(what, count, besideBytes, 0);
    }

    /// Does the same for a sort that takes memory in the place of the layout later.
    ///
    /// @param laterBytes how much that is
    public WorkspaceLayout choose(String what, long count, long besideBytes, long laterBytes) {
        if (element.sortsIndexes() && count > IndexedColumns.MAX_COUNT) {
            throw new GpuUnavailableException(text(what, count) + " by index: a GPU sorts at most "
                    + IndexedColumns.MAX_COUNT + " of them so, and the CPU fewer: sort parts and merge them");
        }
        long wanted = Math.max(wantedBytes(count), laterBytes);
        if (last == null || last.plan.elementCount() != count || lastBytes != wanted) {
            last = smallest(count, wanted);
            lastBytes = wanted;
        }
        WorkspaceLayout layout = last;
        // The memory that earlier sorts have left in the pool is mostly enough, and asking the device takes a while.
        // Gaps do not count here: where they are in the way of an allocation, the pool gives them back to the device.
        long needed = Math.max(layout.byteSize, laterBytes) + besideBytes;
        if (needed == 0 || needed <= Math.min(context.pooledBytes(), memoryLimit)) {
            return layout;
        }
        long free = freeBytes();
        long most = free - besideBytes;
        if (layout.byteSize > most) {
            layout = smallest(count, most);
        }
        if (Math.max(layout.byteSize, laterBytes) > most) {
            throw new InsufficientDeviceMemoryException(
                    text(what, count), Math.addExact(Math.max(layout.byteSize, laterBytes), besideBytes), free);
        }
        return layout;
    }

    private static String text(String what, long count) {
        return String.format(Locale.ROOT, what, count);
    }

    /// Returns whether a sort may take so much device memory. What earlier sorts have left in the pool is mostly
    /// enough, and asking the device takes a while.
    ///
    /// @param heldBytes what it has taken already
    public boolean hasRoom(long bytes, long heldBytes) {
        return bytes + heldBytes <= memoryLimit && (bytes <= context.pooledBytes() || bytes <= freeBytes());
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

    /// Returns the fastest layout that the tuning and this much memory allow; null if even the smallest is too large.
    public WorkspaceLayout within(long count, long bytes) {
        WorkspaceLayout layout = smallest(count, Math.min(wantedBytes(count), bytes));
        return layout.byteSize <= bytes ? layout : null;
    }

    /// Returns how much memory the layout of a sort shall take if so much is free, and if so little is enough.
    private long wantedBytes(long count) {
        if (tuning.extraPercent() == 0) {
            return 0;
        }
        double share = tuning.extraPercent() / PERCENT * count * WorkspaceLayout.elementBytes(element);
        return Math.max((long) share, context.device().totalBytes() / FREELY_TAKEN_PER_DEVICE);
    }

    /// Returns the layout with the fewest groups that takes no more than this much memory, or else the one that takes
    /// least.
    public WorkspaceLayout smallest(long count, long bytes) {
        return smallest(element, tuning, count, bytes);
    }

    private static WorkspaceLayout smallest(KernelElement element, Tuning tuning, long count, long bytes) {
        SortPlan plan = SortPlan.of(count, tuning);
        if (element.isCounted() && plan.passCount() > 0 && count >= COUNTED_A_VALUE * element.valueCount()) {
            return WorkspaceLayout.ofCounts(count, element, tuning);
        }
        if (element.ranksRuns(tuning) && count >= element.fewestRanked(tuning) && count <= tuning.rankedSize()) {
            return WorkspaceLayout.ofRanks(count, element, tuning);
        }
        if (element.movesByValue() && plan.passCount() > 0 && count >= FEWEST_MOVED_BY_VALUE[element.keyBytes() - 1]) {
            WorkspaceLayout layout = WorkspaceLayout.ofPlaces(count, element, tuning);
            if (layout.byteSize <= bytes) {
                return layout;
            }
        }
        int most = Rooms.mostGroups(plan);
        WorkspaceLayout least = null;
        for (int groups = 0; groups <= most; groups++) {
            WorkspaceLayout layout = new WorkspaceLayout(plan, element, tuning, groups);
            if (least == null || layout.byteSize < least.byteSize) {
                least = layout;
            }
            if (layout.byteSize <= bytes || groups > 0 && layout.rooms.headSize == 0) {
                break;
            }
        }
        return least;
    }
}
