package io.samplesort.spark.exchange;

import io.samplesort.spark.blocks.BlockType;
import io.samplesort.spark.shuffle.Tags;
import io.samplesort.spark.task.BlockSorter;
import io.samplesort.spark.task.SortTimes;
import io.samplesort.spark.task.TaskDevice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import org.apache.spark.Partition;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.DeterministicLevel;
import org.apache.spark.rdd.RDD;
import scala.Enumeration;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/// The result: each partition sorts the pieces that the shuffle has brought it.
final class SortedRdd<B> extends RDD<B> {
    private static final long serialVersionUID = 1;

    private final BlockType<B> type;
    private final boolean isStable;
    private final SortTimes times;

    SortedRdd(RDD<Tuple2<Object, Piece<B>>> pieces, BlockType<B> type, boolean isStable) {
        super(pieces, Tags.any());
        this.type = type;
        this.isStable = isStable;
        this.times = SortTimes.create(pieces.context());
    }

    private RDD<Tuple2<Object, Piece<B>>> pieces() {
        return firstParent(Tags.any());
    }

    @Override
    public Partition[] getPartitions() {
        return pieces().partitions();
    }

    /// Pieces arrive in any order. A stable sort gives the same result even so, unless the runs themselves differ.
    @Override
    public Enumeration.Value getOutputDeterministicLevel() {
        boolean isIndeterminate = pieces().outputDeterministicLevel().equals(DeterministicLevel.INDETERMINATE());
        return isStable && !isIndeterminate ? DeterministicLevel.DETERMINATE() : DeterministicLevel.INDETERMINATE();
    }

    @Override
    public scala.collection.Iterator<B> compute(Partition split, TaskContext task) {
        SparkConf settings = SparkEnv.get().conf();
        BlockSorter<B> sorter = new BlockSorter<>(type, isStable, TaskDevice.of(task, settings), settings, times);
        Iterator<Tuple2<Object, Piece<B>>> pieces = CollectionConverters.asJava(pieces().iterator(split, task));
        PartitionSort<B> sort = new PartitionSort<>(type, isStable, sorter, task, settings, times);
        try {
            long begin = System.nanoTime();
            while (pieces.hasNext()) {
                sort.add(pieces.next()._2());
            }
            times.read().add(System.nanoTime() - begin);
            return CollectionConverters.asScala(sort.sorted());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            task.killTaskIfInterrupted();
            throw new IllegalStateException("the sort of a partition was interrupted", e);
        }
    }
}
