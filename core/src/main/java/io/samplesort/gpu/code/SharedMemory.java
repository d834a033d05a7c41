package io.samplesort.gpu.code;

import static io.samplesort.gpu.code.KernelConstants.WARP_SIZE;

import io.samplesort.types.Tuning;

/// How many bytes of shared memory a block of each kernel takes. The host has to know this before it compiles, so that
/// [FittingTuning] can fit the GPU. The CUDA files divide the memory, and the compiler compares both sums
/// ([HostAgreement]).
public record SharedMemory(KernelElement element, Tuning tuning) {
    /// What a block takes to add up numbers: one number for each warp. Blocks of `begin_chunk`, `give_room`,
    /// `place_bytes`, `plan_regions` and `scan_values` take no more.
    public static final int WARP_SUMS = WARP_SIZE * Long.BYTES;

    /// What a block takes to count bytes: a counter for each value and each lane of a warp.
    public static final int BYTE_COUNTS = KernelConstants.BYTE_VALUES * WARP_SIZE * Integer.BYTES;

    /// What a block of `rank_runs` takes.
    public static final int RANK_RUNS = KernelConstants.RANK_THREADS * Integer.BYTES;

    /// What a block of `find_cuts` takes: three longs for each lane of a warp.
    public static final int FIND_CUTS = 3 * WARP_SIZE * Long.BYTES;

    /// What a block of `gather` and `apply_permutation` takes: the place of each unit of a tile.
    public static final int GATHER = KernelConstants.GATHER_TILE_UNITS * Long.BYTES;

    /// What a block of `cut_sorted` takes: a cut for each thread.
    public static final int CUT_SORTED = KernelConstants.SORTED_THREADS * KernelStructs.SORTED_CUT_BYTES;

    /// What a block of `find_bounds` takes: two bounds.
    public static final int FIND_BOUNDS = 2 * Long.BYTES;

    /// Bytes of `SortedScratch` in sorted_tile.cuh.
    private static final int SORTED_SCRATCH_BYTES = WARP_SIZE * Integer.BYTES + 4 * Long.BYTES;

    /// Larger elements of sorted arrays are not copied to shared memory (`kMostStagedBytes`).
    private static final int MOST_STAGED_BYTES = 32;

    /// The unit in which they are copied there (`kCopiedBytes`).
    private static final int COPIED_BYTES = 16;

    /// Places of a tile that has one element more than others, and what keeps the alignment (`kSparePlaces`).
    private static final int SPARE_PLACES = 8;

    /// The most that a block takes that works on sorted arrays.
    public static final int MOST_SORTED_TILE = sortedTile(MOST_STAGED_BYTES);

    /// The shared memory of a block on the GPU on which the defaults were measured. Two buffers that take more are
    /// never used.
    private static final int MOST_BYTES = 227 << 10;

    /// Bytes of `ChainedTile` in tile_chain.cuh.
    private static final int CHAINED_TILE_BYTES = 5 * Long.BYTES;

    /// Slots for frequent values in frequent_values.cuh, including the slot that stands for none.
    private static final int FREQUENT_SLOTS = 17;

    /// The bytes of a grid of splitters without its table.
    private static final int GRID_STATE_BYTES = 176;

    private static final int MOST_MERGE_RUNS_THREADS = 256;

    /// The most that a block takes for the elements of runs that it merges at a time.
    private static final int MOST_RUN_TILE_BYTES = 72 << 10;

    /// Bytes of `KnownBucket` in next_bucket.cuh.
    private static final int KNOWN_BUCKET_BYTES = 4 * Long.BYTES + 2 * Integer.BYTES;

    /// Two counters for each queue.
    private static final int QUEUE_BYTES = 2 * SizeClasses.QUEUE_COUNT * Integer.BYTES;

    /// What a block of `list_segments` takes.
    public static final int LIST_SEGMENTS = QUEUE_BYTES;

    /// What a block of `count_segments` or `list_long_segments` takes: sums, and two counters for each class.
    public static final int LIST_LONG_SEGMENTS = WARP_SUMS + 2 * KernelConstants.MOST_CLASSES * Long.BYTES;

    /// What a block takes that finds the first elements of segments (take_first.cuh): sums, and one more.
    public static final int TAKE_FIRST = WARP_SUMS + Long.BYTES;

    /// Each warp has a free slot after this many items (`WarpSlots`).
    private static final int SLOT_RUN = 16;

    /// Returns how many elements of sorted arrays a thread has (`sorted_items` in sorted_tile.cuh).
    public static int sortedItems(int elementBytes) {
        return elementBytes <= 4 ? 23 : elementBytes <= 8 ? 15 : elementBytes <= 16 ? 7 : 5;
    }

    /// Returns what a block takes that works on sorted arrays of such elements (`sorted_shared_bytes`).
    public static int sortedTile(int elementBytes) {
        int tile = KernelConstants.SORTED_THREADS * sortedItems(elementBytes);
        int staged = elementBytes <= MOST_STAGED_BYTES ? align((tile + 3) * elementBytes) + 3 * COPIED_BYTES : 0;
        return staged + (tile + SPARE_PLACES) * Short.BYTES + SORTED_SCRATCH_BYTES;
    }

    /// Returns what a block of `select_splitters` takes, as `SampleShared` in sample.cuh divides it.
    public int sample() {
        return sample(sampleBuffers());
    }

    /// Returns the number of buffers in which a sample is merged.
    public int sampleBuffers() {
        return buffers(sample(2));
    }

    private int sample(int buffers) {
        return blockSort(tuning.sampleThreads(), tuning.sampleItems(), element.keyBytes(), buffers)
                + align(2 * element.keyBytes())
                + align(2 * Integer.BYTES)
                + WARP_SIZE * Long.BYTES
                + tuning.maxBucketCount() * 2 * Integer.BYTES;
    }

    /// The careful merges of untrusted orders use one buffer.
    private int buffers(int bytesWithTwo) {
        return tuning.mergeBuffers() == 2 && element.isOrderTrusted() && bytesWithTwo <= MOST_BYTES ? 2 : 1;
    }

    /// Returns what a block takes for the largest sort, of a sample or of a bucket.
    int blockSorts() {
        int most = sample();
        for (int c = 0; c < SizeClasses.COUNT; c++) {
            most = Math.max(most, smallSort(c));
        }
        return most;
    }

    /// Returns what a block of `count_sample` takes in a pass with this many buckets.
    public int count(int bucketCount) {
        return align(bucketCount * element.keyBytes()) + bucketCount * Integer.BYTES + equality(bucketCount);
    }

    /// Returns what a block of `count_page_sample` takes in a pass with this many buckets.
    public int countPages(int bucketCount) {
        return WARP_SUMS + count(bucketCount);
    }

    /// Returns the bytes of `EqualityBuckets` in splitter_tree.cuh.
    private static int equality(int bucketCount) {
        return (bucketCount / WARP_SIZE + 1) * Integer.BYTES;
    }

    /// Returns what the block of `place_rooms` takes for this many segments.
    public static int places(int segmentCount) {
        return (WARP_SIZE + segmentCount + 1) * Long.BYTES;
    }

    /// Returns what a block of `scan_counts` takes.
    public int scan() {
        return WARP_SUMS + QUEUE_BYTES;
    }

    /// Returns what a block of `scatter` takes, as `ScatterShared` in bucket_order.cuh and `StableScatterShared` in
    /// stable_scatter.cuh divide it.
    public int scatter() {
        int bucketCount = tuning.maxBucketCount();
        int bytes = align(tuning.tileSize() * element.elementBytes())
                + align(tuning.tileSize() / WARP_SIZE * 2 * Integer.BYTES)
                + WARP_SIZE * Integer.BYTES
                + align((bucketCount + 1) * Long.BYTES)
                + align((bucketCount + 1) * Integer.BYTES)
                + align(bucketCount * Long.BYTES)
                + align(bucketCount * element.keyBytes())
                + align(equality(bucketCount))
                + align(4 * Integer.BYTES)
                + grid();
        if (!element.keepsOrder()) {
            return bytes;
        }
        int warps = tuning.distributionThreads() / WARP_SIZE;
        int laneBytes = warps * align((bucketCount + 1) * Integer.BYTES);
        return bytes
                + warps * align((bucketCount + 1) * Short.BYTES)
                + 2 * CHAINED_TILE_BYTES
                + (laneBytes <= align(tuning.tileSize() * element.elementBytes()) ? 0 : laneBytes);
    }

    /// Returns what the grid of splitters takes, as `SplitterGrid` in splitter_grid.cuh says.
    private int grid() {
        int cells = tuning.gridCells() * tuning.maxBucketCount();
        boolean isUsed =
                element.isOrderTrusted() && element.keyBytes() >= Integer.BYTES && element.keyBytes() <= 2 * Long.BYTES;
        return cells == 0 || !isUsed
                ? 0
                : align(cells * Short.BYTES) + align(tuning.maxBucketCount() * Short.BYTES) + GRID_STATE_BYTES;
    }

    /// Returns what a block of `scatter_high_bytes` takes, or of `scatter_low_bytes`, as `ByteScatterShared` in
    /// byte_scatter.cuh divides it. For tiles of the usual sizes this is less than `scatter` takes.
    public int byteScatter(boolean leavesByte) {
        return align(tuning.tileSize() * element.payloadBytes())
                + align(tuning.tileSize() / WARP_SIZE * 2 * Integer.BYTES)
                + WARP_SIZE * Integer.BYTES
                + align((KernelConstants.BYTE_VALUES + 1) * Long.BYTES)
                + align((KernelConstants.BYTE_VALUES + 1) * Integer.BYTES)
                + (leavesByte ? align(tuning.tileSize()) : 0);
    }

    /// Returns what a block of `fill_bytes` takes, as `FillShared` in fill_bytes.cuh says.
    public static int fillBytes(KernelElement element) {
        int highBytes = element.valueCount() / KernelConstants.BYTE_VALUES;
        return (highBytes + 1 + KernelConstants.BYTE_VALUES + 1) * Long.BYTES;
    }

    /// Returns what a block of the small sort takes for buckets of a size class: what block_sort.cuh takes, and two
    /// entries of a queue, or two known buckets.
    public int smallSort(int sizeClass) {
        if (sizeClass == SizeClasses.LARGEST) {
            return smallSort(sizeClass, smallSortBuffers(sizeClass), largestSortCells());
        }
        int bytes = smallSort(sizeClass, smallSortBuffers(sizeClass), tuning.smallSortCells());
        return mayFindAhead() ? bytes + 2 * (KNOWN_BUCKET_BYTES - Integer.BYTES) : bytes;
    }

    /// Returns what one block takes to sort a whole input with the threads of a size class.
    public int sortAlone(int sizeClass) {
        return smallSort(sizeClass, smallSortBuffers(SizeClasses.LARGEST), largestSortCells());
    }

    /// Returns the number of buffers in which a bucket of a size class is merged, which is the same for all classes but
    /// the largest.
    int smallSortBuffers(int sizeClass) {
        if (sizeClass == SizeClasses.LARGEST) {
            return buffers(smallSort(sizeClass, 2, 0));
        }
        // There is one buffer if two would leave a multiprocessor room for fewer threads than the tuning wants.
        int threads = Math.max(tuning.smallSortResidentThreads(), SizeClasses.threads(tuning, SizeClasses.LARGEST - 1));
        return buffers(blockSort(threads, tuning.smallSortItems(), element.smallSortItemBytes(), 2));
    }

    private int smallSort(int sizeClass, int buffers, int cells) {
        int threads = SizeClasses.threads(tuning, sizeClass);
        int bytes = blockSort(threads, tuning.smallSortItems(), element.smallSortItemBytes(), buffers);
        return Math.max(bytes, sortsByCells() ? cellSort(threads, cells) : 0) + 2 * Integer.BYTES;
    }

    /// Returns whether blocks of the small sort may find the next bucket while they sort one (`kMayFindAhead`).
    /// Pairs and keys of 12 bytes gain nothing by that.
    boolean mayFindAhead() {
        int bytes = element.elementBytes();
        boolean isOfSize = bytes == Integer.BYTES || bytes == Long.BYTES || bytes > Long.BYTES + Integer.BYTES;
        return sortsByCells() && !element.keepsOrder() && element.payloadBytes() == 0 && isOfSize;
    }

    /// Returns whether buckets with few different numbers have queues and a kernel of their own (`kTellsFewNumbers`).
    /// They have if items are wider than numbers, and each thread has so few items that registers suffice for their
    /// sort.
    public boolean tellsFewNumbers() {
        return sortsByCells() && (element.keepsOrder() || element.isWide()) && tuning.smallSortItems() <= 8;
    }

    /// Returns whether the small sort begins with cells (`kSortsByCells`).
    private boolean sortsByCells() {
        return tuning.smallSortCells() > 0 && element.isOrderTrusted();
    }

    /// Returns the cells for each thread of the largest small sort: half as many if a block has no room for all.
    int largestSortCells() {
        int cells = tuning.smallSortCells();
        boolean fits = cellSort(SizeClasses.threads(tuning, SizeClasses.LARGEST), cells) <= MOST_BYTES;
        return fits || cells % 8 != 0 ? cells : cells / 2;
    }

    /// Returns what a sort by cells takes, as `CellMemory` in cell_memory.cuh divides it.
    private int cellSort(int threads, int cells) {
        return blockSort(threads, tuning.smallSortItems(), element.smallSortItemBytes(), 1)
                + threads * cells * Integer.BYTES
                + 16
                + WARP_SIZE * Integer.BYTES
                + align(16 * Integer.BYTES);
    }

    /// Returns what a block of `merge_sort` takes.
    public int mergeTile() {
        int threads = SizeClasses.threads(tuning, SizeClasses.LARGEST);
        return blockSort(threads, tuning.smallSortItems(), element.elementBytes(), 1);
    }

    /// Returns the threads of a block of `merge_runs`. There are so few that several blocks fit a multiprocessor, and
    /// others go on while one waits at a barrier.
    public int mergeRunsThreads() {
        int threads = MOST_MERGE_RUNS_THREADS;
        while (threads > KernelConstants.MOST_RUNS && runTile(threads) > MOST_RUN_TILE_BYTES) {
            threads /= 2;
        }
        return threads;
    }

    /// Returns how many elements a block of `merge_runs` merges at a time.
    public int mergeRunsTile() {
        return mergeRunsThreads() * mergeRunsItems();
    }

    private int mergeRunsItems() {
        return Math.min(tuning.smallSortItems(), 16);
    }

    /// Returns the bytes of the elements that are merged in rounds, or of a sample of them with its ranks.
    private int runTile(int threads) {
        int sampled = Math.min(tuning.smallSortItems(), 4);
        int sampledKeyBytes = (element.keyBytes() + 15) / 8 * 8 + (element.keyBytes() % 16 == 0 ? 8 : 0);
        int sampledBytes = blockSort(threads, sampled, sampledKeyBytes, 1) + align(threads * sampled * Short.BYTES);
        return Math.max(blockSort(threads, mergeRunsItems(), element.smallSortItemBytes(), 1), sampledBytes);
    }

    /// Returns what a block of `merge_runs` takes: the elements, and what `RunPieces` in run_pieces.cuh holds.
    public int mergeRuns() {
        return runTile(mergeRunsThreads()) + runPieces();
    }

    private int runPieces() {
        int runs = KernelConstants.MOST_RUNS;
        int words = 2 * runs + 1 + 8 + KernelConstants.CUT_SLOTS;
        return align((3 * runs + 1) * Long.BYTES + words * Integer.BYTES + mergeRunsThreads());
    }

    /// Returns what a block of `sort_runs` takes, which has the same number of threads: the elements and their cells,
    /// and `GatheredPieces` in gathered_pieces.cuh.
    public int sortRuns() {
        int threads = mergeRunsThreads();
        int rows = threads * tuning.smallSortItems() / WARP_SIZE;
        int gathered = KernelConstants.MOST_RUNS * (Long.BYTES + Integer.BYTES) + (1 + rows) * Integer.BYTES + rows;
        return Math.max(runTile(threads), cellSort(threads, gatherCells())) + runPieces() + align(gathered);
    }

    /// Returns the cells for each thread of `sort_runs` (`kGatherCells`).
    private int gatherCells() {
        return tuning.smallSortItems() < 8 ? 4 : tuning.smallSortItems() < 16 ? 8 : 12;
    }

    /// Returns what a block of `cut_parts` takes: a key and its side for each thread, and some numbers for each part.
    public int cutParts() {
        int partBytes = 3 * Long.BYTES + Integer.BYTES;
        return align(KernelConstants.PART_THREADS * (element.keyBytes() + Integer.BYTES)
                + KernelConstants.MAX_GPUS * partBytes);
    }

    /// Returns what a block of `count_values` takes to count all values: for each value a counter of 16 bits, or one of
    /// 32 bits for each lane of a warp, and a number for each warp.
    public int countValues() {
        int counterBytes = element.keyBytes() == 1 ? WARP_SIZE * Integer.BYTES : Short.BYTES;
        return element.valueCount() * counterBytes + WARP_SIZE * Integer.BYTES;
    }

    /// Returns what it takes in addition to look for frequent values (`FrequentValues` in frequent_values.cuh).
    public int frequentValues() {
        return element.keyBytes() == 1
                ? 0
                : align(element.valueCount() + FREQUENT_SLOTS * (WARP_SIZE + 1) * Integer.BYTES);
    }

    /// Returns what a block of `make_sort_keys` takes: a key for each thread.
    public int makeSortKeys() {
        return KernelConstants.GATHER_THREADS * element.keyBytes();
    }

    /// Returns what a block of `sort_segments` takes: for each warp the most items of short segments.
    public int sortSegments() {
        return warpItems(element, WARP_SIZE * Math.max(element.laneItems(), element.shortItems()));
    }

    /// Returns what a block takes whose warps sort segments, or select from them, with this many items each.
    public static int warpItems(KernelElement element, int items) {
        int warps = KernelConstants.SEGMENT_THREADS / WARP_SIZE;
        return warps * align((items + items / SLOT_RUN) * element.smallSortItemBytes());
    }

    /// Returns what a block of `list_pages` takes for this many buckets.
    public static int listPages(int bucketCount) {
        return WARP_SUMS + (bucketCount + 1) * Integer.BYTES;
    }

    /// Returns what the block of `plan_moves` takes for these numbers of buckets, regions and pages.
    public static int planMoves(int bucketCount, int regions, int pages) {
        int bitWords = Math.ceilDiv(pages, WARP_SIZE);
        int words = bitWords + Math.ceilDiv(bitWords, WARP_SIZE) + 2 * bucketCount + 1 + 2 * regions + 1;
        return (WARP_SIZE + 2) * Long.BYTES + (4 + words) * Integer.BYTES;
    }

    /// Returns the bytes of the largest sort of a block. Small sorts of the largest buckets and merges of larger ones
    /// share the tuning. If keys are sorted with their positions, merges may take more than sorts.
    int largestSort() {
        return Math.max(smallSort(SizeClasses.LARGEST), mergeTile());
    }

    /// Returns `BlockSort::bytes`: the items with the free slots of `PaddedItems`, and the begins of the parts of
    /// careful merges.
    private int blockSort(int threads, int items, int itemBytes, int buffers) {
        return buffers * align(threads * (items + 1) * itemBytes)
                + (element.isOrderTrusted() ? 0 : threads * Integer.BYTES);
    }

    private static int align(int bytes) {
        return (bytes + 15) / 16 * 16;
    }

    /// Checks that every kernel fits.
    ///
    /// @throws IllegalArgumentException if a kernel needs more than `available` bytes
    public void check(int available) {
        check("the sample (sampleThreads × sampleItems)", sample(), available);
        check(
                "a tile and its splitter tree (distributionThreads × distributionItems, maxBucketCount)",
                scatter(),
                available);
        check("the small sort (smallSortThreads × smallSortItems × 8)", largestSort(), available);
        if (element.mergesRuns(tuning)) {
            check("a merge of runs (mergedRuns)", sortRuns(), available);
        }
    }

    private static void check(String what, int needed, int available) {
        if (needed > available) {
            throw new IllegalArgumentException("tuning: " + what + " needs " + needed
                    + " bytes of shared memory and a block of this device has " + available);
        }
    }
}
