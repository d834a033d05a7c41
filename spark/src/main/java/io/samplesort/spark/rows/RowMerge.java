package io.samplesort.spark.rows;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/// Merges sorted runs into one. Rows with equal keys come in the order of their origins.
final class RowMerge implements RowRun {
    private final PriorityQueue<Head> heads;
    private final KeyPrefix prefixes;
    /// The run that the current row is from; null before the first row.
    private Head first;

    RowMerge(List<? extends RowRun> runs, RowOrder order) throws IOException {
        Comparator<InternalRow> rows = order.comparator();
        Comparator<Head> byPrefix = (a, b) -> Long.compare(a.prefix, b.prefix);
        heads = new PriorityQueue<>(
                Math.max(1, runs.size()),
                byPrefix.thenComparing((a, b) -> rows.compare(a.run.row(), b.run.row()))
                        .thenComparing((a, b) -> Long.compare(a.run.origin(), b.run.origin())));
        prefixes = order.prefix();
        for (RowRun run : runs) {
            push(new Head(run));
        }
    }

    private static final class Head {
        private final RowRun run;
        private long prefix;

        Head(RowRun run) {
            this.run = run;
        }
    }

    private void push(Head head) throws IOException {
        if (head.run.advance()) {
            head.prefix = prefixes.of(head.run.row());
            heads.add(head);
        }
    }

    @Override
    public boolean advance() throws IOException {
        // The row of the last step was in use until now.
        if (first != null) {
            push(first);
        }
        first = heads.poll();
        return first != null;
    }

    @Override
    public UnsafeRow row() {
        return first.run.row();
    }

    @Override
    public long origin() {
        return first.run.origin();
    }
}
