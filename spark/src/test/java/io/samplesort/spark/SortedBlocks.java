package io.samplesort.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.spark.blocks.BlockType;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;

/// Puts the blocks of a result together.
final class SortedBlocks {
    private SortedBlocks() {}

    /// Returns all elements of the result in one block, in the order of its partitions and blocks.
    static <B> B joined(JavaRDD<B> sorted, BlockType<B> type) {
        return join(sorted.collect(), type);
    }

    /// Returns the elements of blocks in one block.
    static <B> B join(List<B> blocks, BlockType<B> type) {
        B all = type.allocate(blocks.stream().mapToInt(type::count).sum());
        int done = 0;
        for (B block : blocks) {
            type.copy(block, 0, all, done, type.count(block));
            done += type.count(block);
        }
        return all;
    }

    /// Returns how many elements each partition of the result has.
    static <B> List<Integer> sizes(JavaRDD<B> sorted, BlockType<B> type) {
        return sorted.glom()
                .map(blocks -> blocks.stream().mapToInt(type::count).sum())
                .collect();
    }

    /// Divides a block into blocks of this many elements; the last one may have fewer.
    static <B> List<B> divided(B all, BlockType<B> type, int blockSize) {
        List<B> blocks = new ArrayList<>();
        for (int from = 0; from < type.count(all); from += blockSize) {
            int count = Math.min(blockSize, type.count(all) - from);
            B block = type.allocate(count);
            type.copy(all, from, block, 0, count);
            blocks.add(block);
        }
        return blocks;
    }

    /// Checks that no partition has more than this many times the mean.
    static void assertBalanced(List<Integer> sizes, double most) {
        double mean = sizes.stream().mapToInt(Integer::intValue).average().orElseThrow();
        assertThat(sizes).allSatisfy(size -> assertThat((double) size).isLessThanOrEqualTo(most * mean));
    }
}
