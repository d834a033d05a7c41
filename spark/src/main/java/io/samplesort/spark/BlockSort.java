package io.samplesort.spark;

import io.samplesort.spark.blocks.BlockType;
import io.samplesort.spark.exchange.ClusterSort;
import java.util.Objects;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;

/// Sorts an RDD whose elements are blocks, which are arrays of many elements each. No element becomes a Java object on
/// the way, so this is several times as fast as a sort of rows.
///
/// ```java
/// JavaRDD<long[]> sorted = BlockSort.of(BlockType.longs()).partitions(64).sort(blocks);
/// ```
///
/// Only one thread may use it.
///
/// @param <B> the Java type of a block
public final class BlockSort<B> {
    private static final long DEFAULT_RUN_BYTES = 64L << 20;

    private final BlockType<B> type;
    /// 0 for as many as the input has.
    private int partitions;
    private boolean isStable;
    private long runBytes = DEFAULT_RUN_BYTES;
    private StorageLevel storage = StorageLevel.MEMORY_AND_DISK();

    private BlockSort(BlockType<B> type) {
        this.type = type;
    }

    /// Returns a sort of blocks of this type.
    public static <B> BlockSort<B> of(BlockType<B> type) {
        return new BlockSort<>(Objects.requireNonNull(type, "type"));
    }

    /// Sets how many partitions the result has. By default, it has as many as the input.
    ///
    /// @throws IllegalArgumentException if `count` is not positive
    public BlockSort<B> partitions(int count) {
        if (count <= 0) {
            throw new IllegalArgumentException(count + " partitions: there must be one or more");
        }
        this.partitions = count;
        return this;
    }

    /// Makes the sort stable: elements with equal keys keep the order of the input, which is that of its partitions, of
    /// the blocks in a partition, and of the elements in a block. Sorts of records are always stable. For pairs it
    /// costs time, and lets a single run of equal keys be divided among several partitions.
    public BlockSort<B> stable() {
        this.isStable = true;
        return this;
    }

    /// Sets how many bytes of blocks a task sorts at a time. A block that is larger is sorted alone. Each task needs
    /// twice this memory in addition to its input. The default is 64 MiB.
    ///
    /// @throws IllegalArgumentException if `bytes` is not positive
    public BlockSort<B> runBytes(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("runs of " + bytes + " bytes: must be positive");
        }
        this.runBytes = bytes;
        return this;
    }

    /// Sets where sorted runs are kept until the splitters are known. The default is
    /// [StorageLevel#MEMORY_AND_DISK]. With [StorageLevel#NONE], the input is evaluated and sorted into runs twice.
    public BlockSort<B> storage(StorageLevel level) {
        this.storage = Objects.requireNonNull(level, "level");
        return this;
    }

    /// Sorts the elements of all blocks: every element of partition i of the result comes before every element of
    /// partition i + 1, and a partition is in order from its first block to its last. Partitions have about the same
    /// number of elements, however often a key occurs; a partition may be empty. A partition that fits in the memory
    /// that Spark grants its task is one block, or none if it is empty.
    ///
    /// This starts a job, which evaluates the input once and leaves sorted runs in Spark's storage. The result is
    /// evaluated when it is used. The runs are released when their pieces are in the shuffle, or when nothing refers
    /// to the result any more.
    ///
    /// @param blocks arrays of any size; they stay as they are
    public JavaRDD<B> sort(JavaRDD<B> blocks) {
        int count = partitions != 0 ? partitions : Math.max(1, blocks.getNumPartitions());
        return new ClusterSort<>(type, count, isStable, runBytes, storage).sort(blocks);
    }
}
