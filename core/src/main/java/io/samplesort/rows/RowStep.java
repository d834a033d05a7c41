package io.samplesort.rows;

import io.samplesort.types.KeyColumn;
import java.util.ArrayList;
import java.util.List;

/// What one step of a sort sorts rows by: columns whose bits are joined, or one column of strings.
sealed interface RowStep permits RowKey, StringStep {
    /// Strings of one length that are longer than this are sorted as strings of any length: as numbers they would take
    /// a sort for every few bytes.
    int LONGEST_JOINED = 16;

    /// Returns whether rows have been sorted by all of this step.
    boolean isDone();

    /// Returns the steps of a sort by these columns.
    static List<RowStep> of(List<KeyColumn> columns) {
        List<RowStep> steps = new ArrayList<>();
        RowKey joined = new RowKey();
        for (KeyColumn column : columns) {
            if (column.hasValidity()) {
                joined.add(ColumnBits.validity(column));
            }
            if (column.type() == null && (column.hasStrings() || column.valueBytes() > LONGEST_JOINED)) {
                joined.fillWith(
                        column.hasStrings()
                                ? ColumnBits.prefixes(column)
                                : ColumnBits.values(column).getFirst());
                steps.add(joined);
                steps.add(new StringStep(column));
                joined = new RowKey();
            } else {
                ColumnBits.values(column).forEach(joined::add);
            }
        }
        steps.add(joined);
        steps.removeIf(RowStep::isDone);
        return steps;
    }
}
