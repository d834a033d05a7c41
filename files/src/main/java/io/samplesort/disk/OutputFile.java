package io.samplesort.disk;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongConsumer;

/// A file or stream that a result is written to, from the first byte to the last. [OutputPlace#open] begins one.
public sealed interface OutputFile extends Closeable permits AtomicFile, OverwrittenFile, StreamFile {
    /// Writes a segment after what was written before. A disk is forced to write now and then, while other elements are
    /// sorted, so that little is left for the end.
    ///
    /// @param moved is called with the bytes of each piece; an exception that it throws ends the writing
    void append(MemorySegment source, LongConsumer moved) throws IOException;

    /// Prepares for writing, before anything is appended. A file in memory begins to take its pages, by a thread of its
    /// own; a large one on a disk may be written past the system's cache of files.
    ///
    /// @param leastBytes how many bytes will be written if all goes well; 0 if not known
    /// @param mostBytes  how many bytes will be written at most, as far as is known
    void expect(long leastBytes, long mostBytes) throws IOException;

    /// Claims room for bytes after what was written or claimed before.
    ///
    /// @return null if bytes can only be appended
    Room claim(long bytes) throws IOException;

    /// Room that was claimed for bytes.
    @FunctionalInterface
    interface Room {
        /// Writes a segment that fills the room, once. Any thread may do so, while others write elsewhere.
        ///
        /// @param moved is called with the bytes of each piece, by the writing thread
        /// @throws IllegalStateException if the segment is longer or shorter, or the room was written to before
        void write(MemorySegment source, LongConsumer moved) throws IOException;
    }

    /// Returns how many bytes were appended or claimed. This is the size of a complete file.
    long byteSize();

    /// Ends the writing. A file that will replace another one takes over its permissions, its owner and its attributes.
    ///
    /// @return what that file loses even so, in one sentence for users each
    /// @throws IllegalStateException if claimed room was not written to, or the file has another size than what was
    ///     written; it must not be published in that case
    List<String> complete() throws IOException;

    /// Puts the complete file in its place, or copies its content there if no new file can be put there. [#settle]
    /// makes this permanent.
    void publish() throws IOException;

    /// Forces the new name of the file to the disk, so that it survives a power failure.
    void settle();
}
