package io.samplesort.cpu.records;

import io.samplesort.cpu.numbers.CpuTuning;
import java.util.List;

/// The size of a record, and how many records fit the memory of a worker.
///
/// @param columnBytes  bytes of an element of each column; a record has one element of each
/// @param recordBytes  bytes of a record
/// @param leafLimit    the most records that a worker sorts in its buffer
/// @param tileSize     how many records a worker looks up at a time, a multiple of 8
/// @param pageBytes    bytes of a page of a pass with 256 buckets
/// @param bucketLog    the binary logarithm of the most buckets of a pass
/// @param oversampling sample elements for each splitter
public record RecordLayout(
        List<Integer> columnBytes,
        int recordBytes,
        int leafLimit,
        int tileSize,
        int pageBytes,
        int bucketLog,
        int oversampling) {
    /// A tile of this size stays in the L1 cache.
    private static final int TILE_BYTES = 1 << 15;

    /// A bucket of this many bytes stays in the L2 cache, together with what sorting it takes.
    private static final int BUCKET_BYTES = 1 << 19;

    /// Open pages of the tuned size for this many buckets (as a binary logarithm) stay in the L2 cache. With more
    /// buckets, pages are shorter.
    private static final int OPEN_PAGES_LOG = 9;

    /// A pass by several workers has more than this many buckets for each, so that none waits long for the others.
    private static final int BUCKETS_PER_WORKER = 8;

    /// A pass by several workers has at most this many shares for each.
    private static final int SHARES_PER_WORKER = 4;

    /// Shorter pages would take too long to copy.
    private static final int LEAST_IN_PAGE = 8;

    private static final int MOST_BUCKETS_LOG = 10;

    /// The buffer for a leaf takes at most this many times the bytes of the small-sort limit of numbers.
    private static final int LEAF_FACTOR = 4;

    private static final int MOST_IN_LEAF = 1 << 15;

    public static RecordLayout of(List<Integer> columnBytes, CpuTuning tuning) {
        int bytes = columnBytes.stream().mapToInt(Integer::intValue).sum();
        int inLeaf = (int) Math.min(MOST_IN_LEAF, (long) LEAF_FACTOR * tuning.smallSortBytes() / bytes);
        int inTile = Math.max(8, Math.min(tuning.tileSize(), TILE_BYTES / bytes) & -8);
        return new RecordLayout(
                columnBytes,
                bytes,
                Math.max(2, inLeaf),
                inTile,
                tuning.pageBytes(),
                Math.min(MOST_BUCKETS_LOG, tuning.bucketLog() + 2),
                tuning.oversampling());
    }

    /// Returns the binary logarithm of the number of buckets for this many records.
    int bucketLogFor(int count, int workers) {
        long wanted = Math.max((long) count * recordBytes / BUCKET_BYTES, 2L * count / leafLimit);
        wanted = workers == 1 ? wanted : Math.max(wanted, (long) BUCKETS_PER_WORKER * workers);
        return Math.clamp(Long.SIZE - Long.numberOfLeadingZeros(wanted), CpuTuning.LEAST_BUCKET_LOG, bucketLog);
    }

    /// Returns how many records a page of a pass with this many buckets has, a power of two.
    int pageSize(int bucketLogUsed) {
        return Math.max(
                LEAST_IN_PAGE, Integer.highestOneBit((pageBytes << OPEN_PAGES_LOG >> bucketLogUsed) / recordBytes));
    }

    /// Returns in how many shares this many records are scattered. A share has about a page for each bucket, since a
    /// rest that does not fill a page is another piece to copy.
    int shareCountFor(int count, int bucketLogUsed, int workers) {
        int pages = count / pageSize(bucketLogUsed) >>> bucketLogUsed;
        return workers == 1 ? 1 : Math.clamp(pages, workers, shareLimit(workers));
    }

    /// Returns the most shares that a pass can have.
    int shareLimit(int workers) {
        return workers == 1 ? 1 : SHARES_PER_WORKER * workers;
    }

    /// Returns the most pages that there can be.
    int pageLimit(int count, int workers) {
        return count / pageSize(bucketLog) + shareLimit(workers);
    }
}
