package io.samplesort.lines.runs;

import io.samplesort.files.SegmentIo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.util.function.LongConsumer;

/// Reads a part of a temporary file from its first byte to its last.
final class RunInput implements LineCursor.Input {
    private final FileChannel channel;
    private long position;
    private final long end;
    private final LongConsumer moved;

    /// @param moved is told the bytes that were read
    RunInput(FileChannel channel, long from, long to, LongConsumer moved) {
        this.channel = channel;
        this.position = from;
        this.end = to;
        this.moved = moved;
    }

    @Override
    public long read(MemorySegment target) throws IOException {
        long length = Math.min(target.byteSize(), end - position);
        SegmentIo.read(channel, position, target.asSlice(0, length), moved);
        position += length;
        return length;
    }
}
