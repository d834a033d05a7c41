package io.samplesort;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.DirectSort;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.rows.NaturalKeys;
import io.samplesort.rows.ObjectRuns;
import io.samplesort.types.Keys;
import io.samplesort.types.SortReport;
import io.samplesort.types.Strings;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The one-shot sorts of Java objects: in natural order or its reverse, strings and boxed numbers are sorted in the
/// fast ways for strings and for keys. In any other order, and objects of any other class, an [ObjectSorter] sorts. All
/// leave the array unchanged if something cannot be compared.
final class ObjectArrays {
    private ObjectArrays() {}

    /// Sorts `objects[from]` to `objects[to - 1]`.
    ///
    /// @param order null for the natural order
    static <T> SortReport sort(T[] objects, int from, int to, @Nullable Comparator<? super T> order) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(objects, "objects").length);
        boolean isNatural = NaturalKeys.isNatural(order);
        if (!isNatural && !NaturalKeys.isReversed(order)) {
            return sortByKeys(objects, from, to, order);
        }
        if (to - from < 2) {
            // The JDK compares nothing here, so anything but null may stand there.
            ObjectSorter.requireNoLoneNull(Arrays.copyOfRange(objects, from, to), from, natural());
            return new SortReportBuilder(CpuSorter.deviceName(1))
                    .elementCount(to - from)
                    .build();
        }
        Class<?> type = NaturalKeys.onlyType(objects, from, to);
        if (isNatural && type == String.class) {
            return sortStrings(objects, from, to);
        }
        Keys<Object> keys = to - from <= ObjectSorter.FEW ? null : NaturalKeys.of(type);
        if (keys == null) {
            return sortByKeys(objects, from, to, isNatural ? natural() : order);
        }
        // Runs are found and merged by comparing the numbers themselves, which is faster than by their keys.
        Comparator<Object> numbers =
                isNatural ? natural() : ObjectArrays.<Object>natural().reversed();
        long start = DirectSort.start(to - from);
        return ObjectRuns.<Object>trySort(objects, from, to, numbers, ObjectSorter.FEW)
                ? DirectSort.report(to - from, start)
                : sortRange(objects, from, to, isNatural ? keys : keys.reversed());
    }

    /// Sorts a list of any kind.
    ///
    /// @param order null for the natural order
    static <T> SortReport sort(List<T> objects, @Nullable Comparator<? super T> order) {
        boolean isNatural = NaturalKeys.isNatural(order);
        boolean isKnown = isNatural || NaturalKeys.isReversed(order);
        if (!Lists.areSetByIterators(Objects.requireNonNull(objects, "objects")) || !isKnown) {
            Comparator<? super T> comparator = order == null || isNatural ? natural() : order;
            return SharedSorters.withColumns(sorter -> new ObjectSorter<T>(comparator, sorter, null).sort(objects));
        }
        return ObjectSorter.withinHeap(objects.size(), () -> {
            @SuppressWarnings("unchecked")
            T[] array = (T[]) objects.toArray(new Object[0]);
            SortReport report = sort(array, 0, array.length, order);
            Lists.set(objects, array.length, i -> array[i]);
            return report;
        });
    }

    /// Returns the indexes of objects in order.
    ///
    /// @param objects of type T, whatever the type of the array
    /// @param order   null for the natural order
    @SuppressWarnings("unchecked")
    static <T> int[] argsort(Object[] objects, @Nullable Comparator<? super T> order) {
        boolean isNatural = NaturalKeys.isNatural(order);
        if (isNatural || NaturalKeys.isReversed(order)) {
            if (objects.length < 2) {
                ObjectSorter.requireNoLoneNull(objects, 0, natural());
                return new int[objects.length];
            }
            if (isNatural && NaturalKeys.onlyType(objects, 0, objects.length) == String.class) {
                return StringArrays.argsort(
                        objects instanceof String[] strings
                                ? strings
                                : Arrays.copyOf(objects, objects.length, String[].class));
            }
        }
        Comparator<Object> chosen = inKeys(objects, (Comparator<Object>) order);
        return SharedSorters.withColumns(sorter -> new ObjectSorter<>(chosen, sorter, null).argsort(objects));
    }

    /// Returns the first or the last `k` objects in order, in a new array.
    ///
    /// @param order null for the natural order
    @SuppressWarnings("unchecked")
    static <T> T[] select(T[] objects, int k, boolean isLast, @Nullable Comparator<? super T> order) {
        Comparator<Object> chosen = inKeys(objects, (Comparator<Object>) order);
        return SharedSorters.withColumns(sorter -> {
            ObjectSorter<T> selector = new ObjectSorter<>(chosen, sorter, null);
            return isLast ? selector.last(objects, k) : selector.first(objects, k);
        });
    }

    /// Returns keys with the order of many strings or boxed numbers in natural order or its reverse, which are taken in
    /// less time than the objects are compared; the order itself for any others.
    ///
    /// @param order null for the natural order
    private static Comparator<Object> inKeys(Object[] objects, @Nullable Comparator<Object> order) {
        boolean isNatural = NaturalKeys.isNatural(order);
        if (!isNatural && !NaturalKeys.isReversed(order)) {
            return Objects.requireNonNull(order, "order");
        }
        Keys<Object> keys = objects.length <= ObjectSorter.FEW
                ? null
                : NaturalKeys.of(NaturalKeys.onlyType(objects, 0, objects.length));
        if (keys != null) {
            return isNatural ? keys : keys.reversed();
        }
        return isNatural ? natural() : ObjectArrays.<Object>natural().reversed();
    }

    private static <T> SortReport sortByKeys(T[] objects, int from, int to, @Nullable Comparator<? super T> order) {
        SortReport direct = ObjectSorter.trySort(objects, from, to, Objects.requireNonNull(order, "order"));
        return direct != null ? direct : sortRange(objects, from, to, order);
    }

    private static <T> SortReport sortRange(T[] objects, int from, int to, Comparator<? super T> order) {
        return SharedSorters.withColumns(
                sorter -> new ObjectSorter<T>(order, sorter, null).sortRange(objects, from, to));
    }

    /// Sorts strings in an array of any type.
    private static SortReport sortStrings(Object[] objects, int from, int to) {
        if (objects instanceof String[] strings) {
            return StringArrays.sort(strings, from, to, Comparator.naturalOrder(), Strings::inJavaOrder);
        }
        return StringArrays.withinHeap(to - from, () -> {
            String[] strings = Arrays.copyOfRange(objects, from, to, String[].class);
            SortReport report = sortStrings(strings, 0, strings.length);
            System.arraycopy(strings, 0, objects, from, strings.length);
            return report;
        });
    }

    @SuppressWarnings("unchecked")
    private static <T> Comparator<T> natural() {
        return (Comparator<T>) Comparator.naturalOrder();
    }
}
