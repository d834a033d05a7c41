package io.samplesort.cpu.index;

import io.samplesort.cpu.Parallel;
import io.samplesort.cpu.lanes.BucketFinder;
import io.samplesort.cpu.lanes.PairSort;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// What one thread of a sort of records owns, and its inner loops: records and their open pages lie in arrays of bytes,
/// whatever memory the input is in.
final class RecordWorker {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private static final Parallel ALONE = new Parallel(1);

    /// Records of up to so many bytes are moved word by word, which is faster than a copy.
    private static final int WORDS_LIMIT = 48;

    private static final int OUTPUT_BYTES = 1 << 14;

    private final RecordLayout layout;
    private final int recordBytes;

    private byte[] tile = {};
    private long[] keys = {};
    private long[] spareKeys = {};
    private short[] oracle = {};
    private int[] nodes = {};
    private byte[] pages = {};
    /// Where in the open pages the next record of each bucket goes, in records.
    private int[] pageEnds = {};

    private byte[] leaf = {};
    private long[] leafKeys = {};
    private long[] places = {};
    private int[] order = {};
    private int[] spareOrder = {};
    private byte[] output = {};
    private final PairSort pairSort = new PairSort();

    /// How many full pages each bucket has.
    final int[] fullPages;
    /// The first record of this worker's share.
    int shareStart;
    /// The place of this worker's first page among all pages.
    int firstPage;
    /// How many pages this worker has written.
    int pageCount;

    RecordWorker(RecordLayout layout) {
        this.layout = layout;
        this.recordBytes = layout.recordBytes();
        this.fullPages = new int[1 << layout.bucketLog()];
    }

    /// Allocates what sorting leaves of `leafSize` records needs, and distribution passes unless `isLeafOnly`.
    void reserve(int leafSize, boolean isLeafOnly) {
        if (leafKeys.length < leafSize) {
            leaf = new byte[leafSize * recordBytes];
            leafKeys = new long[leafSize];
            places = new long[leafSize];
            order = new int[leafSize];
            spareOrder = new int[leafSize];
            output = new byte[Math.max(OUTPUT_BYTES / recordBytes, 1) * recordBytes];
            spareKeys = new long[Math.max(leafSize, layout.tileSize())];
            pairSort.reserve(leafSize);
        }
        if (!isLeafOnly && pages.length == 0) {
            int size = layout.tileSize();
            tile = new byte[size * recordBytes];
            keys = new long[size];
            oracle = new short[size];
            nodes = new int[size];
            pageEnds = new int[fullPages.length];
            int most = 0;
            for (int log = 0; log <= layout.bucketLog(); log++) {
                most = Math.max(most, layout.pageSize(log) << log);
            }
            pages = new byte[most * recordBytes];
        }
    }

    long heapBytes() {
        return 0L
                + tile.length
                + pages.length
                + leaf.length
                + output.length
                + (long) Long.BYTES * (keys.length + spareKeys.length + leafKeys.length + places.length)
                + (long) Integer.BYTES
                        * (nodes.length + pageEnds.length + order.length + spareOrder.length + fullPages.length)
                + (long) Short.BYTES * oracle.length
                + pairSort.heapBytes();
    }

    /// Moves records `from..to` of `source` to pages of their buckets. Full pages go to `target`, from `shareStart` on.
    void scatter(
            MemorySegment source,
            int from,
            int to,
            SortKey key,
            BucketFinder finder,
            int pageSize,
            MemorySegment target,
            short[] bucketOfPage) {
        for (int b = 0; b < finder.bucketCount(); b++) {
            fullPages[b] = 0;
            pageEnds[b] = b * pageSize;
        }
        pageCount = 0;
        MemorySegment tileSegment = MemorySegment.ofArray(tile);
        MemorySegment pageSegment = MemorySegment.ofArray(pages);
        for (int at = from; at < to; at += layout.tileSize()) {
            int size = Math.min(layout.tileSize(), to - at);
            MemorySegment.copy(source, (long) at * recordBytes, tileSegment, 0, (long) size * recordBytes);
            key.prefixes(tile, size, keys, spareKeys);
            finder.findBuckets(keys, size, oracle, nodes);
            for (int i = 0; i < size; ) {
                i = scatterTile(i, size, pageSize);
                if (i < 0) {
                    i = ~i;
                    int b = oracle[i - 1];
                    int start = b * pageSize;
                    MemorySegment.copy(
                            pageSegment,
                            (long) start * recordBytes,
                            target,
                            (shareStart + (long) pageCount * pageSize) * recordBytes,
                            (long) pageSize * recordBytes);
                    pageEnds[b] = start;
                    bucketOfPage[firstPage + pageCount++] = (short) b;
                    fullPages[b]++;
                }
            }
        }
    }

    /// Moves records of the tile from index `from` on, up to `to` or until a page is full.
    ///
    /// @return the index of the first record that was not moved, inverted if a page is full
    private int scatterTile(int from, int to, int pageSize) {
        byte[] records = tile;
        byte[] open = pages;
        int[] ends = pageEnds;
        short[] buckets = oracle;
        int bytes = recordBytes;
        int mask = pageSize - 1;
        for (int i = from; i < to; i++) {
            int b = buckets[i];
            int end = ends[b];
            move(records, i * bytes, open, end * bytes, bytes);
            ends[b] = ++end;
            if ((end & mask) == 0) {
                return ~(i + 1);
            }
        }
        return to;
    }

    private static void move(byte[] from, int at, byte[] to, int put, int bytes) {
        if (bytes == 2 * Long.BYTES) {
            long first = (long) LONG.get(from, at);
            long second = (long) LONG.get(from, at + Long.BYTES);
            LONG.set(to, put, first);
            LONG.set(to, put + Long.BYTES, second);
        } else if (bytes > WORDS_LIMIT || bytes < Long.BYTES) {
            System.arraycopy(from, at, to, put, bytes);
        } else {
            int last = bytes - Long.BYTES;
            for (int word = 0; word < last; word += Long.BYTES) {
                LONG.set(to, put + word, (long) LONG.get(from, at + word));
            }
            // The last word may overlap the one before.
            LONG.set(to, put + last, (long) LONG.get(from, at + last));
        }
    }

    /// Returns how many records the open page of bucket `b` holds.
    int pageFill(int b, int pageSize) {
        return pageEnds[b] - b * pageSize;
    }

    /// Copies what the open page of bucket `b` holds to record `to` of `target`.
    void copyOpenPage(int b, int pageSize, MemorySegment target, long to) {
        MemorySegment.copy(
                MemorySegment.ofArray(pages),
                (long) b * pageSize * recordBytes,
                target,
                to * recordBytes,
                (long) pageFill(b, pageSize) * recordBytes);
    }

    /// Returns the buffer for a leaf.
    MemorySegment leaf() {
        return MemorySegment.ofArray(leaf);
    }

    /// Sorts the first `count` records of the leaf by `key`, and writes them to record `to` of `target`.
    void sortLeaf(int count, SortKey key, MemorySegment target, long to) {
        key.prefixes(leaf, count, leafKeys, spareKeys);
        for (int i = 0; i < count; i++) {
            places[i] = i;
        }
        pairSort.sort(leafKeys, places, 0, count);
        for (int i = 0; i < count; i++) {
            order[i] = (int) places[i];
        }
        if (!key.isWholeInPrefix()) {
            sortTies(count, key.rest());
        }
        writeLeaf(count, target, to);
    }

    private void sortTies(int count, SortKey rest) {
        MemorySegment records = leaf();
        IndexMergeSort byRest =
                new IndexMergeSort(ALONE, rest.comparator(records), order, spareOrder, Integer.MAX_VALUE);
        new TieSort(ALONE, Integer.MAX_VALUE, leafKeys, order, records, rest, byRest).sort(0, count);
    }

    private void writeLeaf(int count, MemorySegment target, long to) {
        MemorySegment outputSegment = MemorySegment.ofArray(output);
        int room = output.length / recordBytes;
        for (int done = 0; done < count; done += room) {
            int size = Math.min(room, count - done);
            gather(done, size);
            MemorySegment.copy(outputSegment, 0, target, (to + done) * recordBytes, (long) size * recordBytes);
        }
    }

    private void gather(int from, int count) {
        byte[] source = leaf;
        byte[] target = output;
        int[] indexes = order;
        int bytes = recordBytes;
        for (int i = 0; i < count; i++) {
            move(source, indexes[from + i] * bytes, target, i * bytes, bytes);
        }
    }
}
