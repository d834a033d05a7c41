package io.samplesort.rows;

import io.samplesort.cpu.threads.Parallel;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// One stable sort of the indexes of rows by several key columns.
///
/// The columns' bits are narrowed and joined. As many bits as fit go into a long for each row, above the index of the
/// row, and the longs are sorted. No two are equal, so this is stable, and longs sort faster than anything else. Rows
/// that are still tied get a second long, made of the number of their group, the next bits of the key and their place,
/// and so on. When a column of strings comes, the rows that are still tied are sorted by their strings.
public final class RowSort {
    /// One thread takes at most this many rows at a time.
    private static final int GRAIN = 1 << 14;

    private final int count;
    private final Parallel parallel;
    private final RowMemory memory;
    private final Sorters sorters;
    private int[] rows;

    /// Sorts the words and the strings of rows.
    public interface Sorters {
        /// Sorts longs as signed.
        void sort(MemorySegment words);

        /// Returns the indexes of strings in order, equal ones in the order of their indexes.
        int[] argsort(Strings strings, StringOrder order);
    }

    /// @param threads the most threads that read the columns
    public RowSort(int count, int threads, RowMemory memory, Sorters sorters) {
        this.count = count;
        this.parallel = new Parallel(count <= GRAIN ? 1 : threads);
        this.memory = memory;
        this.sorters = sorters;
    }

    /// Returns the rows in the order of their keys.
    ///
    /// @param columns all with the same number of rows
    public int[] sort(List<KeyColumn> columns) {
        return sort(columns, null);
    }

    /// Returns some rows in the order of their keys.
    ///
    /// @param chosen as many rows as this is a sort of, ascending; null for all rows
    public int[] sort(List<KeyColumn> columns, int[] chosen) {
        rows = chosen;
        List<RowStep> steps = RowStep.of(columns);
        TiedRows tied = TiedRows.all(count);
        for (RowStep step : steps) {
            while (!step.isDone() && tied.count() > 1) {
                tied = switch (step) {
                    case RowKey key -> sortByWords(tied, key, key == steps.getLast());
                    case StringStep strings -> sortByStrings(tied, strings, strings == steps.getLast());
                };
            }
        }
        return rows == null ? inOrder() : rows;
    }

    /// Sorts tied rows by as many further bits of their keys as fit a word, and returns those that are still tied.
    ///
    /// @param isLast whether nothing comes after the key, so that it does not matter which rows are still tied
    private TiedRows sortByWords(TiedRows tied, RowKey key, boolean isLast) {
        int placeBits = tied.placeBits();
        int[] unsorted = rowsOf(tied);
        List<RowKey.Piece> pieces = key.take(
                Long.SIZE - tied.groupBits() - placeBits,
                source -> KeyPart.of(source, unsorted, tied.count(), parallel, GRAIN));
        if (pieces.isEmpty()) {
            return tied;
        }
        long[] packed = memory.words(tied.count());
        parallel.forRanges(
                tied.count(),
                GRAIN,
                (first, last) -> RowBlock.forBlocks(
                        first, last, (from, n, block) -> pack(tied, pieces, unsorted, from, n, packed, block)));
        sorters.sort(MemorySegment.ofArray(packed).asSlice(0, (long) Long.BYTES * tied.count()));
        long mask = (1L << placeBits) - 1;
        place(tied, unsorted, i -> (int) (packed[i] & mask));
        return isLast && key.isDone()
                ? TiedRows.NONE
                : tied.stillTied(i -> packed[i] >>> placeBits == packed[i - 1] >>> placeBits, parallel, GRAIN);
    }

    /// Sorts tied rows by their strings, and returns those that are still tied.
    private TiedRows sortByStrings(TiedRows tied, StringStep column, boolean isLast) {
        int[] unsorted = rowsOf(tied);
        int[] sorted;
        try (Arena arena = Arena.ofShared()) {
            sorted = sorters.argsort(column.strings(tied, unsorted, arena, parallel, GRAIN), column.order());
        }
        place(tied, unsorted, i -> sorted[i]);
        column.done();
        if (isLast) {
            return TiedRows.NONE;
        }
        boolean[] isEqualToTheOneBefore = new boolean[tied.count()];
        parallel.forRanges(tied.count(), GRAIN, (from, to) -> {
            for (int i = Math.max(1, (int) from); i < to; i++) {
                isEqualToTheOneBefore[i] = tied.group(i) == tied.group(i - 1)
                        && column.areEqual(rows[tied.place(i)], rows[tied.place(i - 1)]);
            }
        });
        return tied.stillTied(i -> isEqualToTheOneBefore[i], parallel, GRAIN);
    }

    /// Returns the tied rows; null for all rows in order.
    private int[] rowsOf(TiedRows tied) {
        if (rows == null) {
            return null;
        }
        int[] found = new int[tied.count()];
        parallel.forRanges(tied.count(), GRAIN, (from, to) -> {
            for (int i = (int) from; i < to; i++) {
                found[i] = rows[tied.place(i)];
            }
        });
        return found;
    }

    /// Says which of the tied rows comes at a place.
    @FunctionalInterface
    private interface Choice {
        int at(int i);
    }

    /// Puts tied rows at their places.
    private void place(TiedRows tied, int[] unsorted, Choice sorted) {
        int[] placed = rows == null ? new int[count] : rows;
        parallel.forRanges(tied.count(), GRAIN, (from, to) -> {
            for (int i = (int) from; i < to; i++) {
                int chosen = sorted.at(i);
                placed[tied.place(i)] = unsorted == null ? chosen : unsorted[chosen];
            }
        });
        rows = placed;
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
            // The inverted sign bit turns the unsigned word into a signed one, as the sorter needs it.
            words[i] = (words[i] << placeBits | i) ^ Long.MIN_VALUE;
        }
    }

    private int[] inOrder() {
        int[] all = new int[count];
        for (int i = 0; i < count; i++) {
            all[i] = i;
        }
        return all;
    }
}
