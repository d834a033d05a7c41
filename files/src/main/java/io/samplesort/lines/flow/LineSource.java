package io.samplesort.lines.flow;

import io.samplesort.disk.FileFailure;
import io.samplesort.disk.InputFile;
import io.samplesort.lines.keys.ByteRange;
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
/// are read and that have this size.
///
/// An input is open from its first read on, because a system lets a process open only so many files. Bytes that a sort
/// holds itself may take the place of a file.
public final class LineSource implements Closeable {
    /// This path stands for the standard input, even on a system without such a file.
    public static final Path STANDARD_INPUT = InputFile.STANDARD_INPUT;

    private static final int LONGEST_READ = 1 << 20;

    private final Path path;
    /// The file as it was when it was first looked at; null for a stream.
    private final InputFile checked;
    /// The bytes that a sort holds itself; null for all others.
    private final ByteRange held;
    /// The open file.
    private InputFile file;
    /// The open stream.
    private FileChannel stream;

    /// How many bytes were read.
    private long position;

    private volatile boolean isStreamAtEnd;

    private LineSource(Path path, InputFile checked, ByteRange held) {
        this.path = path;
        this.checked = checked;
        this.held = held;
    }

    /// Returns a source of bytes that several threads may read at once.
    ///
    /// @param path stands for them in messages
    public static LineSource of(Path path, ByteRange held) {
        return new LineSource(path, null, held);
    }

    /// Looks for an input.
    ///
    /// @throws FileFailure if it is not there or cannot be read
    public static LineSource of(Path path) throws IOException {
        if (path.equals(STANDARD_INPUT)) {
            return new LineSource(path, null, null);
        }
        InputFile checked = InputFile.look(path);
        if (checked == null && !Files.isReadable(path)) {
            InputFile.checkThere(path);
            throw new FileFailure("cannot read " + path + ": permission denied");
        }
        return new LineSource(path, checked, null);
    }

    public Path path() {
        return path;
    }

    /// Returns whether this is a regular file, or bytes that the sort holds itself.
    public boolean isFile() {
        return checked != null || held != null;
    }

    /// Returns how many bytes were read.
    public long bytesRead() {
        return position;
    }

    /// Returns how many bytes are left to read; for a stream, more than there can be.
    public long remaining() {
        if (isFile()) {
            return (held == null ? checked.size() : held.byteSize()) - position;
        }
        return isStreamAtEnd ? 0 : Long.MAX_VALUE;
    }

    /// Opens the input, unless it is open already.
    ///
    /// @throws FileFailure if it cannot be read any more, or was changed meanwhile
    public void open() throws IOException {
        if (checked != null && file == null) {
            file = InputFile.open(path, 0, 1);
            file.checkSame(checked);
        } else if (!isFile() && stream == null) {
            try {
                stream = path.equals(STANDARD_INPUT)
                        ? new FileInputStream(FileDescriptor.in).getChannel()
                        : FileChannel.open(path, StandardOpenOption.READ);
            } catch (IOException e) {
                throw new FileFailure("cannot read " + path, e);
            }
        }
    }

    /// Reads bytes of a regular file from the place that is this many bytes after the next one. [#advance] moves the
    /// next one on. The file must be open.
    public void readAhead(long ahead, MemorySegment target, LongConsumer moved) throws IOException {
        if (held == null) {
            file.read(position + ahead, target, moved);
        } else {
            held.read(position + ahead, target);
        }
    }

    public void advance(long bytes) {
        position += bytes;
    }

    /// Reads the next bytes of a stream or a file, until the segment is full or there are no more.
    ///
    /// @return how many bytes were read; fewer than the segment has only at the end
    public long read(MemorySegment target, LongConsumer moved) throws IOException {
        open();
        if (isFile()) {
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
                    position += read;
                    moved.accept(read);
                }
            }
        } catch (IOException e) {
            throw new FileFailure("cannot read " + path, e);
        }
        return filled;
    }

    /// Does what [InputFile#refuseGrowth] does, for a regular file.
    public void refuseGrowth() {
        checked.refuseGrowth();
    }

    /// Checks that the file has not been changed since it was first looked at.
    ///
    /// @return by how many bytes it has become longer
    /// @throws FileFailure as by [InputFile#checkUnchanged]
    public long checkUnchanged() throws IOException {
        return checked == null ? 0 : checked.checkUnchanged();
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
        if (stream != null && !path.equals(STANDARD_INPUT)) {
            stream.close();
        }
    }
}
