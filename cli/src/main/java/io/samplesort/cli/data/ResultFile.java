package io.samplesort.cli.data;

import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.Progress;
import io.samplesort.files.AtomicFile;
import io.samplesort.files.DiskSpace;
import io.samplesort.files.FileFailure;
import io.samplesort.files.SegmentIo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// A file that a command makes from memory, complete or not at all.
public final class ResultFile implements AutoCloseable {
    private final Path path;
    private final AtomicFile file;

    private ResultFile(Path path, AtomicFile file) {
        this.path = path;
        this.file = file;
    }

    /// @param byteSize how large it will be, so that a full disk shows before the work
    public static ResultFile create(Path path, long byteSize) {
        try {
            Path target = AtomicFile.target(path);
            DiskSpace space = new DiskSpace();
            space.need(target.getParent(), byteSize, target.getFileName().toString());
            space.check();
            return new ResultFile(path, AtomicFile.create(path));
        } catch (FileFailure e) {
            throw new CommandFailure(e.getMessage(), e);
        } catch (IOException e) {
            throw new CommandFailure("cannot write beside " + path + ": " + e.getMessage(), e);
        }
    }

    /// Writes all of the file, forces it to the disk and puts it in its place.
    public void publish(byte[] header, MemorySegment content, Progress progress) {
        try {
            SegmentIo.write(file.channel(), 0, MemorySegment.ofArray(header), bytes -> {});
            SegmentIo.write(file.channel(), header.length, content, progress::step);
            file.complete();
            file.publish();
            file.settle();
        } catch (IOException e) {
            throw new CommandFailure("cannot write " + path + ": " + e.getMessage(), e);
        }
    }

    /// Removes the file unless it was published.
    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new CommandFailure("cannot remove the temporary file beside " + path + ": " + e.getMessage(), e);
        }
    }
}
