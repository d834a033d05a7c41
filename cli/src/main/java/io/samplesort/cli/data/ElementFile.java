package io.samplesort.cli.data;

import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.Progress;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.files.FileFailure;
import io.samplesort.files.InputFile;
import io.samplesort.files.SegmentIo;
import io.samplesort.testkit.KeyType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Supplier;

/// A file of elements: raw and little-endian, or NumPy's `.npy`, whose header says what it holds.
///
/// @param path        the file
/// @param elements    what it holds
/// @param headerBytes bytes before the first element
/// @param count       how many elements there are
public record ElementFile(Path path, Elements elements, long headerBytes, long count) {
    /// Opens a file of keys that are numbers, and checks that it holds whole ones.
    ///
    /// @param type null where the file's own header should say it
    public static ElementFile ofKeys(Path path, KeyType type, boolean isDescending) throws FileFailure {
        return open(path, (channel, size) -> {
            if (isNpy(path)) {
                return ofNpy(path, channel, type, "--type", isDescending);
            }
            if (type == null) {
                throw new UsageFailure(
                        path + " is a raw file: say what it holds, with --type for numbers or with --layout"
                                + " for records");
            }
            return ofRaw(path, new Numbers(type, isDescending), "--type", size);
        });
    }

    /// Opens a file of payloads, and checks that it holds whole ones.
    ///
    /// @param type null where the file's own header should say it
    public static ElementFile ofPayloads(Path path, KeyType type) throws FileFailure {
        return open(path, (channel, size) -> {
            if (isNpy(path)) {
                return ofNpy(path, channel, type, "--payload", false);
            }
            if (type == null) {
                throw new UsageFailure(path + " is a raw file: say with --payload what it holds");
            }
            return ofRaw(path, new Numbers(type, false), "--payload", size);
        });
    }

    /// Opens a file of records, and checks that it holds whole ones.
    public static ElementFile ofRecords(Path path, Records records) throws FileFailure {
        return open(path, (channel, size) -> {
            if (isNpy(path)) {
                throw new CommandFailure(
                        path + " is a .npy file, and --layout is for raw files: leave --layout out if it"
                                + " holds numbers; save records with a.tofile(…)");
            }
            return ofRaw(path, records, "--layout", size);
        });
    }

    private interface Opener {
        ElementFile open(FileChannel channel, long size) throws IOException;
    }

    private static ElementFile open(Path path, Opener opener) throws FileFailure {
        InputFile.checkRegular(path);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            return opener.open(channel, channel.size());
        } catch (FileFailure e) {
            throw e;
        } catch (IOException e) {
            throw new FileFailure("cannot read " + path, e);
        }
    }

    private static ElementFile ofNpy(
            Path path, FileChannel channel, KeyType type, String typeOption, boolean isDescending) throws IOException {
        NpyHeader header = NpyHeader.read(path, channel);
        if (type != null && type != header.type()) {
            throw new CommandFailure(path + " holds " + header.type() + " numbers by its header, but " + typeOption
                    + " says " + type + ": leave " + typeOption + " out");
        }
        long dataBytes = channel.size() - header.byteSize();
        int byteSize = header.type().byteSize();
        if (dataBytes % byteSize != 0 || dataBytes / byteSize != header.count()) {
            throw new CommandFailure(
                    path + " has " + dataBytes + " bytes behind its header, which announces " + header.count()
                            + " numbers of " + byteSize + " bytes: the file is truncated, or not a plain array");
        }
        return new ElementFile(path, new Numbers(header.type(), isDescending), header.byteSize(), header.count());
    }

    private static ElementFile ofRaw(Path path, Elements elements, String option, long size) {
        int byteSize = elements.type().byteSize();
        if (size % byteSize != 0) {
            throw new CommandFailure(path + " has " + size + " bytes, which is not a multiple of " + byteSize
                    + ", the size of " + elements.singular() + ": is " + option + " right?");
        }
        return new ElementFile(path, elements, 0, size / byteSize);
    }

    /// Returns whether a file's name says that it is NumPy's.
    public static boolean isNpy(Path path) {
        return path.toString().endsWith(".npy");
    }

    /// Maps the elements read-only. The memory is valid until `arena` is closed.
    public MemorySegment map(Arena arena) throws FileFailure {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            checkSize(channel.size());
            // A mapping begins at a page, so the header is mapped as well and left out.
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, headerBytes + elementBytes(), arena)
                    .asSlice(headerBytes);
        } catch (FileFailure e) {
            throw e;
        } catch (IOException e) {
            throw new FileFailure("cannot map " + path, e);
        }
    }

    /// Does work that reads mapped files. Where a file has become shorter, the memory behind its end is gone, and
    /// reading
    /// it is an InternalError.
    ///
    /// @throws FileFailure if one of the files could not be read
    public static <T> T reading(List<ElementFile> files, Supplier<T> work) throws IOException {
        try {
            return work.get();
        } catch (InternalError e) {
            for (ElementFile file : files) {
                file.checkSize(Files.size(file.path));
            }
            throw new FileFailure("cannot read " + files.getFirst().path, new IOException(e));
        }
    }

    private void checkSize(long fileBytes) throws FileFailure {
        if (fileBytes < headerBytes + elementBytes()) {
            throw new FileFailure(path + " became shorter while it was read: try again when nobody writes to it");
        }
    }

    /// Reads the elements into memory of their own.
    public MemorySegment read(Arena arena, Progress progress) throws FileFailure {
        MemorySegment elements = NativeMemory.allocate(arena, elementBytes());
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            SegmentIo.read(channel, headerBytes, elements, progress::step);
        } catch (IOException e) {
            throw new FileFailure("cannot read " + path, e);
        }
        return elements;
    }

    /// Returns the bytes of one element.
    public int byteSize() {
        return elements.type().byteSize();
    }

    /// Returns the bytes of all elements.
    public long elementBytes() {
        return count * byteSize();
    }
}
