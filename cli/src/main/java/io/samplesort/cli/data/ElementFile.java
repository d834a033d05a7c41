package io.samplesort.cli.data;

import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.Progress;
import io.samplesort.files.SegmentIo;
import io.samplesort.testkit.KeyType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A file of elements: raw and little-endian, or NumPy's `.npy`, whose header says what it holds.
///
/// @param path        the file
/// @param elements    what it holds
/// @param headerBytes before the first element
/// @param count       elements
public record ElementFile(Path path, Elements elements, long headerBytes, long count) {
    /// Looks at a file of numbers and checks that it holds whole ones of a known type.
    ///
    /// @param type null where the file's own header is to say it
    public static ElementFile ofNumbers(Path path, KeyType type, boolean isDescending) {
        return open(path, (channel, size) -> {
            if (isNpy(path)) {
                return ofNpy(path, channel, type, isDescending);
            }
            if (type == null) {
                throw new CommandFailure(
                        path + " is a raw file: say with --type what it holds, or with --layout if it holds records");
            }
            return ofRaw(path, new Numbers(type, isDescending), size);
        });
    }

    /// Looks at a file of records and checks that it holds whole ones.
    public static ElementFile ofRecords(Path path, Records records) {
        return open(path, (channel, size) -> {
            if (isNpy(path)) {
                throw new CommandFailure(path + " is .npy, whose header says what it holds, and --layout is for raw"
                        + " files: leave --layout out, or save the records with a.tofile(…)");
            }
            return ofRaw(path, records, size);
        });
    }

    private interface Opener {
        ElementFile open(FileChannel channel, long size) throws IOException;
    }

    private static ElementFile open(Path path, Opener opener) {
        if (Files.isDirectory(path)) {
            throw new CommandFailure(path + " is a folder: name a file");
        }
        if (!Files.isRegularFile(path)) {
            throw new CommandFailure(path + " is not there, or no regular file");
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            return opener.open(channel, channel.size());
        } catch (IOException e) {
            throw new CommandFailure("cannot read " + path + ": " + e.getMessage(), e);
        }
    }

    private static ElementFile ofNpy(Path path, FileChannel channel, KeyType type, boolean isDescending)
            throws IOException {
        NpyHeader header = NpyHeader.read(path, channel);
        if (type != null && type != header.type()) {
            throw new CommandFailure(path + " holds " + header.type() + " keys by its header, and --type says " + type
                    + ": leave --type out");
        }
        long expected = header.byteSize() + header.count() * header.type().byteSize();
        if (channel.size() != expected) {
            throw new CommandFailure(path + " has " + channel.size() + " bytes and by its header should have "
                    + expected + ": it is truncated, or no plain array");
        }
        return new ElementFile(path, new Numbers(header.type(), isDescending), header.byteSize(), header.count());
    }

    private static ElementFile ofRaw(Path path, Elements elements, long size) {
        int byteSize = elements.type().byteSize();
        if (size % byteSize != 0) {
            throw new CommandFailure(path + " has " + size + " bytes, which is no multiple of " + byteSize
                    + ", the size of " + elements.singular() + ": is " + elements.option() + " right?");
        }
        return new ElementFile(path, elements, 0, size / byteSize);
    }

    public static boolean isNpy(Path path) {
        return path.getFileName().toString().endsWith(".npy");
    }

    /// The elements, mapped read-only. The memory is valid until `arena` is closed.
    public MemorySegment map(Arena arena) {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            // A mapping begins at a page: map the header as well and leave it out.
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, fileBytes(), arena)
                    .asSlice(headerBytes);
        } catch (IOException e) {
            throw new CommandFailure("cannot map " + path + ": " + e.getMessage(), e);
        }
    }

    /// The elements in memory of their own, aligned.
    public MemorySegment read(Arena arena, boolean isQuiet) {
        MemorySegment elements = arena.allocate(Math.max(1, elementBytes()), ValueLayout.JAVA_LONG.byteAlignment())
                .asSlice(0, elementBytes());
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
                Progress progress = Progress.of("read", elementBytes(), isQuiet)) {
            SegmentIo.read(channel, headerBytes, elements, progress::step);
        } catch (IOException e) {
            throw new CommandFailure("cannot read " + path + ": " + e.getMessage(), e);
        }
        return elements;
    }

    public int byteSize() {
        return elements.type().byteSize();
    }

    public long elementBytes() {
        return count * byteSize();
    }

    public long fileBytes() {
        return headerBytes + elementBytes();
    }
}
