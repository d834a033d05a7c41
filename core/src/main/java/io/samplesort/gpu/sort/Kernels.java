package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelCubins;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelModules;
import io.samplesort.gpu.code.KernelProgram;
import io.samplesort.gpu.code.KernelSource;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.code.SizeClasses;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;

/// The compiled kernels of one element type, order and tuning, one method each. They are launched here, and in
/// [IndexKernels] those that only sorts by index have.
public final class Kernels implements AutoCloseable {
    /// Sizes of the kernels' parameters in bytes: of [DeviceElements], of what a [Workspace] hands over, and of any
    /// pointer or count.
    private static final int ELEMENTS = 2 * Long.BYTES;

    private static final int PASS = Workspace.PASS_BYTES;
    private static final int QUEUES = Workspace.QUEUES_BYTES;
    private static final int SCALAR = Long.BYTES;

    private static final int MAX_SAMPLE_PARTS = 16;
    /// Of fewer keys a sample is sorted by one block.
    private static final int SAMPLED_KEYS_A_THREAD = 4;
    /// As `kBoundOversampling` in sample.cuh.
    private static final int BOUND_OVERSAMPLING = 8;

    /// As many warps a block (find_cuts.cuh).
    public static final int MAX_RUNS = 16;

    /// Three longs for each lane of a warp.
    private static final int CUT_SHARED_BYTES = 3 * 32 * Long.BYTES;

    private static final int WARP_THREADS = 32;
    private static final int PREPARE_THREADS = 512;
    /// More blocks than fit at once, so that the last ones even out what the first ones leave.
    static final int WAVES = 4;

    /// The compute capability since which a kernel may begin before the one before it has ended.
    private static final int BESIDE_SINCE = 9;

    private final KernelElement element;
    private final Tuning tuning;
    private final SharedMemory sharedMemory;
    private final int multiprocessorCount;
    /// How a short phase follows the one before it: it waits for its end itself (primitives.cuh) where the GPU can. Not
    /// so the scatter, whose waiting blocks would take the shared memory that others need.
    private final Kernel.Mode afterPhase;

    private final KernelModules modules;
    private final Kernel prepare;
    private final Kernel selectSplitters;
    private final Kernel countBuckets;
    private final Kernel scanCounts;
    private final Kernel scatter;
    private final int scatterBlocks;
    private final Kernel[] smallSort = new Kernel[SizeClasses.COUNT];
    private final int[] smallSortBlocks = new int[SizeClasses.COUNT];
    private final Kernel mergeSort;
    private final Kernel findCuts;
    private final int mergeSortBlocks;
    /// Of elements sorted by index; null otherwise.
    private final IndexKernels indexKernels;

    /// Loads the kernels.
    ///
    /// @param cubins made for this element
    public Kernels(Context context, KernelElement element, KernelCubins cubins) {
        this.element = element;
        this.tuning = cubins.tuning();
        this.multiprocessorCount = context.device().multiprocessorCount();
        this.afterPhase = context.device().major() >= BESIDE_SINCE ? Kernel.Mode.BESIDE : Kernel.Mode.AFTER;
        sharedMemory = new SharedMemory(element, tuning);
        modules = new KernelModules(context, cubins);
        try {
            prepare = kernel(KernelProgram.SPLITTERS, "prepare", sharedMemory.prepare(), ELEMENTS, QUEUES, SCALAR);
            selectSplitters = kernel(
                    KernelProgram.SPLITTERS,
                    "select_splitters",
                    sharedMemory.sample(),
                    ELEMENTS,
                    PASS,
                    SCALAR,
                    SCALAR,
                    SCALAR);
            countBuckets = kernel(
                    KernelProgram.SCATTER,
                    "count_buckets",
                    sharedMemory.count(tuning.maxBucketCount()),
                    ELEMENTS,
                    PASS);
            scanCounts = kernel(KernelProgram.SPLITTERS, "scan_counts", sharedMemory.scan(), PASS, QUEUES, SCALAR);
            scatter = element.keepsOrder()
                    ? kernel(
                            KernelProgram.SCATTER,
                            "scatter",
                            sharedMemory.scatter(),
                            ELEMENTS,
                            ELEMENTS,
                            PASS,
                            SCALAR,
                            SCALAR)
                    : kernel(KernelProgram.SCATTER, "scatter", sharedMemory.scatter(), ELEMENTS, ELEMENTS, PASS);
            scatterBlocks = residentBlocks(scatter, tuning.distributionThreads(), sharedMemory.scatter());
            Kernel smallSortKernel = kernel(
                    KernelProgram.SMALL_SORT,
                    "small_sort",
                    sharedMemory.smallSort(SizeClasses.LARGEST - 1),
                    ELEMENTS,
                    ELEMENTS,
                    QUEUES,
                    SCALAR,
                    SCALAR);
            Kernel smallSortLargest = kernel(
                    KernelProgram.SMALL_SORT,
                    "small_sort_largest",
                    sharedMemory.smallSort(SizeClasses.LARGEST),
                    ELEMENTS,
                    ELEMENTS,
                    ELEMENTS,
                    ELEMENTS,
                    QUEUES,
                    SCALAR);
            // One division of a multiprocessor's memory for all, as they run beside each other.
            smallSortKernel.preferSharedMemory();
            smallSortLargest.preferSharedMemory();
            for (int c = 0; c < SizeClasses.COUNT; c++) {
                smallSort[c] = c < SizeClasses.LARGEST ? smallSortKernel : smallSortLargest;
                smallSortBlocks[c] =
                        residentBlocks(smallSort[c], SizeClasses.threads(tuning, c), sharedMemory.smallSort(c));
            }
            mergeSort = kernel(
                    KernelProgram.MERGE_SORT,
                    "merge_sort",
                    sharedMemory.mergeTile(),
                    ELEMENTS,
                    ELEMENTS,
                    QUEUES,
                    SCALAR,
                    SCALAR);
            mergeSort.preferSharedMemory();
            mergeSortBlocks = residentBlocks(
                    mergeSort, SizeClasses.threads(tuning, SizeClasses.LARGEST), sharedMemory.mergeTile());
            findCuts =
                    kernel(KernelProgram.MERGE_SORT, "find_cuts", CUT_SHARED_BYTES, ELEMENTS, SCALAR, SCALAR, SCALAR);
            indexKernels = element.sortsIndexes() ? new IndexKernels(modules, element, multiprocessorCount) : null;
        } catch (RuntimeException e) {
            modules.close();
            throw e;
        }
    }

    void prepare(Stream stream, Workspace workspace, DeviceElements input) {
        prepare.set(0, input.fields())
                .set(1, queues(workspace))
                .set(2, workspace.address(workspace.layout().segmentOffsets[0]));
        prepare.launch(stream, 1, PREPARE_THREADS, sharedMemory.prepare(), Kernel.Mode.AFTER);
    }

    void selectSplitters(Stream stream, Workspace workspace, int pass, DeviceElements in, long seed) {
        long sampleCount = workspace.layout().sampleCounts[pass];
        int segments = Math.toIntExact(workspace.layout().plan.segmentCount(pass));
        int parts = sampleParts(segments, sampleCount);
        selectSplitters
                .set(0, in.fields())
                .set(1, workspace.pass(pass))
                .set(2, seed)
                .set(3, sampleCount)
                .set(4, (long) parts);
        selectSplitters.launch(stream, segments * parts, tuning.sampleThreads(), sharedMemory.sample(), afterPhase);
    }

    /// Blocks that sort the sample of one segment. All of them draw all of it and agree on their parts, which takes as
    /// long as one block for a sample of a few thousand keys; and they gather their part in the second buffer.
    private int sampleParts(int segments, long sampleCount) {
        if (sharedMemory.sampleBuffers() == 1 || sampleCount < SAMPLED_KEYS_A_THREAD * (long) tuning.sampleThreads()) {
            return 1;
        }
        long parts = Math.min(sampleCount / (tuning.sampleThreads() / 2), tuning.sampleThreads() / BOUND_OVERSAMPLING);
        return Math.clamp(Math.min(parts, multiprocessorCount / segments), 1, MAX_SAMPLE_PARTS);
    }

    void countBuckets(Stream stream, Workspace workspace, int pass, DeviceElements in) {
        countBuckets.set(0, in.fields()).set(1, workspace.pass(pass));
        int sharedBytes = sharedMemory.count(workspace.layout().plan.bucketCount(pass));
        int resident = residentBlocks(countBuckets, tuning.distributionThreads(), sharedBytes);
        int blocks = distributionBlocks(resident, workspace, pass, WAVES);
        countBuckets.launch(stream, blocks, tuning.distributionThreads(), sharedBytes, Kernel.Mode.AFTER);
    }

    void scanCounts(Stream stream, Workspace workspace, int pass) {
        SortPlan plan = workspace.layout().plan;
        scanCounts
                .set(0, workspace.pass(pass))
                .set(1, queues(workspace))
                .set(2, pass == plan.passCount() - 1 ? 1L : 0L);
        int blocks = Math.toIntExact(plan.segmentCount(pass));
        scanCounts.launch(stream, blocks, KernelSource.SCAN_THREADS, sharedMemory.scan(), afterPhase);
    }

    void scatter(Stream stream, Workspace workspace, int pass, DeviceElements in, DeviceElements out) {
        scatter.set(0, in.fields()).set(1, out.fields()).set(2, workspace.pass(pass));
        int waves = WAVES;
        if (element.keepsOrder()) {
            scatter.set(3, workspace.address(workspace.layout().tickets[pass]))
                    .set(4, workspace.address(workspace.layout().tileWords[pass]));
            // Tiles are handed out one by one, so no block is left with more than others.
            waves = 1;
        }
        int blocks = distributionBlocks(scatterBlocks, workspace, pass, waves);
        scatter.launch(stream, blocks, tuning.distributionThreads(), sharedMemory.scatter(), Kernel.Mode.AFTER);
    }

    /// Sorts the buckets of all size classes from `in` to `out`, which may be the same, and makes runs for
    /// [#mergeSort].
    ///
    /// @param scratch for runs, as large as the input
    /// @param input   of the whole sort
    void smallSort(
            Stream stream,
            Workspace workspace,
            DeviceElements in,
            DeviceElements out,
            DeviceElements scratch,
            DeviceElements input) {
        SortPlan plan = workspace.layout().plan;
        int largest = SizeClasses.LARGEST;
        int onlyClass = plan.passCount() == 0 ? SizeClasses.of(tuning, plan.elementCount()) : -1;
        int lowest = lowestClass(workspace);
        // Largest first, and side by side: the small buckets fill up what the large ones leave.
        long isFirst = 1;
        for (int c = largest; c >= lowest; c--) {
            if (onlyClass >= 0 && c != onlyClass) {
                continue;
            }
            smallSort[c].set(0, in.fields()).set(1, out.fields());
            if (c == largest) {
                smallSort[c]
                        .set(2, scratch.fields())
                        .set(3, input.fields())
                        .set(4, queues(workspace))
                        .set(5, isFirst);
            } else {
                smallSort[c].set(2, queues(workspace)).set(3, (long) c).set(4, isFirst);
            }
            int blocks = (int) Math.min(smallSortBlocks[c], workspace.layout().queueCapacity);
            smallSort[c].launch(stream, blocks, SizeClasses.threads(tuning, c), sharedMemory.smallSort(c), afterPhase);
            isFirst = 0;
        }
    }

    /// Where the GPU can work on all buckets at once, one launch for all sizes but the largest takes less time than one
    /// for each, though small buckets leave some of its threads idle.
    private int lowestClass(Workspace workspace) {
        SortPlan plan = workspace.layout().plan;
        int common = SizeClasses.LARGEST - 1;
        return plan.passCount() > 0 && plan.segmentCount(plan.passCount()) <= smallSortBlocks[common] ? common : 0;
    }

    private long[] queues(Workspace workspace) {
        return workspace.queues(lowestClass(workspace));
    }

    /// Merges the runs of buckets larger than the small-sort limit, in `out` by way of `scratch`; after an overflow
    /// those of the whole input.
    ///
    /// @param largestBucket pinned memory for the size of the largest bucket; null where nobody asks
    void mergeSort(
            Stream stream,
            Workspace workspace,
            DeviceElements out,
            DeviceElements scratch,
            MemorySegment largestBucket) {
        mergeSort
                .set(0, out.fields())
                .set(1, scratch.fields())
                .set(2, queues(workspace))
                .set(3, workspace.address(workspace.layout().mergeProgress))
                .set(4, largestBucket == null ? 0 : largestBucket.address());
        int threads = SizeClasses.threads(tuning, SizeClasses.LARGEST);
        mergeSort.launch(stream, mergeSortBlocks, threads, sharedMemory.mergeTile(), afterPhase);
    }

    /// Writes to `cuts`, for each rank that is a multiple of `runLength` and for each run, how many elements of the run
    /// are among the first of that rank.
    ///
    /// @param runs `count` elements in sorted runs of `runLength`, at most [#MAX_RUNS] of them and at least two
    public void findCuts(Stream stream, DeviceElements runs, long count, long runLength, long cuts) {
        findCuts.set(0, runs.fields()).set(1, count).set(2, runLength).set(3, cuts);
        int runCount = (int) ((count + runLength - 1) / runLength);
        findCuts.launch(stream, runCount - 1, runCount * WARP_THREADS, CUT_SHARED_BYTES, Kernel.Mode.AFTER);
    }

    /// What sorts by index have beside these; null for elements that are moved.
    public IndexKernels indexed() {
        return indexKernels;
    }

    @Override
    public void close() {
        modules.close();
    }

    private Kernel kernel(KernelProgram program, String name, int dynamicSharedBytes, int... parameterBytes) {
        Kernel kernel = modules.kernel(program, name, parameterBytes);
        kernel.allowDynamicSharedBytes(dynamicSharedBytes);
        return kernel;
    }

    private int residentBlocks(Kernel kernel, int threads, int sharedBytes) {
        return Math.max(1, kernel.activeBlocksPerMultiprocessor(threads, sharedBytes)) * multiprocessorCount;
    }

    private int distributionBlocks(int residentBlocks, Workspace workspace, int pass, int waves) {
        return (int) Math.min(workspace.layout().plan.tileSlots(pass, tuning), (long) residentBlocks * waves);
    }
}
