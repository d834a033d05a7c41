package io.samplesort.cpu.sorted;

import io.samplesort.SampleSort;
import io.samplesort.SortedOperations;
import io.samplesort.SortedOperationsContract;
import io.samplesort.SorterBuilder;
import io.samplesort.memory.SetOperation;
import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Operations on sorted elements on the CPU, of elements for one thread and for several.
class CpuSortedTest extends SortedOperationsContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onCpu();
    }

    @Override
    protected int[] sizes() {
        return new int[] {0, 1, 2, 1000, 70_000};
    }

    @Override
    protected Memory memory() {
        return new InHostMemory();
    }

    private static final class InHostMemory implements Memory {
        @Override
        public void merge(SortedOperations operations, List<List<MemorySegment>> inputs, List<MemorySegment> targets) {
            List<MemorySegment> keys = inputs.stream().map(List::getFirst).toList();
            if (targets.size() == 1) {
                operations.merge(keys, targets.getFirst());
            } else {
                operations.merge(
                        keys,
                        inputs.stream().map(InHostMemory::payloads).toList(),
                        targets.getFirst(),
                        payloads(targets));
            }
        }

        private static List<MemorySegment> payloads(List<MemorySegment> columns) {
            return columns.subList(1, columns.size());
        }

        @Override
        public long unique(SortedOperations operations, List<MemorySegment> columns, List<MemorySegment> targets) {
            return targets.size() == 1
                    ? operations.unique(columns.getFirst(), targets.getFirst())
                    : operations.unique(columns.getFirst(), payloads(columns), targets.getFirst(), payloads(targets));
        }

        @Override
        public long counts(
                SortedOperations operations,
                MemorySegment keys,
                MemorySegment target,
                ElementType countType,
                MemorySegment counts) {
            return operations.counts(keys, target, countType, counts);
        }

        @Override
        public long groups(
                SortedOperations operations, MemorySegment keys, ElementType offsetType, MemorySegment offsets) {
            return operations.groups(keys, offsetType, offsets);
        }

        @Override
        public void bounds(
                SortedOperations operations,
                MemorySegment keys,
                MemorySegment queries,
                MemorySegment bounds,
                boolean isUpper) {
            if (isUpper) {
                operations.upperBounds(keys, queries, bounds);
            } else {
                operations.lowerBounds(keys, queries, bounds);
            }
        }

        @Override
        public long combine(
                SortedOperations operations,
                SetOperation operation,
                List<MemorySegment> first,
                List<MemorySegment> second,
                List<MemorySegment> targets) {
            MemorySegment one = first.getFirst();
            MemorySegment other = second.getFirst();
            MemorySegment target = targets.getFirst();
            if (targets.size() == 1) {
                return switch (operation) {
                    case UNION -> operations.union(one, other, target);
                    case INTERSECTION -> operations.intersection(one, other, target);
                    case DIFFERENCE -> operations.difference(one, other, target);
                };
            }
            List<MemorySegment> ones = payloads(first);
            List<MemorySegment> others = payloads(second);
            List<MemorySegment> more = payloads(targets);
            return switch (operation) {
                case UNION -> operations.union(one, ones, other, others, target, more);
                case INTERSECTION -> operations.intersection(one, ones, other, others, target, more);
                case DIFFERENCE -> operations.difference(one, ones, other, others, target, more);
            };
        }

        @Override
        public long firstOutOfOrder(SortedOperations operations, MemorySegment keys) {
            return operations.firstOutOfOrder(keys);
        }
    }
}
