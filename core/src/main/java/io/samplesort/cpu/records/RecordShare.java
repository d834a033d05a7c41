package io.samplesort.cpu.records;

/// A stretch of the input of a distribution pass, which one worker scatters from its first record to its last. In the
/// other memory, its records lie in the same stretch: full pages first, in the order in which they became full, then
/// the rests of all buckets, which do not fill a page.
///
/// There are more shares than workers, so that a worker that loses its core for a while does not hold up all others.
final class RecordShare {
    /// The first record of the stretch.
    int start;
    /// Where the stretch ends.
    int end;
    /// The place of the first page among the pages of all shares.
    int firstPage;
    /// How many full pages there are.
    int pageCount;

    private final int[] fullPages;
    private final int[] restStarts;

    /// @param bucketLog the binary logarithm of the most buckets of a pass
    RecordShare(int bucketLog) {
        fullPages = new int[1 << bucketLog];
        restStarts = new int[fullPages.length + 1];
    }

    long heapBytes() {
        return (long) Integer.BYTES * (fullPages.length + restStarts.length);
    }

    /// Begins a pass with this many buckets.
    void begin(int bucketCount) {
        pageCount = 0;
        for (int b = 0; b < bucketCount; b++) {
            fullPages[b] = 0;
        }
    }

    /// Adds a full page of bucket `b`.
    void addPage(int b) {
        fullPages[b]++;
        pageCount++;
    }

    /// Sets the beginning of the rest of bucket `b` to record `record`, where the rest of the bucket before ends.
    void beginRest(int b, int record) {
        restStarts[b] = record;
    }

    int fullPages(int b) {
        return fullPages[b];
    }

    int restStart(int b) {
        return restStarts[b];
    }

    int restSize(int b) {
        return restStarts[b + 1] - restStarts[b];
    }
}
