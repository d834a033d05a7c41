package io.samplesort.gpu.sort;

import io.samplesort.types.Tuning;

/// How an array that is sorted in place is cut into pages (pages.cuh). Pages of the array are numbered from 0 on, and
/// pages outside it from [#arrayPages] on.
///
/// @param count    elements of the array
/// @param tileSize elements of a tile
/// @param logTiles log2 of how many tiles a page has
public record PageShape(long count, int tileSize, int logTiles) {
    /// With more pages than this, host and device take too long to look through them.
    private static final long MANY_PAGES = 1 << 16;

    /// Fewer pages than this are of no use: each of many buckets has two that are not full.
    private static final long FEW_PAGES = 1 << 13;

    private static final int ALIGNMENT = 256;

    /// Returns the shape with the largest pages of which there are enough.
    public static PageShape of(long count, Tuning tuning) {
        int logTiles = 0;
        while (count / ((long) tuning.tileSize() << logTiles + 1) >= FEW_PAGES) {
            logTiles++;
        }
        return new PageShape(count, tuning.tileSize(), logTiles);
    }

    /// Returns the shape with pages of half the size; null if they are already as small as a tile, or there would be
    /// too many.
    public PageShape smaller() {
        return logTiles == 0 || count / (pageSize() / 2) > MANY_PAGES
                ? null
                : new PageShape(count, tileSize, logTiles - 1);
    }

    /// Returns how many elements a page has.
    public long pageSize() {
        return (long) tileSize << logTiles;
    }

    /// Returns the whole pages of the array, which can be written.
    public int wholePages() {
        return Math.toIntExact(count / pageSize());
    }

    /// Returns the pages of the array, the last of which may be shorter.
    public int arrayPages() {
        return Math.toIntExact(pagesFor(count));
    }

    /// Returns how many pages this many elements take.
    public long pagesFor(long elements) {
        return Math.ceilDiv(elements, pageSize());
    }

    /// Returns the bytes of this many pages outside the array.
    public long besideBytes(long pages, int[] columnBytes) {
        long bytes = 0;
        for (int each : columnBytes) {
            bytes += Math.ceilDiv(pages * pageSize() * each, (long) ALIGNMENT) * ALIGNMENT;
        }
        return bytes;
    }

    /// Returns how many pages outside the array fit this many bytes.
    public long besidePages(long bytes, int[] columnBytes) {
        long row = 0;
        for (int each : columnBytes) {
            row += each;
        }
        return Math.max(0, (bytes - (long) ALIGNMENT * columnBytes.length) / (row * pageSize()));
    }

    /// Returns the address of each column of this many pages outside the array.
    public long[] besideColumns(long address, long pages, int[] columnBytes) {
        long[] columns = new long[columnBytes.length];
        long next = address;
        for (int c = 0; c < columns.length; c++) {
            columns[c] = next;
            next += Math.ceilDiv(pages * pageSize() * columnBytes[c], (long) ALIGNMENT) * ALIGNMENT;
        }
        return columns;
    }
}
