package io.samplesort.gpu.inplace;

import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.FirstPass;
import io.samplesort.gpu.sort.SortPlan;
import io.samplesort.gpu.sort.WorkspaceLayout;

/// How an array is sorted in place within a given memory: the arithmetic alone.
///
/// There are two areas. While chunks are divided into buckets, the first chunk goes to the **work area**. Later a
/// region is gathered in the **gathering area**, and its sort takes the work area. The sort of a region takes three
/// times the region or more, so chunks are larger than regions.
///
/// @param logBuckets  log2 of the buckets of the first pass
/// @param regionSize  elements that a region has at most
/// @param segments    buckets that a region has at most, a power of two
/// @param workBytes   bytes of the work area
/// @param passBytes   device memory of the first pass of a chunk
/// @param chunkSize   elements of each chunk but the last one, which may have fewer
/// @param sampleCount elements of the sample that the splitters are taken from
/// @param byteSize    all device memory beside the array
record InPlacePlan(
        long count,
        int logBuckets,
        long regionSize,
        int segments,
        long workBytes,
        long passBytes,
        long chunkSize,
        int sampleCount,
        long byteSize) {
    /// Regions of so many buckets of average size take any bucket that is no equality bucket: what lies between two
    /// different splitters is at most two buckets of average size, but for the error of the sample.
    private static final double LEAST_BUCKETS_A_REGION = 2.5;

    /// Few buckets make large regions.
    private static final int LOG_LEAST_BUCKETS = 8;

    /// Sampled keys for each bucket.
    private static final int OVERSAMPLING = 256;

    private static final int LEAST_OVERSAMPLING = 8;
    private static final int ELEMENTS_A_SAMPLED_KEY = 512;
    private static final int LEAST_ELEMENTS_A_SAMPLED_KEY = 4;

    /// The room for an element is rounded up, and smaller samples need more of it. So the sort of fewer elements may
    /// take a little more memory: less than that of this part more.
    private static final int MARGIN = 64;

    /// A chunk is counted with 32 bits.
    private static final long MOST_OF_A_CHUNK = 1 << 30;

    /// The areas depend on each other's sizes through how many passes a region takes, so the plan is found by trying.
    private static final int TRIALS = 24;

    private static final int ALIGNMENT = 256;

    /// Returns the plan; null if the memory is too little for any, or there are too few elements.
    static InPlacePlan of(DeviceSort sort, long count, long mostBytes) {
        double share = 0.25;
        for (int trial = 0; trial < TRIALS; trial++) {
            InPlacePlan plan = withRegions(sort, count, (long) (share * count));
            if (plan == null) {
                return null;
            }
            if (plan.byteSize <= mostBytes) {
                return plan;
            }
            share *= Math.min(0.98, 0.995 * mostBytes / plan.byteSize);
        }
        return null;
    }

    private static InPlacePlan withRegions(DeviceSort sort, long count, long regionSize) {
        int logBuckets = SortPlan.logManyFirstBuckets(count, LOG_LEAST_BUCKETS, sort.tuning());
        int buckets = 1 << logBuckets;
        double bucketsARegion = (double) regionSize * buckets / Math.max(1, count);
        int sampleCount = (int) Math.clamp(
                count / ELEMENTS_A_SAMPLED_KEY, (long) LEAST_OVERSAMPLING * buckets, (long) OVERSAMPLING * buckets);
        if (bucketsARegion < LEAST_BUCKETS_A_REGION || sampleCount > count / LEAST_ELEMENTS_A_SAMPLED_KEY) {
            return null;
        }
        int segments = Integer.highestOneBit(Math.max(1, 2 * (int) bucketsARegion - 1));
        long rowBytes = sort.rowBytes();
        long workBytes = sort.layoutBehind(regionSize + regionSize / MARGIN, segments).byteSize;
        long chunkSize = Math.min(MOST_OF_A_CHUNK, (workBytes - 2 * ALIGNMENT) / rowBytes);
        long chunks = Math.ceilDiv(count, chunkSize);
        chunkSize = Math.ceilDiv(count, chunks);
        long passBytes = FirstPass.byteSize(sort, chunkSize, logBuckets);
        long sampleBytes = sampleCount * rowBytes + sort.layouts().smallest(sampleCount, 0).byteSize;
        long byteSize = workBytes + regionSize * rowBytes + passBytes + sampleBytes + InPlaceMemory.smallBytes(buckets);
        return new InPlacePlan(
                count, logBuckets, regionSize, segments, workBytes, passBytes, chunkSize, sampleCount, byteSize);
    }

    int bucketCount() {
        return 1 << logBuckets;
    }

    int chunks() {
        return Math.toIntExact(Math.ceilDiv(count, chunkSize));
    }

    /// Returns how many elements a chunk has.
    long chunkCount(int chunk) {
        return Math.min(chunkSize, count - chunk * chunkSize);
    }

    /// Returns the most regions that there can be: two neighbours have more elements together than one may have, or the
    /// first of them has as many buckets as it may have.
    int mostRegions() {
        return Math.toIntExact(2 * Math.ceilDiv(count, regionSize) + bucketCount() / segments + 2);
    }

    /// Returns the rank of each splitter in the sorted sample.
    int[] ranks() {
        int[] ranks = new int[bucketCount() - 1];
        for (int splitter = 0; splitter < ranks.length; splitter++) {
            ranks[splitter] = (int) ((splitter + 1L) * sampleCount / bucketCount());
        }
        return ranks;
    }

    /// Returns the layout of the sort of a region, which fits the work area; null if none does. Buckets that are
    /// smaller than others may be more, as long as that does not take more passes than there is room for.
    WorkspaceLayout layout(DeviceSort sort, Region region) {
        int buckets = region.segments().sizes().length;
        for (int some = Integer.highestOneBit(2 * buckets - 1); some <= segments; some *= 2) {
            WorkspaceLayout layout = sort.layoutBehind(region.count(), some);
            if (layout.byteSize <= workBytes) {
                return layout;
            }
        }
        return null;
    }
}
