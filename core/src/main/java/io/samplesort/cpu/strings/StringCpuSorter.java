package io.samplesort.cpu.strings;

import io.samplesort.types.SortReport;
import io.samplesort.types.SortReportBuilder;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.time.Duration;
import java.util.Arrays;

/// Sorts the indexes of strings on the CPU. Not for use by two threads at once.
public final class StringCpuSorter implements AutoCloseable {
    private final StringOrder order;
    private final int parallelism;

    /// @param parallelism among how many threads a sort is divided, as far as helpers are free
    public StringCpuSorter(StringOrder order, int parallelism) {
        this.order = order;
        this.parallelism = parallelism;
    }

    /// Finds the order of the strings: afterwards `permutation[i]` is the index of the string that comes i-th. Equal
    /// strings come in the order of their indexes.
    ///
    /// @param permutation as long as there are strings
    public SortReport argsort(Strings strings, int[] permutation) {
        long start = System.nanoTime();
        Integer[] indexes = new Integer[permutation.length];
        Arrays.setAll(indexes, i -> i);
        Arrays.sort(indexes, (i, j) -> order.compare(strings, i, j));
        Arrays.setAll(permutation, i -> indexes[i]);
        return new SortReportBuilder("cpu, " + parallelism + " threads")
                .elementCount(permutation.length)
                .total(Duration.ofNanos(System.nanoTime() - start))
                .build();
    }

    @Override
    public void close() {}
}
