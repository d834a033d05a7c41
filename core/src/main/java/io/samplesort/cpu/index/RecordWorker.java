package io.samplesort.cpu.index;

import io.samplesort.cpu.lanes.BucketFinder;
import io.samplesort.cpu.lanes.CpuTuning;
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
    /// Where in the open pages the next record of each bucket goes, in records.
    private int[] pageEnds = {};

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
        this.transfer = new RecordTransfer(layout);
        this.leaf = new RecordLeaf(layout, transfer);
        this.fullPages = new int[1 << layout.bucketLog()];
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
            pageEnds = new int[fullPages.length];
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
                + (long) Integer.BYTES * (nodes.length + pageEnds.length + fullPages.length)
                + (long) Short.BYTES * oracle.length
                + transfer.heapBytes()
                + leaf.heapBytes();
    }

    /// Moves records `from..to` of `source` to pages of their buckets. Full pages go to `target`, from `shareStart` on.
    void scatter(
            List<MemorySegment> source,
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
        MemorySegment pageSegment = MemorySegment.ofArray(pages);
        for (int at = from; at < to; at += layout.tileSize()) {
            int size = Math.min(layout.tileSize(), to - at);
            transfer.read(source, at, size, tile);
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
            RecordTransfer.move(records, i * bytes, open, end * bytes, bytes);
            ends[b] = ++end;
            if ((end & mask) == 0) {
                return ~(i + 1);
            }
        }
        return to;
    }

    /// Returns how many records the open page of bucket `b` holds.
    int pageFill(int b, int pageSize) {
        return pageEnds[b] - b * pageSize;
    }

    /// Reads `count` records from index `from` of the input to the leaf.
    void readLeaf(List<MemorySegment> source, long from, int count) {
        transfer.read(source, from, count, leaf.records());
    }

    /// Copies a page to record `at` of the leaf.
    ///
    /// @param from the place of the page's first record among `pages`
    void takePage(MemorySegment pages, long from, int pageSize, int at) {
        MemorySegment.copy(
                pages,
                from * recordBytes,
                MemorySegment.ofArray(leaf.records()),
                (long) at * recordBytes,
                (long) pageSize * recordBytes);
    }

    /// Copies what the open page of bucket `b` holds in `owner` to record `at` of the leaf.
    void takeOpenPage(RecordWorker owner, int b, int pageSize, int at) {
        System.arraycopy(
                owner.pages,
                b * pageSize * recordBytes,
                leaf.records(),
                at * recordBytes,
                owner.pageFill(b, pageSize) * recordBytes);
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
