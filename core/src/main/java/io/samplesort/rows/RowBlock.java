package io.samplesort.rows;

/// What a thread needs to read the keys of a block of rows.
final class RowBlock {
    /// The most rows of a block. The arrays stay in the L1 cache.
    private static final int SIZE = 512;

    final long[] bits;
    final int[] ints;

    private RowBlock(int size) {
        bits = new long[size];
        ints = new int[size];
    }

    /// Work on `count` rows from place `from` on.
    @FunctionalInterface
    interface Body {
        void accept(int from, int count, RowBlock block);
    }

    /// Calls `body` for blocks that together are `from..to`.
    static void forBlocks(long from, long to, Body body) {
        RowBlock block = new RowBlock((int) Math.min(SIZE, to - from));
        for (long at = from; at < to; at += SIZE) {
            body.accept((int) at, (int) Math.min(SIZE, to - at), block);
        }
    }
}
