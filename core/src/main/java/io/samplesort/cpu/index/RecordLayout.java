package io.samplesort.cpu.index;

import io.samplesort.cpu.lanes.CpuTuning;

/// How many records of one size fit what a worker has room for.
///
/// @param recordBytes bytes of a record
/// @param leafLimit   the most records that a worker sorts in its buffer
/// @param tileSize    records that a worker looks up at a time, a multiple of 8
/// @param pageBytes   about how many bytes a page has
/// @param bucketLog   the binary logarithm of the most buckets of a pass
/// @param oversampling sample elements for each splitter
record RecordLayout(int recordBytes, int leafLimit, int tileSize, int pageBytes, int bucketLog, int oversampling) {
    private static final int TILE_BYTES = 1 << 15;

    /// The buffer for a leaf is at most so many times the small-sort limit of numbers.
    private static final int LEAF_FACTOR = 4;

    private static final int MOST_BUCKETS_LOG = 10;

    private static final int MOST_IN_LEAF = 1 << 15;

    static RecordLayout of(int recordBytes, CpuTuning tuning) {
        int inLeaf = (int) Math.min(MOST_IN_LEAF, (long) LEAF_FACTOR * tuning.smallSortBytes() / recordBytes);
        int inTile = Math.max(8, Math.min(tuning.tileSize(), TILE_BYTES / recordBytes) & -8);
        return new RecordLayout(
                recordBytes,
                Math.max(2, inLeaf),
                inTile,
                tuning.pageBytes(),
                Math.min(MOST_BUCKETS_LOG, tuning.bucketLog() + 2),
                tuning.oversampling());
    }

    /// Returns the binary logarithm of the number of buckets for so many records.
    int bucketLogFor(int count) {
        // Buckets are of different sizes, and should nearly all be leaves.
        int wanted = Integer.SIZE - Integer.numberOfLeadingZeros((int) (2L * count / leafLimit));
        return Math.clamp(wanted, CpuTuning.LEAST_BUCKET_LOG, bucketLog);
    }

    /// Returns how many records a page of a pass with so many buckets has, a power of two.
    int pageSize(int bucketLogUsed) {
        int bytes = Math.max(pageBytes >> Math.max(0, bucketLogUsed - 8), 8 * recordBytes);
        return Integer.highestOneBit(Math.max(2, bytes / recordBytes));
    }

    /// Returns the most pages that there can be.
    int pageLimit(int count, int workers) {
        return count / pageSize(bucketLog) + workers;
    }
}
