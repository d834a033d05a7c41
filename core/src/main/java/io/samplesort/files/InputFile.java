package io.samplesort.files;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.function.LongConsumer;

/// A file of elements of one size after a header of any kind. The file must not change while it is read.
public final class InputFile implements Closeable {
    private final Path path;
    private final FileChannel channel;
    private final long headerBytes;
    private final int elementBytes;
    private final long size;
    private final FileTime modified;

    private InputFile(Path path, FileChannel channel, long headerBytes, int elementBytes) throws IOException {
        this.path = path;
        this.channel = channel;
        this.headerBytes = headerBytes;
        this.elementBytes = elementBytes;
        this.size = channel.size();
        this.modified = Files.getLastModifiedTime(path);
    }

    /// @throws FileFailure if the file cannot be read, or does not hold whole elements
    public static InputFile open(Path path, long headerBytes, int elementBytes) throws IOException {
        if (Files.isDirectory(path)) {
            throw new FileFailure(path + " is a folder: name a file");
        }
        if (!Files.isRegularFile(path)) {
            throw new FileFailure(path + " is not there, or is not a regular file");
        }
        FileChannel channel;
        try {
            channel = FileChannel.open(path, StandardOpenOption.READ);
        } catch (IOException e) {
            throw new FileFailure("cannot read " + path, e);
        }
        try {
            InputFile file = new InputFile(path, channel, headerBytes, elementBytes);
            file.checkSize();
            return file;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private void checkSize() throws FileFailure {
        if (size < headerBytes) {
            throw new FileFailure(path + " has " + size + " bytes, fewer than the " + headerBytes + " of its header");
        }
        if ((size - headerBytes) % elementBytes != 0) {
            throw new FileFailure(path + " has " + (size - headerBytes) + " bytes of elements, which is no multiple of "
                    + elementBytes + ", the size of one: is the type right?");
        }
    }

    public Path path() {
        return path;
    }

    /// Returns how many elements there are.
    public long count() {
        return (size - headerBytes) / elementBytes;
    }

    /// Returns the size of the whole file in bytes.
    public long size() {
        return size;
    }

    /// Reads elements from number `first` on.
    ///
    /// @param moved is told the bytes of each piece
    /// @throws FileFailure if the file has become shorter, or cannot be read
    public void read(long first, MemorySegment target, LongConsumer moved) throws IOException {
        readBytes(headerBytes + first * elementBytes, target, moved);
    }

    /// Copies what stands before the elements to the beginning of another file.
    public void copyHeader(FileChannel target) throws IOException {
        for (long position = 0; position < headerBytes; ) {
            MemorySegment part = MemorySegment.ofArray(new byte[(int) Math.min(headerBytes - position, 1 << 16)]);
            readBytes(position, part, bytes -> {});
            SegmentIo.write(target, position, part, bytes -> {});
            position += part.byteSize();
        }
    }

    private void readBytes(long position, MemorySegment target, LongConsumer moved) throws IOException {
        try {
            SegmentIo.read(channel, position, target, moved);
        } catch (EOFException e) {
            throw new FileFailure("cannot read " + path, e);
        }
    }

    /// @throws FileFailure if the file has become shorter or longer, or was written to, since it was opened
    public void checkUnchanged() throws IOException {
        long sizeNow = channel.size();
        if (sizeNow != size) {
            throw new FileFailure(path + " had " + size + " bytes and has " + sizeNow
                    + " now: it was changed while it was sorted; sort it again when nobody writes to it");
        }
        if (!Files.getLastModifiedTime(path).equals(modified)) {
            throw new FileFailure(path + " was written to while it was sorted; sort it again when nobody writes to it");
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
