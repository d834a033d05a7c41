package io.samplesort;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.DirectSort;
import io.samplesort.cpu.select.RowSelection;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.reports.SortWatch;
import io.samplesort.rows.ComparatorSort;
import io.samplesort.rows.KeyComparator;
import io.samplesort.rows.KeyTaker;
import io.samplesort.rows.NullElements;
import io.samplesort.rows.ObjectRuns;
import io.samplesort.rows.ObjectSelection;
import io.samplesort.rows.PackedSort;
import io.samplesort.rows.References;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Keys;
import io.samplesort.types.SortListener;
import io.samplesort.types.SortReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Sorts Java objects by [Keys], or by any other comparator. [SorterBuilder#buildObjects] makes one. All sorts are
/// stable, and give exactly the result of [Arrays#sort(Object[], Comparator)].
///
/// Few objects, and objects that are in order already or in at most four runs, are compared with each other, as the JDK
/// does. Otherwise, with [Keys], the keys are taken out of the objects once, into one column for each key; a
/// [ColumnSorter] sorts the columns, and then the references move. If there are at most a few thousand objects, the
/// first bits of all keys are sorted instead, and objects that these bits do not tell apart are compared. Any other
/// comparator compares the objects themselves in a merge sort on all cores of the CPU. A comparator that contradicts
/// itself gets some permutation of the objects.
///
/// Key functions and comparators are called by several threads at a time. The sort passes on what they throw, and in
/// that case the objects stay where they were. A sort takes about 25 bytes of heap for each object, and the size of its
/// keys.
///
/// A sorter sorts for one thread at a time. Any number of sorters may work at once.
///
/// @param <T> the type of the objects
public final class ObjectSorter<T> implements AutoCloseable {
    /// This many objects or fewer are compared with each other, which takes less time than taking their keys out.
    static final int FEW = 1 << 6;

    /// This many objects or fewer are not worth a second thread, and then the JDK's sort by a comparator is faster.
    private static final int MOST_COMPARED = 1 << 12;

    /// This many objects or fewer are sorted by packed keys, except on a GPU that was named.
    private static final int MOST_PACKED = 1 << 13;

    /// Bytes of heap that a sort takes for each object, without those of keys that are objects themselves.
    private static final long BYTES_OF_OBJECT = 25;

    private final Comparator<? super T> order;
    private final ColumnSorter columns;
    private final OneUser user;

    /// @param listener watches the sorts; null for none
    ObjectSorter(Comparator<? super T> order, ColumnSorter columns, @Nullable SortListener listener) {
        this.user = new OneUser(listener);
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
        return exclusively(to - from, () -> {
            SortReport direct = columns.isForGpu() ? null : trySort(objects, from, to, order);
            return direct == null ? sortRange(objects, from, to) : direct;
        });
    }

    /// Sorts objects that are few or in a few runs, without a sorter.
    ///
    /// @return null if nothing was changed
    static <T> @Nullable SortReport trySort(T[] objects, int from, int to, Comparator<? super T> order) {
        int count = to - from;
        long start = DirectSort.start(count);
        int few = order instanceof Keys ? FEW : MOST_COMPARED;
        if (order instanceof Keys<? super T> keys && mayHideNulls(keys)) {
            if (count > few) {
                return null;
            }
            new KeyTaker<>(keys, Arrays.copyOfRange(objects, from, to), from, 1).requireNoUnexpectedNulls();
        }
        return ObjectRuns.trySort(objects, from, to, KeyComparator.of(order), few)
                ? DirectSort.report(count, start)
                : null;
    }

    /// Returns whether a comparison may find the order without looking at a key that is null.
    private static boolean mayHideNulls(Keys<?> order) {
        List<? extends Keys.Key<?>> keys = order.keys();
        for (int i = 1; i < keys.size(); i++) {
            if (keys.get(i) instanceof Keys.ObjectKey) {
                return true;
            }
        }
        return false;
    }

    /// Sorts objects for which [#trySort] was tried.
    SortReport sortRange(T[] objects, int from, int to) {
        long start = System.nanoTime();
        return withinHeap(to - from, () -> {
            T[] source = Arrays.copyOfRange(objects, from, to);
            ColumnSorter.Ordered sorted = SortWatch.onlyReading(() -> order(source, from));
            References.permute(source, sorted.rows(), objects, from, columns.threads());
            return report(sorted.report(), start);
        });
    }

    /// Sorts a list of any kind. Its objects are copied, and written back in order by a [java.util.ListIterator]. A
    /// list whose iterators set nothing, such as a [java.util.concurrent.CopyOnWriteArrayList], is sorted by its own
    /// [List#sort], on one thread of the CPU: other threads see it either in its old order or in the new one.
    ///
    /// @throws UnsupportedOperationException   if the list cannot be changed; this is found before the sort begins
    /// @throws java.util.ConcurrentModificationException if the list's size has changed during the sort; the list is
    ///     not written to in that case
    /// @throws NullPointerException            if a key is null and the order does not say where nulls come
    /// @throws IllegalStateException           if this sorter is closed or is sorting already
    public SortReport sort(List<T> objects) {
        long start = System.nanoTime();
        boolean isSetByIterators = Lists.areSetByIterators(Objects.requireNonNull(objects, "objects"));
        return exclusively(objects.size(), () -> {
            @SuppressWarnings("unchecked")
            T[] source = (T[]) objects.toArray(new Object[0]);
            if (!isSetByIterators) {
                return report(sortByItself(objects, source), start);
            }
            ColumnSorter.Ordered sorted = SortWatch.onlyReading(() -> order(source, 0));
            Lists.set(objects, source.length, i -> source[sorted.rows()[i]]);
            return report(sorted.report(), start);
        });
    }

    private SortReport sortByItself(List<T> objects, T[] source) {
        requireNoUnexpectedNulls(source, 0);
        try {
            objects.sort(order);
        } catch (NullPointerException e) {
            throw NullElements.named(e, order, source, 0);
        }
        return reportOfCpu(source.length, 1);
    }

    /// Returns the indexes of the objects in order, and leaves the objects where they are. Equal objects come in the
    /// order of their indexes.
    ///
    /// @throws NullPointerException  if a key is null and the order does not say where nulls come
    /// @throws IllegalStateException if this sorter is closed or is sorting already
    public int[] argsort(T[] objects) {
        return exclusively(
                objects.length,
                () -> SortWatch.onlyReading(() -> order(objects, 0).rows()));
    }

    /// Returns the `k` objects that come first, in order, in a new array; all objects if there are no more. Of equal
    /// objects, the one with the smaller index comes first. The objects stay where they are.
    ///
    /// Each object is compared once with a bound that a sample has given, for which [Keys] mostly take its first key
    /// alone; then the few objects that are left are sorted. If more than a quarter of the objects is wanted, all are
    /// sorted.
    ///
    /// @param k not negative
    /// @throws IllegalArgumentException if `k` is negative
    /// @throws NullPointerException     if a key is null that is looked at and the order does not say where nulls come
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public T[] first(T[] objects, int k) {
        return select(objects, k, false);
    }

    /// Returns the `k` objects that come last, in order, as [#first(Object[], int)] does, so that the very last one is
    /// at the end. Of equal objects, the one with the greater index comes last.
    public T[] last(T[] objects, int k) {
        return select(objects, k, true);
    }

    /// Returns the `k` objects of a list that come first, in a new list, as [#first(Object[], int)] does.
    @SuppressWarnings("unchecked")
    public List<T> first(List<? extends T> objects, int k) {
        return new ArrayList<>(Arrays.asList(
                first((T[]) Objects.requireNonNull(objects, "objects").toArray(new Object[0]), k)));
    }

    /// Returns the `k` objects of a list that come last, in a new list, as [#last(Object[], int)] does.
    @SuppressWarnings("unchecked")
    public List<T> last(List<? extends T> objects, int k) {
        return new ArrayList<>(Arrays.asList(
                last((T[]) Objects.requireNonNull(objects, "objects").toArray(new Object[0]), k)));
    }

    /// Returns the indexes of the `k` objects that come first, as [#first(Object[], int)] finds them.
    public int[] argfirst(T[] objects, int k) {
        return argselect(objects, k, false);
    }

    /// Returns the indexes of the `k` objects that come last, as [#last(Object[], int)] finds them.
    public int[] arglast(T[] objects, int k) {
        return argselect(objects, k, true);
    }

    private T[] select(T[] objects, int k, boolean isLast) {
        int[] indexes = argselect(objects, k, isLast);
        return chosen(objects, indexes);
    }

    private int[] argselect(T[] objects, int k, boolean isLast) {
        Ranks ranks = Ranks.of(Objects.requireNonNull(objects, "objects").length, k, isLast);
        int wanted = (int) ranks.count();
        return exclusively(
                objects.length,
                () -> SortWatch.onlyReading(() -> {
                    if (wanted == 0) {
                        return new int[0];
                    }
                    if (!RowSelection.isWorthwhile(objects.length, wanted)) {
                        return Arrays.copyOfRange(order(objects, 0).rows(), (int) ranks.from(), (int) ranks.to());
                    }
                    try {
                        return argselected(objects, wanted, isLast);
                    } catch (NullPointerException e) {
                        requireNoUnexpectedNulls(objects, 0);
                        throw NullElements.named(e, order, objects, 0);
                    }
                }));
    }

    private int[] argselected(T[] objects, int wanted, boolean isLast) {
        int[] rows = new ObjectSelection<>(order, objects).rows(wanted, isLast, columns.threads());
        int[] sorted = order(chosen(objects, rows), 0).rows();
        int from = isLast ? sorted.length - wanted : 0;
        return Arrays.stream(sorted, from, from + wanted)
                .map(place -> rows[place])
                .toArray();
    }

    private static <T> T[] chosen(T[] objects, int[] indexes) {
        T[] chosen = Arrays.copyOf(objects, indexes.length);
        for (int i = 0; i < indexes.length; i++) {
            chosen[i] = objects[indexes[i]];
        }
        return chosen;
    }

    private <R> R exclusively(int count, Supplier<R> sort) {
        return user.sort(count, () -> withinHeap(count, sort));
    }

    /// Sorts this many objects; if the heap has too little room for it, the error says how much it needs.
    static <R> R withinHeap(int count, Supplier<R> sort) {
        return HeapArrays.told("a sort of " + count + " objects", BYTES_OF_OBJECT * count, sort);
    }

    private static SortReport report(SortReport report, long start) {
        return new SortReportBuilder(report)
                .total(Duration.ofNanos(System.nanoTime() - start))
                .build();
    }

    private static SortReport reportOfCpu(int count, int threads) {
        return new SortReportBuilder(CpuSorter.deviceName(threads))
                .elementCount(count)
                .build();
    }

    /// Finds the order of the objects.
    ///
    /// @param firstIndex what errors call the index of the first object
    private ColumnSorter.Ordered order(T[] objects, int firstIndex) {
        if (order instanceof Keys<? super T> keys && objects.length > FEW) {
            if (objects.length > (columns.isForGpu() ? FEW : MOST_PACKED)) {
                return columns.order(columns(keys, objects, firstIndex));
            }
            int[] sorted = new PackedSort<>(keys, objects, firstIndex).argsort();
            return new ColumnSorter.Ordered(sorted, reportOfCpu(sorted.length, 1));
        }
        requireNoUnexpectedNulls(objects, firstIndex);
        requireNoLoneNull(objects, firstIndex, order);
        int[] sorted = ComparatorSort.argsort(objects, order, firstIndex, columns.threads());
        return new ColumnSorter.Ordered(sorted, reportOfCpu(sorted.length, columns.threads()));
    }

    /// Checks that a single object, which no sort compares, is not null unless the order takes it.
    static <T> void requireNoLoneNull(T[] objects, int firstIndex, Comparator<? super T> order) {
        if (objects.length == 1 && objects[0] == null) {
            try {
                order.compare(objects[0], objects[0]);
            } catch (NullPointerException e) {
                throw NullElements.named(e, order, objects, firstIndex);
            }
        }
    }

    private void requireNoUnexpectedNulls(T[] objects, int firstIndex) {
        if (order instanceof Keys<? super T> keys) {
            new KeyTaker<>(keys, objects, firstIndex, 1).requireNoUnexpectedNulls();
        }
    }

    private <S> List<KeyColumn> columns(Keys<S> keys, T[] objects, int firstIndex) {
        return new KeyTaker<>(keys, objects, firstIndex, columns.threads()).columns();
    }

    /// Gives everything back. A second call does nothing.
    ///
    /// @throws IllegalStateException if a sort is under way
    @Override
    public void close() {
        user.close(columns::close);
    }
}
