package io.samplesort.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;

/// Sorted runs in one temporary file. All have the same length except the last. Within a run, the columns follow each
/// other.
///
/// Runs are written and read in large pieces, except in the search for cuts, which looks at single keys ([KeyBlocks]).
///
/// A single column of long runs is written past the system's cache of files, since the cache would hold hardly any of
/// it by the time that it is read.
public final class RunFile implements SortedParts {
    /// Shorter runs are written through the cache.
    private static final long LEAST_DIRECT_BYTES = 16L << 20;

    private final FileChannel channel;
    /// Writes past the cache; null if everything goes through it.
    private final DirectAppend directAppend;

    private final DirectRead directRead;

    private final long count;
    private final long runLength;
    private final int[] elementBytes;
    private final long recordBytes;
    private long writtenBytes;
    private final KeyBlocks keys;

    /// @param file         an empty one
    /// @param count        how many elements there will be
    /// @param runLength    how many elements a run has; the last one may have fewer
    /// @param elementBytes bytes of an element in each column, that of the keys first
    /// @param order        how keys compare
    /// @param arena        for the blocks of keys, 4 KiB or one key for each run
    public RunFile(
            TemporaryFile file,
            long count,
            long runLength,
            int[] elementBytes,
            Comparator<MemorySegment> order,
            Arena arena)
            throws IOException {
        this.channel = file.channel();
        this.count = count;
        this.runLength = runLength;
        this.elementBytes = elementBytes.clone();
        long bytes = 0;
        for (int column : elementBytes) {
            bytes += column;
        }
        this.recordBytes = bytes;
        this.keys = new KeyBlocks(count(), this::length, elementBytes[0], order, this::readKeys, arena);
        // If one of the preceding steps failed, these would not be closed.
        boolean isDirect = elementBytes.length == 1 && runLength * elementBytes[0] >= LEAST_DIRECT_BYTES;
        this.directAppend = isDirect ? DirectAppend.open(file.path(), channel) : null;
        this.directRead = directAppend == null ? null : DirectRead.open(file.path(), channel);
    }

    @Override
    public int count() {
        return (int) Math.ceilDiv(count, runLength);
    }

    @Override
    public long length(int run) {
        return Math.min(runLength, count - run * runLength);
    }

    /// Writes elements of a run. Runs are written one after the other, and each from its first element to its last.
    ///
    /// @param first   the number of the first of these elements in its run
    /// @param columns the same elements of each column
    /// @param moved   is called with the bytes of each piece
    public void write(int run, long first, List<MemorySegment> columns, LongConsumer moved) throws IOException {
        for (int column = 0; column < elementBytes.length; column++) {
            long position = position(run, column, first);
            if (directAppend == null) {
                SegmentIo.write(channel, position, columns.get(column), moved);
            } else {
                directAppend.append(position, columns.get(column), moved);
            }
            writtenBytes += columns.get(column).byteSize();
        }
    }

    /// Ends the writing. Nothing may be read before.
    ///
    /// @throws IllegalStateException if not all elements are in the file
    public void finish() throws IOException {
        if (directAppend != null) {
            directAppend.finish();
        }
        long bytes = count * recordBytes;
        if (writtenBytes != bytes || channel.size() != bytes) {
            throw new IllegalStateException("sorted parts of " + bytes + " bytes, of which " + writtenBytes
                    + " were written to a file of " + channel.size() + " bytes: this is a fault of the program, and the"
                    + " input is as it was");
        }
    }

    @Override
    public void read(long[] from, long[] to, List<MemorySegment> columns, LongConsumer moved) throws IOException {
        for (int column = 0; column < elementBytes.length; column++) {
            MemorySegment target = columns.get(column);
            long offset = 0;
            for (int run = 0; run < from.length; run++) {
                long bytes = (to[run] - from[run]) * elementBytes[column];
                long position = position(run, column, from[run]);
                if (directRead == null) {
                    SegmentIo.read(channel, position, target.asSlice(offset, bytes), moved);
                } else {
                    directRead.read(position, target.asSlice(offset, bytes), moved);
                }
                offset += bytes;
            }
            if (offset != target.byteSize()) {
                throw new IllegalStateException(offset + " bytes between two cuts for room of " + target.byteSize());
            }
        }
    }

    private long position(int run, int column, long index) {
        long position = run * runLength * recordBytes;
        for (int before = 0; before < column; before++) {
            position += length(run) * elementBytes[before];
        }
        return position + index * elementBytes[column];
    }

    @Override
    public int compare(int run, long index, int otherRun, long otherIndex) {
        return keys.compare(run, index, otherRun, otherIndex);
    }

    private void readKeys(int run, long first, MemorySegment target) throws IOException {
        // Looking at keys does not count as progress.
        SegmentIo.read(channel, position(run, 0, first), target, bytes -> {});
    }

    /// Ends all access but that of the file itself. The system then also ends the lock on the file.
    @Override
    public void close() throws IOException {
        Closing.all(directAppend, directRead);
    }
}
