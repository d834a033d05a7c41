package io.samplesort.gpu.code;

import io.samplesort.types.Tuning;

/// The last header of each program, `host_agrees.cuh`, with which the compiler checks that host and kernels use the
/// same numbers. A struct, a size class or a sum of shared memory that is changed on only one side therefore does not
/// compile, with NVRTC and with the emulator alike.
///
/// What several programs share is checked only in the shortest of them, since a sort needs all its programs.
final class HostAgreement {
    static final String FILE = "host_agrees.cuh";

    private final KernelElement element;
    private final Tuning tuning;
    private final SharedMemory sharedMemory;
    private final AgreementText text = new AgreementText();

    private HostAgreement(KernelElement element, Tuning tuning) {
        this.element = element;
        this.tuning = tuning;
        sharedMemory = new SharedMemory(element, tuning);
    }

    /// Returns the text of the header.
    static String text(KernelProgram program, KernelElement element, Tuning tuning) {
        HostAgreement agreement = new HostAgreement(element, tuning);
        switch (program) {
            case SPLITTERS -> agreement.addSplitters();
            case SCATTER -> agreement.addScatter();
            case SMALL_SORT, SMALL_SORT_FEW -> agreement.addSmallSort();
            case RUNS -> agreement.addRuns();
            case EXCHANGE -> agreement.addExchange();
            case SEGMENTS -> agreement.addSegments();
            case PAGES -> agreement.addPages();
            case SELECT -> agreement.addSelect();
            case SORTED -> agreement.addSorted();
            case MERGE_SORT -> {
                agreement.addStructs();
                agreement.addElement();
                agreement.addMergeSort();
            }
        }
        return agreement.text.toString();
    }

    private void addStructs() {
        text.addStruct("ElementArray", KernelStructs.ElementArray.values());
        text.addStruct("Queues", KernelStructs.Queues.values());
    }

    private void addElement() {
        text.addEqual("sizeof(Key)", element.keyBytes());
        text.addEqual("sizeof(OrderedKey)", element.keyBytes());
        text.addEqual("HAS_PAYLOAD * sizeof(Payload)", element.payloadBytes());
        text.addEqual("sizeof(Element)", element.elementBytes());
        text.addEqual("SORTS_INDEXES", element.sortsIndexes() ? 1 : 0);
        text.addEqual("kOrderIsTrusted", element.isOrderTrusted() ? 1 : 0);
        text.addEqual("kMovesPairs", element.movesPairs() ? 1 : 0);
        for (int c = 0; c < SizeClasses.COUNT; c++) {
            text.addEqual("size_class_threads(" + c + ")", SizeClasses.threads(tuning, c));
        }
    }

    private void addSplitters() {
        text.addStruct("Pass", KernelStructs.Pass.values());
        text.addEqual("sizeof(OrderSearch)", KernelStructs.ORDER_SEARCH_BYTES);
        text.addEqual("SampleShared::bytes()", sharedMemory.sample());
        text.addEqual("kRoomSharedBytes", SharedMemory.WARP_SUMS);
        text.addEqual("kMayBeInOrder", KernelConstants.MAY_BE_IN_ORDER);
        text.addEqual("kIsInOrder", KernelConstants.IS_IN_ORDER);
        text.addEqual("kIsInNoOrder", KernelConstants.IS_IN_NO_ORDER);
        text.addEqual("kMayBeRuns", KernelConstants.MAY_BE_RUNS);
        text.addEqual("kIsEquality", KernelConstants.IS_EQUALITY);
        text.addEqual("(kStays | 1 << 2)", KernelConstants.STAYS_IN_FIRST);
        text.addEqual("(kStaysApart >> " + KernelConstants.STAYS_APART_BIT + ")", 1);
        text.addStruct("FreePlaces", KernelStructs.FreePlaces.values());
        text.addEqual("sizeof(Groups)", (KernelConstants.MAX_GROUPS + 1) * Long.BYTES);
        text.addEqual("place_shared_bytes(512)", SharedMemory.places(512));
        text.addEqual("kScanSharedBytes", sharedMemory.scan());
        if (element.movesByValue()) {
            text.addEqual("kValueCount", element.valueCount());
            text.addEqual("ByteCounts::kBytes", SharedMemory.BYTE_COUNTS);
            text.addEqual("kPlaceSharedBytes", SharedMemory.WARP_SUMS);
            text.addEqual("sizeof(FillShared)", SharedMemory.fillBytes(element));
        }
        if (element.isCounted()) {
            text.addEqual("kValueCount", element.valueCount());
            text.addEqual("kCountBytes", sharedMemory.countValues());
            text.addEqual("FrequentValues::kBytes", sharedMemory.frequentValues());
            text.addEqual("kValueScanBytes", SharedMemory.WARP_SUMS);
        }
    }

    private void addScatter() {
        for (int bucketCount = 2; bucketCount <= tuning.maxBucketCount(); bucketCount *= 2) {
            text.addEqual("CountShared::bytes(" + bucketCount + ")", sharedMemory.count(bucketCount));
        }
        text.addEqual((element.keepsOrder() ? "Stable" : "") + "ScatterShared::kBytes", sharedMemory.scatter());
        if (element.movesByValue()) {
            text.addEqual("kByteValues", KernelConstants.BYTE_VALUES);
            text.addEqual("ByteScatterShared<HighByte>::kBytes", sharedMemory.byteScatter(true));
            text.addEqual("ByteScatterShared<LowByte>::kBytes", sharedMemory.byteScatter(false));
        }
    }

    private void addSmallSort() {
        text.addEqual("sizeof(SmallSortItem)", element.smallSortItemBytes());
        for (int c = 0; c < SizeClasses.COUNT; c++) {
            boolean isLargest = c == SizeClasses.LARGEST;
            text.addEqual(
                    "small_sort_shared_bytes<" + isLargest + ">(" + SizeClasses.threads(tuning, c) + ")",
                    sharedMemory.smallSort(c));
            text.addEqual(
                    "small_sort_shared_bytes<true>(" + SizeClasses.threads(tuning, c) + ")", sharedMemory.sortAlone(c));
        }
    }

    private void addRuns() {
        text.addEqual("sizeof(RunSearch)", KernelStructs.RUN_SEARCH_BYTES);
        text.addEqual("kMergeRunsSharedBytes", sharedMemory.mergeRuns());
        text.addEqual("kSortRunsSharedBytes", sharedMemory.sortRuns());
    }

    private void addExchange() {
        text.addEqual("sizeof(RunSearch)", KernelStructs.RUN_SEARCH_BYTES);
        text.addEqual("align_16(sizeof(PartCut))", sharedMemory.cutParts());
        text.addEqual("kPartThreads", KernelConstants.PART_THREADS);
        text.addEqual("GpuParts::kPartShift", KernelConstants.PART_SHIFT);
        text.addEqual("sizeof(GpuParts)", KernelStructs.GPU_PARTS_LONGS * Long.BYTES);
        if (element.mergesParts(tuning)) {
            text.addEqual("kMergeRunsSharedBytes", sharedMemory.mergeRuns());
        }
    }

    private void addSegments() {
        text.addEqual("kKeysAreMapped", element.mapsKeys() ? 1 : 0);
        text.addStruct("UserSegments", KernelStructs.UserSegments.values());
        text.addEqual("kSegmentThreads / kWarpSize * kWarpSlotBytes", sharedMemory.sortSegments());
        text.addEqual("kListSharedBytes", SharedMemory.LIST_SEGMENTS);
        text.addStruct("SegmentCounts", KernelStructs.SegmentCounts.values());
        text.addEqual("sizeof(SegmentTotals)", KernelStructs.SEGMENT_TOTALS_LONGS * Long.BYTES);
        text.addEqual("kLongSharedBytes", SharedMemory.LIST_LONG_SEGMENTS);
        text.addEqual("kFirstSharedBytes", SharedMemory.TAKE_FIRST);
        text.addEqual("kTakenItems * kListThreads", KernelConstants.TAKEN_TILE);
    }

    private void addPages() {
        text.addStruct("Pages", KernelStructs.Pages.values());
        text.addStruct("PageStore", KernelStructs.PageStore.values());
        text.addStruct("RegionLimits", KernelStructs.RegionLimits.values());
        text.addStruct("RegionPlan", KernelStructs.RegionPlan.values());
        text.addStruct("Region", KernelStructs.Region.values());
        text.addEqual("sizeof(PageMove)", KernelStructs.PAGE_MOVE_BYTES);
        text.addEqual("moves_shared_bytes(512, 30, 1000)", SharedMemory.planMoves(512, 30, 1000));
        text.addEqual("list_shared_bytes(512)", SharedMemory.listPages(512));
        text.addEqual("page_count_shared_bytes(512)", sharedMemory.countPages(512));
    }

    private void addSelect() {
        text.addEqual("sizeof(Key)", element.keyBytes());
        text.addStruct("SelectionCounts", KernelStructs.SelectionCounts.values());
        text.addEqual("kKeepTile", KernelConstants.KEEP_TILE);
    }

    private void addSorted() {
        text.addEqual("kSortedThreads", KernelConstants.SORTED_THREADS);
        text.addEqual("kMostSortedColumns", KernelConstants.MOST_SORTED_COLUMNS);
        text.addEqual("kQueryTile", KernelConstants.QUERY_TILE);
        text.addEqual("kUnion", KernelConstants.UNION);
        text.addEqual("kIntersection", KernelConstants.INTERSECTION);
        text.addEqual("kDifference", KernelConstants.DIFFERENCE);
        text.addEqual("kNoRuns", KernelConstants.NO_RUNS);
        text.addEqual("kRunBegins", KernelConstants.RUN_BEGINS);
        text.addEqual("kRunCounts", KernelConstants.RUN_COUNTS);
        text.addStruct("SortedColumn", KernelStructs.SortedColumn.values());
        text.addStruct("SortedProgress", KernelStructs.SortedProgress.values());
        text.addEqual("sizeof(SortedColumns)", KernelStructs.SORTED_COLUMNS_LONGS * Long.BYTES);
        text.addEqual("sizeof(SortedCut)", KernelStructs.SORTED_CUT_BYTES);
        for (int bytes : new int[] {1, 4, 8, 12, 16, 32, 40}) {
            text.addEqual("sorted_items(" + bytes + ")", SharedMemory.sortedItems(bytes));
            text.addEqual("sorted_shared_bytes(" + bytes + ")", SharedMemory.sortedTile(bytes));
        }
    }

    private void addMergeSort() {
        text.addEqual("sizeof(MergeProgress)", KernelStructs.MERGE_PROGRESS_BYTES);
        text.addEqual("kMergeSortThreads", SizeClasses.threads(tuning, SizeClasses.LARGEST));
        text.addEqual("kMergeSharedBytes", sharedMemory.mergeTile());
        if (element.ranksRuns(tuning)) {
            text.addEqual("kRankSharedBytes", SharedMemory.RANK_RUNS);
        }
        text.addEqual("kCutSharedBytes", SharedMemory.FIND_CUTS);
        if (element.sortsIndexes()) {
            text.addEqual("kStagedKeyBytes", sharedMemory.makeSortKeys());
            text.addEqual("kGatherSharedBytes", SharedMemory.GATHER);
        }
    }
}
