package io.samplesort;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.rows.References;
import io.samplesort.types.SortReport;
import io.samplesort.types.SortReportBuilder;
import io.samplesort.types.Strings;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Function;
import java.util.function.Supplier;

/// Sorts arrays whose elements are strings of some kind: their bytes are copied together and sorted, and then the
/// references move.
final class StringArrays {
    /// Bytes of heap that a sort takes for each string, without those of its characters.
    private static final long BYTES_OF_STRING = 30;

    private static final int MOST_RUNS = 2;

    private StringArrays() {}

    /// Sorts `array[from]` to `array[to - 1]`.
    ///
    /// @param order  of the elements
    /// @param encode turns a part of the array into strings with this order
    /// @throws NullPointerException if an element is null; the message says which
    static <T> SortReport sort(T[] array, int from, int to, Comparator<T> order, Function<T[], Strings> encode) {
        return withinHeap(to - from, () -> {
            long start = System.nanoTime();
            T[] part = Arrays.copyOfRange(array, from, to);
            for (int i = 0; i < part.length; i++) {
                if (part[i] == null) {
                    throw new NullPointerException("the string at index " + (from + i) + " is null");
                }
            }
            SortReportBuilder report;
            if (hasFewRuns(part, order)) {
                Arrays.sort(array, from, to, order);
                report = new SortReportBuilder(CpuSorter.deviceName(1)).elementCount(part.length);
            } else {
                report = new SortReportBuilder(sort(part, array, from, encode.apply(part)));
            }
            return report.total(Duration.ofNanos(System.nanoTime() - start)).build();
        });
    }

    private static SortReport sort(Object[] part, Object[] array, int from, Strings strings) {
        int[] permutation = new int[part.length];
        SortReport report = SharedSorters.withStrings(sorter -> sorter.argsort(strings, permutation));
        References.permute(part, permutation, array, from, Parallel.commonParallelism());
        return report;
    }

    /// Returns whether the strings consist of so few runs that the JDK merges them in less time than it takes to encode
    /// them. For most inputs, the first few strings rule that out.
    private static <T> boolean hasFewRuns(T[] part, Comparator<T> order) {
        int runs = 0;
        for (int at = 0; at < part.length; runs++) {
            if (runs == MOST_RUNS) {
                return false;
            }
            at = endOfRun(part, at, order);
        }
        return true;
    }

    /// Returns where a run ends: strings of which none belongs before the one before it, or of which each does.
    private static <T> int endOfRun(T[] part, int from, Comparator<T> order) {
        boolean descends = from + 1 < part.length && order.compare(part[from], part[from + 1]) > 0;
        int end = from + 1;
        while (end < part.length && order.compare(part[end - 1], part[end]) > 0 == descends) {
            end++;
        }
        return end;
    }

    /// Sorts this many strings; if the heap has too little room for it, the error says how much it needs.
    static <T> T withinHeap(int count, Supplier<T> sort) {
        return HeapArrays.told("a sort of " + count + " strings", BYTES_OF_STRING * count, sort);
    }
}
