package io.samplesort.lines.flow;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Takes sorted lines.
@FunctionalInterface
public interface LineSink {
    /// Takes whole lines, or the next piece of a long one, which follow those that were taken before.
    void append(MemorySegment lines) throws IOException;

    /// Returns how long lines may be that are appended or claimed. Longer lines are handed on as [LongLine]s.
    default long longestLine() {
        return Long.MAX_VALUE;
    }

    /// Takes a long line, which follows the lines that were taken before. It may be handed on in pieces.
    ///
    /// @param window room for a piece, through which the line may go
    default void append(LongLine line, MemorySegment window) throws IOException {
        line.text().forEachPiece(window, this::append);
    }

    /// Claims the place of whole lines, which follow those that were taken before. Any thread may write them there,
    /// while others write before and after them.
    ///
    /// @return null if lines can only be appended
    default Place claim(long bytes) throws IOException {
        return null;
    }

    /// Takes the last lines of a block when its turn comes, and passes the turn on. If their place can be claimed
    /// beforehand, threads write at the same time.
    default void end(MemorySegment lines, long block, OrderedBlocks turns) throws IOException {
        turns.await(block);
        Place place = lines.byteSize() == 0 ? null : claim(lines.byteSize());
        if (place != null) {
            turns.pass(block);
            place.write(lines);
        } else {
            if (lines.byteSize() > 0) {
                append(lines);
            }
            turns.pass(block);
        }
    }

    /// The place of claimed lines.
    @FunctionalInterface
    interface Place {
        /// Writes as many bytes as were claimed.
        void write(MemorySegment lines) throws IOException;
    }
}
