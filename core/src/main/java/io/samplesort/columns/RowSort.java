package io.samplesort.columns;

import io.samplesort.cpu.Parallel;
import io.samplesort.types.KeyColumn;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// One stable sort of the rows of several key columns by their numbers, which rows keep.
///
/// The columns' bits are narrowed and joined. As many as fit go into a long for each row, above the number of the row,
/// and the longs are sorted: no two are equal, so this is stable, and longs sort faster than anything else. Rows that
/// are still tied get a second long from the number of their group, the next bits of the key and their place, and so
/// on.
public final class RowSort {
    /// One thread takes at most so many rows at a time.
    private static final int GRAIN = 1 << 14;

    private final int count;
    private final Parallel parallel;
    private final RowMemory memory;
    private final WordSorter words;
    private int[] rows;

    /// Sorts longs as signed.
    @FunctionalInterface
    public interface WordSorter {
        void sort(MemorySegment words);
    }

    /// @param threads the most threads that read the columns
    public RowSort(int count, int threads, RowMemory memory, WordSorter words) {
        this.count = count;
        this.parallel = new Parallel(count <= GRAIN ? 1 : threads);
        this.memory = memory;
        this.words = words;
    }

    /// Returns the rows in the order of their keys.
    ///
    /// @param columns each with as many rows
    public int[] sort(List<KeyColumn> columns) {
        rows = null;
        RowKey key = new RowKey();
        for (KeyColumn column : columns) {
            if (column.hasValidity()) {
                key.add(KeyPart.of(ColumnBits.validity(column), count, parallel, GRAIN));
            }
            ColumnBits.values(column).forEach(bits -> key.add(KeyPart.of(bits, count, parallel, GRAIN)));
        }
        TiedRows tied = TiedRows.all(count);
        while (!key.isDone() && tied.count() > 1) {
            tied = sortTied(tied, key);
        }
        return rows == null ? inOrder() : rows;
    }

    /// Sorts tied rows by as many more bits of their keys as fit a word, and returns those that are still tied.
    private TiedRows sortTied(TiedRows tied, RowKey key) {
        int placeBits = tied.placeBits();
        List<RowKey.Piece> pieces = key.take(Long.SIZE - tied.groupBits() - placeBits);
        int[] unsorted = rows == null ? null : rowsOf(tied);
        long[] packed = memory.words(tied.count());
        parallel.forRanges(
                tied.count(),
                GRAIN,
                (first, last) -> RowBlock.forBlocks(
                        first, last, (from, n, block) -> pack(tied, pieces, unsorted, from, n, packed, block)));
        words.sort(MemorySegment.ofArray(packed).asSlice(0, (long) Long.BYTES * tied.count()));
        int[] sorted = rows == null ? new int[count] : rows;
        long mask = (1L << placeBits) - 1;
        parallel.forRanges(tied.count(), GRAIN, (from, to) -> {
            for (int i = (int) from; i < to; i++) {
                int place = (int) (packed[i] & mask);
                sorted[tied.place(i)] = unsorted == null ? place : unsorted[place];
            }
        });
        rows = sorted;
        return key.isDone()
                ? TiedRows.all(0)
                : tied.stillTied(i -> packed[i] >>> placeBits == packed[i - 1] >>> placeBits, parallel, GRAIN);
    }

    private int[] rowsOf(TiedRows tied) {
        int[] places = tied.places();
        int[] found = new int[tied.count()];
        parallel.forRanges(tied.count(), GRAIN, (from, to) -> {
            for (int i = (int) from; i < to; i++) {
                found[i] = rows[places[i]];
            }
        });
        return found;
    }

    /// Makes the words of `n` rows from place `from` on: the group, bits of the key, the place.
    private static void pack(
            TiedRows tied, List<RowKey.Piece> pieces, int[] rows, int from, int n, long[] words, RowBlock block) {
        for (int i = from; i < from + n; i++) {
            words[i] = tied.group(i);
        }
        for (RowKey.Piece piece : pieces) {
            piece.part().append(rows, from, n, piece.shift(), piece.bits(), words, from, block);
        }
        int placeBits = tied.placeBits();
        for (int i = from; i < from + n; i++) {
            // The inverted sign bit makes the unsigned word signed, as the sorter needs it.
            words[i] = (words[i] << placeBits | i) ^ Long.MIN_VALUE;
        }
    }

    private int[] inOrder() {
        int[] all = new int[count];
        parallel.forRanges(count, GRAIN, (from, to) -> {
            for (int i = (int) from; i < to; i++) {
                all[i] = i;
            }
        });
        return all;
    }
}
