package io.samplesort.cli.data;

import io.samplesort.cli.npy.HeaderException;
import io.samplesort.cli.npy.NpyHeader;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.disk.FileFailure;
import io.samplesort.disk.InputFile;
import io.samplesort.disk.OutputPlace;
import io.samplesort.files.types.FileColumn;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/// A file of elements: raw and little-endian, or a NumPy array, whose header says what it holds. Its first bytes decide
/// which of them it is, not its name.
///
/// @param path        the file, as the user has named it
/// @param data        where its bytes are: the file itself, or the copy of a stream
/// @param elements    what it holds
/// @param headerBytes bytes before the first element; 0 if the file is raw
/// @param count       how many elements there are
public record ElementFile(Path path, Path data, Elements elements, long headerBytes, long count) {
    private static final String NPY = ".npy";
    private static final String NPZ = ".npz";

    /// Opens a file, and checks that it holds whole elements.
    public static ElementFile open(Inputs.Input input, Contents contents) throws FileFailure {
        Path path = input.path();
        InputFile.checkRegular(input.data());
        try (FileChannel channel = FileChannel.open(input.data(), StandardOpenOption.READ)) {
            if (!contents.isRaw() && NpyHeader.isAt(channel)) {
                return ofArray(input, channel, contents);
            }
            if (isNpy(path)) {
                throw new CommandFailure(path + " is named .npy, but "
                        + (contents.isRaw() ? "--raw says that it is raw: " : "does not begin like a NumPy array: ")
                        + "give it another name if it is a raw file");
            }
            checkNoArchive(path, contents.isRaw());
            return ofRaw(input, contents, channel);
        } catch (FileFailure e) {
            throw e;
        } catch (IOException e) {
            throw new FileFailure("cannot read " + path, e);
        }
    }

    private static ElementFile ofArray(Inputs.Input input, FileChannel channel, Contents contents) throws IOException {
        Path path = input.path();
        try {
            NpyHeader header = NpyHeader.read(channel);
            Elements elements = contents.ofArray(path, header.type());
            long dataBytes = channel.size() - header.byteSize();
            int byteSize = elements.type().byteSize();
            if (dataBytes % byteSize != 0 || dataBytes / byteSize != header.count()) {
                throw new CommandFailure(path + " has " + dataBytes + " bytes behind its header, which announces "
                        + header.count() + " elements of " + byteSize
                        + " bytes: the file is truncated, or is no single array" + orRaw(path));
            }
            return new ElementFile(path, input.data(), elements, header.byteSize(), header.count());
        } catch (HeaderException e) {
            throw new CommandFailure(path + " begins like a NumPy array, but " + e.getMessage() + orRaw(path), e);
        }
    }

    private static String orRaw(Path path) {
        return isNpy(path) ? "" : "; if the file is raw, say so with --raw";
    }

    private static void checkNoArchive(Path path, boolean isRaw) {
        if (!isRaw && hasSuffix(path, NPZ)) {
            throw new CommandFailure(
                    path + " is named .npz, as archives of NumPy arrays are: write one of its arrays to"
                            + " a file of its own with numpy.save, or say with --raw that the file is raw");
        }
    }

    private static ElementFile ofRaw(Inputs.Input input, Contents contents, FileChannel channel) throws IOException {
        Path path = input.path();
        long size = channel.size();
        Elements elements = contents.ofRaw(path, Beginning.of(channel));
        int byteSize = elements.type().byteSize();
        if (size % byteSize != 0) {
            throw new CommandFailure(path + " has " + size + " bytes, which is not a multiple of " + byteSize
                    + ", the size of " + elements.singular() + ": is " + contents.option() + " right?");
        }
        return new ElementFile(path, input.data(), elements, 0, size / byteSize);
    }

    /// Returns whether a file's name says that it is a NumPy array.
    public static boolean isNpy(Path path) {
        return hasSuffix(path, NPY);
    }

    private static boolean hasSuffix(Path path, String suffix) {
        return path.toString().toLowerCase(Locale.ROOT).endsWith(suffix);
    }

    /// Returns whether this is a NumPy array.
    private boolean isArray() {
        return headerBytes != 0;
    }

    /// Checks that the name of an output fits it: the result is a NumPy array if and only if this file is one. A name
    /// without a suffix says nothing, nor does the name of a stream, nor does any name if this file itself is an array
    /// under another name.
    public void checkNameOf(Path output) throws IOException {
        if (OutputPlace.of(output, true).isStream()) {
            return;
        }
        if (!isArray() && isNpy(output)) {
            throw new UsageFailure(path + " is a raw file, and so is the result, but " + output
                    + " is named .npy: give it another name; numpy.fromfile reads raw files");
        }
        boolean hasSuffix = String.valueOf(output.getFileName()).lastIndexOf('.') > 0;
        if (isArray() && isNpy(path) && hasSuffix && !isNpy(output)) {
            throw new UsageFailure(path + " is a NumPy array, and so is the result, but the name " + output
                    + " says something else: let it end in .npy");
        }
    }

    /// Checks that another file holds the same elements in the same order.
    ///
    /// @throws CommandFailure if it does not
    public void checkSameElements(ElementFile other) {
        if (!elements.equals(other.elements)) {
            throw new CommandFailure(
                    path + " holds " + elements.plural() + ", but " + other.path + " holds " + other.elements.plural());
        }
    }

    /// Returns the header for a file of another number of the same elements; empty if this file is raw.
    public byte[] headerFor(long otherCount) throws FileFailure {
        if (!isArray()) {
            return new byte[0];
        }
        try (FileChannel channel = FileChannel.open(data, StandardOpenOption.READ)) {
            return NpyHeader.withCount(channel, otherCount);
        } catch (HeaderException e) {
            throw new CommandFailure(path + " begins like a NumPy array, but " + e.getMessage(), e);
        } catch (IOException e) {
            throw new FileFailure("cannot read " + path, e);
        }
    }

    /// Maps the elements read-only, as the file stores them. The memory is valid until `arena` is closed.
    public MemorySegment map(Arena arena) throws FileFailure {
        try (FileChannel channel = FileChannel.open(data, StandardOpenOption.READ)) {
            checkSize(channel.size());
            // A mapping begins at a page, so the header is mapped as well and then skipped.
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, headerBytes + elementBytes(), arena)
                    .asSlice(headerBytes);
        } catch (FileFailure e) {
            throw e;
        } catch (IOException e) {
            throw new FileFailure("cannot map " + path, e);
        }
    }

    /// Does work that reads mapped files. If a file has become shorter, the memory after its end is gone, and reading
    /// it is an InternalError.
    ///
    /// @throws FileFailure if one of the files could not be read
    public static <T> T reading(List<ElementFile> files, Supplier<T> work) throws IOException {
        try {
            return work.get();
        } catch (InternalError e) {
            for (ElementFile file : files) {
                file.checkSize(Files.size(file.data));
            }
            throw new FileFailure("cannot read " + files.getFirst().path, new IOException(e));
        }
    }

    private void checkSize(long fileBytes) throws FileFailure {
        if (fileBytes < headerBytes + elementBytes()) {
            throw new FileFailure(path + " became shorter while it was read: try again when no program writes to it");
        }
    }

    /// Returns a column for a sort of this file.
    ///
    /// @param output where the result goes; null for this file itself
    public FileColumn column(Path output) {
        FileColumn column = FileColumn.of(data).after(headerBytes).converted(elements.conversion());
        return output == null ? column : column.to(output);
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
