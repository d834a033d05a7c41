package io.samplesort.gpu.exchange;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.gpu.exchange.ExchangePlan.Move;
import io.samplesort.gpu.exchange.ExchangePlan.Range;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.HostWait;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.gpu.sort.SortStrategy;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The places that one GPU receives in an exchange: the memory for them, their sort, and the way home. The context of
/// the GPU is current whenever a method is called, and none of them waits.
///
/// Elements that are sorted by index come with their sort keys, whose indexes count in what is received. So the keys
/// can be sorted before the elements are there.
final class ReceivedElements implements AutoCloseable {
    private final ExchangeGpu gpu;
    private final ExchangeColumns columns;
    private final ExchangePlan plan;
    private final int number;
    private final DeviceColumns memory;
    private final List<RangeSort> sorts = new ArrayList<>();
    private final Owned owned = new Owned();

    /// A range that is sorted.
    ///
    /// @param target where its elements go if they cannot go home at once; else null
    private record RangeSort(Range places, SortStrategy strategy, DeviceColumns target) {}

    /// Chooses how the ranges of a GPU are sorted, and takes the memory to receive them.
    ///
    /// @param number     which GPU it is
    /// @param extraBytes device memory that this GPU takes besides
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if there is too little
    ReceivedElements(ExchangeGpu gpu, ExchangeColumns columns, ExchangePlan plan, int number, long extraBytes) {
        this.gpu = gpu;
        this.columns = columns;
        this.plan = plan;
        this.number = number;
        long heldBytes = extraBytes + heldBytes(sort(), columns, plan, number);
        List<SortStrategy> strategies = new ArrayList<>();
        for (Range places : plan.sorts(number)) {
            strategies.add(
                    sort().strategies().choose("sorting %d elements on " + gpu.name(), places.count(), heldBytes));
        }
        try {
            memory = allocate(columns.sentBytes(sort()), plan.received(number));
            for (int i = 0; i < strategies.size(); i++) {
                Range places = plan.sorts(number).get(i);
                DeviceColumns target = plan.isAtHome(number, places) ? null : allocate(columns.bytes(), places);
                sorts.add(new RangeSort(places, strategies.get(i), target));
            }
            fillPool();
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Returns how much memory a GPU needs at least to receive its places and sort them.
    static long leastBytes(DeviceSort sort, ExchangeColumns columns, ExchangePlan plan, int number) {
        long most = 0;
        for (Range places : plan.sorts(number)) {
            most = Math.max(most, sort.strategies().smallest(places.count(), 0).byteSize());
        }
        return most + heldBytes(sort, columns, plan, number);
    }

    /// Returns the bytes of what is received, and of the ranges that cannot be sorted right into their homes.
    private static long heldBytes(DeviceSort sort, ExchangeColumns columns, ExchangePlan plan, int number) {
        long bytes = plan.received(number).count() * ExchangeColumns.sum(columns.sentBytes(sort));
        for (Range places : plan.sorts(number)) {
            bytes += plan.isAtHome(number, places) ? 0 : places.count() * columns.rowBytes();
        }
        return bytes;
    }

    private DeviceSort sort() {
        return gpu.sort();
    }

    private DeviceColumns allocate(int[] bytes, Range places) {
        return owned.add(new DeviceColumns(gpu.context(), gpu.stream(), bytes, places.count()));
    }

    /// Takes what the largest sort needs, and gives it back to the pool, which keeps it. So the sort gets its memory
    /// even where others ask for some meanwhile.
    private void fillPool() {
        long bytes = sortBytes();
        if (bytes > 0) {
            DeviceAllocation.allocateAsync(gpu.context(), gpu.stream(), bytes).close();
        }
    }

    private long sortBytes() {
        return sorts.stream()
                .mapToLong(range -> range.strategy.byteSize())
                .max()
                .orElse(0);
    }

    /// Returns where a place lies in the memory that this GPU receives places in, or would lie if it were received.
    ///
    /// @param column one of those that are sent
    long address(int column, long place) {
        return memory.address(column, place - plan.received(number).begin());
    }

    private long home(int column, long place) {
        return columns.results()[column] + (place - plan.home(number).begin()) * columns.bytes()[column];
    }

    /// Sorts the sort keys of all ranges, where elements are sorted by index.
    void sortKeys() {
        gpu.readBack().set(ValueLayout.JAVA_LONG, 0, 0);
        if (!sort().element().sortsIndexes()) {
            return;
        }
        for (RangeSort range : sorts) {
            sort().enqueueSortKeys(gpu.stream(), range.strategy, sortKeys(range), hostWait(range));
        }
    }

    private long sortKeys(RangeSort range) {
        return address(columns.bytes().length, range.places.begin());
    }

    /// Returns where the host is told the size of the largest bucket, if this is the largest range.
    private HostWait hostWait(RangeSort range) {
        RangeSort largest = sorts.stream()
                .max(Comparator.comparingLong(each -> each.places.count()))
                .orElse(null);
        return range.equals(largest) ? HostWait.forBucket(gpu.readBack()) : HostWait.none();
    }

    /// Brings the elements of all ranges to their places in the order of the sort: what is at home goes there, the rest
    /// beside.
    void bringHome() {
        for (RangeSort range : sorts) {
            int count = columns.bytes().length;
            long[] from = new long[count];
            long[] to = new long[count];
            for (int c = 0; c < count; c++) {
                from[c] = address(c, range.places.begin());
                if (columns.isWanted(c)) {
                    to[c] = range.target == null ? home(c, range.places.begin()) : range.target.address(c, 0);
                }
            }
            if (sort().element().sortsIndexes()) {
                gather(range, to);
            } else {
                sort().enqueueCopy(gpu.stream(), range.strategy, from, to, PhaseTimer.none(), hostWait(range));
            }
        }
    }

    private void gather(RangeSort range, long[] to) {
        for (int c = 0; c < to.length; c++) {
            if (columns.isWanted(c)) {
                long source = address(c, plan.received(number).begin());
                sort().enqueueGather(
                                gpu.stream(),
                                sortKeys(range),
                                range.places.count(),
                                source,
                                to[c],
                                columns.bytes()[c],
                                c == 0);
            }
        }
    }

    /// Copies places that this GPU holds to where they belong.
    void move(Move move, ReceivedElements to) {
        long begin = move.places().begin();
        RangeSort sorted = sorts.stream()
                .filter(range -> range.places.begin() <= begin && begin < range.places.end())
                .findFirst()
                .orElse(null);
        for (int c = 0; c < columns.bytes().length; c++) {
            if (columns.isWanted(c)) {
                long source =
                        sorted == null ? address(c, begin) : sorted.target.address(c, begin - sorted.places.begin());
                gpu.copyTo(to.gpu, to.home(c, begin), source, move.places().count() * columns.bytes()[c]);
            }
        }
    }

    /// Returns the distribution passes of the largest sort.
    int passes() {
        return sorts.stream().mapToInt(range -> range.strategy.passes()).max().orElse(0);
    }

    /// Returns the elements of the largest bucket of the largest sort, once it has ended.
    long largestBucket() {
        return gpu.readBack().get(ValueLayout.JAVA_LONG, 0);
    }

    /// Returns how many bytes the sorts read and write.
    long bytesMoved() {
        return sorts.stream()
                .mapToLong(range -> sort().bytesMoved(range.places.count(), range.strategy.rounds()))
                .sum();
    }

    /// Returns the memory that this takes.
    long extraBytes() {
        return sortBytes() + heldBytes(sort(), columns, plan, number);
    }

    @Override
    public void close() {
        owned.close();
    }
}
