package io.samplesort;

import io.samplesort.cpu.Parallel;
import io.samplesort.cpu.strings.StringCpuSorter;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.util.Objects;

/// Sorts strings of any length. [SorterBuilder#buildStrings] makes one. All sorts are stable: equal strings come in the
/// order of their indexes.
///
/// A sorter sorts for one thread at a time. Any number of sorters may work at once.
public final class StringSorter implements AutoCloseable {
    private final StringOrder order;
    private final StringCpuSorter cpu;

    StringSorter(StringOrder order, int cpuThreads) {
        this.order = Objects.requireNonNull(order, "order");
        this.cpu = new StringCpuSorter(order, Math.min(cpuThreads, Parallel.commonParallelism()));
    }

    /// Returns the order of the strings.
    public StringOrder order() {
        return order;
    }

    /// Finds the order of fewer than 2^31 strings and leaves them where they are: afterwards `permutation[i]` is the
    /// index of the string that comes i-th in sorted order.
    ///
    /// @throws IllegalArgumentException if the permutation is not as long as there are strings
    public SortReport argsort(Strings strings, int[] permutation) {
        if (permutation.length != strings.count()) {
            throw new IllegalArgumentException(
                    "the permutation has room for " + permutation.length + " of " + strings.count() + " strings");
        }
        return cpu.argsort(strings, permutation);
    }

    /// Returns the order of fewer than 2^31 strings, as [#argsort(Strings, int[])] finds it, in a new array.
    ///
    /// @throws IllegalArgumentException if there are more
    public int[] argsort(Strings strings) {
        if (strings.count() > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException(strings.count()
                    + " strings: their permutation does not fit an int[], hand over a segment of longs");
        }
        int[] permutation = new int[(int) strings.count()];
        argsort(strings, permutation);
        return permutation;
    }

    /// Gives everything back. A second call does nothing.
    @Override
    public void close() {
        cpu.close();
    }
}
