package io.samplesort.cli.data;

import io.samplesort.cli.npy.NpyHeader;
import io.samplesort.cli.report.Progress;
import io.samplesort.files.DiskSpace;
import io.samplesort.files.FileFailure;
import io.samplesort.files.OutputFile;
import io.samplesort.files.OutputPlace;
import io.samplesort.testkit.KeyType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/// What a command makes from memory. A regular file appears complete or not at all; a pipe, a device or the standard
/// output is written through to.
public final class ResultFile implements AutoCloseable {
    private final Path path;
    private final byte[] header;
    private final OutputFile file;

    private ResultFile(Path path, byte[] header, OutputFile file) {
        this.path = path;
        this.header = header;
        this.file = file;
    }

    /// Returns the path of an output that a user has named; `-` is the standard output.
    public static Path path(String name) {
        return name.equals("-") ? OutputPlace.STANDARD_OUTPUT : Path.of(name);
    }

    /// Returns whether an output goes where the command prints what it did, so that it must print that elsewhere.
    ///
    /// @param path null if there is no such output
    public static boolean isPrinted(Path path) throws IOException {
        return path != null && OutputPlace.of(path).isStandardOutput();
    }

    /// Begins a file of numbers: NumPy's `.npy` where the path ends so, raw and little-endian elsewhere.
    public static ResultFile ofNumbers(Path path, KeyType type, long count) throws FileFailure {
        byte[] header = ElementFile.isNpy(path) ? NpyHeader.write(type, count) : new byte[0];
        return create(path, header, count * type.byteSize());
    }

    /// Begins a raw file of records.
    public static ResultFile ofRecords(Path path, RecordLayout layout, long count) throws FileFailure {
        return create(path, new byte[0], count * layout.byteSize());
    }

    private static ResultFile create(Path path, byte[] header, long elementBytes) throws FileFailure {
        try {
            OutputPlace place = OutputPlace.of(path);
            if (!place.isStream()) {
                // A full disk should show before the work.
                DiskSpace space = new DiskSpace();
                space.need(
                        place.file().getParent(),
                        header.length + elementBytes,
                        place.file().getFileName().toString());
                space.check();
            }
            return new ResultFile(path, header, place.open());
        } catch (FileFailure e) {
            throw e;
        } catch (IOException e) {
            throw new FileFailure("cannot write beside " + path, e);
        }
    }

    /// Writes all of the file, forces it to the disk and puts it in its place.
    ///
    /// @return what a file loses that is replaced, one sentence for users each
    public List<String> publish(MemorySegment elements, Progress progress) throws FileFailure {
        try {
            file.append(MemorySegment.ofArray(header), bytes -> {});
            file.append(elements, progress::step);
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
            throw new FileFailure("cannot remove the temporary file beside " + path, e);
        }
    }
}
