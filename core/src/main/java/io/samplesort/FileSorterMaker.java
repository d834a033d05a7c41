package io.samplesort;

import io.samplesort.shared.FileSorters;
import io.samplesort.shared.FileSorters.LineSorter;
import io.samplesort.shared.FileSorters.LineSorterBuilder;
import io.samplesort.shared.FileSorters.Merger;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Makes the sorters that sorts of files and lines use.
final class FileSorterMaker implements FileSorters.Maker {
    @Override
    @SuppressWarnings("unchecked") // Both are a Sorter.
    public <S> S withIndexes(S sorter, ElementType index) {
        return (S) ((Sorter) sorter).withIndexes(index);
    }

    @Override
    public Merger merger(Object sorter) {
        return new KeyMerger(((Sorter) sorter).sortedOperations());
    }

    private record KeyMerger(SortedOperations operations) implements Merger {
        @Override
        public SortReport merge(List<MemorySegment> pieces, MemorySegment target) {
            return operations.merge(pieces, target);
        }

        @Override
        public void close() {
            operations.close();
        }
    }

    @Override
    public LineSorterBuilder ofLines(Object builder) {
        return new OfLines(((SorterBuilder) builder).ofLines());
    }

    /// @param builder a copy that belongs to this record alone
    private record OfLines(SorterBuilder builder) implements LineSorterBuilder {
        @Override
        public int cpuThreads() {
            return builder.cpuThreads();
        }

        @Override
        public LineSorter build(StringOrder order, int cpuThreads) {
            return new OwnedStringSorter(builder.cpuThreads(cpuThreads).stringSorter(order, true));
        }
    }

    /// Sorts strings in memory that belongs to the caller alone, without checks.
    private record OwnedStringSorter(StringSorter sorter) implements LineSorter {
        @Override
        public SortReport argsort(Strings strings, MemorySegment permutation) {
            return sorter.argsortOwned(strings, permutation);
        }

        @Override
        public void close() {
            sorter.close();
        }
    }
}
