package io.samplesort.spark.rows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/// Blocks of rows that are sorted together in memory.
///
/// The place of a row is a long: the number of its block in the upper 20 bits, then where it begins there and how long
/// it is, both counted in words of 8 bytes, as Spark aligns rows. Rows whose length does not fit are alone in their
/// blocks.
final class RowTable {
    private static final int LENGTH_BITS = 16;
    private static final int START_BITS = 28;
    private static final int LONG_ROW = (1 << LENGTH_BITS) - 1;
    private static final int MOST_BLOCKS = 1 << Long.SIZE - LENGTH_BITS - START_BITS;

    /// Keys that are strings go into one array, and the numbers of rows are ints.
    private static final long MOST_BYTES = Integer.MAX_VALUE - 8;

    private final List<RowBlock> blocks = new ArrayList<>();
    /// The bytes of each block.
    private byte[][] memory;

    private long[] places;
    private long bytes;
    private long count;

    boolean isEmpty() {
        return blocks.isEmpty();
    }

    long bytes() {
        return bytes;
    }

    int count() {
        return (int) count;
    }

    boolean hasRoomFor(RowBlock block) {
        return blocks.size() < MOST_BLOCKS && bytes + block.size() <= MOST_BYTES;
    }

    void add(RowBlock block) {
        blocks.add(block);
        bytes += block.size();
        count += block.count();
    }

    /// Brings the blocks into the order of the input, and adds the keys of all rows to the buffers.
    void takeKeys(List<KeyBuffer> keys, int fields) {
        blocks.sort(Comparator.comparingLong(RowBlock::origin));
        memory = blocks.stream().map(RowBlock::bytes).toArray(byte[][]::new);
        places = new long[count()];
        KeyBuffer[] buffers = keys.toArray(KeyBuffer[]::new);
        UnsafeRow row = new UnsafeRow(fields);
        int at = 0;
        for (int number = 0; number < blocks.size(); number++) {
            RowBlock block = blocks.get(number);
            int start = 0;
            for (int i = 0; i < block.count(); i++) {
                int end = block.end(i);
                places[at++] = place(number, start, end - start);
                row.pointTo(block.bytes(), (long) Platform.BYTE_ARRAY_OFFSET + start, end - start);
                for (KeyBuffer buffer : buffers) {
                    buffer.add(row);
                }
                start = end;
            }
        }
    }

    private static long place(int block, int start, int length) {
        return ((long) block << START_BITS | start / Long.BYTES) << LENGTH_BITS
                | Math.min(length / Long.BYTES, LONG_ROW);
    }

    /// Brings the rows into an order.
    ///
    /// @param order the number of the row that comes first, second and so on; rows are numbered in the order in which
    ///     their keys were taken
    void order(int[] order) {
        long[] ordered = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            ordered[i] = places[order[i]];
        }
        places = ordered;
    }

    /// Makes `row` point to the row that comes at this place.
    void get(int number, UnsafeRow row) {
        long place = places[number];
        int block = block(place);
        int length = (int) place & LONG_ROW;
        row.pointTo(
                memory[block],
                start(place),
                length == LONG_ROW ? blocks.get(block).size() : length * Long.BYTES);
    }

    private static int block(long place) {
        return (int) (place >>> START_BITS + LENGTH_BITS);
    }

    private static long start(long place) {
        return Platform.BYTE_ARRAY_OFFSET + (place >>> LENGTH_BITS & (1L << START_BITS) - 1) * Long.BYTES;
    }

    /// Reads the first and the last word of some rows, so that they are in the cache when they are used.
    long touch(int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            long place = places[i];
            byte[] bytes = memory[block(place)];
            long start = start(place);
            long words = place & LONG_ROW;
            sum += Platform.getLong(bytes, start)
                    + Platform.getLong(bytes, start + (words == LONG_ROW ? 0 : words - 1) * Long.BYTES);
        }
        return sum;
    }

    /// Returns the origin of the row that comes at this place.
    long origin(int number) {
        return blocks.get(block(places[number])).origin();
    }

    void clear() {
        blocks.clear();
        memory = null;
        places = null;
        bytes = 0;
        count = 0;
    }
}
