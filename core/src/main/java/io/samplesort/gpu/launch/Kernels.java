package io.samplesort.gpu.launch;

import static io.samplesort.gpu.code.KernelProgram.MERGE_SORT;
import static io.samplesort.gpu.code.KernelProgram.SCATTER;
import static io.samplesort.gpu.code.KernelProgram.SMALL_SORT;
import static io.samplesort.gpu.code.KernelProgram.SMALL_SORT_FEW;
import static io.samplesort.gpu.code.KernelProgram.SPLITTERS;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelStructs.Queues;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.code.SizeClasses;
import io.samplesort.gpu.cubins.KernelCubins;
import io.samplesort.gpu.cubins.KernelModules;
import io.samplesort.gpu.plan.DeviceElements;
import io.samplesort.gpu.plan.DividingLayout;
import io.samplesort.gpu.plan.DividingMemory;
import io.samplesort.gpu.plan.Group;
import io.samplesort.gpu.plan.Regions;
import io.samplesort.gpu.plan.SortPlan;
import io.samplesort.types.Tuning;
import java.util.List;

/// The compiled kernels of one element type, order and tuning, with one method for each. They are launched here, but
/// for those that choose splitters ([SplitterKernels]), those that only sorts by index have ([IndexKernels]), those
/// that count values and move by them ([ValueKernels], [ByteKernels]), those that look for order ([OrderKernels]), and
/// those that only some sorts need and are loaded when somebody asks for them.
public final class Kernels implements AutoCloseable {
    /// The most runs that [#findCuts] can cut.
    public static final int MAX_RUNS = KernelConstants.MAX_RUNS;

    /// Runs of a small input are as short as leaves no more of them, since each element looks into all.
    private static final int MOST_RANKED_RUNS = 16;

    /// There are more blocks than fit at once, so that the last ones even out what the first ones leave.
    static final int WAVES = 4;

    /// The size class that smaller buckets go to as well where there are not many.
    private static final int LOWEST_OF_FEW_BUCKETS = 2;

    /// So many times the buckets that blocks of the common size class can sort at once are many.
    private static final long MANY_BUCKETS = 16;

    /// The compute capability since which a kernel may begin before the one before it has ended.
    private static final int BESIDE_SINCE = 9;

    private final KernelElement element;
    private final Tuning tuning;
    private final SharedMemory sharedMemory;
    private final int multiprocessorCount;
    /// How a short phase follows the one before it. Where the GPU can, it begins early and waits itself for the end of
    /// the other (primitives.cuh). The scatter does not: its waiting blocks would take the shared memory that others
    /// need.
    private final Kernel.Mode afterPhase;

    private final KernelModules modules;
    private final OrderKernels orderKernels;
    private final SplitterKernels splitterKernels;
    private final Kernel scanCounts;
    private final Kernel scatter;
    private final int scatterBlocks;
    /// The small sort of the largest size class, and those of all other classes, of which there are two where buckets
    /// with few different numbers are sorted apart.
    private final Kernel largestSmallSort;

    private final List<Kernel> smallSorts;
    /// How many blocks of each size class fit the GPU at once.
    private final int[] smallSortBlocks = new int[SizeClasses.COUNT];
    private final Kernel mergeSort;
    private final int mergeSortBlocks;
    private final Kernel findCuts;
    /// Null where no input is sorted by ranks.
    private final Kernel rankRuns;
    /// The kernels of sorts by index; null where elements are moved.
    private final IndexKernels indexKernels;
    /// The kernels that count values; null where there are too many values to count.
    private final ValueKernels valueKernels;
    /// The kernels that move payloads by values; null where they are moved otherwise.
    private final ByteKernels byteKernels;
    /// The kernels that merge the sorted runs of an input; null until somebody asks for them.
    private RunKernels runKernels;
    /// The kernels that exchange elements with other GPUs; null until somebody asks for them.
    private ExchangeKernels exchangeKernels;
    /// The kernels that merge sorted parts of several GPUs; null until somebody asks for them.
    private PartKernels partKernels;
    /// The kernels of sorts in place; null until somebody asks for them.
    private PageKernels pageKernels;

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
            orderKernels = new OrderKernels(modules, element.keepsOrder(), multiprocessorCount, afterPhase);
            splitterKernels = new SplitterKernels(modules, tuning, sharedMemory, multiprocessorCount, afterPhase);
            scanCounts = modules.kernel(SPLITTERS, "scan_counts", sharedMemory.scan());
            scatter = modules.kernel(SCATTER, "scatter", sharedMemory.scatter());
            scatterBlocks = residentBlocks(scatter, tuning.distributionThreads(), sharedMemory.scatter());
            int smallSortBytes = sharedMemory.smallSort(SizeClasses.LARGEST - 1);
            Kernel small = modules.kernel(SMALL_SORT, "small_sort", smallSortBytes);
            smallSorts = sharedMemory.tellsFewNumbers()
                    ? List.of(small, modules.kernel(SMALL_SORT_FEW, "small_sort_few", smallSortBytes))
                    : List.of(small);
            largestSmallSort =
                    modules.kernel(SMALL_SORT, "small_sort_largest", sharedMemory.smallSort(SizeClasses.LARGEST));
            mergeSort = modules.kernel(MERGE_SORT, "merge_sort", sharedMemory.mergeTile());
            // These run beside each other, so they ask for one division of a multiprocessor's memory.
            smallSorts.forEach(Kernel::preferSharedMemory);
            largestSmallSort.preferSharedMemory();
            mergeSort.preferSharedMemory();
            for (int c = 0; c < SizeClasses.COUNT; c++) {
                smallSortBlocks[c] = residentBlocks(
                        c < SizeClasses.LARGEST ? small : largestSmallSort,
                        SizeClasses.threads(tuning, c),
                        sharedMemory.smallSort(c));
            }
            mergeSortBlocks = residentBlocks(
                    mergeSort, SizeClasses.threads(tuning, SizeClasses.LARGEST), sharedMemory.mergeTile());
            findCuts = modules.kernel(MERGE_SORT, "find_cuts", SharedMemory.findCuts());
            rankRuns =
                    element.ranksRuns(tuning) ? modules.kernel(MERGE_SORT, "rank_runs", SharedMemory.rankRuns()) : null;
            valueKernels = element.isCounted() ? newValueKernels(context) : null;
            byteKernels = element.movesByValue()
                    ? new ByteKernels(modules, element, tuning, sharedMemory, multiprocessorCount, afterPhase)
                    : null;
            indexKernels = element.sortsIndexes() ? new IndexKernels(modules, sharedMemory, multiprocessorCount) : null;
        } catch (RuntimeException e) {
            modules.close();
            throw e;
        }
    }

    private ValueKernels newValueKernels(Context context) {
        int available = context.device().maxSharedBytesPerBlock();
        return new ValueKernels(
                modules, element, sharedMemory, available, ValueKernels.SHARED_BELOW, multiprocessorCount, afterPhase);
    }

    /// Sorts an input that fits one block, in its place.
    public void sortAlone(Stream stream, DeviceElements elements, long count) {
        sortParts(stream, elements, elements, count, SizeClasses.of(tuning, count), count);
    }

    /// Sorts parts of an input by a block each, to `out`. Where there are several, they are runs.
    ///
    /// @param partSize that a block of the size class can sort
    private void sortParts(
            Stream stream, DeviceElements in, DeviceElements out, long count, int sizeClass, long partSize) {
        long[] fields = in.fields();
        long[] arrays = new long[fields.length * (KernelConstants.MAX_PASSES + 1)];
        System.arraycopy(fields, 0, arrays, 0, fields.length);
        long[] noQueues = new long[Queues.values().length];
        noQueues[Queues.ELEMENT_COUNT.ordinal()] = count;
        noQueues[Queues.CAPACITY.ordinal()] = partSize;
        largestSmallSort.with(arrays).with(out.fields()).with(noQueues);
        largestSmallSort.launch(
                stream,
                Math.toIntExact(Math.ceilDiv(count, partSize)),
                SizeClasses.threads(tuning, sizeClass),
                sharedMemory.sortAlone(sizeClass),
                Kernel.Mode.AFTER);
    }

    /// Makes sorted runs of a small input, and places their elements by ranks.
    ///
    /// @param runs room for as many elements
    public void rankRuns(Stream stream, DeviceElements input, DeviceElements runs, DeviceElements output, long count) {
        long runLength = (long) KernelConstants.WARP_SIZE * tuning.smallSortItems();
        while (runLength * MOST_RANKED_RUNS < count && 2 * runLength <= tuning.smallSortLimit()) {
            runLength *= 2;
        }
        int sizeClass = SizeClasses.of(tuning, runLength);
        sortParts(stream, input, runs, count, sizeClass, runLength);
        rankRuns.with(runs.fields()).with(output.fields()).with(count).with(runLength);
        int blocks = Math.toIntExact(Math.ceilDiv(count, (long) KernelConstants.WARP_SIZE));
        rankRuns.launch(stream, blocks, KernelConstants.RANK_THREADS, SharedMemory.rankRuns(), afterPhase);
    }

    /// Turns the sizes of the buckets of a pass into offsets, and after the last pass puts the buckets in the queues.
    public void scanCounts(DividingMemory memory, int pass, Group group) {
        SortPlan plan = memory.layout().plan;
        scanCounts
                .with(memory.pass(pass, group))
                .with(queues(memory, group))
                .with(pass == plan.passCount() - 1 ? 1 : 0);
        int blocks = Math.toIntExact(memory.layout().segmentCount(pass, group));
        scanCounts.launch(memory.stream(), blocks, KernelConstants.SCAN_THREADS, sharedMemory.scan(), afterPhase);
    }

    /// Moves the elements of a pass to their buckets.
    public void scatter(DividingMemory memory, int pass, Group group, DeviceElements in, DeviceElements out) {
        scatter.with(in.fields()).with(out.fields()).with(memory.pass(pass, group));
        int waves = WAVES;
        if (element.keepsOrder()) {
            Regions.Counters counters = memory.layout().counters[pass];
            scatter.with(memory.address(counters.tickets()) + group.number() * (long) Integer.BYTES)
                    .with(memory.address(memory.layout().tileWords(pass, group)));
            // Tiles are handed out one by one, so no block is left with more than others.
            waves = 1;
        }
        int blocks = distributionBlocks(scatterBlocks, memory, pass, group, waves);
        scatter.launch(
                memory.stream(), blocks, tuning.distributionThreads(), sharedMemory.scatter(), Kernel.Mode.AFTER);
    }

    /// Sorts the buckets of a group, of all size classes, from `in` to `out`, which may be the same, and makes runs for
    /// [#mergeSort].
    ///
    /// @param in    what the last pass wrote
    /// @param input of the whole sort
    public void smallSort(
            DividingMemory memory, Group group, DeviceElements in, DeviceElements out, DeviceElements input) {
        long[] queues = queues(memory, group);
        int lowest = lowestClass(memory, group);
        // The largest come first, and all run side by side: the small buckets fill up what the large ones leave.
        largestSmallSort.with(memory.arrays(input)).with(out.fields()).with(queues);
        launchSmallSort(largestSmallSort, SizeClasses.LARGEST, memory);
        for (Kernel smallSort : smallSorts) {
            for (int c = SizeClasses.LARGEST - 1; c >= lowest; c--) {
                smallSort.with(in.fields()).with(out.fields()).with(queues).with(c);
                launchSmallSort(smallSort, c, memory);
            }
        }
    }

    private void launchSmallSort(Kernel kernel, int sizeClass, DividingMemory memory) {
        int blocks = (int)
                Math.min(smallSortBlocks[sizeClass], memory.layout().queues.capacity());
        int threads = SizeClasses.threads(tuning, sizeClass);
        kernel.launch(memory.stream(), blocks, threads, sharedMemory.smallSort(sizeClass), afterPhase);
    }

    /// Returns the size class that smaller buckets go to as well. A launch takes about a microsecond even if its queue
    /// is empty. Where the GPU can work on all buckets of a group at once, one launch for all sizes but the largest
    /// takes less time than one for each size, although small buckets leave some of its threads idle; where an input
    /// has not many more, some sizes share one. A region of a sort in place has few buckets, too.
    private int lowestClass(DividingMemory memory, Group group) {
        DividingLayout layout = memory.layout();
        int passes = layout.plan.passCount();
        int common = SizeClasses.LARGEST - 1;
        if (layout.segmentCount(passes, group) <= smallSortBlocks[common]) {
            return common;
        }
        long all = layout.segmentCount(passes, layout.all());
        boolean areFew = layout.isPaged() || all < MANY_BUCKETS * smallSortBlocks[common];
        return areFew ? LOWEST_OF_FEW_BUCKETS : 0;
    }

    /// Returns the struct `Queues` of queues.cuh for one group, as [#smallSort] uses it.
    public long[] queues(DividingMemory memory, Group group) {
        return memory.queues(lowestClass(memory, group), group);
    }

    /// Merges the runs of buckets larger than the small-sort limit in `out` by way of `scratch`.
    ///
    /// @param largestBucket address of pinned memory for the size of the largest bucket; 0 if not needed
    public void mergeSort(DividingMemory memory, DeviceElements out, DeviceElements scratch, long largestBucket) {
        mergeSort(memory, out, scratch, queues(memory, memory.layout().all()), largestBucket);
    }

    /// Does the same for the large buckets of these queues.
    public void mergeSort(
            DividingMemory memory, DeviceElements out, DeviceElements scratch, long[] queues, long largestBucket) {
        mergeSort
                .with(out.fields())
                .with(scratch.fields())
                .with(queues)
                .with(memory.address(memory.layout().head.mergeProgress()))
                .with(largestBucket);
        int threads = SizeClasses.threads(tuning, SizeClasses.LARGEST);
        mergeSort.launch(memory.stream(), mergeSortBlocks, threads, sharedMemory.mergeTile(), afterPhase);
    }

    /// Writes to `cuts`, for each rank that is a multiple of `runLength` and for each run, how many elements of the run
    /// are among the first of that rank.
    ///
    /// @param runs `count` elements in sorted runs of `runLength`, at most [#MAX_RUNS] of them and at least two
    public void findCuts(Stream stream, DeviceElements runs, long count, long runLength, long cuts) {
        findCuts.with(runs.fields()).with(count).with(runLength).with(cuts);
        int runCount = (int) ((count + runLength - 1) / runLength);
        int threads = runCount * KernelConstants.WARP_SIZE;
        findCuts.launch(stream, runCount - 1, threads, SharedMemory.findCuts(), Kernel.Mode.AFTER);
    }

    /// Returns the kernels that look for an input that is in order already, or in the opposite order.
    public OrderKernels order() {
        return orderKernels;
    }

    /// Returns the kernels that choose splitters and give buckets their room.
    public SplitterKernels splitters() {
        return splitterKernels;
    }

    /// Returns the kernels that count values; null where there are too many values to count.
    public ValueKernels values() {
        return valueKernels;
    }

    /// Returns the kernels that move payloads by values; null where they are moved otherwise.
    public ByteKernels bytes() {
        return byteKernels;
    }

    /// Returns the kernels that only sorts by index have; null for elements that are moved.
    public IndexKernels indexed() {
        return indexKernels;
    }

    /// Returns the kernels that find and merge the sorted runs of an input, for elements whose runs are merged.
    ///
    /// @throws io.samplesort.errors.KernelCompilationException if they are not compiled yet, and NVRTC refuses them
    public RunKernels runs() {
        if (runKernels == null) {
            runKernels = new RunKernels(modules, tuning, sharedMemory, multiprocessorCount, afterPhase);
        }
        return runKernels;
    }

    /// Returns the kernels that exchange elements with other GPUs.
    public ExchangeKernels exchange() {
        if (exchangeKernels == null) {
            exchangeKernels = new ExchangeKernels(modules, sharedMemory, multiprocessorCount);
        }
        return exchangeKernels;
    }

    /// Returns the kernels that merge sorted parts of several GPUs, for elements whose sorted runs are merged.
    public PartKernels parts() {
        if (partKernels == null) {
            partKernels = new PartKernels(modules, sharedMemory, multiprocessorCount, afterPhase);
        }
        return partKernels;
    }

    /// Returns the kernels of sorts in place.
    public PageKernels pages() {
        if (pageKernels == null) {
            pageKernels = new PageKernels(modules, element, tuning, sharedMemory, multiprocessorCount, afterPhase);
        }
        return pageKernels;
    }

    @Override
    public void close() {
        modules.close();
    }

    private int residentBlocks(Kernel kernel, int threads, int sharedBytes) {
        return Math.max(1, kernel.activeBlocksPerMultiprocessor(threads, sharedBytes)) * multiprocessorCount;
    }

    private int distributionBlocks(int residentBlocks, DividingMemory memory, int pass, Group group, int waves) {
        DividingLayout layout = memory.layout();
        long slots = Math.ceilDiv(
                layout.plan.tileSlots(pass, tuning) * layout.segmentCount(pass, group), layout.plan.segmentCount(pass));
        return (int) Math.min(slots, (long) residentBlocks * waves);
    }
}
