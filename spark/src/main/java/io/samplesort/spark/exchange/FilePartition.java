package io.samplesort.spark.exchange;

import io.samplesort.Sorter;
import io.samplesort.files.FileSort;
import io.samplesort.files.types.FileColumn;
import io.samplesort.spark.blocks.BlockIo;
import io.samplesort.spark.blocks.BlockType;
import io.samplesort.spark.task.BlockSorter;
import io.samplesort.spark.task.TaskEnd;
import io.samplesort.spark.task.TaskFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;

/// A partition that is sorted in temporary files, in one of Spark's own local folders. There is a file for each array
/// of a block. All files are removed when the task ends, however it ends.
final class FilePartition<B> {
    /// The setting of the application that says how much memory outside of the Java heap such a sort takes.
    static final String MEMORY_SETTING = "spark.samplesort.spillMemory";

    private static final String DEFAULT_MEMORY = "128m";

    private final BlockType<B> type;
    private final boolean isStable;
    private final TaskContext task;
    private final Path folder;
    private final long memory;
    private final List<OutputStream> outputs = new ArrayList<>();
    private final List<StoredPiece> pieces = new ArrayList<>();
    private long count;

    /// A piece that was written.
    ///
    /// @param origin its numbers, without its elements
    /// @param first  which element of the files is its first
    /// @param count  how many elements it has
    private record StoredPiece(Piece<?> origin, long first, long count) {}

    private FilePartition(BlockType<B> type, boolean isStable, TaskContext task, Path folder, long memory) {
        this.type = type;
        this.isStable = isStable;
        this.task = task;
        this.folder = folder;
        this.memory = memory;
    }

    static <B> FilePartition<B> create(BlockType<B> type, boolean isStable, TaskContext task, SparkConf settings)
            throws IOException {
        long memory = settings.getSizeAsBytes(MEMORY_SETTING, DEFAULT_MEMORY);
        FilePartition<B> partition =
                new FilePartition<>(type, isStable, task, TaskFolder.create(task, settings), memory);
        TaskEnd.then(task, partition::abandonOutputs);
        for (int i = 0; i < type.columnTypes().size(); i++) {
            partition.outputs.add(Files.newOutputStream(partition.file("pieces", i)));
        }
        return partition;
    }

    private Path file(String content, int column) {
        return folder.resolve(content + "-" + column);
    }

    void add(Piece<B> piece) throws IOException {
        List<MemorySegment> columns = type.columns(piece.block());
        for (int i = 0; i < columns.size(); i++) {
            long bytes = elementBytes(i);
            BlockIo.write(columns.get(i).asSlice(piece.from() * bytes, piece.count() * bytes), outputs.get(i));
        }
        Piece<B> origin = new Piece<>(piece.partition(), piece.number(), null, 0, 0);
        pieces.add(new StoredPiece(origin, count, piece.count()));
        count += piece.count();
    }

    private int elementBytes(int column) {
        return type.columnTypes().get(column).byteSize();
    }

    /// Sorts the files, and returns what reads the result block by block.
    Iterator<B> sorted(BlockSorter<B> sorters) throws IOException {
        closeOutputs();
        List<FileColumn> columns = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++) {
            Path pieces = file("pieces", i);
            if (isStable && !type.isKeysAlone()) {
                bringToOrderOfInput(pieces, i);
            }
            columns.add(FileColumn.of(pieces));
        }
        task.taskMetrics().incDiskBytesSpilled(count * type.elementBytes());
        try (Sorter sorter = sorters.buildOnCpu()) {
            FileSort.with(sorter)
                    .memory(memory)
                    .temporaryFolder(folder)
                    .sort(columns.getFirst(), columns.subList(1, columns.size()).toArray(FileColumn[]::new));
        }
        return new FileBlocks<>(type, columns.stream().map(FileColumn::input).toList(), count, task);
    }

    private void closeOutputs() throws IOException {
        for (OutputStream output : outputs) {
            output.close();
        }
    }

    /// Rewrites a file with its pieces in the order of the input, which stable sorts keep.
    private void bringToOrderOfInput(Path file, int column) throws IOException {
        List<StoredPiece> inOrder = new ArrayList<>(pieces);
        inOrder.sort((a, b) -> Piece.BY_RUN.compare(a.origin, b.origin));
        Path ordered = file("ordered", column);
        long bytes = elementBytes(column);
        try (FileChannel source = FileChannel.open(file);
                FileChannel target =
                        FileChannel.open(ordered, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (StoredPiece piece : inOrder) {
                long end = (piece.first + piece.count) * bytes;
                long position = piece.first * bytes;
                while (position < end) {
                    position += source.transferTo(position, end - position, target);
                }
            }
        }
        Files.move(ordered, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private void abandonOutputs() {
        try {
            closeOutputs();
        } catch (IOException e) {
            // The files are removed in any case.
        }
    }
}
