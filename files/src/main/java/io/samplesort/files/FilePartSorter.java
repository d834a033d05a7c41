package io.samplesort.files;

import io.samplesort.Sorter;
import io.samplesort.external.PartSorter;
import io.samplesort.shared.ElementFilter;
import io.samplesort.shared.FileSorters;
import io.samplesort.types.ElementCost;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;

/// Adapts a [Sorter] to the parts of a file that a file sort sorts in memory.
record FilePartSorter(Sorter sorter) implements PartSorter {
    @Override
    public List<ElementType> columnTypes() {
        List<ElementType> types = new ArrayList<>(sorter.payloadTypes());
        types.addFirst(sorter.keyType());
        return types;
    }

    @Override
    public Comparator<MemorySegment> comparator() {
        return sorter.order().toComparator(sorter.keyType());
    }

    @Override
    public ElementCost cost(long count) {
        return sorter.elementCost(count);
    }

    @Override
    public SortReport sort(MemorySegment keys, List<MemorySegment> payloads, LongConsumer finished) {
        return sorter.sort(keys, payloads, finished);
    }

    @Override
    public FileSorters.Merger merger() {
        return FileSorters.merger(sorter);
    }

    @Override
    public ElementFilter filter(boolean takesLast) {
        return ElementFilter.of(sorter.keyType(), sorter.order(), takesLast);
    }

    @Override
    public boolean isSorted(MemorySegment keys) {
        return sorter.isSorted(keys);
    }
}
