package io.samplesort.cpu.select;

import io.samplesort.SampleSort;
import io.samplesort.SelectionContract;
import io.samplesort.Selector;
import io.samplesort.SorterBuilder;
import java.lang.foreign.MemorySegment;
import java.util.List;

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
