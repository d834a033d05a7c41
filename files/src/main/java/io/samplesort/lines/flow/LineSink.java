package io.samplesort.lines.flow;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Where sorted lines go.
@FunctionalInterface
public interface LineSink {
    /// Takes whole lines, or the next piece of a long one, which come behind those that were taken before.
    void append(MemorySegment lines) throws IOException;

    /// Returns how long lines may be that are appended or claimed. Longer ones are handed on as long lines.
    default long longestLine() {
        return Long.MAX_VALUE;
    }

    /// Takes a long line, which comes behind the lines that were taken before. It may be handed on in pieces.
    ///
    /// @param window room for a piece, through which the line may go
    default void append(LongLine line, MemorySegment window) throws IOException {
        line.text().forEachPiece(window, this::append);
    }

    /// Takes the place of whole lines, which come behind those that were taken before. Any thread may write them there,
    /// while others write before and behind them.
    ///
    /// @return null if lines can only be appended
    default Place claim(long bytes) throws IOException {
        return null;
    }

    /// Takes the last lines of a block when its turn comes, and lets the turn pass on. Where they can have their place
    /// beforehand, threads write side by side.
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

    /// Where claimed lines go.
    @FunctionalInterface
    interface Place {
        /// Writes as many bytes as were claimed.
        void write(MemorySegment lines) throws IOException;
    }
}
