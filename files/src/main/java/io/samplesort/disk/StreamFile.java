package io.samplesort.disk;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.function.LongConsumer;

/// A pipe, a device or the standard output. What is written is gone at once, so nothing needs completing, and nothing
/// can be taken back.
final class StreamFile implements OutputFile {
    private final FileChannel channel;
    private final boolean isClosedInTheEnd;
    private long bytes;

    /// @param isClosedInTheEnd false for a channel that belongs to the whole process
    StreamFile(FileChannel channel, boolean isClosedInTheEnd) {
        this.channel = channel;
        this.isClosedInTheEnd = isClosedInTheEnd;
    }

    @Override
    public void append(MemorySegment source, LongConsumer moved) throws IOException {
        SegmentIo.append(channel, source, moved);
        bytes += source.byteSize();
    }

    @Override
    public void expect(long leastBytes, long mostBytes) {
        // There is nothing to prepare.
    }

    @Override
    public Room claim(long bytes) {
        return null;
    }

    @Override
    public long byteSize() {
        return bytes;
    }

    @Override
    public List<String> complete() {
        return List.of();
    }

    @Override
    public void publish() {
        // All of it is where it belongs.
    }

    @Override
    public void settle() {
        // There is no name that could be lost.
    }

    @Override
    public void close() throws IOException {
        if (isClosedInTheEnd) {
            channel.close();
        }
    }
}
