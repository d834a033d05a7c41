package io.samplesort.lines;

import io.samplesort.disk.FileFailure;
import io.samplesort.disk.OutputFile;
import io.samplesort.lines.flow.LineSink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/// Writes the result of a sort of lines.
///
/// @param moved is called with the bytes that were written, by several threads
record ResultWriter(OutputFile output, Path path, LongConsumer moved) implements LineSink {
    /// Prepares for this many bytes, as [OutputFile#expect] says.
    void expect(long leastBytes, long mostBytes) throws IOException {
        try {
            output.expect(leastBytes, mostBytes);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    @Override
    public void append(MemorySegment lines) throws IOException {
        try {
            output.append(lines, moved);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    @Override
    public Place claim(long bytes) throws IOException {
        try {
            OutputFile.Room room = output.claim(bytes);
            return room == null ? null : lines -> write(room, lines);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private void write(OutputFile.Room room, MemorySegment lines) throws IOException {
        try {
            room.write(lines, moved);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private FileFailure failure(IOException reason) {
        return new FileFailure("cannot write " + path, reason);
    }
}
