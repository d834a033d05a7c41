package io.samplesort.lines.runs;

import io.samplesort.disk.SegmentIo;
import io.samplesort.lines.keys.ByteRange;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;

/// Bytes of a file from one position to another.
public record FileRange(FileChannel channel, long from, long to) implements ByteRange {
    @Override
    public long byteSize() {
        return to - from;
    }

    @Override
    public void read(long at, MemorySegment target) throws IOException {
        SegmentIo.read(channel, from + at, target, bytes -> {});
    }
}
