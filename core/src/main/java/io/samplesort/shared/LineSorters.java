package io.samplesort.shared;

import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.function.BiFunction;

/// Sorters of lines of text. They check nothing, so they are not for users of the library.
public final class LineSorters {
    private static BiFunction<Object, StringOrder, LineSorter> maker;

    private LineSorters() {}

    /// A sorter of strings in native memory that belongs to its caller alone.
    public interface LineSorter extends AutoCloseable {
        /// Finds the order of strings, as `StringSorter.argsort` does. The process may end if offsets decrease or lie
        /// beyond the bytes, memory is freed meanwhile, or the permutation is too short.
        ///
        /// @param permutation room for one `int` for each string
        SortReport argsort(Strings strings, MemorySegment permutation);

        @Override
        void close();
    }

    /// Sets the function that makes a sorter of a builder. The class of builders calls this when it is loaded.
    public static void madeBy(BiFunction<Object, StringOrder, LineSorter> maker) {
        LineSorters.maker = maker;
    }

    /// Returns a sorter on the device and with the threads of a builder.
    ///
    /// @param builder a `SorterBuilder`, whose package imports this one
    public static LineSorter of(Object builder, StringOrder order) {
        return maker.apply(builder, order);
    }
}
