package io.samplesort.lines;

import io.samplesort.disk.FileFailure;
import io.samplesort.disk.SegmentIo;
import io.samplesort.disk.TemporaryFile;
import io.samplesort.lines.flow.LineSink;
import io.samplesort.lines.flow.LineSource;
import io.samplesort.lines.keys.ByteRange;
import io.samplesort.lines.runs.FileRange;
import io.samplesort.memory.LargeMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// The lines that one sort has written for another one: in memory as long as there is room, and else in a temporary
/// file.
final class HeldLines implements LineSink, AutoCloseable {
    private static final Path NAME = Path.of("counted lines");

    private final long roomBytes;
    private final LineFiles files;
    private final Arena arena = Arena.ofShared();
    /// Null before the first lines.
    private MemorySegment memory;
    /// Null while the lines are in memory.
    private TemporaryFile file;

    private long size;

    /// @param files makes the temporary file, and removes it
    HeldLines(long roomBytes, LineFiles files) {
        this.roomBytes = roomBytes;
        this.files = files;
    }

    @Override
    public void append(MemorySegment lines) throws IOException {
        if (file == null && lines.byteSize() > roomBytes - size) {
            file = files.newTemporary();
            if (size > 0) {
                write(0, memory.asSlice(0, size));
            }
            arena.close();
        }
        if (file != null) {
            write(size, lines);
        } else {
            // The system provides only memory that is used.
            memory = memory == null ? LargeMemory.allocate(roomBytes, arena) : memory;
            memory.asSlice(size).copyFrom(lines);
        }
        size += lines.byteSize();
    }

    private void write(long position, MemorySegment lines) throws IOException {
        try {
            SegmentIo.write(file.channel(), position, lines, bytes -> {});
        } catch (IOException e) {
            throw new FileFailure("cannot write counted lines to " + file.path().getParent(), e);
        }
    }

    long byteSize() {
        return size;
    }

    /// Returns how much memory the lines take.
    long memoryBytes() {
        return file == null ? size : 0;
    }

    /// Returns the lines for the sort that reads them.
    LineSource source() {
        ByteRange bytes = file != null
                ? new FileRange(file.channel(), 0, size)
                : ByteRange.of(memory == null ? MemorySegment.NULL : memory.asSlice(0, size));
        return LineSource.of(NAME, bytes);
    }

    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
