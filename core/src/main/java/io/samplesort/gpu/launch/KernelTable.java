package io.samplesort.gpu.launch;

import static io.samplesort.gpu.code.KernelConstants.BYTE_VALUES;
import static io.samplesort.gpu.code.KernelConstants.COUNT_THREADS;
import static io.samplesort.gpu.code.KernelConstants.DRAW_THREADS;
import static io.samplesort.gpu.code.KernelConstants.FILL_THREADS;
import static io.samplesort.gpu.code.KernelConstants.GATHER_THREADS;
import static io.samplesort.gpu.code.KernelConstants.KEEP_THREADS;
import static io.samplesort.gpu.code.KernelConstants.LIST_THREADS;
import static io.samplesort.gpu.code.KernelConstants.MAX_RUNS;
import static io.samplesort.gpu.code.KernelConstants.ORDER_THREADS;
import static io.samplesort.gpu.code.KernelConstants.PAGE_THREADS;
import static io.samplesort.gpu.code.KernelConstants.PART_THREADS;
import static io.samplesort.gpu.code.KernelConstants.RANK_THREADS;
import static io.samplesort.gpu.code.KernelConstants.SCAN_THREADS;
import static io.samplesort.gpu.code.KernelConstants.SEGMENT_COUNT_THREADS;
import static io.samplesort.gpu.code.KernelConstants.SEGMENT_THREADS;
import static io.samplesort.gpu.code.KernelConstants.SORTED_THREADS;
import static io.samplesort.gpu.code.KernelConstants.WARP_SIZE;
import static io.samplesort.gpu.code.KernelProgram.EXCHANGE;
import static io.samplesort.gpu.code.KernelProgram.MERGE_SORT;
import static io.samplesort.gpu.code.KernelProgram.PAGES;
import static io.samplesort.gpu.code.KernelProgram.RUNS;
import static io.samplesort.gpu.code.KernelProgram.SCATTER;
import static io.samplesort.gpu.code.KernelProgram.SEGMENTS;
import static io.samplesort.gpu.code.KernelProgram.SELECT;
import static io.samplesort.gpu.code.KernelProgram.SMALL_SORT;
import static io.samplesort.gpu.code.KernelProgram.SMALL_SORT_FEW;
import static io.samplesort.gpu.code.KernelProgram.SORTED;
import static io.samplesort.gpu.code.KernelProgram.SPLITTERS;

import io.samplesort.cuda.Kernel;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelProgram;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.code.SizeClasses;
import io.samplesort.types.Tuning;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The kernels of sorts by name: for each its program, the threads and the shared memory of its blocks, and how it
/// follows the kernel before it. A program that is not loaded yet is loaded when one of its kernels is asked for.
final class KernelTable {
    /// From this compute capability on, a kernel may begin before the previous one has ended.
    private static final int BESIDE_SINCE = 9;

    /// More pages, those of the page area included, than any sort in place has.
    private static final int MOST_PAGES = 1 << 17;

    private record Entry(KernelProgram program, int threads, int sharedBytes, Kernel.Mode mode) {}

    private final KernelModules modules;
    private final Map<String, Entry> entries = new HashMap<>();
    private final Map<String, KernelLaunch> loaded = new HashMap<>();

    KernelTable(KernelModules modules) {
        this.modules = modules;
    }

    /// Returns the kernels of sorts of such elements, except those of [ValueKernels].
    static KernelTable of(KernelModules modules, KernelElement element, Tuning tuning) {
        KernelTable table = new KernelTable(modules);
        SharedMemory shared = new SharedMemory(element, tuning);
        table.addDividing(tuning, shared);
        table.addSmallSorts(tuning, shared);
        if (element.ranksRuns(tuning)) {
            table.addBeside(MERGE_SORT, "rank_runs", RANK_THREADS, SharedMemory.RANK_RUNS);
        }
        if (element.movesByValue()) {
            table.addBytes(element, tuning, shared);
        }
        if (element.mergesRuns(tuning)) {
            table.addRuns(shared);
        }
        if (element.sortsIndexes()) {
            table.addIndexed(shared);
        }
        table.add(SPLITTERS, "draw_sample", DRAW_THREADS, 0);
        table.add(SPLITTERS, "check_order", ORDER_THREADS, 0);
        table.add(EXCHANGE, "cut_parts", PART_THREADS, shared.cutParts());
        if (element.mergesParts(tuning)) {
            table.addBeside(EXCHANGE, "merge_parts", shared.mergeRunsThreads(), shared.mergeRuns());
        }
        table.addSegments(element, shared);
        if (element.hasPages()) {
            table.addPages(tuning, shared);
        }
        return table;
    }

    private void addDividing(Tuning tuning, SharedMemory shared) {
        int threads = tuning.distributionThreads();
        int mostBuckets = tuning.maxBucketCount();
        add(SPLITTERS, "find_order", ORDER_THREADS, 0);
        addBeside(SPLITTERS, "put_in_order", ORDER_THREADS, 0);
        addBeside(SPLITTERS, "select_splitters", tuning.sampleThreads(), shared.sample());
        add(SCATTER, "count_sample", threads, shared.count(mostBuckets));
        addBeside(SPLITTERS, "give_room", tuning.sampleThreads(), SharedMemory.WARP_SUMS);
        addBeside(SPLITTERS, "place_rooms", tuning.sampleThreads(), SharedMemory.places(mostBuckets));
        add(SPLITTERS, "plant_tree", tuning.sampleThreads(), 0);
        // It does not begin early: its waiting blocks would take the shared memory that others need.
        add(SCATTER, "scatter", threads, shared.scatter());
        addBeside(SPLITTERS, "scan_counts", SCAN_THREADS, shared.scan());
        add(MERGE_SORT, "find_cuts", MAX_RUNS * WARP_SIZE, SharedMemory.FIND_CUTS);
    }

    private void addSmallSorts(Tuning tuning, SharedMemory shared) {
        int common = SizeClasses.LARGEST - 1;
        int threads = SizeClasses.threads(tuning, SizeClasses.LARGEST);
        addBeside(SMALL_SORT, "small_sort", SizeClasses.threads(tuning, common), shared.smallSort(common));
        if (shared.tellsFewNumbers()) {
            addBeside(SMALL_SORT_FEW, "small_sort_few", SizeClasses.threads(tuning, common), shared.smallSort(common));
            of("small_sort_few").preferSharedMemory();
        }
        addBeside(SMALL_SORT, "small_sort_largest", threads, shared.smallSort(SizeClasses.LARGEST));
        addBeside(MERGE_SORT, "merge_sort", threads, shared.mergeTile());
        // These run at the same time, so they all ask for the same division of a multiprocessor's memory.
        of("small_sort").preferSharedMemory();
        of("small_sort_largest").preferSharedMemory();
        of("merge_sort").preferSharedMemory();
    }

    /// Adds the kernels that move payloads by one byte of the keys in each pass (byte_scatter.cuh).
    private void addBytes(KernelElement element, Tuning tuning, SharedMemory shared) {
        int threads = tuning.distributionThreads();
        add(SPLITTERS, "count_bytes", COUNT_THREADS, SharedMemory.BYTE_COUNTS);
        addBeside(SPLITTERS, "place_bytes", BYTE_VALUES, SharedMemory.WARP_SUMS);
        if (element.keyBytes() > 1) {
            add(SCATTER, "scatter_high_bytes", threads, shared.byteScatter(true));
            add(SPLITTERS, "count_low_bytes", threads, SharedMemory.BYTE_COUNTS);
        }
        add(SCATTER, "scatter_low_bytes", threads, shared.byteScatter(false));
        addBeside(SPLITTERS, "copy_payloads", FILL_THREADS, 0);
        addBeside(SPLITTERS, "fill_bytes", FILL_THREADS, SharedMemory.fillBytes(element));
    }

    /// Adds the kernels that find and merge sorted runs.
    private void addRuns(SharedMemory shared) {
        int threads = shared.mergeRunsThreads();
        addBeside(RUNS, "find_runs", ORDER_THREADS, 0);
        addBeside(RUNS, "cut_runs", ORDER_THREADS, 0);
        addBeside(RUNS, "merge_runs", threads, shared.mergeRuns());
        addBeside(RUNS, "sort_runs", threads, shared.sortRuns());
    }

    /// Adds the kernels of sorts of segments.
    private void addSegments(KernelElement element, SharedMemory shared) {
        addBeside(SEGMENTS, "sort_segments", SEGMENT_THREADS, shared.sortSegments());
        addBeside(SEGMENTS, "order_segments", LIST_THREADS, 0);
        addBeside(SEGMENTS, "list_segments", LIST_THREADS, SharedMemory.LIST_SEGMENTS);
        addBeside(SEGMENTS, "count_segments", SEGMENT_COUNT_THREADS, SharedMemory.LIST_LONG_SEGMENTS);
        addBeside(SEGMENTS, "list_long_segments", LIST_THREADS, SharedMemory.LIST_LONG_SEGMENTS);
        addBeside(SEGMENTS, "count_first", LIST_THREADS, SharedMemory.TAKE_FIRST);
        addBeside(SEGMENTS, "place_first", LIST_THREADS, SharedMemory.TAKE_FIRST);
        addBeside(SEGMENTS, "take_first", LIST_THREADS, SharedMemory.TAKE_FIRST);
        if (element.payloadBytes() == 0) {
            int items = element.shortSegment();
            addBeside(SEGMENTS, "select_of_segments", SEGMENT_THREADS, SharedMemory.warpItems(element, items));
        }
    }

    /// Adds the kernels of sorts in place.
    private void addPages(Tuning tuning, SharedMemory shared) {
        int threads = tuning.distributionThreads();
        int mostBuckets = tuning.maxBucketCount();
        int movesBytes = SharedMemory.planMoves(mostBuckets, 2 * mostBuckets + 1, MOST_PAGES);
        addBeside(PAGES, "begin_chunk", PAGE_THREADS, SharedMemory.WARP_SUMS);
        addBeside(PAGES, "scatter_to_pages", threads, shared.scatter());
        addBeside(PAGES, "plan_regions", PAGE_THREADS, SharedMemory.WARP_SUMS);
        addBeside(PAGES, "list_pages", PAGE_THREADS, SharedMemory.listPages(mostBuckets));
        addBeside(PAGES, "plan_moves", PAGE_THREADS, movesBytes);
        addBeside(PAGES, "move_pages", threads, 0);
        add(PAGES, "select_page_splitters", tuning.sampleThreads(), shared.sample());
        add(PAGES, "count_page_sample", threads, shared.countPages(mostBuckets));
        addBeside(PAGES, "scatter_from_pages", threads, shared.scatter());
        addBeside(PAGES, "scan_page_counts", SCAN_THREADS, shared.scan());
    }

    /// Adds the kernels that only sorts by index use (gather.cuh).
    private void addIndexed(SharedMemory shared) {
        add(MERGE_SORT, "make_sort_keys", GATHER_THREADS, shared.makeSortKeys());
        add(MERGE_SORT, "number_keys", GATHER_THREADS, 0);
        add(MERGE_SORT, "restore_elements", GATHER_THREADS, 0);
        add(MERGE_SORT, "gather", GATHER_THREADS, SharedMemory.GATHER);
        add(MERGE_SORT, "write_permutation", GATHER_THREADS, 0);
        add(MERGE_SORT, "apply_permutation", GATHER_THREADS, SharedMemory.GATHER);
        add(MERGE_SORT, "check_permutation", GATHER_THREADS, 0);
        add(MERGE_SORT, "check_elements", GATHER_THREADS, 0);
        add(SELECT, "sample_sort_keys", DRAW_THREADS, 0);
        add(SELECT, "keep_between", KEEP_THREADS, 0);
        addSorted();
    }

    /// Adds the kernels of operations on sorted arrays.
    private void addSorted() {
        add(SORTED, "cut_sorted", SORTED_THREADS, SharedMemory.CUT_SORTED);
        for (String name : List.of("merge_sorted", "combine_sorted", "keep_first")) {
            add(SORTED, name, SORTED_THREADS, SharedMemory.MOST_SORTED_TILE);
        }
        add(SORTED, "find_bounds", SORTED_THREADS, SharedMemory.FIND_BOUNDS);
        add(SORTED, "find_indexed_bounds", SORTED_THREADS, SharedMemory.FIND_BOUNDS);
    }

    /// Adds a kernel that begins when everything before it has ended.
    ///
    /// @param sharedBytes the most shared memory that a block of it takes
    void add(KernelProgram program, String name, int threads, int sharedBytes) {
        add(name, new Entry(program, threads, sharedBytes, Kernel.Mode.AFTER));
    }

    /// Adds a short phase. If the GPU can do that, the kernel begins early and itself waits for the end of the previous
    /// one (primitives.cuh).
    void addBeside(KernelProgram program, String name, int threads, int sharedBytes) {
        Kernel.Mode mode = modules.major() >= BESIDE_SINCE ? Kernel.Mode.BESIDE : Kernel.Mode.AFTER;
        add(name, new Entry(program, threads, sharedBytes, mode));
    }

    private void add(String name, Entry entry) {
        entries.put(name, entry);
        if (modules.isLoaded(entry.program)) {
            of(name);
        }
    }

    /// Returns the kernel of this name.
    ///
    /// @throws io.samplesort.errors.KernelCompilationException if it is not compiled yet, and NVRTC refuses it
    KernelLaunch of(String name) {
        KernelLaunch kernel = loaded.get(name);
        if (kernel == null) {
            Entry entry = entries.get(name);
            if (entry == null) {
                throw new IllegalArgumentException("such elements have no kernel " + name);
            }
            kernel = modules.kernel(entry.program, name, entry.threads, entry.sharedBytes, entry.mode);
            loaded.put(name, kernel);
        }
        return kernel;
    }

    int multiprocessorCount() {
        return modules.multiprocessorCount();
    }
}
