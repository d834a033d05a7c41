package io.samplesort;

import io.samplesort.cpu.numbers.DirectSort;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.rows.ComparatorSort;
import io.samplesort.rows.ObjectRuns;
import io.samplesort.rows.References;
import io.samplesort.types.SortReport;
import io.samplesort.types.Strings;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Sorts arrays whose elements are strings of some kind: their bytes are copied together and sorted, and then the
/// references move.
final class StringArrays {
    /// Bytes of heap that a sort takes for each string, without those of its characters.
    private static final long BYTES_OF_STRING = 30;

    /// This many strings or fewer are compared in less time than it takes to copy their bytes.
    private static final int FEW = 256;

    /// If the first run is shorter, looking for others does not pay.
    private static final int LEAST_RUN = 16;

    private StringArrays() {}

    /// Sorts `array[from]` to `array[to - 1]`.
    ///
    /// @param order  of the elements
    /// @param encode turns a part of the array into strings with this order
    /// @throws NullPointerException if an element is null; the message says which
    static <T> SortReport sort(T[] array, int from, int to, Comparator<T> order, Function<T[], Strings> encode) {
        int count = to - from;
        long directStart = DirectSort.start(count);
        if (ObjectRuns.trySort(array, from, to, order, FEW)) {
            return DirectSort.report(count, directStart);
        }
        return withinHeap(count, () -> {
            long start = System.nanoTime();
            T[] part = Arrays.copyOfRange(array, from, to);
            for (int i = 0; i < count; i++) {
                if (part[i] == null) {
                    throw new NullPointerException("the string at index " + (from + i) + " is null");
                }
            }
            return new SortReportBuilder(sort(part, array, from, encode.apply(part)))
                    .total(Duration.ofNanos(System.nanoTime() - start))
                    .build();
        });
    }

    /// Returns the indexes of strings in order.
    ///
    /// @throws NullPointerException if a string is null; the message says which
    static int[] argsort(String[] strings) {
        int[] direct = tryArgsort(strings);
        return direct != null
                ? direct
                : withinHeap(
                        strings.length,
                        () -> SharedSorters.withStrings(sorter -> sorter.argsort(Strings.inJavaOrder(strings))));
    }

    /// Returns the indexes of few strings, or of strings in a few runs; null if another way is faster, or if it has to
    /// say which string is null.
    private static int @Nullable [] tryArgsort(String[] strings) {
        if (strings.length < 2) {
            return null;
        }
        try {
            int ordered = 1;
            while (ordered < strings.length && strings[ordered - 1].compareTo(strings[ordered]) <= 0) {
                ordered++;
            }
            if (ordered == strings.length) {
                int[] indexes = new int[ordered];
                for (int i = 0; i < ordered; i++) {
                    indexes[i] = i;
                }
                return indexes;
            }
            return strings.length <= FEW
                    ? ComparatorSort.argsort(strings, Comparator.naturalOrder(), 0, 1)
                    : tryMerge(strings, ordered);
        } catch (NullPointerException e) {
            return null;
        }
    }

    /// Returns the indexes of strings that consist of a few runs; null if there are more.
    ///
    /// @param ordered how many strings at the front are in order
    private static int @Nullable [] tryMerge(String[] strings, int ordered) {
        int descending = 1;
        while (descending < LEAST_RUN && strings[descending - 1].compareTo(strings[descending]) > 0) {
            descending++;
        }
        if (ordered < LEAST_RUN && descending < LEAST_RUN) {
            return null;
        }
        Integer[] indexes = new Integer[strings.length];
        for (int i = 0; i < indexes.length; i++) {
            indexes[i] = i;
        }
        if (!ObjectRuns.trySort(
                indexes, 0, indexes.length, (one, other) -> strings[one].compareTo(strings[other]), 0)) {
            return null;
        }
        int[] permutation = new int[indexes.length];
        for (int i = 0; i < permutation.length; i++) {
            permutation[i] = indexes[i];
        }
        return permutation;
    }

    private static SortReport sort(Object[] part, Object[] array, int from, Strings strings) {
        int[] permutation = new int[part.length];
        SortReport report = SharedSorters.withStrings(sorter -> sorter.argsort(strings, permutation));
        References.permute(part, permutation, array, from, Parallel.commonParallelism());
        return report;
    }

    /// Sorts this many strings; if the heap has too little room for it, the error says how much it needs.
    static <T> T withinHeap(int count, Supplier<T> sort) {
        return HeapArrays.told("a sort of " + count + " strings", BYTES_OF_STRING * count, sort);
    }
}
