package io.samplesort.cpu.select;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.records.IndexedCpuSorter;
import io.samplesort.cpu.records.SortKey;
import io.samplesort.cpu.threads.Crew;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.memory.RankBounds;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;

/// Selects the elements of some ranks on the CPU. Equal elements have their ranks in the order of their indexes.
///
/// The elements between two bounds of a sample are copied, and if these are still many more than wanted, the same
/// happens to the copy. The rest is sorted: numbers in natural order themselves, which is faster, and everything else
/// by index. Two threads must not use a selector at once.
public final class CpuSelector implements AutoCloseable {
    /// Fewer elements are sorted as fast as they are sampled.
    private static final int LEAST_FILTERED = 1 << 13;

    /// Waking another thread takes as long as reading fewer elements.
    private static final int LEAST_SHARED = 1 << 17;

    /// If more than one in this many elements is wanted, all are sorted.
    private static final int MOST_WANTED = 4;

    private final int bytes;
    private final ElementType element;
    private final int parallelism;
    private final Sampler sampler;
    private final IndexedCpuSorter indexSorter;
    /// Null if the elements are no numbers in natural order.
    private final CpuSorter numberSorter;

    /// @param parallelism how many threads work on a selection; 1 for the calling thread alone
    /// @throws IllegalArgumentException if elements of that type cannot be compared by `order`
    public CpuSelector(ElementType element, Order order, int parallelism) {
        this.element = element;
        this.bytes = element.byteSize();
        this.parallelism = parallelism;
        this.indexSorter = new IndexedCpuSorter(element, List.of(), order, parallelism);
        this.numberSorter = order instanceof NaturalOrder ? new CpuSorter(element, null, order, parallelism) : null;
        this.sampler = new Sampler(element, order, SortKey.of(element, order), indexSorter);
    }

    /// Writes the elements of the ranks `from..to`, and what belongs to them in other columns, to the begin of targets.
    ///
    /// @param columns     the elements, and columns with as many other values, which are only read; if only the calling
    ///     thread may access the elements, it does all of the work
    /// @param columnBytes bytes of a value in each column
    /// @param targets     room for `to - from` values of each column
    /// @throws IllegalArgumentException if more elements would have to be sorted by index than
    ///     [IndexedCpuSorter#MAX_COUNT]
    /// @throws OutOfMemoryError         if there is too little memory
    public SortReport select(
            List<MemorySegment> columns, int[] columnBytes, long from, long to, List<MemorySegment> targets) {
        long start = System.nanoTime();
        MemorySegment elements = columns.getFirst();
        if (numberSorter != null && columns.size() == 1) {
            selectNumbers(elements, false, from, to, targets.getFirst());
        } else {
            Indexes indexes = Indexes.allocate(to - from, count(elements));
            selectIndexes(elements, from, to, indexes);
            for (int c = 0; c < columnBytes.length; c++) {
                for (long i = 0; i < to - from; i++) {
                    long source = indexes.get(i) * columnBytes[c];
                    ElementCopy.copy(columns.get(c), source, targets.get(c), i * columnBytes[c], columnBytes[c]);
                }
            }
        }
        return report(elements, to - from, start);
    }

    /// Writes the indexes of the elements of the ranks `from..to`.
    ///
    /// @param indexes room for an int or a long for each of them
    /// @throws IllegalArgumentException as by [#select]
    /// @throws OutOfMemoryError         if there is too little memory
    public SortReport argselect(MemorySegment elements, long from, long to, MemorySegment indexes) {
        long start = System.nanoTime();
        selectIndexes(elements, from, to, Indexes.in(indexes, to - from));
        return report(elements, to - from, start);
    }

    private SortReport report(MemorySegment elements, long selected, long start) {
        return new SortReportBuilder(CpuSorter.deviceName(threads(elements)))
                .elementCount(count(elements))
                .bytesMoved(elements.byteSize() + selected * bytes)
                .total(Duration.ofNanos(System.nanoTime() - start))
                .build();
    }

    private long count(MemorySegment elements) {
        return elements.byteSize() / bytes;
    }

    private int threads(MemorySegment elements) {
        return Parallel.isShared(elements) && count(elements) > LEAST_SHARED ? parallelism : 1;
    }

    /// @param isCopy whether the elements are a copy that may be changed
    private void selectNumbers(MemorySegment elements, boolean isCopy, long from, long to, MemorySegment target) {
        if (to == from) {
            return;
        }
        Candidates kept = keep(elements, from, to);
        if (kept != null) {
            try (CopyMemory copy = copy(kept)) {
                selectNumbers(copy.segment(), true, from - kept.below(), to - kept.below(), target);
            }
        } else if (to - from == count(elements)) {
            numberSorter.sort(target.asSlice(0, elements.byteSize()).copyFrom(elements), null);
        } else if (isCopy) {
            numberSorter.sort(elements, null);
            MemorySegment.copy(elements, from * bytes, target, 0, (to - from) * bytes);
        } else {
            try (CopyMemory copy = new CopyMemory(element, count(elements))) {
                numberSorter.sort(copy.segment().copyFrom(elements), null);
                MemorySegment.copy(copy.segment(), from * bytes, target, 0, (to - from) * bytes);
            }
        }
    }

    private void selectIndexes(MemorySegment elements, long from, long to, Indexes indexes) {
        if (to == from) {
            return;
        }
        Candidates kept = keep(elements, from, to);
        if (kept != null) {
            Indexes places = Indexes.allocate(to - from, kept.count());
            try (CopyMemory copy = copy(kept)) {
                selectIndexes(copy.segment(), from - kept.below(), to - kept.below(), places);
            }
            for (long i = 0; i < to - from; i++) {
                indexes.set(i, kept.index(places.get(i)));
            }
        } else if (to - from == count(elements)) {
            indexSorter.argsort(elements, indexes.segment());
        } else {
            Indexes all = Indexes.allocate(Math.min(count(elements), IndexedCpuSorter.MAX_COUNT), 0);
            indexSorter.argsort(elements, all.segment());
            for (long i = 0; i < to - from; i++) {
                indexes.set(i, all.get(from + i));
            }
        }
    }

    private CopyMemory copy(Candidates kept) {
        CopyMemory copy = new CopyMemory(element, kept.count());
        kept.copyTo(copy.segment());
        return copy;
    }

    /// Keeps the elements of the ranks `from..to` and few others. Returns null if all elements are to be sorted.
    private Candidates keep(MemorySegment elements, long from, long to) {
        long count = count(elements);
        if (count < LEAST_FILTERED || to - from > count / MOST_WANTED) {
            return null;
        }
        for (int attempt = 0; attempt < RankBounds.MOST_ATTEMPTS; attempt++) {
            RankBounds bounds = Sampler.bounds(count, from, to, attempt);
            Filter filter = sampler.filter(elements, bounds, attempt);
            try (Crew crew = new Parallel(threads(elements)).crew()) {
                Candidates kept = Candidates.of(elements, bytes, filter, bounds, crew);
                if (kept.have(from, to)) {
                    // An order that contradicts itself may keep nearly all.
                    return kept.count() > count / 2 ? null : kept;
                }
            }
        }
        return null;
    }

    /// Returns how many bytes of host memory are kept for the next selection.
    public long keptBytes() {
        return indexSorter.keptBytes() + (numberSorter == null ? 0 : numberSorter.keptBytes());
    }

    @Override
    public void close() {
        indexSorter.close();
        if (numberSorter != null) {
            numberSorter.close();
        }
    }
}
