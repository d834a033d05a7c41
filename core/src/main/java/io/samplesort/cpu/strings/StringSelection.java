package io.samplesort.cpu.strings;

import io.samplesort.cpu.select.RowSelection;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/// Finds the strings that come first or last, a few bytes at a time.
public final class StringSelection {
    /// Strings that are still open after this many words are worth a sort.
    private static final int MOST_WORDS = 8;

    /// A thread compares this many strings at a time.
    private static final int GRAIN = 1 << 13;

    private final Strings strings;
    private final Symbols symbols;
    private final Offsets offsets;
    private final StringBytes text;

    public StringSelection(Strings strings, StringOrder order) {
        this.strings = strings;
        this.symbols = new Symbols(order);
        this.offsets = new Offsets(strings);
        this.text = StringBytes.of(strings, symbols);
    }

    /// Leaves strings open that are equal, or that have many bytes in common.
    ///
    /// @param selection of rows that have these strings
    /// @return whether the open strings are equal, or it does not matter how they compare
    public boolean narrow(RowSelection selection) {
        long depth = 0;
        for (int i = 0; i < MOST_WORDS && !selection.isDone(); i++) {
            long skipped = depth;
            int before = selection.openCount();
            long word = selection.narrow((rows, from, count, words) -> read(rows, from, count, skipped, words));
            if (symbols.isEnd(word)) {
                return true;
            }
            depth += Symbols.COUNT;
            if (selection.openCount() == before && !selection.isDone()) {
                depth = Math.max(depth, common(selection));
            }
        }
        return selection.isDone();
    }

    private void read(int[] rows, int from, int count, long depth, long[] words) {
        long[] numbers = new long[count];
        long[] starts = new long[count];
        long[] ends = new long[count];
        if (rows == null) {
            offsets.find(from, count, starts, ends);
        } else {
            for (int i = 0; i < count; i++) {
                numbers[i] = rows[from + i];
            }
            offsets.find(numbers, count, starts, ends);
        }
        Arrays.setAll(numbers, i -> i);
        text.words(numbers, -1, 0, count, starts, ends, depth, words);
    }

    /// Returns how many bytes at their begin all open strings have in common.
    private long common(RowSelection selection) {
        long start = strings.start(selection.open(0));
        AtomicLong common = new AtomicLong(strings.end(selection.open(0)) - start);
        selection.parallel().forRanges(selection.openCount(), GRAIN, (from, to) -> {
            long here = common.get();
            for (int place = (int) from; place < to && here > 0; place++) {
                int row = selection.open(place);
                long other = strings.start(row);
                here = text.common(start, other, Math.min(here, strings.end(row) - other));
            }
            common.accumulateAndGet(here, Math::min);
        });
        return common.get();
    }

    /// Returns the indexes of these strings in order.
    private int[] argsort(int[] rows, StringCpuSorter sorter) {
        byte[][] copies = new byte[rows.length][];
        for (int i = 0; i < rows.length; i++) {
            copies[i] = strings.get(rows[i]);
        }
        int[] sorted = new int[rows.length];
        sorter.argsort(Strings.copyOf(copies), MemorySegment.ofArray(sorted), Integer.BYTES);
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = rows[sorted[i]];
        }
        return sorted;
    }

    /// Returns the indexes of the strings that come first or last, in order. Of equal ones, the one with the smaller
    /// index comes first.
    ///
    /// @param wanted not more than there are strings, of which there are fewer than 2^31
    /// @param sorter has the same order
    public int[] select(int wanted, boolean isLast, int threads, StringCpuSorter sorter) {
        int count = (int) strings.count();
        int[] sorted = null;
        if (RowSelection.isWorthwhile(count, wanted)) {
            RowSelection selection = new RowSelection(count, wanted, isLast, threads);
            int[] rows = selection.rows(narrow(selection));
            sorted = RowSelection.isWorthwhile(count, rows.length) ? argsort(rows, sorter) : null;
        }
        if (sorted == null) {
            sorted = new int[count];
            sorter.argsort(strings, MemorySegment.ofArray(sorted), Integer.BYTES);
        }
        int from = isLast ? sorted.length - wanted : 0;
        return Arrays.copyOfRange(sorted, from, from + wanted);
    }
}
