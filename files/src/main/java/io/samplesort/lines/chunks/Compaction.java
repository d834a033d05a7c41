package io.samplesort.lines.chunks;

import java.lang.foreign.MemorySegment;

/// Leaves lines of a chunk out, in place: those that stay move up and keep their order, and so does what was read
/// behind the last line.
final class Compaction {
    private final Chunk chunk;
    private final MemorySegment text;
    private final long oldCount;
    private final long oldBytes;
    private long lines;
    private long bytes;

    Compaction(Chunk chunk) {
        this.chunk = chunk;
        this.text = chunk.lines().bytes();
        this.oldCount = chunk.count();
        this.oldBytes = chunk.byteSize();
    }

    /// Keeps the lines `from` to `to - 1`, which come after all that were kept before. Other threads may read later
    /// lines meanwhile.
    void keep(long from, long to) {
        long start = chunk.offset(from);
        long length = chunk.offset(to) - start;
        if (from == lines) {
            lines = to;
            bytes += length;
            return;
        }
        MemorySegment.copy(text, start, text, bytes, length);
        for (long line = from + 1; line <= to; line++) {
            chunk.setOffset(++lines, bytes + chunk.offset(line) - start);
        }
        bytes += length;
    }

    /// Makes the lines that were kept those of the chunk.
    void end() {
        chunk.moveUp(lines, oldBytes);
    }

    /// Returns how many lines are not kept.
    long droppedLines() {
        return oldCount - lines;
    }

    /// Returns how many bytes the lines have that are not kept.
    long droppedBytes() {
        return oldBytes - bytes;
    }
}
