package io.samplesort.cpu.records;

import io.samplesort.cpu.numbers.BucketFinder;
import io.samplesort.cpu.numbers.CpuTuning;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// What one thread of a sort of records owns, and its inner loops: records and their open pages lie in arrays of bytes,
/// whatever memory the input is in.
final class RecordWorker {
    private final RecordLayout layout;
    private final int recordBytes;
    private final RecordTransfer transfer;
    private final RecordLeaf leaf;

    private byte[] tile = {};
    private long[] keys = {};
    private long[] spareKeys = {};
    private short[] oracle = {};
    private int[] nodes = {};
    private byte[] pages = {};
    /// Where in the open pages the next record of each bucket goes, counted in records.
    private int[] pageEnds = {};

    RecordWorker(RecordLayout layout) {
        this.layout = layout;
        this.recordBytes = layout.recordBytes();
        this.transfer = new RecordTransfer(layout);
        this.leaf = new RecordLeaf(layout, transfer);
    }

    /// Allocates what sorting leaves of `leafSize` records needs, and distribution passes unless `isLeafOnly`.
    void reserve(int leafSize, boolean isLeafOnly) {
        transfer.reserve();
        // Buckets that are not sorted as leaves pass through the leaf page by page.
        leaf.reserve(isLeafOnly ? leafSize : Math.max(leafSize, layout.pageSize(CpuTuning.LEAST_BUCKET_LOG)));
        if (!isLeafOnly && pages.length == 0) {
            int size = layout.tileSize();
            tile = new byte[size * recordBytes];
            keys = new long[size];
            spareKeys = new long[size];
            oracle = new short[size];
            nodes = new int[size];
            pageEnds = new int[1 << layout.bucketLog()];
            int most = 0;
            for (int log = CpuTuning.LEAST_BUCKET_LOG; log <= layout.bucketLog(); log++) {
                most = Math.max(most, layout.pageSize(log) << log);
            }
            pages = new byte[most * recordBytes];
        }
    }

    long heapBytes() {
        return 0L
                + tile.length
                + pages.length
                + (long) Long.BYTES * (keys.length + spareKeys.length)
                + (long) Integer.BYTES * (nodes.length + pageEnds.length)
                + (long) Short.BYTES * oracle.length
                + transfer.heapBytes()
                + leaf.heapBytes();
    }

    /// Moves the records of a share of `source` to pages of their buckets, and these to the same stretch of `target`.
    void scatter(
            List<MemorySegment> source,
            RecordShare share,
            SortKey key,
            BucketFinder finder,
            int pageSize,
            MemorySegment target,
            short[] bucketOfPage) {
        int bucketCount = finder.bucketCount();
        share.begin(bucketCount);
        for (int b = 0; b < bucketCount; b++) {
            pageEnds[b] = b * pageSize;
        }
        for (int at = share.start; at < share.end; at += layout.tileSize()) {
            int size = Math.min(layout.tileSize(), share.end - at);
            transfer.read(source, at, size, tile);
            key.prefixes(tile, size, keys, spareKeys);
            finder.findBuckets(keys, size, oracle, nodes);
            for (int i = 0; i < size; ) {
                i = scatterTile(i, size, pageSize);
                if (i < 0) {
                    i = ~i;
                    int b = oracle[i - 1];
                    bucketOfPage[share.firstPage + share.pageCount] = (short) b;
                    writeOpenPage(b, pageSize, target, share.start + share.pageCount * pageSize);
                    share.addPage(b);
                }
            }
        }
        int rest = share.start + share.pageCount * pageSize;
        for (int b = 0; b < bucketCount; b++) {
            share.beginRest(b, rest);
            rest += writeOpenPage(b, pageSize, target, rest);
        }
        share.beginRest(bucketCount, rest);
    }

    /// Writes what the open page of bucket `b` holds to record `to` of `target`, and empties the page.
    ///
    /// @return how many records that was
    private int writeOpenPage(int b, int pageSize, MemorySegment target, int to) {
        int start = b * pageSize;
        int count = pageEnds[b] - start;
        if (count > 0) {
            MemorySegment.copy(
                    MemorySegment.ofArray(pages),
                    (long) start * recordBytes,
                    target,
                    (long) to * recordBytes,
                    (long) count * recordBytes);
            pageEnds[b] = start;
        }
        return count;
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
            RecordTransfer.move(records, i * bytes, open, end * bytes, bytes);
            ends[b] = ++end;
            if ((end & mask) == 0) {
                return ~(i + 1);
            }
        }
        return to;
    }

    /// Reads `count` records from index `from` of the input to the leaf.
    void readLeaf(List<MemorySegment> source, long from, int count) {
        transfer.read(source, from, count, leaf.records());
    }

    /// Copies `count` records of a page to record `at` of the leaf.
    ///
    /// @param from the place of the first of them in `pages`
    void takePage(MemorySegment pages, long from, int count, int at) {
        MemorySegment.copy(
                pages,
                from * recordBytes,
                MemorySegment.ofArray(leaf.records()),
                (long) at * recordBytes,
                (long) count * recordBytes);
    }

    /// Sorts the first `count` records of the leaf by `key`, and writes them to record `to` of `target`.
    void sortLeaf(int count, SortKey key, List<MemorySegment> target, long to) {
        leaf.sort(count, key, target, to);
    }

    /// Writes the first `count` records of the leaf, as they are, to record `to` of `target`.
    void writeUnsorted(int count, List<MemorySegment> target, long to) {
        transfer.write(leaf.records(), count, target, to);
    }
}
