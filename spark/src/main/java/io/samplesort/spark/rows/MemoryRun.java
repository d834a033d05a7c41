package io.samplesort.spark.rows;

import java.io.IOException;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/// The rows of a table in order. The remaining rows can be written to a file at any time.
final class MemoryRun implements RowRun {
    /// Rows in order lie anywhere in memory, and waiting for one takes as long as everything else that is done with it.
    /// So this many rows are read ahead together, and their waits overlap.
    private static final int AHEAD = 32;

    private final UnsafeRow row;
    private RowTable table;
    private int next;
    /// How many rows have been read ahead.
    private int ahead;

    /// A sum that is kept so that reading ahead is not optimized away.
    private long touched;

    /// The remaining rows, once they have been written to a file; null before.
    private FileRun rest;

    private boolean isInFile;
    private long originAtSpill;

    /// @param table a table that is in order
    MemoryRun(RowTable table, int fields) {
        this.table = table;
        this.row = new UnsafeRow(fields);
    }

    @Override
    public boolean advance() throws IOException {
        if (rest != null) {
            isInFile = true;
            return rest.advance();
        }
        if (next == table.count()) {
            return false;
        }
        if (next == ahead) {
            ahead = Math.min(table.count(), next + AHEAD);
            touched += table.touch(next, ahead);
        }
        table.get(next++, row);
        return true;
    }

    @Override
    public UnsafeRow row() {
        return isInFile ? rest.row() : row;
    }

    @Override
    public long origin() {
        if (isInFile) {
            return rest.origin();
        }
        return rest != null ? originAtSpill : table.origin(next - 1);
    }

    /// Writes the remaining rows to a file. The current row stays as it is.
    ///
    /// @return how many bytes were written
    long spill(RunFiles files) throws IOException {
        MemoryRun left = new MemoryRun(table, row.numFields());
        left.next = next;
        left.ahead = next;
        FileRun written = files.write(left);
        originAtSpill = next == 0 ? 0 : origin();
        rest = written;
        table = null;
        return written.bytes();
    }

    /// Returns a sum of what was read ahead, which has no meaning.
    long touched() {
        return touched;
    }
}
