package io.samplesort.gpu.code;

/// The structs that the host hands to the kernels, with their fields of eight bytes each. The CUDA files that define
/// the structs say what the fields mean. Names and order are the same here, which the compiler checks
/// ([HostAgreement]).
public final class KernelStructs {
    /// Bytes of `MergeProgress` in merge_sort.cuh, for which the host only allocates room.
    public static final int MERGE_PROGRESS_BYTES = 2 * Long.BYTES + KernelConstants.MAX_MERGE_ROUNDS * Integer.BYTES;

    /// Bytes of `OrderSearch` in order_search.cuh, for which the host only allocates room.
    public static final int ORDER_SEARCH_BYTES = 5 * Integer.BYTES;

    /// Bytes of `RunSearch` in run_search.cuh, for which the host only allocates room.
    public static final int RUN_SEARCH_BYTES = 6 * Integer.BYTES + (2 * KernelConstants.MOST_RUNS + 1) * Long.BYTES;

    /// Bytes of `Alphabet` in alphabet.cuh, for which the host only allocates room.
    public static final int ALPHABET_BYTES = 2 * 256 / Byte.SIZE;

    /// Bytes of `PageMove` in region_plan.cuh, for which the host only allocates room.
    public static final int PAGE_MOVE_BYTES = 3 * Long.BYTES;

    /// Longs of `GpuParts` in gpu_parts.cuh: the number of parts, and for each GPU a count and an `ElementArray`.
    public static final int GPU_PARTS_LONGS = 1 + 3 * KernelConstants.MAX_GPUS;

    /// Longs of `SegmentTotals` in list_long_segments.cuh: four numbers, and the begin and size of each huge segment.
    public static final int SEGMENT_TOTALS_LONGS = 4 + 2 * KernelConstants.MOST_HUGE;

    /// Longs of `SortedColumns` in sorted_tile.cuh: the number of columns, and a `SortedColumn` for each.
    public static final int SORTED_COLUMNS_LONGS =
            1 + KernelConstants.MOST_SORTED_COLUMNS * SortedColumn.values().length;

    /// Bytes of `SortedCut` in sorted_cuts.cuh, for which the host only allocates room.
    public static final int SORTED_CUT_BYTES = 2 * Long.BYTES;

    private KernelStructs() {}

    /// The fields of `ElementArray` in primitives.cuh.
    public enum ElementArray {
        KEYS,
        PAYLOADS
    }

    /// The fields of `Pass` in segments.cuh.
    public enum Pass {
        ELEMENT_COUNT,
        SEGMENT_COUNT,
        LOG_BUCKET_COUNT,
        SEGMENT_OFFSETS,
        SEGMENT_BEGINS,
        SEGMENT_MOVED,
        SEGMENT_MARKS,
        SEGMENT_KINDS,
        SPLITTER_TREES,
        WRITE_POSITIONS,
        BUCKET_OFFSETS,
        BUCKET_BEGINS,
        BUCKET_ENDS,
        BUCKET_MOVED,
        BUCKET_MARKS,
        INDEX,
        OVERFLOWS,
        ROOM,
        SLACK,
        CAPACITY,
        PART_BEGINS,
        PART_ENDS,
        LOG_PART_SIZE,
        PART_ROOM,
        PART_BUCKETS,
        IS_OF_INPUT
    }

    /// The fields of `FreePlaces` in place_rooms.cuh.
    public enum FreePlaces {
        HEAD_BEGIN,
        HEAD_SIZE,
        TAIL_BEGIN,
        TAIL_SIZE,
        SECOND_TAIL_BEGIN,
        SECOND_TAIL_SIZE,
        RESULT_ELEMENTS,
        ROOM,
        BUCKETS
    }

    /// The fields of `SelectionCounts` in keep_between.cuh.
    public enum SelectionCounts {
        BELOW,
        KEPT
    }

    /// The fields of `SortedColumn` in sorted_tile.cuh.
    public enum SortedColumn {
        FIRST,
        SECOND,
        TARGET,
        BYTES,
        UNIT_BYTES
    }

    /// The fields of `SortedProgress` in sorted_tile.cuh.
    public enum SortedProgress {
        TOTAL,
        TICKETS,
        MISFITS
    }

    /// The fields of `Queues` in queues.cuh.
    public enum Queues {
        BUCKET_OFFSETS,
        BUCKET_BEGINS,
        FIRST_BUCKET,
        CAPACITY,
        SIZES,
        TAKEN,
        UNEVEN,
        ENTRIES,
        LARGE_COUNT,
        LARGE_BUCKETS,
        LARGEST_BUCKET,
        ELEMENT_COUNT,
        LOWEST_CLASS,
        LAST_ARRAY
    }

    /// The fields of `UserSegments` in given_segments.cuh.
    public enum UserSegments {
        OFFSETS,
        OFFSET_BYTES,
        SEGMENT_COUNT,
        ELEMENT_COUNT
    }

    /// The fields of `SegmentCounts` in list_long_segments.cuh.
    public enum SegmentCounts {
        TOTALS,
        SEGMENTS,
        ELEMENTS,
        CLASS_COUNT,
        HUGE_FROM
    }

    /// The fields of `Pages` in pages.cuh.
    public enum Pages {
        LIST,
        LOG_TILES,
        ARRAY_PAGES,
        BESIDE_KEYS,
        BESIDE_PAYLOADS
    }

    /// The fields of `PageStore` in page_store.cuh.
    public enum PageStore {
        TOLD,
        LOG_TOLD_PAGES,
        LATEST,
        OWNERS,
        FREE_PAGES,
        HOMES,
        CURSOR,
        LOADED_TILES,
        TICKETS,
        PAGE_COUNT,
        WHOLE_PAGES,
        STRIDES,
        PAGES_A_STRIDE,
        STRIDE_FACTOR
    }

    /// The fields of `RegionLimits` in region_plan.cuh.
    public enum RegionLimits {
        SEGMENTS,
        REGIONS,
        ELEMENTS,
        REGION_SEGMENTS,
        REGION_ROOM,
        PART_ROOM,
        PART_BUCKETS
    }

    /// The fields of `RegionPlan` in region_plan.cuh.
    public enum RegionPlan {
        REGION_COUNT,
        IS_IN_ORDER,
        SETTLED,
        MOVED_ELEMENTS,
        LACKS_PAGES
    }

    /// The fields of `Region` in region_plan.cuh.
    public enum Region {
        FIRST_SEGMENT,
        LAST_SEGMENT,
        BEGIN,
        COUNT,
        FIRST_PAGE,
        MOVES,
        MOVES_BEHIND
    }

    /// The fields of `Text` in text.cuh.
    public enum Text {
        BYTES,
        BYTE_COUNT,
        OFFSETS,
        OFFSET_BYTES,
        COUNT,
        TERMINATOR_BYTES,
        IGNORES_CASE,
        IS_REVERSED
    }

    /// The fields of `Round` in ties.cuh.
    public enum Round {
        COUNT,
        SORTED,
        STRINGS,
        PLACES,
        DEPTHS,
        SKIPS,
        WORD_BYTES,
        STATE
    }

    /// The fields of `TieState` in ties.cuh, which the host reads.
    public enum TieState {
        GUESSED_PREFIX,
        PREFIX,
        SYMBOLS,
        WRONG,
        HAS_SKIPS,
        SMALL_MEMBERS,
        TIED
    }

    /// The fields of `TiedStrings` in ties.cuh.
    public enum TiedStrings {
        COUNT,
        STRINGS,
        PLACES,
        GROUPS,
        FIRSTS,
        DEPTHS,
        SKIPS
    }

    /// The fields of `StringTarget` in string_target.cuh.
    public enum StringTarget {
        BYTES,
        OFFSETS,
        OFFSET_BYTES,
        SOURCES,
        TILES,
        BYTE_TILES,
        TOTAL
    }

    /// The fields of `KeyColumn` in key_columns.cuh.
    public enum KeyColumn {
        VALUES,
        VALUE_BYTES,
        IS_TEXT,
        SIGN,
        IS_FLOATING,
        IS_DESCENDING,
        VALIDITY,
        NULL_MARK,
        OFFSETS,
        OFFSET_BYTES,
        BYTE_COUNT,
        COUNT,
        IS_TERMINATED,
        LEAST,
        ZEROS,
        WIDTH
    }

    /// The fields of `ColumnRange` in key_columns.cuh, which the host reads.
    public enum ColumnRange {
        LEAST,
        GREATEST,
        DIFFERING,
        WRONG
    }
}
