package io.samplesort.cli.data;

import io.samplesort.cli.npy.NpyHeader;
import io.samplesort.cli.report.Progress;
import io.samplesort.cli.report.StandardStreams;
import io.samplesort.cli.report.Terminal;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.disk.DiskSpace;
import io.samplesort.disk.FileFailure;
import io.samplesort.disk.OutputFile;
import io.samplesort.disk.OutputPlace;
import io.samplesort.testkit.KeyType;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/// A result that a command writes piece by piece. A regular file appears complete or not at all; a pipe, a device or
/// the standard output is written to directly.
public final class ResultFile implements AutoCloseable {
    private final Path path;
    private final OutputFile file;

    private ResultFile(Path path, OutputFile file) {
        this.path = path;
        this.file = file;
    }

    /// Returns the path of an output that a user has named; `-` is the standard output.
    public static Path path(String name) {
        return name.equals("-") ? OutputPlace.STANDARD_OUTPUT : RawText.path(name);
    }

    /// Returns whether an output goes to the stream on which the command reports, so that it must report elsewhere.
    ///
    /// @param path null if there is no such output
    public static boolean isPrinted(Path path) throws IOException {
        return path != null && OutputPlace.of(path, true).isStandardOutput();
    }

    /// Checks that an output is not a closed standard output.
    ///
    /// @param path null if there is no such output
    /// @throws CommandFailure if it is
    public static void checkOpen(Path path) throws IOException {
        if (isPrinted(path)) {
            StandardStreams.checkOutput();
        }
    }

    /// Checks that elements do not go to a terminal, which would take some of their bytes for commands, nor to a
    /// closed standard output.
    ///
    /// @param path       null if there is no such output
    /// @param overwrites whether an existing file will be overwritten instead of replaced
    /// @throws CommandFailure if they do
    public static void checkNotShown(Path path, boolean overwrites) throws IOException {
        checkOpen(path);
        if (path != null && OutputPlace.of(path, overwrites).isStandardDevice() && Terminal.isOutput()) {
            throw new UsageFailure(
                    "the result is binary and would go to the terminal: name a file, or send the standard"
                            + " output to a file (>) or to another program (|)");
        }
    }

    /// Begins a file of numbers: NumPy's `.npy` if the path ends with that, otherwise raw and little-endian.
    public static ResultFile ofNumbers(Path path, KeyType type, long count) throws FileFailure {
        return create(path, headerOfNumbers(path, type, count), count * type.byteSize());
    }

    /// Returns the header before the numbers in a file of that name; empty if it is raw.
    public static byte[] headerOfNumbers(Path path, KeyType type, long count) {
        return ElementFile.isNpy(path) ? NpyHeader.write(type, count) : new byte[0];
    }

    /// Begins a raw file of records.
    public static ResultFile ofRecords(Path path, RecordLayout layout, long count) throws FileFailure {
        return create(path, new byte[0], count * layout.byteSize());
    }

    /// Begins a file of lines.
    ///
    /// @param bytes how many they will have, roughly
    public static ResultFile ofLines(Path path, long bytes) throws FileFailure {
        return create(path, new byte[0], bytes);
    }

    private static ResultFile create(Path path, byte[] header, long elementBytes) throws FileFailure {
        try {
            OutputPlace place = OutputPlace.of(path);
            if (!place.isStream()) {
                // A full disk should be found before the work begins.
                DiskSpace space = new DiskSpace();
                space.need(
                        place.file().getParent(),
                        header.length + elementBytes,
                        place.file().getFileName().toString());
                space.check();
            }
            return new ResultFile(path, begin(place, header, elementBytes));
        } catch (FileFailure e) {
            throw e;
        } catch (IOException e) {
            throw new FileFailure("cannot write in the folder of " + path, e);
        }
    }

    private static OutputFile begin(OutputPlace place, byte[] header, long elementBytes) throws IOException {
        OutputFile file = place.open();
        try {
            file.expect(0, header.length + elementBytes);
            file.append(MemorySegment.ofArray(header), bytes -> {});
            return file;
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /// Writes elements after those that were written before.
    public void write(MemorySegment elements, Progress progress) throws FileFailure {
        try {
            file.append(elements, progress::step);
        } catch (IOException e) {
            throw new FileFailure("cannot write " + path, e);
        }
    }

    /// Returns a stream that writes bytes after those that were written before. It need not be closed.
    public OutputStream stream(Progress progress) {
        return new OutputStream() {
            @Override
            public void write(int single) throws IOException {
                write(new byte[] {(byte) single}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                ResultFile.this.write(MemorySegment.ofArray(bytes).asSlice(from, length), progress);
            }
        };
    }

    /// Forces the file, which is complete, to the disk, and puts it in its place.
    ///
    /// @return what a replaced file loses, in one sentence for users each
    public List<String> publish() throws FileFailure {
        try {
            List<String> losses = file.complete();
            file.publish();
            file.settle();
            return losses;
        } catch (IOException e) {
            throw new FileFailure("cannot write " + path, e);
        }
    }

    /// Removes the file unless it was published.
    @Override
    public void close() throws FileFailure {
        try {
            file.close();
        } catch (IOException e) {
            throw new FileFailure("cannot remove the temporary file of " + path, e);
        }
    }
}
