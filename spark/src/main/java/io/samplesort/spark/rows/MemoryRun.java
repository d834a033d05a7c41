package io.samplesort.spark.rows;

import java.io.IOException;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/// The rows of a table in order. What is left of them can go to a file at any time.
final class MemoryRun implements RowRun {
    /// How many rows ahead memory is read. Rows in order lie anywhere, so each takes a wait for memory, and these waits
    /// overlap.
    private static final int AHEAD = 8;

    private final UnsafeRow row;
    private RowTable table;
    private int[] order;
    private int next;
    /// Kept so that reading ahead is not optimized away.
    private long touched;

    /// What is left, once it has gone to a file; null before.
    private FileRun rest;

    private boolean isInFile;
    private long originAtSpill;

    MemoryRun(RowTable table, int[] order, int fields) {
        this.table = table;
        this.order = order;
        this.row = new UnsafeRow(fields);
    }

    @Override
    public boolean advance() throws IOException {
        if (rest != null) {
            isInFile = true;
            return rest.advance();
        }
        if (next == order.length) {
            return false;
        }
        if (next + AHEAD < order.length) {
            touched += table.touch(order[next + AHEAD]);
        }
        table.get(order[next++], row);
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
        return rest != null ? originAtSpill : table.origin(order[next - 1]);
    }

    /// Writes the rows that are still to come to a file. The current row stays as it is.
    ///
    /// @return how many bytes were written
    long spill(RunFiles files) throws IOException {
        MemoryRun left = new MemoryRun(table, order, row.numFields());
        left.next = next;
        FileRun written = files.write(left);
        originAtSpill = next == 0 ? 0 : origin();
        rest = written;
        table = null;
        order = null;
        return written.bytes();
    }

    boolean isSpilled() {
        return rest != null;
    }

    /// Returns a sum of what was read ahead, which means nothing.
    long touched() {
        return touched;
    }
}
