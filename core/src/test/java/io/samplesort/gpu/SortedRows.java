package io.samplesort.gpu;

import io.samplesort.RecordCase;
import io.samplesort.memory.SetOperation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Elements with a column of ints and one of ten bytes, and what operations on such rows give, the slow way. Results
/// are numbers of rows; those of a second input follow those of the first.
///
/// @param order    how elements compare
/// @param elements one after another
/// @param count    how many there are
final class SortedRows {
    static final int[] PAYLOAD_BYTES = {4, 10};

    private final RecordCase order;
    private final MemorySegment elements;
    private final int count;

    private SortedRows(RecordCase order, MemorySegment elements, int count) {
        this.order = order;
        this.elements = elements;
        this.count = count;
    }

    /// Returns sorted elements that are drawn from some of a pool.
    ///
    /// @param pool elements to choose from
    static SortedRows of(RecordCase order, MemorySegment pool, int count, Random random) {
        SortedRows rows = unsorted(order, pool, count, random);
        MemorySegment sorted = room(rows.elements.byteSize());
        int bytes = order.type().byteSize();
        sorted.copyFrom(
                MemorySegment.ofArray(RecordCase.gathered(rows.elements, bytes, order.stableOrder(rows.elements))));
        return new SortedRows(order, sorted, count);
    }

    /// Returns such elements in no order.
    static SortedRows unsorted(RecordCase order, MemorySegment pool, int count, Random random) {
        int bytes = order.type().byteSize();
        MemorySegment elements = room((long) count * bytes);
        int pooled = (int) (pool.byteSize() / bytes);
        for (int i = 0; i < count; i++) {
            MemorySegment.copy(pool, (long) random.nextInt(pooled) * bytes, elements, (long) i * bytes, bytes);
        }
        return new SortedRows(order, elements, count);
    }

    /// Returns the rows of some others, one after another.
    static SortedRows joined(List<SortedRows> parts) {
        RecordCase order = parts.getFirst().order;
        int count = parts.stream().mapToInt(SortedRows::count).sum();
        MemorySegment all = room((long) count * order.type().byteSize());
        long at = 0;
        for (SortedRows part : parts) {
            MemorySegment.copy(part.elements, 0, all, at, part.elements.byteSize());
            at += part.elements.byteSize();
        }
        return new SortedRows(order, all, count);
    }

    private static MemorySegment room(long bytes) {
        return MemorySegment.ofArray(new long[(int) (bytes / Long.BYTES) + 1]).asSlice(0, bytes);
    }

    int count() {
        return count;
    }

    MemorySegment elements() {
        return elements;
    }

    /// Returns the bytes of a value in each of the first columns.
    int[] columnBytes(int payloads) {
        int[] bytes = new int[1 + payloads];
        bytes[0] = order.type().byteSize();
        System.arraycopy(PAYLOAD_BYTES, 0, bytes, 1, payloads);
        return bytes;
    }

    /// Returns a column, of which values tell their rows.
    ///
    /// @param first the number of the first row
    MemorySegment column(int column, int first) {
        if (column == 0) {
            return elements;
        }
        MemorySegment values = room((long) count * PAYLOAD_BYTES[column - 1]);
        for (int i = 0; i < count; i++) {
            long at = (long) i * PAYLOAD_BYTES[column - 1];
            values.set(ValueLayout.JAVA_INT_UNALIGNED, at, first + i);
            if (column == 2) {
                values.set(ValueLayout.JAVA_INT_UNALIGNED, at + 6, -first - i);
            }
        }
        return values;
    }

    private int compare(int row, int other) {
        return compare(row, this, other);
    }

    private int compare(int row, SortedRows others, int other) {
        Comparator<MemorySegment> comparator = order.order().toComparator(order.type());
        return comparator.compare(element(row), others.element(other));
    }

    private MemorySegment element(int row) {
        int bytes = order.type().byteSize();
        return elements.asSlice((long) row * bytes, bytes);
    }

    /// Returns the rows in stable order.
    int[] stableOrder() {
        return order.stableOrder(elements);
    }

    /// Returns the first row of each run of equal ones.
    int[] firsts() {
        return IntStream.range(0, count)
                .filter(i -> i == 0 || compare(i - 1, i) != 0)
                .toArray();
    }

    /// Returns the first row that comes before the one to its left, or -1.
    int firstOutOfOrder() {
        return IntStream.range(1, count)
                .filter(i -> compare(i, i - 1) < 0)
                .findFirst()
                .orElse(-1);
    }

    /// Returns the number of rows that come before an element of others, or that do not come after it.
    long bound(SortedRows others, int query, boolean isUpper) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) / 2;
            int compared = compare(middle, others, query);
            if (compared < 0 || isUpper && compared == 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Returns the rows of a set operation.
    int[] combined(SetOperation operation, SortedRows second) {
        List<Integer> rows = new ArrayList<>();
        int a = 0;
        int b = 0;
        while (a < count || b < second.count) {
            int compared = a == count ? 1 : b == second.count ? -1 : compare(a, second, b);
            int aEnd = compared > 0 ? a : endOfRun(a);
            int bEnd = compared < 0 ? b : second.endOfRun(b);
            int both = Math.min(aEnd - a, bEnd - b);
            switch (operation) {
                case UNION -> {
                    add(rows, a, aEnd, 0);
                    add(rows, b + both, bEnd, count);
                }
                case INTERSECTION -> add(rows, a, a + both, 0);
                case DIFFERENCE -> add(rows, a + both, aEnd, 0);
            }
            a = aEnd;
            b = bEnd;
        }
        return rows.stream().mapToInt(Integer::intValue).toArray();
    }

    private static void add(List<Integer> rows, int from, int to, int first) {
        for (int row = from; row < to; row++) {
            rows.add(first + row);
        }
    }

    private int endOfRun(int row) {
        int end = row + 1;
        while (end < count && compare(row, end) == 0) {
            end++;
        }
        return end;
    }
}
