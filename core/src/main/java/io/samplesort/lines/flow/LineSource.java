package io.samplesort.lines.flow;

import io.samplesort.files.FileFailure;
import io.samplesort.files.InputFile;
import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;

/// One input of lines: a regular file, which several threads may read at once, or a stream, which is read from the
/// first byte to the last. A file of 0 bytes counts as a stream, because systems have files that are made while they
/// are read and say so.
public final class LineSource implements Closeable {
    /// This path stands for the standard input, even on a system without such a file.
    public static final Path STANDARD_INPUT = InputFile.STANDARD_INPUT;

    private static final int LONGEST_READ = 1 << 20;

    private final Path path;
    /// Null for a stream.
    private final InputFile file;
    /// Null for a regular file.
    private final FileChannel stream;

    private long position;
    private volatile boolean isStreamAtEnd;

    private LineSource(Path path, InputFile file, FileChannel stream) {
        this.path = path;
        this.file = file;
        this.stream = stream;
    }

    /// Opens an input.
    ///
    /// @throws FileFailure if it is not there or cannot be read
    public static LineSource open(Path path) throws IOException {
        if (path.equals(STANDARD_INPUT)) {
            return new LineSource(path, null, new FileInputStream(FileDescriptor.in).getChannel());
        }
        if (Files.isDirectory(path) || (Files.isRegularFile(path) && Files.size(path) > 0)) {
            return new LineSource(path, InputFile.open(path, 0, 1), null);
        }
        try {
            return new LineSource(path, null, FileChannel.open(path, StandardOpenOption.READ));
        } catch (IOException e) {
            throw new FileFailure("cannot read " + path, e);
        }
    }

    public Path path() {
        return path;
    }

    /// Returns the regular file, null if this is a stream.
    public InputFile file() {
        return file;
    }

    /// Returns how many bytes are left to read; of a stream, more than there can be.
    public long remaining() {
        if (file != null) {
            return file.size() - position;
        }
        return isStreamAtEnd ? 0 : Long.MAX_VALUE;
    }

    /// Reads bytes of a regular file that come so many bytes behind the next one. [#advance] makes others the next.
    public void readAhead(long ahead, MemorySegment target, LongConsumer moved) throws IOException {
        file.read(position + ahead, target, moved);
    }

    public void advance(long bytes) {
        position += bytes;
    }

    /// Reads the next bytes of a stream or a file, until the segment is full or there are no more.
    ///
    /// @return how many bytes were read; fewer than the segment has only at the end
    public long read(MemorySegment target, LongConsumer moved) throws IOException {
        if (file != null) {
            long bytes = Math.min(target.byteSize(), remaining());
            readAhead(0, target.asSlice(0, bytes), moved);
            advance(bytes);
            return bytes;
        }
        long filled = 0;
        try {
            while (filled < target.byteSize() && !isStreamAtEnd) {
                long length = Math.min(LONGEST_READ, target.byteSize() - filled);
                int read = stream.read(target.asSlice(filled, length).asByteBuffer());
                if (read < 0) {
                    isStreamAtEnd = true;
                } else {
                    filled += read;
                    moved.accept(read);
                }
            }
        } catch (IOException e) {
            throw new FileFailure("cannot read " + path, e);
        }
        return filled;
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        } else if (!path.equals(STANDARD_INPUT)) {
            stream.close();
        }
    }
}
