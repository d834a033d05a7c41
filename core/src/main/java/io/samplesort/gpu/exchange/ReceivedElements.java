package io.samplesort.gpu.exchange;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.gpu.exchange.ExchangePlan.Move;
import io.samplesort.gpu.exchange.ExchangePlan.Range;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.WorkspaceLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The places that one GPU receives in an exchange: the memory for them, their sort, and the way home. The context of
/// the GPU is current whenever a method is called, and none of them waits.
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
    private record RangeSort(Range places, WorkspaceLayout layout, DeviceColumns target) {}

    /// Chooses how the ranges of a GPU are sorted, and takes the memory to receive them.
    ///
    /// @param number     which GPU it is
    /// @param extraBytes device memory that this GPU takes besides
    /// @throws io.samplesort.types.InsufficientDeviceMemoryException if there is too little
    ReceivedElements(ExchangeGpu gpu, ExchangeColumns columns, ExchangePlan plan, int number, long extraBytes) {
        this.gpu = gpu;
        this.columns = columns;
        this.plan = plan;
        this.number = number;
        long heldBytes = extraBytes + heldBytes();
        List<WorkspaceLayout> layouts = new ArrayList<>();
        for (Range places : plan.sorts(number)) {
            layouts.add(sort().layouts()
                    .choose(
                            "sorting %d elements on " + gpu.name(),
                            places.count(),
                            heldBytes + sort().keyBytes(places.count())));
        }
        try {
            memory = allocate(plan.received(number));
            for (int i = 0; i < layouts.size(); i++) {
                Range places = plan.sorts(number).get(i);
                DeviceColumns target = plan.isAtHome(number, places) ? null : allocate(places);
                sorts.add(new RangeSort(places, layouts.get(i), target));
            }
            fillPool();
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    private DeviceSort sort() {
        return gpu.sort();
    }

    private DeviceColumns allocate(Range places) {
        return owned.add(new DeviceColumns(gpu.context(), gpu.stream(), columns.bytes(), places.count()));
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
                .mapToLong(range -> range.layout.byteSize + sort().keyBytes(range.places.count()))
                .max()
                .orElse(0);
    }

    /// Returns the bytes of what is received, and of the ranges that cannot be sorted right into their homes.
    private long heldBytes() {
        long elements = plan.received(number).count();
        for (Range places : plan.sorts(number)) {
            elements += plan.isAtHome(number, places) ? 0 : places.count();
        }
        return elements * columns.rowBytes();
    }

    /// Returns where a place lies in the memory that this GPU receives places in, or would lie if it were received.
    long address(int column, long place) {
        return memory.address(column, place - plan.received(number).begin());
    }

    private long home(int column, long place) {
        return columns.results()[column] + (place - plan.home(number).begin()) * columns.bytes()[column];
    }

    /// Sorts all ranges: what is at home goes there, the rest beside.
    void sortRanges() {
        RangeSort largest = sorts.stream()
                .max(Comparator.comparingLong(range -> range.places.count()))
                .orElse(null);
        gpu.readBack().set(ValueLayout.JAVA_LONG, 0, 0);
        for (RangeSort range : sorts) {
            long[] from = new long[columns.bytes().length];
            long[] to = new long[from.length];
            for (int c = 0; c < from.length; c++) {
                from[c] = address(c, range.places.begin());
                if (columns.isWanted(c)) {
                    to[c] = range.target == null ? home(c, range.places.begin()) : range.target.address(c, 0);
                }
            }
            columns.enqueueSort(
                    sort(), gpu.stream(), range.layout, from, to, range.equals(largest) ? gpu.readBack() : null);
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
        return sorts.stream()
                .mapToInt(range -> range.layout.plan.passCount())
                .max()
                .orElse(0);
    }

    /// Returns the elements of the largest bucket of the largest sort, once it has ended.
    long largestBucket() {
        return gpu.readBack().get(ValueLayout.JAVA_LONG, 0);
    }

    /// Returns how many bytes the sorts read and write.
    long bytesMoved() {
        return sorts.stream()
                .mapToLong(range -> sort().bytesMoved(range.places.count(), range.layout, 1))
                .sum();
    }

    /// Returns the memory that this takes.
    long extraBytes() {
        return sortBytes() + heldBytes();
    }

    @Override
    public void close() {
        owned.close();
    }
}
