package io.samplesort.cpu;

/// The tuning parameters of the CPU engine.
///
/// @param tileSize       elements that a worker moves at a time: two buffers of keys should fit the second-level cache
/// @param maxBucketCount most buckets of a distribution pass, a power of two up to 256, so that a bucket index is a
/// byte
/// @param oversampling   sampled keys for each splitter
/// @param bucketTarget   elements a bucket should have; `Arrays.sort` loses little up to here, and a pass with fewer
/// buckets
///                       is faster (measured for 2^16 to 2^21: within 10% of each other)
/// @param leafLimit      elements of the largest bucket that is sorted in one piece
/// @param sequentialLimit up to this size an input is sorted in one piece
record CpuTuning(
        int tileSize, int maxBucketCount, int oversampling, int bucketTarget, int leafLimit, int sequentialLimit) {
    static final CpuTuning DEFAULT = new CpuTuning(1 << 14, 256, 32, 1 << 19, 1 << 24, 1 << 15);

    CpuTuning {
        if (tileSize < 1 || oversampling < 1 || bucketTarget < 1 || leafLimit < 1 || sequentialLimit < 1) {
            throw new IllegalArgumentException("CPU tuning parameters must be positive");
        }
        if (maxBucketCount < 4 || maxBucketCount > 256 || Integer.bitCount(maxBucketCount) != 1) {
            throw new IllegalArgumentException("maxBucketCount " + maxBucketCount + ": must be 4, 8, … or 256");
        }
    }
}
