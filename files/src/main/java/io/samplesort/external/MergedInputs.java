package io.samplesort.external;

import io.samplesort.disk.FileFailure;
import io.samplesort.disk.InputFile;
import io.samplesort.disk.KeyBlocks;
import io.samplesort.disk.SortedParts;
import io.samplesort.files.types.FileColumn;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;

/// The inputs of a merge as sorted runs. All elements of an input pass through here in their order, so that the first
/// one that is out of order is found before it is merged.
final class MergedInputs implements SortedParts {
    private final PartSorter sorter;
    private final List<FileColumn> columns;
    private final List<InputFile> inputs;
    private final int elementBytes;
    private final Comparator<MemorySegment> order;
    private final KeyBlocks keys;
    /// Of each input, the last element that was read.
    private final MemorySegment last;

    /// @param columns how each input stores its elements
    /// @param arena   for 4 KiB or one element of each input
    MergedInputs(PartSorter sorter, List<FileColumn> columns, List<InputFile> inputs, Arena arena) {
        this.sorter = sorter;
        this.columns = columns;
        this.inputs = inputs;
        this.elementBytes = sorter.columnTypes().getFirst().byteSize();
        this.order = sorter.comparator();
        this.keys = new KeyBlocks(count(), this::length, elementBytes, order, this::readKeys, arena);
        this.last = arena.allocate((long) count() * elementBytes, Long.BYTES);
    }

    @Override
    public int count() {
        return inputs.size();
    }

    @Override
    public long length(int run) {
        return inputs.get(run).count();
    }

    @Override
    public int compare(int run, long index, int otherRun, long otherIndex) {
        return keys.compare(run, index, otherRun, otherIndex);
    }

    private void readKeys(int run, long first, MemorySegment target) throws IOException {
        // Looking at keys does not count as progress.
        inputs.get(run).read(first, target, bytes -> {});
        columns.get(run).conversion().afterReading(target);
    }

    /// {@inheritDoc}
    ///
    /// @throws FileFailure if an element belongs before the one before it in its input; the message says which
    @Override
    public void read(long[] from, long[] to, List<MemorySegment> targets, LongConsumer moved) throws IOException {
        long offset = 0;
        for (int run = 0; run < from.length; run++) {
            long bytes = (to[run] - from[run]) * elementBytes;
            MemorySegment piece = targets.getFirst().asSlice(offset, bytes);
            if (bytes > 0) {
                inputs.get(run).read(from[run], piece, moved);
                columns.get(run).conversion().afterReading(piece);
                checkOrder(run, from[run], piece);
            }
            offset += bytes;
        }
    }

    /// @param first the number of the first element of the piece in its input
    private void checkOrder(int run, long first, MemorySegment piece) throws FileFailure {
        MemorySegment before = last.asSlice((long) run * elementBytes, elementBytes);
        if (first > 0 && isOutOfOrder(before, element(piece, 0))) {
            throw disorder(run, first);
        }
        if (!sorter.isSorted(piece)) {
            long index = 1;
            while (!isOutOfOrder(element(piece, index - 1), element(piece, index))) {
                index++;
            }
            throw disorder(run, first + index);
        }
        before.copyFrom(element(piece, piece.byteSize() / elementBytes - 1));
    }

    private MemorySegment element(MemorySegment piece, long index) {
        return piece.asSlice(index * elementBytes, elementBytes);
    }

    private boolean isOutOfOrder(MemorySegment one, MemorySegment next) {
        return order.compare(one.asReadOnly(), next.asReadOnly()) > 0;
    }

    private FileFailure disorder(int run, long index) {
        return new FileFailure(inputs.get(run).path() + " is not in order: element " + index
                + ", counted from 0, belongs before element " + (index - 1)
                + "; sort this file first, or name the order that it is in");
    }

    /// The inputs are closed by whoever has opened them.
    @Override
    public void close() {}
}
