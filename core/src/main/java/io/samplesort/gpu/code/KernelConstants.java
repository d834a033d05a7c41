package io.samplesort.gpu.code;

/// The numbers that the host and the kernels both need. Each is defined only here, and [KernelSource] puts it into
/// `config.cuh` under the name that the kernels use.
public final class KernelConstants {
    /// Threads of a warp (`kWarpSize`).
    public static final int WARP_SIZE = 32;

    /// Threads of a block that looks for order in the input, or reverses it (`kOrderThreads`).
    public static final int ORDER_THREADS = 256;

    /// Inputs of at most this many sorted runs are merged (`kMostRuns`).
    public static final int MOST_RUNS = 64;

    /// How many cuts of runs a block keeps while it cuts its section (`kCutSlots`).
    public static final int CUT_SLOTS = 1024;

    /// Threads of a block that places elements of runs by their ranks (`kRankThreads`).
    public static final int RANK_THREADS = 256;

    /// Threads of a block of `scan_counts` (`kScanThreads`).
    public static final int SCAN_THREADS = 256;

    /// A sample of the sample, with this many keys for each part, gives the bounds between the parts of a sample
    /// (`kBoundOversampling`).
    public static final int BOUND_OVERSAMPLING = 8;

    /// Keys of the counted sample that a thread reads at a time (`kCountedItems`). Most of the time goes into reading
    /// at random places, so there are as many blocks as possible.
    public static final int COUNTED_ITEMS = 4;

    /// The room of buckets is a multiple of the segment's size divided by this (`kRoomUnit`).
    public static final int ROOM_UNIT = 256;

    /// The buckets of the first pass are divided further in at most this many groups (`kMaxGroups`).
    public static final int MAX_GROUPS = 64;

    /// The bits of a count in a narrow word between tiles (`kNarrowCountBits`). Such a word has 32 bits, two of which
    /// say what it counts. Inputs whose sizes need more bits have wide words of 64 bits.
    public static final int NARROW_COUNT_BITS = Integer.SIZE - 2;

    /// The most distribution passes of a sort (`kMaxPasses`): each makes at least two buckets.
    public static final int MAX_PASSES = 40;

    /// The mark of an equality bucket (`kIsEquality`), and the additional mark of one that stays in the array of the
    /// first pass (`staying_in(1)`).
    public static final int IS_EQUALITY = 1;

    public static final int STAYS_IN_FIRST = 2 | 1 << 2;

    /// What the device tells the host about the order of an input: it may be in order (`kMayBeInOrder`), it is in order
    /// and lies where it belongs (`kIsInOrder`), it is in no order (`kIsInNoOrder`), or it may consist of a few sorted
    /// runs (`kMayBeRuns`).
    public static final int MAY_BE_IN_ORDER = 1;

    public static final int IS_IN_ORDER = 2;

    public static final int IS_IN_NO_ORDER = 3;

    public static final int MAY_BE_RUNS = 4;

    /// The bit in the begin of a segment that stays in another array than the one that passes read (`kStaysApart`).
    public static final int STAYS_APART_BIT = 63;

    /// The most rounds that merging runs can take (`kMaxMergeRounds`).
    public static final int MAX_MERGE_ROUNDS = Long.SIZE;

    /// The most runs that `find_cuts` can cut, which is also the number of warps of a block (`kMaxRuns`).
    public static final int MAX_RUNS = 16;

    /// Threads of a block of the kernels in gather.cuh (`kGatherThreads`).
    public static final int GATHER_THREADS = 256;

    /// The units that a block gathers at a time (`kGatherTileUnits`).
    public static final int GATHER_TILE_UNITS = 4096;

    /// Threads of a block that makes or copies words of strings, or compares them (`kWordThreads`).
    public static final int WORD_THREADS = 256;

    /// Threads of a block that looks for tied strings (`kTieThreads`), and how many strings it examines (`kTieTile`).
    public static final int TIE_THREADS = 256;

    public static final int TIE_TILE = 2048;

    /// Threads of the block that sums over tiles (`kTileScanThreads`).
    public static final int TILE_SCAN_THREADS = 1024;

    /// The largest group of strings that one kernel sorts (`kSmallGroup`), and the threads of its blocks
    /// (`kGroupThreads`).
    public static final int SMALL_GROUP = WARP_SIZE;

    public static final int GROUP_THREADS = 256;

    /// Threads of a block that copies strings (`kCopyThreads`), and the bytes of the target that each of its warps puts
    /// together in shared memory at a time (`kByteTile`).
    public static final int COPY_THREADS = 256;

    public static final int BYTE_TILE = 2048;

    /// Threads of a block that reads the key columns of rows (`kRowThreads`), and the bytes of encoded rows that it
    /// collects in shared memory before it writes them (`kRowStageBytes`).
    public static final int ROW_THREADS = 256;

    public static final int ROW_STAGE_BYTES = 24576;

    /// Threads of a block that counts values (`kCountThreads`), of one that scans the counts of many values
    /// (`kValueScanThreads`), and of one that writes the values (`kFillThreads`).
    public static final int COUNT_THREADS = 1024;

    public static final int VALUE_SCAN_THREADS = 1024;

    public static final int FILL_THREADS = 256;

    /// Values of a byte, which are the buckets of a pass that divides by one (`kByteValues`).
    public static final int BYTE_VALUES = 1 << Byte.SIZE;

    /// The most GPUs that sort one array together (`kMaxGpus`).
    public static final int MAX_GPUS = 16;

    /// Threads of a block that cuts sorted parts on several GPUs (`kPartThreads`).
    public static final int PART_THREADS = 512;

    /// In a place, the number of the part begins at this bit (`GpuParts::kPartShift`).
    public static final int PART_SHIFT = 48;

    /// Threads of a block that draws a sample of the elements of one of several GPUs.
    public static final int DRAW_THREADS = 256;

    /// Threads of a block that sorts short segments (`kSegmentThreads`), of one that counts segments
    /// (`kSegmentCountThreads`), and of one that lists the longer ones (`kListThreads`).
    public static final int SEGMENT_THREADS = 128;

    public static final int SEGMENT_COUNT_THREADS = 1024;

    public static final int LIST_THREADS = 256;

    /// The blocks that list long segments (`kListBlocks`), and the most classes of lengths that these have
    /// (`kMostClasses`).
    public static final int LIST_BLOCKS = 256;

    public static final int MOST_CLASSES = 16;

    /// The elements that a block of `take_first` copies at a time.
    public static final int TAKEN_TILE = 4 * LIST_THREADS;

    /// The most segments that are sorted as whole inputs (`kMostHuge`).
    public static final int MOST_HUGE = 16;

    /// Threads of a block that prepares a chunk of a sort in place, or lists its pages (`kPageThreads`).
    public static final int PAGE_THREADS = 1024;

    /// The bits of the number of a page (`kPageBits`). The highest number stands for no page.
    public static final int PAGE_BITS = 20;

    /// Threads of a block that keeps the elements between two bounds.
    public static final int KEEP_THREADS = 256;

    /// The elements that a warp of it looks at together (`kKeepTile`).
    public static final int KEEP_TILE = 2048;

    /// Threads of a block that works on sorted arrays (`kSortedThreads`).
    public static final int SORTED_THREADS = 256;

    /// The columns that such a block writes, those of the elements included (`kMostSortedColumns`).
    public static final int MOST_SORTED_COLUMNS = 8;

    /// The operations of two sorted arrays (`kUnion`, `kIntersection`, `kDifference`).
    public static final int UNION = 0;

    public static final int INTERSECTION = 1;

    public static final int DIFFERENCE = 2;

    /// What is written about runs of equal elements: nothing, where they begin (`kRunBegins`), or how many elements
    /// they have (`kRunCounts`).
    public static final int NO_RUNS = 0;

    public static final int RUN_BEGINS = 1;

    public static final int RUN_COUNTS = 2;

    /// The queries that a block searches at a time (`kQueryTile`).
    public static final int QUERY_TILE = 8 * SORTED_THREADS;

    private KernelConstants() {}
}
