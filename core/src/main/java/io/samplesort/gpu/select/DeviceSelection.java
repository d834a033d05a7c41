package io.samplesort.gpu.select;

import static io.samplesort.gpu.code.KernelConstants.DRAW_THREADS;
import static io.samplesort.gpu.code.KernelConstants.KEEP_THREADS;
import static io.samplesort.gpu.code.KernelConstants.KEEP_TILE;
import static io.samplesort.gpu.code.KernelConstants.WARP_SIZE;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelStructs.SelectionCounts;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.HostWait;
import io.samplesort.gpu.sort.IndexedColumns;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.gpu.sort.SortStrategy;
import io.samplesort.memory.RankBounds;
import io.samplesort.reports.SortWatch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The sorted sort keys of the elements of some ranks, in device memory. They tell the indexes of these elements.
///
/// A selection waits once for the device, to learn how many elements lie between the bounds of the sample. If too few
/// or too many do, it tries wider bounds, and in the end sorts the sort keys of all elements.
public final class DeviceSelection implements AutoCloseable {
    /// With fewer elements, sorting them takes no longer than three launches more.
    private static final int LEAST_FILTERED = 1 << 14;

    /// If more than one in this many elements is kept, all are sorted.
    private static final int MOST_KEPT = 4;

    /// The sample has this many times the square root of the number of elements. A larger one takes longer to sort, and
    /// a smaller one leaves more elements between the bounds.
    private static final int SAMPLE_FACTOR = 2;

    /// More sampled elements pay if this part of all ranks or more lies on either side, since the number of elements
    /// between the bounds grows with the square root of these ranks.
    private static final int MIDDLE_PART = 16;

    private static final int MIDDLE_FACTOR = 4;

    private static final int LEAST_SAMPLED = 1 << 9;
    private static final int MOST_SAMPLED = 1 << 15;

    private static final int SEED = 59;

    private final DeviceSort sort;
    private final Stream stream;
    private final PhaseTimer timer;
    private final long elements;
    private final long count;
    private final long held;
    private final Owned owned = new Owned();
    private long bytes;
    private long largestStrategy;
    /// The device address of the sort key of the first wanted rank.
    private long keys;

    /// Puts a selection on a stream, and waits for its first part.
    ///
    /// @param sort     of such elements by index
    /// @param told     pinned memory for [SelectionCounts]
    /// @param elements device address of `count` elements
    /// @param from     the first rank
    /// @param to       the rank after the last one, greater than `from`
    /// @param held     device memory in bytes that the caller has taken already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if there is not enough memory
    public DeviceSelection(
            DeviceSort sort,
            Stream stream,
            PhaseTimer timer,
            MemorySegment told,
            long elements,
            long count,
            long from,
            long to,
            long held) {
        this.sort = sort;
        this.held = held;
        this.stream = stream;
        this.timer = timer;
        this.elements = elements;
        this.count = count;
        try {
            boolean isFound = count >= LEAST_FILTERED && count <= IndexedColumns.MAX_COUNT && keep(told, from, to);
            if (!isFound) {
                sortAll(from);
            }
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Returns the device address of the sort keys of the wanted ranks, in order.
    public long keys() {
        return keys;
    }

    /// Returns the most device memory that was taken.
    public long extraBytes() {
        return bytes + largestStrategy;
    }

    private void sortAll(long from) {
        SortStrategy strategy = choose(count, sort.keyBytes(count));
        long all = allocate(sort.keyBytes(count));
        sort.enqueueSortKeys(stream, strategy, elements, all, timer);
        keys = all + sort.keyBytes(from);
    }

    /// Returns false if all elements are to be sorted.
    private boolean keep(MemorySegment told, long from, long to) {
        for (int attempt = 0; attempt < RankBounds.MOST_ATTEMPTS; attempt++) {
            RankBounds bounds = RankBounds.of(count, sampleCount(from, to), from, to, attempt);
            long capacity = bounds.mostBetween();
            if (capacity > count / MOST_KEPT) {
                return false;
            }
            if (keep(told, from, to, bounds, capacity, attempt)) {
                return true;
            }
        }
        return false;
    }

    private int sampleCount(long from, long to) {
        int few = Math.clamp((long) (SAMPLE_FACTOR * Math.sqrt(count)), LEAST_SAMPLED, MOST_SAMPLED);
        return Math.min(from, count - to) > count / MIDDLE_PART ? MIDDLE_FACTOR * few : few;
    }

    /// Returns false if the bounds do not enclose the ranks, or more elements lie between them than there is room for.
    private boolean keep(MemorySegment told, long from, long to, RankBounds bounds, long capacity, int attempt) {
        long sample = sortedSample(bounds, attempt);
        timer.phase("keep_between");
        long counts = allocate(SelectionCounts.values().length * (long) Long.BYTES);
        stream.fill(counts, (byte) 0, SelectionCounts.values().length * (long) Long.BYTES);
        long kept = allocate(sort.keyBytes(capacity));
        sort.kernels()
                .of("keep_between")
                .values(elements, count, sample, bounds.low(), bounds.high(), kept, capacity, counts)
                .launchInWaves(stream, Math.ceilDiv(count, (long) KEEP_TILE * (KEEP_THREADS / WARP_SIZE)));
        stream.copyToHost(told, counts, SelectionCounts.values().length * (long) Long.BYTES);
        stream.synchronize();
        SortWatch.current().mayStop();
        long between = told.getAtIndex(ValueLayout.JAVA_LONG, SelectionCounts.KEPT.ordinal());
        long below = bounds.hasHigh()
                ? told.getAtIndex(ValueLayout.JAVA_LONG, SelectionCounts.BELOW.ordinal())
                : count - between;
        if (below > from || to > below + between || between > capacity) {
            return false;
        }
        timer.phase("sort_kept");
        sort.enqueueSortKeys(stream, choose(between, 0), kept, HostWait.none());
        keys = kept + sort.keyBytes(from - below);
        return true;
    }

    private long sortedSample(RankBounds bounds, int attempt) {
        long sampleCount = bounds.sampleCount();
        SortStrategy strategy = choose(sampleCount, sort.keyBytes(sampleCount + bounds.mostBetween()));
        timer.phase("sort_sample");
        long sample = allocate(sort.keyBytes(sampleCount));
        sort.kernels()
                .of("sample_sort_keys")
                .values(elements, count, sample, sampleCount, (long) (SEED + attempt) * sampleCount)
                .launchFor(stream, Math.ceilDiv(sampleCount, DRAW_THREADS));
        sort.enqueueSortKeys(stream, strategy, sample, HostWait.none());
        return sample;
    }

    private SortStrategy choose(long sorted, long besideBytes) {
        SortStrategy strategy = sort.strategies().choose("selecting among %d elements", sorted, besideBytes, 0, held);
        largestStrategy = Math.max(largestStrategy, strategy.byteSize());
        return strategy;
    }

    private long allocate(long byteSize) {
        bytes += byteSize;
        return owned.add(DeviceAllocation.allocateAsync(sort.context(), stream, byteSize))
                .address();
    }

    @Override
    public void close() {
        owned.close();
    }
}
