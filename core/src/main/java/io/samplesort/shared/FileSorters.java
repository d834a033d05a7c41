package io.samplesort.shared;

import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The sorters that sorts of files and lines make of what their users have built. Their classes are in a package that
/// imports this one, so they appear here as objects.
public final class FileSorters {
    private static Maker maker;

    private FileSorters() {}

    /// Makes the sorters.
    public interface Maker {
        /// Does what [FileSorters#withIndexes] says.
        <S> S withIndexes(S sorter, ElementType index);

        /// Does what [FileSorters#merger] says.
        Merger merger(Object sorter);

        /// Does what [FileSorters#ofLines] says.
        LineSorterBuilder ofLines(Object builder);
    }

    /// Merges sorted keys, stably.
    public interface Merger extends AutoCloseable {
        /// Merges pieces of whole keys, of which some may be empty.
        ///
        /// @param target room for all of them
        SortReport merge(List<MemorySegment> pieces, MemorySegment target);

        @Override
        void close();
    }

    /// Describes sorters of lines. It keeps the settings that its builder had when it was made.
    public interface LineSorterBuilder {
        /// Returns how many threads may work at once, if there are as many cores.
        int cpuThreads();

        /// Builds a sorter.
        ///
        /// @param cpuThreads how many threads it may use
        LineSorter build(StringOrder order, int cpuThreads);
    }

    /// A sorter of strings in native memory that belongs to its caller alone. It checks nothing, so it is not for users
    /// of the library.
    public interface LineSorter extends AutoCloseable {
        /// Finds the order of strings, as `StringSorter.argsort` does. The process may end if offsets decrease or lie
        /// beyond the bytes, memory is freed meanwhile, or the permutation is too short.
        ///
        /// @param permutation room for one `int` for each string
        SortReport argsort(Strings strings, MemorySegment permutation);

        @Override
        void close();
    }

    /// Sets what makes the sorters. The class of builders calls this when it is loaded.
    public static void madeBy(Maker maker) {
        FileSorters.maker = maker;
    }

    /// Returns a stable sorter of the elements that a sorter is for, with their indexes as payloads. It has the order
    /// and all other settings of that sorter, and its caller closes it.
    ///
    /// @param sorter a `Sorter`
    /// @param index  the type of the indexes
    /// @throws IllegalStateException if the sorter is closed or is sorting
    public static <S> S withIndexes(S sorter, ElementType index) {
        return maker.withIndexes(sorter, index);
    }

    /// Returns what merges sorted keys in the order of a sorter, on the CPU and with the threads and the listener of
    /// that sorter. The caller closes it.
    ///
    /// @param sorter a `Sorter`
    public static Merger merger(Object sorter) {
        return maker.merger(sorter);
    }

    /// Returns what builds sorters of lines on the device and with the threads and limits of a builder.
    ///
    /// @param builder a `SorterBuilder`
    /// @throws IllegalArgumentException if it has set what has no effect on lines, or its device or its tuning is not
    ///     for lines
    public static LineSorterBuilder ofLines(Object builder) {
        return maker.ofLines(builder);
    }
}
