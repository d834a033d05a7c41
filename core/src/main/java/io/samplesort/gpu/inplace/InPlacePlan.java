package io.samplesort.gpu.inplace;

import io.samplesort.gpu.code.KernelStructs.RegionLimits;
import io.samplesort.gpu.code.StructValues;
import io.samplesort.gpu.launch.DividingLayout;
import io.samplesort.gpu.sort.ChunkPlan;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.PagePass;
import io.samplesort.gpu.sort.PageShape;
import io.samplesort.gpu.sort.PageSort;
import io.samplesort.gpu.sort.SortStrategy;

/// How an array is sorted in place within a given memory. This class has only the arithmetic.
///
/// There are two areas in addition to the array. The **work area** has pages for the first pass, and later the room of
/// the passes after it. The **page area** has the records of the first pass about pages, and later the pages that are
/// not full, at most one of each bucket.
///
/// @param headSize     elements for which the passes after the first one have room
/// @param mostOfAGroup the most segments of a region
/// @param areaPages    pages of the page area
/// @param areaBytes    bytes of the page area
/// @param layout       the layout of the passes after the first one, which is as large as the work area
/// @param sampleCount  elements of the sample from which the splitters are taken
/// @param sampleSort   the strategy of the sort of the sample
/// @param runBytes     the average bytes of a bucket in a tile, in the narrower column if there are two; capped at what
///     is enough
/// @param byteSize     all device memory in addition to the array
record InPlacePlan(
        ChunkPlan chunks,
        long headSize,
        int mostOfAGroup,
        int areaPages,
        long areaBytes,
        DividingLayout layout,
        int sampleCount,
        SortStrategy sampleSort,
        int runBytes,
        long byteSize) {
    /// A region of this many buckets of average size can take any bucket that is no equality bucket: between two
    /// different splitters lie at most two buckets of average size, up to the error of the sample.
    private static final double LEAST_BUCKETS_A_REGION = 2.5;

    private static final int LOG_LEAST_BUCKETS = 4;

    /// A region has at most one of this many parts of all buckets, if these have average size.
    private static final int REGIONS_A_GROUP = 8;

    /// Sampled keys for each bucket. With this many, the sample of 512 buckets can be sorted by ranks, which takes two
    /// launches.
    private static final int OVERSAMPLING = 128;

    private static final int LEAST_OVERSAMPLING = 8;
    private static final int ELEMENTS_A_SAMPLED_KEY = 512;
    private static final int LEAST_ELEMENTS_A_SAMPLED_KEY = 4;

    /// Runs of the first pass should have this many bytes, or twice as many if they go to two columns: shorter runs
    /// cost more time than larger regions save.
    private static final int LONG_RUN_BYTES = 64;

    /// Allows for a page that two regions share, and for a part of a page at the end of the array.
    private static final int MORE_PAGES = 2;

    private static final int TRIALS = 6;

    /// Somewhat more blocks than the largest GPU of today runs at once in a first pass.
    private static final int MANY_BLOCKS = 300;

    /// The room of elements is aligned.
    private static final int ALIGNMENT = 256;

    /// Returns the plan; null if there is too little memory for any, or there are too few elements.
    static InPlacePlan of(DeviceSort sort, long count, long mostBytes) {
        int logMost = Integer.numberOfTrailingZeros(sort.tuning().maxBucketCount());
        InPlacePlan best = null;
        for (int log = Math.min(LOG_LEAST_BUCKETS, logMost); log <= logMost; log++) {
            InPlacePlan plan = withBuckets(sort, count, log, mostBytes);
            if (plan != null && (best == null || plan.isBetterThan(best))) {
                best = plan;
            }
        }
        return best;
    }

    private boolean isBetterThan(InPlacePlan other) {
        int passes = layout.passCount();
        int otherPasses = other.layout.passCount();
        if (passes != otherPasses) {
            return passes < otherPasses;
        }
        return runBytes != other.runBytes ? runBytes > other.runBytes : mostOfASegment() > other.mostOfASegment();
    }

    private static int smallest(int[] bytes) {
        int smallest = bytes[0];
        for (int each : bytes) {
            smallest = Math.min(smallest, each);
        }
        return smallest;
    }

    /// Returns the plan with this many buckets. Large pages mean fewer allocations and searches, so pages are as large
    /// as possible while there are enough of them for the blocks of a GPU.
    private static InPlacePlan withBuckets(DeviceSort sort, long count, int logBuckets, long mostBytes) {
        InPlacePlan best = null;
        for (PageShape shape = PageShape.of(count, sort.tuning());
                shape != null && (best == null || best.chunks.mostBlocks() < MANY_BLOCKS);
                shape = shape.smaller()) {
            InPlacePlan plan = withPages(sort, shape, logBuckets, mostBytes);
            best = plan == null ? best : plan;
        }
        return best;
    }

    private static InPlacePlan withPages(DeviceSort sort, PageShape shape, int logBuckets, long mostBytes) {
        long count = shape.count();
        int buckets = 1 << logBuckets;
        int sampleCount = (int) Math.clamp(
                count / ELEMENTS_A_SAMPLED_KEY, (long) LEAST_OVERSAMPLING * buckets, (long) OVERSAMPLING * buckets);
        if (sampleCount > count / LEAST_ELEMENTS_A_SAMPLED_KEY) {
            return null;
        }
        int areaPages = buckets + MORE_PAGES;
        SortStrategy sampleSort = sort.strategies().smallest(sampleCount, 0);
        long sampleBytes = sampleCount * sort.rowBytes() + sampleSort.byteSize();
        long pageBytes = shape.besideBytes(areaPages, sort.columnBytes());
        long besideBytes = sampleBytes + InPlaceMemory.smallBytes(shape, buckets, shape.arrayPages() / 2, 0);
        int mostOfAGroup = Math.max(8, 2 * buckets / REGIONS_A_GROUP);
        DividingLayout empty = layout(sort, count, logBuckets, 0, mostOfAGroup);
        long most = empty.rooms.partFor(count) + ALIGNMENT;
        long left = mostBytes - besideBytes - pageBytes - empty.byteSize();
        // The records of the first pass and the layout depend a little on how much room there is.
        for (int trial = 0; trial < TRIALS; trial++) {
            long headSize = Math.min(left / sort.movedRowBytes(), most) / ALIGNMENT * ALIGNMENT;
            if (headSize <= 0) {
                return null;
            }
            DividingLayout layout = layout(sort, count, logBuckets, headSize, mostOfAGroup);
            long besidePages =
                    Math.min(shape.besidePages(layout.headBytes(), sort.columnBytes()), shape.arrayPages() / 2);
            ChunkPlan chunks = ChunkPlan.of(sort, shape, logBuckets, besidePages);
            if (chunks == null
                    || (double) layout.rooms.mostWithin(headSize) * buckets / count < LEAST_BUCKETS_A_REGION) {
                return null;
            }
            long areaBytes = Math.max(pageBytes, PagePass.byteSize(sort, chunks));
            long byteSize = besideBytes + RegionPlan.bytes(layout.groupCount()) + areaBytes + layout.byteSize();
            if (byteSize <= mostBytes) {
                int[] columns = sort.columnBytes();
                int runBytes = Math.min(
                        LONG_RUN_BYTES * columns.length, sort.tuning().tileSize() / buckets * smallest(columns));
                return new InPlacePlan(
                        chunks,
                        headSize,
                        mostOfAGroup,
                        areaPages,
                        areaBytes,
                        layout,
                        sampleCount,
                        sampleSort,
                        runBytes,
                        byteSize);
            }
            left = headSize * sort.movedRowBytes() - (byteSize - mostBytes) - ALIGNMENT;
        }
        return null;
    }

    private static DividingLayout layout(DeviceSort sort, long count, int logBuckets, long headSize, int mostOfAGroup) {
        // Two neighbouring regions together exceed the limit of one, in elements or in segments.
        DividingLayout layout = PageSort.layout(sort, count, logBuckets, headSize, 1, mostOfAGroup);
        long most = Math.max(1, layout.rooms.mostWithin(headSize) - layout.rooms.mostWithin(0));
        long regions = 2 * Math.ceilDiv(count, most) + 2L * layout.mostSegments() / mostOfAGroup + 2;
        int groups = Math.toIntExact(Math.min(regions, layout.mostSegments() + 1L));
        return PageSort.layout(sort, count, logBuckets, headSize, groups, mostOfAGroup);
    }

    PageShape shape() {
        return chunks.shape();
    }

    int bucketCount() {
        return 1 << chunks.logBuckets();
    }

    /// Returns the most elements of a segment: whole pages of a bucket.
    long mostOfASegment() {
        long page = shape().pageSize();
        return layout.rooms.mostWithin(headSize) / page * page;
    }

    /// Returns the struct `RegionLimits` of region_plan.cuh.
    long[] limits() {
        return new StructValues<>(RegionLimits.values())
                .set(RegionLimits.SEGMENTS, layout.mostSegments())
                .set(RegionLimits.REGIONS, layout.groupCount())
                .set(RegionLimits.ELEMENTS, mostOfASegment())
                .set(RegionLimits.REGION_SEGMENTS, mostOfAGroup)
                .set(RegionLimits.REGION_ROOM, headSize)
                .set(RegionLimits.PART_ROOM, layout.rooms.allLaterRoom)
                .set(RegionLimits.PART_BUCKETS, layout.rooms.allLaterBuckets)
                .toArray();
    }

    /// Returns the rank of each splitter in the sorted sample.
    int[] ranks() {
        int[] ranks = new int[bucketCount() - 1];
        for (int splitter = 0; splitter < ranks.length; splitter++) {
            ranks[splitter] = (int) ((splitter + 1L) * sampleCount / bucketCount());
        }
        return ranks;
    }
}
