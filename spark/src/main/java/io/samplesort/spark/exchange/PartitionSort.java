package io.samplesort.spark.exchange;

import io.samplesort.spark.blocks.BlockType;
import io.samplesort.spark.task.BlockSorter;
import io.samplesort.spark.task.SortTimes;
import io.samplesort.spark.task.TaskMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;

/// Collects the pieces of one partition and sorts them: in memory, as long as Spark grants twice their size, or else in
/// temporary files.
final class PartitionSort<B> {
    private final BlockType<B> type;
    private final boolean isStable;
    private final BlockSorter<B> sorter;
    private final TaskContext task;
    private final SparkConf settings;
    private final TaskMemory memory;
    private final SortTimes times;
    private final List<Piece<B>> pieces = new ArrayList<>();
    private long count;
    /// Null as long as the pieces fit in memory.
    private FilePartition<B> files;

    PartitionSort(
            BlockType<B> type,
            boolean isStable,
            BlockSorter<B> sorter,
            TaskContext task,
            SparkConf settings,
            SortTimes times) {
        this.type = type;
        this.isStable = isStable;
        this.sorter = sorter;
        this.task = task;
        this.settings = settings;
        this.times = times;
        this.memory = new TaskMemory(task);
    }

    /// Adds a piece. Pieces come in any order.
    ///
    /// @throws IOException if the pieces do not fit in memory, and a file cannot be written
    void add(Piece<B> piece) throws IOException {
        count += piece.count();
        if (files == null && (count > type.mostElements() || !memory.take(2 * bytes(piece.count())))) {
            files = FilePartition.create(type, isStable, task, settings);
            task.taskMetrics().incMemoryBytesSpilled(memory.getUsed() / 2);
            for (Piece<B> earlier : pieces) {
                files.add(earlier);
            }
            pieces.clear();
            memory.giveBack(memory.getUsed());
        }
        if (files == null) {
            pieces.add(piece);
        } else {
            files.add(piece);
        }
    }

    private long bytes(long elements) {
        return elements * type.elementBytes();
    }

    /// Returns the sorted elements: one block, or several if they come from files.
    Iterator<B> sorted() throws IOException, InterruptedException {
        task.killTaskIfInterrupted();
        if (files != null) {
            long begin = System.nanoTime();
            Iterator<B> sorted = files.sorted(sorter);
            times.sorted(System.nanoTime() - begin, 0, false);
            return sorted;
        }
        if (pieces.isEmpty()) {
            return Collections.emptyIterator();
        }
        B block = inOrderOfInput();
        if (pieces.size() > 1) {
            sorter.sort(block);
        }
        pieces.clear();
        memory.giveBack(bytes(count));
        return List.of(block).iterator();
    }

    /// Returns all pieces one after the other, in the order of the input, which stable sorts keep.
    private B inOrderOfInput() {
        long begin = System.nanoTime();
        pieces.sort(Piece.BY_RUN);
        B block = type.allocate((int) count);
        int done = 0;
        for (Piece<B> piece : pieces) {
            type.copy(piece.block(), piece.from(), block, done, piece.count());
            done += piece.count();
        }
        times.copy().add(System.nanoTime() - begin);
        return block;
    }
}
