package io.samplesort;

import io.samplesort.cpu.threads.Parallel;
import io.samplesort.objects.References;
import io.samplesort.types.SortReport;
import io.samplesort.types.SortReportBuilder;
import io.samplesort.types.Strings;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.Supplier;

/// Sorts arrays whose elements are strings of some kind: their bytes are copied together and sorted, and then the
/// references move.
final class StringArrays {
    /// Bytes of heap that a sort takes for each string, without those of its characters.
    private static final long BYTES_OF_STRING = 30;

    private StringArrays() {}

    /// Sorts `array[from]` to `array[to - 1]`.
    ///
    /// @param encode turns a part of the array into strings
    /// @throws NullPointerException if an element is null; the message says which
    static SortReport sort(Object[] array, int from, int to, Function<Object[], Strings> encode) {
        return withinHeap(to - from, () -> {
            long start = System.nanoTime();
            Object[] part = Arrays.copyOfRange(array, from, to);
            for (int i = 0; i < part.length; i++) {
                if (part[i] == null) {
                    throw new NullPointerException("the string at index " + (from + i) + " is null");
                }
            }
            Strings strings = encode.apply(part);
            int[] permutation = new int[part.length];
            SortReport report = SharedSorters.withStrings(sorter -> sorter.argsort(strings, permutation));
            References.permute(part, permutation, array, from, Parallel.commonParallelism());
            return new SortReportBuilder(report)
                    .total(Duration.ofNanos(System.nanoTime() - start))
                    .build();
        });
    }

    /// Sorts so many strings, and says what that takes of the heap if it is too little.
    static <T> T withinHeap(int count, Supplier<T> sort) {
        return HeapArrays.told("a sort of " + count + " strings", BYTES_OF_STRING * count, sort);
    }
}
