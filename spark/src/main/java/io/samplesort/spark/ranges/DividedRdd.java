package io.samplesort.spark.ranges;

import io.samplesort.spark.rows.RowBlock;
import io.samplesort.spark.rows.RowBlockBuilder;
import io.samplesort.spark.shuffle.Tags;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/// Divides the rows of each partition into blocks for the partitions of the result.
final class DividedRdd extends RDD<Tuple2<Object, RowBlock>> {
    private static final long serialVersionUID = 1;

    /// All blocks that are being filled take at most this much memory, unless that would make them very small.
    private static final int BLOCKS_BYTES = 64 << 20;

    private static final int LEAST_BLOCK = 4 << 10;
    private static final int LARGEST_BLOCK = 256 << 10;

    private final Broadcast<RowSplitters> splitters;
    private final int partitions;

    DividedRdd(RDD<InternalRow> rows, Broadcast<RowSplitters> splitters, int partitions) {
        super(rows, Tags.any());
        this.splitters = splitters;
        this.partitions = partitions;
    }

    @Override
    public Partition[] getPartitions() {
        return firstParent(Tags.<InternalRow>any()).partitions();
    }

    @Override
    public scala.collection.Iterator<Tuple2<Object, RowBlock>> compute(Partition split, TaskContext task) {
        Iterator<InternalRow> rows =
                CollectionConverters.asJava(firstParent(Tags.<InternalRow>any()).iterator(split, task));
        return CollectionConverters.asScala(new Blocks(split.index(), rows, task));
    }

    /// Makes the blocks of one partition, each when it is asked for.
    private final class Blocks implements Iterator<Tuple2<Object, RowBlock>> {
        private final int partition;
        private final Iterator<InternalRow> rows;
        private final TaskContext task;
        private final RowSplitters.Finder finder = splitters.value().finder();
        private final UnsafeProjection projection =
                UnsafeProjection.create(splitters.value().order().type());
        private final RowBlockBuilder[] builders = new RowBlockBuilder[partitions];
        private long place;
        private int number;
        private int finished;
        private Tuple2<Object, RowBlock> next;

        Blocks(int partition, Iterator<InternalRow> rows, TaskContext task) {
            this.partition = partition;
            this.rows = rows;
            this.task = task;
            int bytes = Math.clamp(BLOCKS_BYTES / partitions, LEAST_BLOCK, LARGEST_BLOCK);
            for (int i = 0; i < partitions; i++) {
                builders[i] = new RowBlockBuilder(bytes);
            }
        }

        @Override
        public boolean hasNext() {
            while (next == null && rows.hasNext()) {
                add(rows.next());
            }
            while (next == null && finished < partitions) {
                int target = finished++;
                if (!builders[target].isEmpty()) {
                    next = finish(target);
                }
            }
            return next != null;
        }

        private void add(InternalRow given) {
            UnsafeRow row = given instanceof UnsafeRow unsafe ? unsafe : projection.apply(given);
            int target = finder.find(row, partition, place++);
            RowBlockBuilder builder = builders[target];
            if (!builder.hasRoomFor(row)) {
                task.killTaskIfInterrupted();
                next = finish(target);
            }
            builder.add(row);
        }

        private Tuple2<Object, RowBlock> finish(int target) {
            return new Tuple2<>(target, builders[target].finish(RowBlock.origin(partition, number++)));
        }

        @Override
        public Tuple2<Object, RowBlock> next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the partition has no more blocks");
            }
            Tuple2<Object, RowBlock> block = next;
            next = null;
            return block;
        }
    }
}
