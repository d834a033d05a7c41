package io.samplesort.disk;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.function.LongConsumer;

/// A file of elements of one size after a header of any kind. The content that it has when it is opened must not change
/// while it is read.
public final class InputFile implements Closeable {
    /// This path stands for the standard input, even on a system without such a file.
    public static final Path STANDARD_INPUT = Path.of("/dev/stdin");

    /// Parts of larger files that are not in the system's cache are read past it.
    private static final long LEAST_DIRECT_BYTES = 16L << 20;

    private final Path path;
    /// Null if the file was only looked at.
    private final FileChannel channel;
    /// Null if everything is read through the cache.
    private DirectRead direct;

    private final long headerBytes;
    private final int elementBytes;
    private final long size;
    /// What the file was like before it was opened.
    private final BasicFileAttributes before;

    private boolean mayGrow = true;

    private InputFile(
            Path path, FileChannel channel, long size, BasicFileAttributes before, long headerBytes, int elementBytes) {
        this.path = path;
        this.channel = channel;
        this.size = size;
        this.before = before;
        this.headerBytes = headerBytes;
        this.elementBytes = elementBytes;
    }

    /// Looks at a file of bytes that is to be opened later, when [#checkSame] compares both. What this returns cannot
    /// be read from. There may be very many such files, so this makes few calls of the system.
    ///
    /// @return null if there is no regular file, or one of 0 bytes
    /// @throws FileFailure if the path is that of a folder, or of a file that cannot be read
    public static InputFile look(Path path) throws IOException {
        BasicFileAttributes found;
        try {
            found = Files.readAttributes(path, BasicFileAttributes.class);
        } catch (IOException e) {
            return null;
        }
        if (found.isDirectory()) {
            checkRegular(path);
        }
        if (!found.isRegularFile() || found.size() == 0) {
            return null;
        }
        if (!Files.isReadable(path)) {
            // Opening fails, and the system says why.
            open(path, 0, 1).close();
        }
        return new InputFile(path, null, found.size(), found, 0, 1);
    }

    /// Opens a file.
    ///
    /// @throws FileFailure if the file is not there, cannot be read, or does not hold whole elements
    public static InputFile open(Path path, long headerBytes, int elementBytes) throws IOException {
        InputFile file = openCached(path, headerBytes, elementBytes);
        try {
            file.direct = file.size >= LEAST_DIRECT_BYTES ? DirectRead.open(path, file.channel) : null;
            return file;
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /// Opens a file that is read through the system's cache of files, in short pieces.
    ///
    /// @throws FileFailure as by [#open]
    public static InputFile openCached(Path path, long headerBytes, int elementBytes) throws IOException {
        BasicFileAttributes before = checkRegular(path);
        FileChannel channel;
        try {
            channel = FileChannel.open(path, StandardOpenOption.READ);
        } catch (IOException e) {
            throw new FileFailure("cannot read " + path, e);
        }
        try {
            InputFile file = new InputFile(path, channel, channel.size(), before, headerBytes, elementBytes);
            file.checkSize();
            return file;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /// Checks that a path leads to a regular file, whose size is known before it is read.
    ///
    /// @throws FileFailure if it does not; the message says what is there instead
    public static BasicFileAttributes checkRegular(Path path) throws FileFailure {
        BasicFileAttributes attributes = checkThere(path);
        if (attributes.isDirectory()) {
            throw new FileFailure(path + " is a folder: name a file");
        }
        if (!attributes.isRegularFile()) {
            throw new FileFailure(path + " is " + kind(path, attributes)
                    + ", and an input must be a regular file: write the data to a file first, and name that");
        }
        return attributes;
    }

    private static FileKind kind(Path path, BasicFileAttributes attributes) throws FileFailure {
        try {
            return FileKind.of(path, attributes);
        } catch (IOException e) {
            throw new FileFailure("cannot read " + path, e);
        }
    }

    /// Checks that a path leads to something.
    ///
    /// @throws FileFailure if it does not; the message says why
    public static BasicFileAttributes checkThere(Path path) throws FileFailure {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            throw new FileFailure(path + " is not there");
        } catch (IOException e) {
            // Such as a folder above it that may not be entered, or a link that leads back to itself.
            throw new FileFailure("cannot read " + path, e);
        }
    }

    /// Returns whether a path leads to a pipe.
    public static boolean isPipe(Path path) throws FileFailure {
        try {
            return Files.exists(path)
                    && FileKind.of(path, Files.readAttributes(path, BasicFileAttributes.class)) == FileKind.PIPE;
        } catch (IOException e) {
            throw new FileFailure("cannot read " + path, e);
        }
    }

    private void checkSize() throws FileFailure {
        if (size < headerBytes) {
            throw new FileFailure(path + " has " + size + " bytes, fewer than the " + headerBytes + " of its header");
        }
        if ((size - headerBytes) % elementBytes != 0) {
            throw new FileFailure(
                    path + " has " + (size - headerBytes) + " bytes of elements, which is not a multiple of "
                            + elementBytes + ", the size of one element: is the type right?");
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
    /// @param moved is called with the bytes of each piece, by several threads at once
    /// @throws FileFailure if the file has become shorter, or cannot be read
    public void read(long first, MemorySegment target, LongConsumer moved) throws IOException {
        readBytes(headerBytes + first * elementBytes, target, moved);
    }

    /// Writes what stands before the elements to another file.
    public void copyHeader(OutputFile target) throws IOException {
        for (long position = 0; position < headerBytes; ) {
            MemorySegment part = MemorySegment.ofArray(new byte[(int) Math.min(headerBytes - position, 1 << 16)]);
            readBytes(position, part, bytes -> {});
            target.append(part, bytes -> {});
            position += part.byteSize();
        }
    }

    private void readBytes(long position, MemorySegment target, LongConsumer moved) throws IOException {
        try {
            ParallelRead.read(channel, direct, position, target, moved);
        } catch (EOFException e) {
            throw new FileFailure("cannot read " + path, e);
        }
    }

    /// Lets [#checkUnchanged] refuse a file that has become longer: a result will replace it, and what was written to
    /// it meanwhile would be lost.
    public void refuseGrowth() {
        mayGrow = false;
    }

    /// Checks that the path still leads to the file that was opened, and that it has not been written to since, except
    /// after its end at that time. The file may be closed.
    ///
    /// @return by how many bytes it has become longer
    /// @throws FileFailure if the file was removed, replaced or changed; the message says which
    public long checkUnchanged() throws IOException {
        BasicFileAttributes now;
        try {
            now = Files.readAttributes(path, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            throw new FileFailure(
                    path + " is not there any more: it was removed or renamed while it was sorted; nothing"
                            + " was put in its place, so sort it again where it is now");
        }
        return checkSame(now, now.size());
    }

    /// Checks that this is the file that was looked at before, and that it has not been written to since, as
    /// [#checkUnchanged] does.
    ///
    /// @throws FileFailure as by [#checkUnchanged]
    public void checkSame(InputFile looked) throws FileFailure {
        looked.checkSame(before, size);
    }

    /// @return by how many bytes the file has become longer
    private long checkSame(BasicFileAttributes now, long sizeNow) throws FileFailure {
        // Systems without identities of files have null here.
        if (!Objects.equals(now.fileKey(), before.fileKey())) {
            throw new FileFailure(path + " was replaced by another file while it was sorted; that file is as it was put"
                    + " there, so sort it again if it is the right one");
        }
        if (mayGrow && sizeNow > size) {
            return sizeNow - size;
        }
        if (sizeNow != size) {
            throw new FileFailure(path + " had " + size + " bytes and has " + sizeNow
                    + " now: it was changed while it was sorted; sort it again when no program writes to it");
        }
        if (!now.lastModifiedTime().equals(before.lastModifiedTime())) {
            throw new FileFailure(
                    path + " was written to while it was sorted; sort it again when no program writes to it");
        }
        return 0;
    }

    @Override
    public void close() throws IOException {
        Closing.all(channel, direct);
    }
}
