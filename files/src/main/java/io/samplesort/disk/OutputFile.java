package io.samplesort.disk;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongConsumer;

/// What results are written to, from the first byte to the last. [OutputPlace#open] begins one.
public sealed interface OutputFile extends Closeable permits AtomicFile, OverwrittenFile, StreamFile {
    /// Writes a segment behind what was written before. Where there is a disk, it is forced to write now and then,
    /// while other elements are sorted, so that little is left for the end.
    ///
    /// @param moved is told the bytes of each piece; an exception of its own ends the writing
    void append(MemorySegment source, LongConsumer moved) throws IOException;

    /// Prepares for writing, before anything is appended. A file in memory begins to take its pages, by a thread of its
    /// own; a large one on a disk may be written past the system's cache of files.
    ///
    /// @param leastBytes how many bytes will be written if all goes well; 0 if nobody knows
    /// @param mostBytes  how many bytes will be written at most, as far as anybody knows
    void expect(long leastBytes, long mostBytes) throws IOException;

    /// Takes room for bytes behind what was written or taken before.
    ///
    /// @return null if bytes can only be appended
    Room claim(long bytes) throws IOException;

    /// Room that was taken for bytes.
    @FunctionalInterface
    interface Room {
        /// Writes a segment that fills the room, once. Any thread may do so, while others write elsewhere.
        ///
        /// @param moved is told the bytes of each piece, by the writing thread
        /// @throws IllegalStateException if the segment is longer or shorter, or the room was written to before
        void write(MemorySegment source, LongConsumer moved) throws IOException;
    }

    /// Returns how many bytes were appended or taken room for. This is the size of a complete file.
    long byteSize();

    /// Ends the writing. A file that will replace another one takes over its permissions, its owner and its attributes.
    ///
    /// @return what that file loses all the same, one sentence for users each
    /// @throws IllegalStateException if room was taken and not written to, or the file has another size than what was
    ///     written; it must not be published then
    List<String> complete() throws IOException;

    /// Puts the complete file in its place, or its content where no new file can be put. [#settle] makes that last.
    void publish() throws IOException;

    /// Forces the new name of the file to the disk, so that it survives a power failure.
    void settle();
}
