package io.samplesort;

import io.samplesort.cpu.CpuSorter;
import io.samplesort.objects.ComparatorSort;
import io.samplesort.objects.KeyTaker;
import io.samplesort.objects.PackedSort;
import io.samplesort.objects.References;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Keys;
import io.samplesort.types.SortReport;
import io.samplesort.types.SortReportBuilder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Objects;

/// Sorts Java objects by [Keys], or by any other comparator. [SorterBuilder#buildObjects] makes one. All sorts are
/// stable, and give the very result that [Arrays#sort(Object[], Comparator)] gives.
///
/// With [Keys], the keys are taken out of the objects once, into a column each, and a [ColumnSorter] sorts the columns;
/// then the references move. Of a few thousand objects, the first bits of all keys are sorted, and what is tied then is
/// compared. Any other comparator compares the objects themselves in a merge sort on all cores of the
/// CPU. A comparator that contradicts itself gets some permutation of the objects.
///
/// Key functions and comparators are called by several threads at a time. What they throw comes out of the sort
/// unchanged, and the objects are then where they were. A sort takes about 25 bytes of heap for each object, and as
/// many more as its keys have.
///
/// A sorter sorts for one thread at a time. Any number of sorters may work at once.
///
/// @param <T> the type of the objects
public final class ObjectSorter<T> implements AutoCloseable {
    /// So few objects are compared with each other, which takes less time than to take their keys out.
    private static final int FEW = 1 << 6;

    /// So few objects are sorted by packed keys, but by a GPU that was named.
    private static final int MOST_PACKED = 1 << 13;

    private final Comparator<? super T> order;
    private final ColumnSorter columns;
    private final OneUser user = new OneUser();

    ObjectSorter(Comparator<? super T> order, ColumnSorter columns) {
        this.order = Objects.requireNonNull(order, "order");
        this.columns = columns;
    }

    /// Returns the order of the objects.
    public Comparator<? super T> order() {
        return order;
    }

    /// Sorts all objects of an array.
    ///
    /// @throws NullPointerException  if a key is null and the order does not say where nulls come
    /// @throws IllegalStateException if this sorter is closed or is sorting already
    public SortReport sort(T[] objects) {
        return sort(objects, 0, Objects.requireNonNull(objects, "objects").length);
    }

    /// Sorts `objects[from]` to `objects[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws NullPointerException      if a key is null and the order does not say where nulls come
    /// @throws IllegalStateException     if this sorter is closed or is sorting already
    public SortReport sort(T[] objects, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(objects, "objects").length);
        long start = System.nanoTime();
        return user.exclusively(() -> {
            T[] source = Arrays.copyOfRange(objects, from, to);
            ColumnSorter.Ordered sorted = order(source, from);
            References.permute(source, sorted.rows(), objects, from, columns.threads());
            return report(sorted, start);
        });
    }

    /// Sorts a list. Its objects are copied, and written back in order with [List#replaceAll].
    ///
    /// @throws UnsupportedOperationException   if the list cannot be changed; this is found before the sort begins
    /// @throws ConcurrentModificationException if the list has another size after the sort than before; it stays as it
    ///     is then
    /// @throws NullPointerException            if a key is null and the order does not say where nulls come
    /// @throws IllegalStateException           if this sorter is closed or is sorting already
    public SortReport sort(List<T> objects) {
        long start = System.nanoTime();
        requireChangeable(objects);
        return user.exclusively(() -> {
            @SuppressWarnings("unchecked")
            T[] source = (T[]) objects.toArray(new Object[0]);
            ColumnSorter.Ordered sorted = order(source, 0);
            if (objects.size() != source.length) {
                throw new ConcurrentModificationException("the list had " + source.length
                        + " elements when the sort began, and has " + objects.size() + " now");
            }
            int[] place = {0};
            objects.replaceAll(object -> source[sorted.rows()[place[0]++]]);
            return report(sorted, start);
        });
    }

    private static <T> void requireChangeable(List<T> objects) {
        if (!objects.isEmpty()) {
            try {
                objects.set(0, objects.getFirst());
            } catch (UnsupportedOperationException e) {
                throw new UnsupportedOperationException(
                        "the list cannot be changed, and so not sorted: sort a copy, such as new ArrayList<>(list)", e);
            }
        }
    }

    /// Returns the indexes of the objects in order, and leaves the objects where they are. Equal objects come in the
    /// order of their indexes.
    ///
    /// @throws NullPointerException  if a key is null and the order does not say where nulls come
    /// @throws IllegalStateException if this sorter is closed or is sorting already
    public int[] argsort(T[] objects) {
        return user.exclusively(() -> order(objects, 0).rows());
    }

    private static SortReport report(ColumnSorter.Ordered sorted, long start) {
        return new SortReportBuilder(sorted.report())
                .total(Duration.ofNanos(System.nanoTime() - start))
                .build();
    }

    /// Finds the order of the objects.
    ///
    /// @param firstIndex what errors call the index of the first object
    private ColumnSorter.Ordered order(T[] objects, int firstIndex) {
        if (order instanceof Keys<? super T> keys) {
            if (objects.length > (columns.isForGpu() ? FEW : MOST_PACKED)) {
                return columns.order(columns(keys, objects, firstIndex));
            }
            if (objects.length > FEW) {
                return onCpu(new PackedSort<>(keys, objects, firstIndex).argsort(), 1);
            }
            new KeyTaker<>(keys, objects, firstIndex, 1).requireNoUnexpectedNulls();
        }
        int[] sorted = ComparatorSort.argsort(
                objects.length, (a, b) -> order.compare(objects[(int) a], objects[(int) b]), columns.threads());
        return onCpu(sorted, columns.threads());
    }

    private static ColumnSorter.Ordered onCpu(int[] sorted, int threads) {
        SortReport report = new SortReportBuilder(CpuSorter.deviceName(threads))
                .elementCount(sorted.length)
                .build();
        return new ColumnSorter.Ordered(sorted, report);
    }

    private <S> KeyColumn[] columns(Keys<S> keys, T[] objects, int firstIndex) {
        return new KeyTaker<>(keys, objects, firstIndex, columns.threads())
                .columns()
                .toArray(KeyColumn[]::new);
    }

    /// Gives everything back. A second call does nothing.
    ///
    /// @throws IllegalStateException if a sort is under way
    @Override
    public void close() {
        user.close(columns::close);
    }
}
