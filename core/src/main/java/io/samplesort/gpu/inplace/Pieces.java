package io.samplesort.gpu.inplace;

import java.util.Arrays;

/// A list of pieces of an array, each of so many elements that go together from one place to another. It is three
/// numbers a piece in one array, since a sort has thousands of them and a young process no time for objects.
final class Pieces {
    private static final int FIELDS = 3;

    private long[] values = new long[FIELDS * 64];
    private int size;

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }

    /// Adds a piece, or makes the last one longer if it goes on there and at its target alike.
    void add(long from, long to, long count) {
        if (size > 0 && from(size - 1) + count(size - 1) == from && to(size - 1) + count(size - 1) == to) {
            values[FIELDS * (size - 1) + 2] += count;
            return;
        }
        if (FIELDS * size == values.length) {
            values = Arrays.copyOf(values, 2 * values.length);
        }
        values[FIELDS * size] = from;
        values[FIELDS * size + 1] = to;
        values[FIELDS * size + 2] = count;
        size++;
    }

    /// Returns where a piece begins.
    long from(int piece) {
        return values[FIELDS * piece];
    }

    /// Returns where it goes.
    long to(int piece) {
        return values[FIELDS * piece + 1];
    }

    /// Returns how many elements it has.
    long count(int piece) {
        return values[FIELDS * piece + 2];
    }

    /// Returns how many elements all pieces have.
    long sum() {
        long sum = 0;
        for (int piece = 0; piece < size; piece++) {
            sum += count(piece);
        }
        return sum;
    }

    /// Puts the pieces in the order in which they begin.
    void sortByFrom() {
        sort(0);
    }

    /// Puts the pieces in the order of where they go.
    void sortByTo() {
        sort(1);
    }

    /// Sorts by insertion: there are some hundred pieces, in a few runs that are in order already.
    private void sort(int field) {
        for (int piece = 1; piece < size; piece++) {
            long from = from(piece);
            long to = to(piece);
            long count = count(piece);
            long key = values[FIELDS * piece + field];
            int place = piece;
            while (place > 0 && values[FIELDS * (place - 1) + field] > key) {
                place--;
            }
            System.arraycopy(values, FIELDS * place, values, FIELDS * (place + 1), FIELDS * (piece - place));
            values[FIELDS * place] = from;
            values[FIELDS * place + 1] = to;
            values[FIELDS * place + 2] = count;
        }
    }
}
