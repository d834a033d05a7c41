package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.errors.GpuUnavailableException;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.types.Tuning;
import java.util.Locale;

/// Chooses the way to sort: the fastest one for the number and kind of the elements whose memory the sort may take. An
/// input is divided in as few groups as that memory allows.
///
/// Only one thread at a time may use it.
public final class Strategies {
    /// The pool grows by pieces of 32 MiB, and a sort has a handful of allocations.
    private static final long MAX_POOL_GAPS = 256L << 20;

    private static final int GAPS_PER_DEVICE = 128;

    /// A sort may always use this fraction of the device's memory, with which small sorts need no groups.
    private static final int FREELY_TAKEN_PER_DEVICE = 64;

    private static final double PERCENT = 100;

    /// Large enough that elements of every type need a pass.
    private static final long REHEARSED_COUNT = 1 << 20;

    private final Context context;
    private final KernelElement element;
    private final Tuning tuning;
    private final long memoryLimit;
    /// The device memory that a caller has taken for the elements of a sort.
    private long takenBytes;
    /// The last sort that was chosen, and the memory for which it was chosen. Programs usually sort the same number of
    /// elements again, and laying out some fifty regions takes a while.
    private SortStrategy last;

    private long lastBytes;

    /// @param element     what the kernels move
    /// @param memoryLimit the most device memory in bytes that sorts may take, even if more is free
    public Strategies(Context context, KernelElement element, Tuning tuning, long memoryLimit) {
        this.context = context;
        this.element = element;
        this.tuning = tuning;
        this.memoryLimit = memoryLimit;
    }

    /// Chooses a sort that is never launched, so that Java has loaded these classes before the first real choice.
    public static void rehearse(KernelElement element, Tuning tuning) {
        smallest(element, tuning, REHEARSED_COUNT, Long.MAX_VALUE);
    }

    /// Counts memory that a caller takes for the elements of a sort against the limit, until it counts as much less.
    public void take(long bytes) {
        takenBytes += bytes;
    }

    private long limit() {
        return Math.max(0, memoryLimit - takenBytes);
    }

    KernelElement element() {
        return element;
    }

    Tuning tuning() {
        return tuning;
    }

    /// Chooses the fastest sort within the memory that the tuning allows and that is free, or else the one that takes
    /// the least memory.
    ///
    /// @param what        the sort as errors name it, with a placeholder for the count
    /// @param besideBytes the bytes that have to be free in addition to the memory of the sort
    /// @throws InsufficientDeviceMemoryException if there is not enough memory for any sort
    public SortStrategy choose(String what, long count, long besideBytes) {
        return choose(what, count, besideBytes, 0);
    }

    /// Does the same for a sort after which other memory is taken, once its own is free again.
    ///
    /// @param laterBytes the bytes of that other memory
    public SortStrategy choose(String what, long count, long besideBytes, long laterBytes) {
        return choose(what, count, besideBytes, laterBytes, 0);
    }

    /// Does the same for a caller that has taken some memory already: this counts against the limit, and is not free.
    ///
    /// @param heldBytes the bytes of that memory
    public SortStrategy choose(String what, long count, long besideBytes, long laterBytes, long heldBytes) {
        checkIndexes(what, count);
        long wanted = Math.max(wantedBytes(count), laterBytes);
        if (last == null || last.elementCount() != count || lastBytes != wanted) {
            last = smallest(count, wanted);
            lastBytes = wanted;
        }
        SortStrategy sort = last;
        if (isPooled(neededBytes(sort, besideBytes, laterBytes), heldBytes)) {
            return sort;
        }
        long most = freeBytes(heldBytes) - besideBytes;
        if (sort.byteSize() > most) {
            sort = smallest(count, most);
        }
        checkRoom(what, count, neededBytes(sort, besideBytes, laterBytes), heldBytes);
        return sort;
    }

    /// Checks that there is memory for a sort that was chosen elsewhere, as [#choose] does.
    public void check(String what, SortStrategy sort, long besideBytes, long laterBytes) {
        check(what, sort.elementCount(), neededBytes(sort, besideBytes, laterBytes));
    }

    /// Checks that there is this much memory for something else than a sort, as [#choose] does.
    public void check(String what, long count, long bytes) {
        checkIndexes(what, count);
        if (!isPooled(bytes, 0)) {
            checkRoom(what, count, bytes, 0);
        }
    }

    private void checkIndexes(String what, long count) {
        if (element.sortsIndexes() && count > IndexedColumns.MAX_COUNT) {
            throw new GpuUnavailableException(text(what, count) + " by index: a GPU sorts at most "
                    + IndexedColumns.MAX_COUNT + " of them so, and the CPU fewer: sort parts and merge them");
        }
    }

    private static long neededBytes(SortStrategy sort, long besideBytes, long laterBytes) {
        return Math.addExact(Math.max(sort.byteSize(), laterBytes), besideBytes);
    }

    private boolean isPooled(long needed, long heldBytes) {
        // The memory that earlier sorts have left in the pool is usually enough, and asking the device takes a while.
        // Gaps do not count here: if they are in the way of an allocation, the pool gives them back to the device.
        return needed == 0 || needed <= Math.min(context.pooledBytes(), limit() - heldBytes);
    }

    private void checkRoom(String what, long count, long needed, long heldBytes) {
        long free = freeBytes(heldBytes);
        if (needed > free) {
            throw new InsufficientDeviceMemoryException(text(what, count), needed, free);
        }
    }

    private static String text(String what, long count) {
        return String.format(Locale.ROOT, what, count);
    }

    /// Returns whether a sort may take this much device memory. What earlier sorts have left in the pool is usually
    /// enough, and asking the device takes a while.
    ///
    /// @param heldBytes the bytes that it has already taken
    public boolean hasRoom(long bytes, long heldBytes) {
        return bytes + heldBytes <= limit() && (bytes <= context.pooledBytes() || bytes <= freeBytes());
    }

    /// Returns the device memory that a sort may take.
    public long freeBytes() {
        return withoutGaps(context.freeBytes());
    }

    /// Returns the device memory that a sort may take in addition to what it has already taken.
    public long freeBytes(long heldBytes) {
        return Math.min(freeBytes(), limit() - heldBytes);
    }

    /// The pool may leave some of the free memory unused between its allocations.
    private long withoutGaps(long free) {
        long gaps = Math.min(MAX_POOL_GAPS, context.device().totalBytes() / GAPS_PER_DEVICE);
        return Math.clamp(free - gaps, 0, limit());
    }

    /// Returns the fastest sort that the tuning and this much memory allow; null if even the smallest is too large.
    public SortStrategy within(long count, long bytes) {
        SortStrategy sort = smallest(count, Math.min(wantedBytes(count), bytes));
        return sort.byteSize() <= bytes ? sort : null;
    }

    /// Returns the fastest sort within the memory that the tuning allows.
    SortStrategy ofWanted(long count) {
        return smallest(count, wantedBytes(count));
    }

    /// Returns the most memory that a sort may take, unless even the way that takes the least needs more.
    private long wantedBytes(long count) {
        if (tuning.extraPercent() == 0) {
            return 0;
        }
        long elementBytes = element.movesPairs() ? element.elementBytes() : element.keyBytes() + element.payloadBytes();
        double share = tuning.extraPercent() / PERCENT * count * elementBytes;
        return Math.max((long) share, context.device().totalBytes() / FREELY_TAKEN_PER_DEVICE);
    }

    /// Returns the fastest sort that takes no more than this much memory, or else the one that takes the least.
    public SortStrategy smallest(long count, long bytes) {
        return smallest(element, tuning, count, bytes);
    }

    /// Asks each way in turn, the fastest first: the first that sorts such elements is chosen, and dividing takes the
    /// rest.
    private static SortStrategy smallest(KernelElement element, Tuning tuning, long count, long bytes) {
        SortStrategy chosen = CountedSort.of(count, element, tuning);
        chosen = chosen != null ? chosen : RankSort.of(count, element, tuning);
        chosen = chosen != null ? chosen : ByteSort.of(count, element, tuning, bytes);
        chosen = chosen != null ? chosen : OneBlockSort.of(count, tuning);
        return chosen != null ? chosen : DividingSort.of(count, element, tuning, bytes);
    }
}
