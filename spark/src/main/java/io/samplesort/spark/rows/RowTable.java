package io.samplesort.spark.rows;

import io.samplesort.spark.task.TaskMemory;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/// Rows as Spark lays them out, one after the other in pages of memory.
final class RowTable {
    private static final int PAGE_BYTES = 4 << 20;

    private final TaskMemory memory;
    private final List<byte[]> pages = new ArrayList<>();
    private int end = PAGE_BYTES;
    /// For each row the number of its page in the upper half, and where it begins there in the lower one.
    private final LongBuffer places = new LongBuffer();

    private final LongBuffer sizes = new LongBuffer();

    RowTable(TaskMemory memory) {
        this.memory = memory;
    }

    /// Adds a copy of a row.
    ///
    /// @throws IllegalStateException if Spark does not grant the memory
    void add(UnsafeRow row) {
        int size = row.getSizeInBytes();
        if (pages.isEmpty() || size > pages.getLast().length - end) {
            addPage(Math.max(size, PAGE_BYTES));
        }
        row.writeToMemory(pages.getLast(), (long) Platform.BYTE_ARRAY_OFFSET + end);
        places.add((long) (pages.size() - 1) << Integer.SIZE | end);
        sizes.add(size);
        end += size;
    }

    /// Keys, places and the permutation take about as much memory as the rows.
    private void addPage(int bytes) {
        if (!memory.take(2L * bytes)) {
            throw new IllegalStateException("Spark grants this task no more memory than "
                    + (memory.getUsed() >> 20) + " MiB, and the rows of its partition need more: sort into more"
                    + " partitions (spark.sql.shuffle.partitions), or give executors more memory");
        }
        pages.add(new byte[bytes]);
        end = 0;
    }

    /// Has `row` be the row with this number.
    void get(int number, UnsafeRow row) {
        long place = places.get(number);
        byte[] page = pages.get((int) (place >>> Integer.SIZE));
        row.pointTo(page, Platform.BYTE_ARRAY_OFFSET + (place & 0xffffffffL), (int) sizes.get(number));
    }
}
