package io.samplesort.spark.rows;

import io.samplesort.spark.task.TaskEnd;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/// Reads a run that [RunFiles] has written.
final class FileRun implements RowRun {
    private static final int BUFFER_BYTES = 1 << 16;

    private final Path file;
    private final long bytes;
    private final TaskContext task;
    private final UnsafeRow row;
    private byte[] content = new byte[256];
    private long origin;
    private long read;
    /// Opened when the first row is read.
    private DataInputStream source;

    FileRun(Path file, int fields, TaskContext task) throws IOException {
        this.file = file;
        this.bytes = Files.size(file);
        this.task = task;
        this.row = new UnsafeRow(fields);
    }

    /// Returns the size of the file.
    long bytes() {
        return bytes;
    }

    @Override
    public boolean advance() throws IOException {
        if (source == null) {
            source = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES));
            TaskEnd.then(task, this::close);
        }
        if (read == bytes) {
            close();
            return false;
        }
        int size = source.readInt();
        origin = source.readLong();
        if (size > content.length) {
            content = new byte[Math.max(size, 2 * content.length)];
        }
        source.readFully(content, 0, size);
        row.pointTo(content, Platform.BYTE_ARRAY_OFFSET, size);
        read += Integer.BYTES + Long.BYTES + size;
        return true;
    }

    @Override
    public UnsafeRow row() {
        return row;
    }

    @Override
    public long origin() {
        return origin;
    }

    private void close() {
        try {
            source.close();
        } catch (IOException e) {
            // The file was only read, and is removed now.
        }
    }
}
