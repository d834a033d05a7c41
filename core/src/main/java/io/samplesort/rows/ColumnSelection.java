package io.samplesort.rows;

import io.samplesort.cpu.select.RowSelection;
import io.samplesort.cpu.strings.StringSelection;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.StringOrder;
import java.util.List;

/// Finds the rows that come first or last by their key columns, without sorting the others.
public final class ColumnSelection {
    private ColumnSelection() {}

    /// Returns rows among which the wanted ones are, ascending: mostly exactly these.
    ///
    /// @param columns all with `count` rows, in memory that all threads may use
    /// @param wanted  at least one row
    public static int[] rows(List<KeyColumn> columns, int count, int wanted, boolean isLast, int threads) {
        RowSelection selection = new RowSelection(count, wanted, isLast, threads);
        boolean isExact = true;
        for (KeyColumn column : columns) {
            // Rows that may differ in a column are not told apart by later ones.
            isExact = isExact && narrow(selection, column);
        }
        return selection.rows(isExact);
    }

    /// Leaves rows open that are equal in a column, or have long strings with many bytes in common.
    ///
    /// @return whether the open rows are equal in this column, or it does not matter how they compare
    private static boolean narrow(RowSelection selection, KeyColumn column) {
        if (selection.isDone()) {
            return true;
        }
        if (column.hasValidity()) {
            // Nulls count as the first or the last of all values, and only where these are tied with values does it
            // matter which rows are null.
            narrow(selection, first(column), true);
            narrow(selection, ColumnBits.validity(column), false);
            if (selection.isDone() || column.isNull(selection.open(0))) {
                return true;
            }
        }
        if (column.hasStrings()) {
            return new StringSelection(column.strings(), order(column)).narrow(selection);
        }
        ColumnBits.values(column).forEach(piece -> narrow(selection, piece, false));
        return true;
    }

    private static ColumnBits first(KeyColumn column) {
        return column.hasStrings()
                ? ColumnBits.prefixes(column)
                : ColumnBits.values(column).getFirst();
    }

    private static StringOrder order(KeyColumn column) {
        return column.isReversed() ? StringOrder.bytes().reversed() : StringOrder.bytes();
    }

    /// @param hasNulls whether open rows may be null
    private static void narrow(RowSelection selection, ColumnBits bits, boolean hasNulls) {
        if (!selection.isDone()) {
            selection.narrow((rows, from, count, words) -> read(bits, hasNulls, rows, from, count, words));
        }
    }

    private static void read(ColumnBits bits, boolean hasNulls, int[] rows, int from, int count, long[] words) {
        RowBlock.forBlocks(from, from + count, (at, n, block) -> {
            bits.read(rows, at, n, block);
            for (int i = 0; i < n; i++) {
                long word =
                        hasNulls && bits.isNull(rows == null ? at + i : rows[at + i]) ? bits.ofNull() : block.bits[i];
                // The inverted sign bit turns the unsigned word into a signed one.
                words[at - from + i] = word ^ Long.MIN_VALUE;
            }
        });
    }
}
