package io.samplesort.spark.exchange;

import io.samplesort.spark.blocks.BlockIo;
import io.samplesort.spark.blocks.BlockType;
import io.samplesort.spark.task.TaskEnd;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;

/// Reads sorted files back, block by block.
final class FileBlocks<B> implements Iterator<B> {
    /// Large enough to be read fast, and small enough to be no burden to the users of the blocks.
    private static final int BLOCK_BYTES = 16 << 20;

    private final BlockType<B> type;
    private final TaskContext task;
    private final List<InputStream> files = new ArrayList<>();
    private long left;

    /// @param files one for each array of a block
    /// @param count how many elements they hold
    FileBlocks(BlockType<B> type, List<Path> files, long count, TaskContext task) throws IOException {
        this.type = type;
        this.task = task;
        this.left = count;
        TaskEnd.then(task, this::close);
        for (Path file : files) {
            this.files.add(Files.newInputStream(file));
        }
    }

    @Override
    public boolean hasNext() {
        return left > 0;
    }

    @Override
    public B next() {
        if (left == 0) {
            throw new NoSuchElementException("the partition has no more blocks");
        }
        task.killTaskIfInterrupted();
        int count = (int) Math.min(left, Math.max(1, BLOCK_BYTES / type.elementBytes()));
        B block = type.allocate(count);
        List<MemorySegment> columns = type.columns(block);
        try {
            for (int i = 0; i < columns.size(); i++) {
                BlockIo.read(files.get(i), columns.get(i));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        left -= count;
        return block;
    }

    private void close() {
        for (InputStream file : files) {
            try {
                file.close();
            } catch (IOException e) {
                // The file was only read, and is removed now.
            }
        }
    }
}
