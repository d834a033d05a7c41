package io.samplesort.cpu.numbers;

/// The tuning parameters of the CPU engine. The defaults were found on a 2-core AMD EPYC (Zen 5, 1 MiB of L2 for each
/// core).
///
/// @param bucketLog       log2 of the number of buckets of a distribution pass, 3 to 10; at 8 the splitter tree (2 KiB)
///     stays in L1 and the open pages of all buckets (512 KiB) in L2
/// @param pageBytes       bytes of a page in a worker's buffer, a power of two. Elements travel to their bucket in
///     pages, which are long enough to be copied at memory bandwidth.
/// @param tileSize        elements that a worker looks up at a time; they and their bucket indexes stay in L1
/// @param oversampling    sample elements for each splitter
/// @param smallSortBytes  a bucket that takes at most this many bytes in a worker's buffer is small-sorted there
/// @param sequentialLimit the calling thread alone sorts up to this many elements
public record CpuTuning(
        int bucketLog, int pageBytes, int tileSize, int oversampling, int smallSortBytes, int sequentialLimit) {
    public static final CpuTuning DEFAULT = new CpuTuning(8, 2048, 2048, 16, 1 << 20, 1 << 15);

    /// With fewer buckets, a half of the splitter tree could not represent a repeated key.
    public static final int LEAST_BUCKET_LOG = 3;

    public CpuTuning {
        check(bucketLog >= LEAST_BUCKET_LOG && bucketLog <= 10, "bucketLog", bucketLog, "3 to 10");
        check(pageBytes >= 16 && Integer.bitCount(pageBytes) == 1, "pageBytes", pageBytes, "a power of two from 16");
        check(tileSize >= 8 && tileSize % 8 == 0, "tileSize", tileSize, "a multiple of 8");
        check(oversampling >= 2, "oversampling", oversampling, "2 or more");
        check(smallSortBytes >= 64, "smallSortBytes", smallSortBytes, "64 or more");
        check(sequentialLimit >= 0, "sequentialLimit", sequentialLimit, "0 or more");
    }

    private static void check(boolean valid, String name, int value, String allowed) {
        if (!valid) {
            throw new IllegalArgumentException(name + " = " + value + ": must be " + allowed);
        }
    }

    public int bucketCount() {
        return 1 << bucketLog;
    }

    /// Returns how many elements a page has, if each takes `elementBytes` in a worker's buffer.
    int pageSize(int elementBytes) {
        return Math.max(2, pageBytes / elementBytes);
    }

    /// Returns the small-sort limit in elements, if each takes `elementBytes` in a worker's buffer.
    public int smallSortLimit(int elementBytes) {
        return smallSortBytes / elementBytes;
    }
}
