package io.samplesort.spark.task;

import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.spark.blocks.BlockType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.apache.spark.SparkConf;

/// Sorts blocks on the device of a task. Only one thread may use it.
///
/// @param <B> the Java type of a block
public final class BlockSorter<B> {
    private final BlockType<B> type;
    private final boolean isStable;
    private final TaskSorter<Sorter> sorters;
    private final SortTimes times;

    /// @param isStable whether elements with equal keys keep their order
    /// @param times    the times to which each sort is added
    public BlockSorter(BlockType<B> type, boolean isStable, TaskDevice device, SparkConf settings, SortTimes times) {
        this.type = type;
        this.isStable = isStable;
        this.times = times;
        this.sorters = new TaskSorter<>(toString(), this::build, device, settings);
    }

    /// Sorts the elements of a block where they are.
    ///
    /// @throws InterruptedException if the task is killed while it waits for the GPU
    public void sort(B block) throws InterruptedException {
        long begin = System.nanoTime();
        long waited = sorters.waitedNanos();
        List<MemorySegment> columns = type.columns(block);
        sorters.use(
                type.count(block),
                sorter -> sorter.sort(
                        columns.getFirst(), columns.subList(1, columns.size()).toArray(MemorySegment[]::new)));
        times.sorted(System.nanoTime() - begin, sorters.waitedNanos() - waited, sorters.usesGpu(type.count(block)));
    }

    /// Returns a sorter on this task's cores. The caller closes it.
    public Sorter buildOnCpu() {
        return sorters.buildOnCpu();
    }

    private Sorter build(SorterBuilder builder) {
        return type.build(isStable && !type.isAlwaysStable() ? builder.stable() : builder);
    }

    @Override
    public String toString() {
        return (isStable ? "stable sort of " : "sort of ") + type;
    }
}
