package io.samplesort.cpu.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.SampleSort;
import io.samplesort.SelectionContract;
import io.samplesort.Selector;
import io.samplesort.SorterBuilder;
import io.samplesort.cpu.records.IndexedCpuSorter;
import io.samplesort.cpu.records.SortKey;
import io.samplesort.cpu.threads.Crew;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.memory.RankBounds;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Selections on the CPU, of elements for one thread and for several.
class CpuSelectionTest extends SelectionContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onCpu();
    }

    @Override
    protected int[] sizes() {
        return new int[] {0, 1, 2, 1000, 20_000, 200_000};
    }

    /// Elements that are all equal are told apart by their indexes, so that few are kept.
    @Test
    void fewOfEqualElementsAreKept() {
        int count = 200_000;
        MemorySegment equal = MemorySegment.ofArray(new int[count]);
        Order order = Order.natural();
        IndexedCpuSorter indexes = new IndexedCpuSorter(ElementType.INT, List.of(), order, 1);
        Sampler sampler = new Sampler(ElementType.INT, order, SortKey.of(ElementType.INT, order), indexes);
        for (long from : new long[] {0, count / 2, count - 1}) {
            RankBounds bounds = Sampler.bounds(count, from, from + 1, 0);
            Filter filter = sampler.filter(equal, bounds, 0);
            try (Crew crew = Parallel.ALONE.crew()) {
                Candidates kept = Candidates.of(equal, Integer.BYTES, filter, bounds, crew);
                assertThat(kept.have(from, from + 1)).isTrue();
                assertThat(kept.count()).isLessThanOrEqualTo(bounds.mostBetween());
            }
        }
    }

    @Override
    protected Memory memory() {
        return new Memory() {
            @Override
            public void select(
                    Selector selector,
                    List<MemorySegment> columns,
                    long k,
                    boolean isLast,
                    List<MemorySegment> targets) {
                MemorySegment keys = columns.getFirst();
                MemorySegment target = targets.getFirst();
                List<MemorySegment> payloads = columns.subList(1, columns.size());
                List<MemorySegment> payloadTargets = targets.subList(1, targets.size());
                if (payloads.isEmpty()) {
                    if (isLast) {
                        selector.last(keys, k, target);
                    } else {
                        selector.first(keys, k, target);
                    }
                } else if (isLast) {
                    selector.last(keys, payloads, k, target, payloadTargets);
                } else {
                    selector.first(keys, payloads, k, target, payloadTargets);
                }
            }

            @Override
            public void argselect(
                    Selector selector, MemorySegment elements, long k, boolean isLast, MemorySegment indexes) {
                if (isLast) {
                    selector.arglast(elements, k, indexes);
                } else {
                    selector.argfirst(elements, k, indexes);
                }
            }

            @Override
            public void nth(Selector selector, MemorySegment elements, long rank, MemorySegment target) {
                selector.nth(elements, rank, target);
            }

            @Override
            public void quantiles(
                    Selector selector, MemorySegment elements, MemorySegment target, double... quantiles) {
                selector.quantiles(elements, target, quantiles);
            }
        };
    }
}
