package io.samplesort.spark.exchange;

import io.samplesort.spark.blocks.BlockType;
import io.samplesort.spark.shuffle.Tags;
import io.samplesort.spark.task.BlockSorter;
import io.samplesort.spark.task.SortTimes;
import io.samplesort.spark.task.TaskDevice;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.Partition;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.DeterministicLevel;
import org.apache.spark.rdd.RDD;
import scala.Enumeration;
import scala.jdk.javaapi.CollectionConverters;

/// Turns each partition of blocks into sorted runs. Small blocks go into one run together. The blocks themselves stay
/// as they are, since they may be cached or belong to the application.
final class RunsRdd<B> extends RDD<Run<B>> {
    private static final long serialVersionUID = 1;

    private final BlockType<B> type;
    private final boolean isStable;
    private final long runBytes;
    private final SortTimes times;

    /// @param runBytes how large a run may become, unless a single block is larger
    RunsRdd(RDD<B> blocks, BlockType<B> type, boolean isStable, long runBytes) {
        super(blocks, Tags.any());
        this.type = type;
        this.isStable = isStable;
        this.runBytes = runBytes;
        this.times = SortTimes.create(blocks.context());
    }

    @Override
    public Partition[] getPartitions() {
        return firstParent(Tags.<B>any()).partitions();
    }

    /// A task that is repeated finds other runs if the blocks of its partition come in another order.
    @Override
    public Enumeration.Value getOutputDeterministicLevel() {
        Enumeration.Value ofBlocks = firstParent(Tags.<B>any()).outputDeterministicLevel();
        return ofBlocks.equals(DeterministicLevel.UNORDERED()) ? DeterministicLevel.INDETERMINATE() : ofBlocks;
    }

    @Override
    public scala.collection.Iterator<Run<B>> compute(Partition split, TaskContext task) {
        SparkConf settings = SparkEnv.get().conf();
        BlockSorter<B> sorter = new BlockSorter<>(type, isStable, TaskDevice.of(task, settings), settings, times);
        Iterator<B> blocks =
                CollectionConverters.asJava(firstParent(Tags.<B>any()).iterator(split, task));
        return CollectionConverters.asScala(new Runs(split.index(), blocks, sorter, task));
    }

    /// Makes the runs of one partition, each when it is asked for.
    private final class Runs implements Iterator<Run<B>> {
        private final int partition;
        private final Iterator<B> blocks;
        private final BlockSorter<B> sorter;
        private final TaskContext task;
        private int number;
        /// The first block of the next run; null if it has not been looked for.
        private B next;

        Runs(int partition, Iterator<B> blocks, BlockSorter<B> sorter, TaskContext task) {
            this.partition = partition;
            this.blocks = blocks;
            this.sorter = sorter;
            this.task = task;
        }

        @Override
        public boolean hasNext() {
            long begin = System.nanoTime();
            while (next == null && blocks.hasNext()) {
                B block = blocks.next();
                next = type.count(block) == 0 ? null : block;
            }
            times.read().add(System.nanoTime() - begin);
            return next != null;
        }

        @Override
        public Run<B> next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the partition has no more runs");
            }
            B sorted = gather();
            task.killTaskIfInterrupted();
            try {
                sorter.sort(sorted);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                task.killTaskIfInterrupted();
                throw new IllegalStateException("the sort of a run was interrupted", e);
            }
            return new Run<>(partition, number++, sorted);
        }

        /// Copies the blocks of the next run to a block of its own.
        private B gather() {
            long most = Math.min(runBytes / type.elementBytes(), type.mostElements());
            List<B> gathered = new ArrayList<>();
            int count = 0;
            while (hasNext() && (gathered.isEmpty() || count + (long) type.count(next) <= most)) {
                gathered.add(next);
                count += type.count(next);
                next = null;
            }
            long begin = System.nanoTime();
            B run = type.allocate(count);
            int done = 0;
            for (B block : gathered) {
                type.copy(block, 0, run, done, type.count(block));
                done += type.count(block);
            }
            times.copy().add(System.nanoTime() - begin);
            return run;
        }
    }
}
