package io.samplesort.cpu.records;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.CpuTuning;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;

/// The sorters of numbers that sorts of places and of indexes use.
///
/// @param packed  sorts longs, each a key prefix with its index
/// @param pairs   sorts longs, each a key prefix, with its index, an int, as payload
/// @param indexes sorts ints
public record NumberSorters(CpuSorter packed, CpuSorter pairs, CpuSorter indexes) {
    public static NumberSorters of(CpuTuning tuning, int parallelism) {
        Order natural = Order.natural();
        return new NumberSorters(
                new CpuSorter(ElementType.LONG, null, natural, tuning, parallelism),
                new CpuSorter(ElementType.LONG, ElementType.INT, natural, tuning, parallelism),
                new CpuSorter(ElementType.INT, null, natural, tuning, parallelism));
    }

    /// Returns how many bytes of host memory they keep for the next sort.
    long keptBytes() {
        return packed.keptBytes() + pairs.keptBytes() + indexes.keptBytes();
    }

    public void release() {
        packed.release();
        pairs.release();
        indexes.release();
    }
}
