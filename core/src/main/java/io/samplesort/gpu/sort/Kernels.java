package io.samplesort.gpu.sort;

import static io.samplesort.gpu.code.KernelProgram.MERGE_SORT;
import static io.samplesort.gpu.code.KernelProgram.SCATTER;
import static io.samplesort.gpu.code.KernelProgram.SMALL_SORT;
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
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;

/// The compiled kernels of one element type, order and tuning, with one method for each. They are launched here, but
/// for those that only sorts by index have ([IndexKernels]), those that count values and move by them ([ValueKernels],
/// [ByteKernels]), and those that look for order ([OrderKernels]).
public final class Kernels implements AutoCloseable {
    /// The most runs that [#findCuts] can cut.
    public static final int MAX_RUNS = KernelConstants.MAX_RUNS;

    private static final int MAX_SAMPLE_PARTS = 16;
    /// A sample of fewer keys for each thread is sorted by one block.
    private static final int SAMPLED_KEYS_A_THREAD = 4;

    /// Runs of a small input are as short as leaves no more of them, since each element looks into all.
    private static final int MOST_RANKED_RUNS = 16;

    /// There are more blocks than fit at once, so that the last ones even out what the first ones leave.
    static final int WAVES = 4;

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
    private final Kernel selectSplitters;
    private final Kernel countSample;
    private final Kernel giveRoom;
    private final Kernel placeRooms;
    private final Kernel plantTree;
    private final Kernel scanCounts;
    private final Kernel scatter;
    private final int scatterBlocks;
    /// The kernel of each size class, and how many of its blocks fit the GPU at once.
    private final Kernel[] smallSort = new Kernel[SizeClasses.COUNT];

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
    /// The kernels that exchange elements with other GPUs; null until somebody asks for them.
    private ExchangeKernels exchangeKernels;
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
            orderKernels = new OrderKernels(
                    modules,
                    tuning,
                    sharedMemory,
                    element.mergesRuns(tuning),
                    element.takesOutliers(tuning),
                    multiprocessorCount,
                    afterPhase);
            selectSplitters = modules.kernel(SPLITTERS, "select_splitters", sharedMemory.sample());
            scanCounts = modules.kernel(SPLITTERS, "scan_counts", sharedMemory.scan());
            countSample = modules.kernel(SCATTER, "count_sample", sharedMemory.count(tuning.maxBucketCount()));
            giveRoom = modules.kernel(SPLITTERS, "give_room", SharedMemory.room());
            placeRooms = modules.kernel(SPLITTERS, "place_rooms", SharedMemory.places(tuning.maxBucketCount()));
            plantTree = modules.kernel(SPLITTERS, "plant_tree", 0);
            scatter = modules.kernel(SCATTER, "scatter", sharedMemory.scatter());
            scatterBlocks = residentBlocks(scatter, tuning.distributionThreads(), sharedMemory.scatter());
            Kernel small = modules.kernel(SMALL_SORT, "small_sort", sharedMemory.smallSort(SizeClasses.LARGEST - 1));
            Kernel largest =
                    modules.kernel(SMALL_SORT, "small_sort_largest", sharedMemory.smallSort(SizeClasses.LARGEST));
            mergeSort = modules.kernel(MERGE_SORT, "merge_sort", sharedMemory.mergeTile());
            // These run beside each other, so they ask for one division of a multiprocessor's memory.
            small.preferSharedMemory();
            largest.preferSharedMemory();
            mergeSort.preferSharedMemory();
            for (int c = 0; c < SizeClasses.COUNT; c++) {
                smallSort[c] = c < SizeClasses.LARGEST ? small : largest;
                smallSortBlocks[c] =
                        residentBlocks(smallSort[c], SizeClasses.threads(tuning, c), sharedMemory.smallSort(c));
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
    void sortAlone(Stream stream, DeviceElements elements, long count) {
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
        Kernel sort = smallSort[SizeClasses.LARGEST];
        sort.with(arrays).with(out.fields()).with(noQueues).with(1);
        sort.launch(
                stream,
                Math.toIntExact(Math.ceilDiv(count, partSize)),
                SizeClasses.threads(tuning, sizeClass),
                sharedMemory.sortAlone(sizeClass),
                Kernel.Mode.AFTER);
    }

    /// Makes sorted runs of a small input, and places their elements by ranks.
    void rankRuns(Workspace workspace, DeviceElements input, DeviceElements output) {
        long count = workspace.layout().plan.elementCount();
        int sizeClass = 0;
        while (sizeClass < SizeClasses.LARGEST && SizeClasses.limit(tuning, sizeClass) * MOST_RANKED_RUNS < count) {
            sizeClass++;
        }
        long runLength = SizeClasses.limit(tuning, sizeClass);
        sortParts(workspace.stream(), input, workspace.scratch(), count, sizeClass, runLength);
        rankRuns.with(workspace.scratch().fields())
                .with(output.fields())
                .with(count)
                .with(runLength);
        int blocks = Math.toIntExact(Math.ceilDiv(count, (long) KernelConstants.WARP_SIZE));
        rankRuns.launch(workspace.stream(), blocks, KernelConstants.RANK_THREADS, SharedMemory.rankRuns(), afterPhase);
    }

    /// Chooses the splitters of the segments of a pass, and the room of the buckets.
    void selectSplitters(Workspace workspace, int pass, Group group, DeviceElements in, long seed) {
        long sampleCount = workspace.layout().rooms.sampled(pass);
        int segments = Math.toIntExact(workspace.layout().segmentCount(pass, group));
        int parts = sampleParts(segments, sampleCount);
        selectSplitters
                .with(in.fields())
                .with(workspace.pass(pass, group))
                .with(seed)
                .with(sampleCount)
                .with(parts)
                .with(workspace.layout().rooms.counted(pass) == 0 ? 1 : 0);
        selectSplitters.launch(
                workspace.stream(), segments * parts, tuning.sampleThreads(), sharedMemory.sample(), afterPhase);
    }

    /// Gives the buckets of a first pass their room by what [#countSample] has counted.
    void giveRoom(Workspace workspace, long[] pass, long countedCount) {
        giveRoom.with(pass).with(countedCount);
        giveRoom.launch(workspace.stream(), 1, tuning.sampleThreads(), SharedMemory.room(), afterPhase);
    }

    /// Counts how many keys of a random sample of the input fall into each bucket of a first pass.
    void countSample(Workspace workspace, long[] pass, DeviceElements in, long seed, long countedCount) {
        countSample.with(in.fields()).with(pass).with(seed).with(countedCount);
        int sharedBytes = sharedMemory.count(workspace.layout().plan.bucketCount(0));
        int resident = residentBlocks(countSample, tuning.distributionThreads(), sharedBytes);
        long taken = (long) tuning.distributionThreads() * KernelConstants.COUNTED_ITEMS;
        int blocks = (int) Math.min(Math.ceilDiv(countedCount, taken), resident);
        countSample.launch(workspace.stream(), blocks, tuning.distributionThreads(), sharedBytes, Kernel.Mode.AFTER);
    }

    /// Plants the tree of a first pass that several GPUs make together.
    ///
    /// @param sample sorted keys in the user's form
    /// @param ranks  device address of the rank of each splitter there, as ints
    void plantTree(Workspace workspace, DeviceElements sample, long ranks) {
        plantTree.with(sample.fields()).with(ranks).with(workspace.firstPass());
        plantTree.launch(workspace.stream(), 1, tuning.sampleThreads(), 0, Kernel.Mode.AFTER);
    }

    /// Gives the buckets of the first pass their parts of the room that later passes have.
    void placeRooms(Workspace workspace, DeviceElements output) {
        placeRooms
                .with(workspace.pass(1, workspace.layout().all()))
                .with(workspace.groups())
                .with(workspace.freePlaces(output));
        int sharedBytes = SharedMemory.places(workspace.layout().plan.bucketCount(0));
        placeRooms.launch(workspace.stream(), 1, tuning.sampleThreads(), sharedBytes, afterPhase);
    }

    /// Returns how many blocks sort the sample of one segment. Each of them draws the whole sample, and they agree on
    /// their parts; that takes as long as one block needs to sort a few thousand keys. They gather their parts in the
    /// second buffer, so without one there is one block.
    int sampleParts(int segments, long sampleCount) {
        if (sharedMemory.sampleBuffers() == 1 || sampleCount < SAMPLED_KEYS_A_THREAD * (long) tuning.sampleThreads()) {
            return 1;
        }
        long parts = Math.min(
                sampleCount / (tuning.sampleThreads() / 2),
                tuning.sampleThreads() / KernelConstants.BOUND_OVERSAMPLING);
        return Math.clamp(Math.min(parts, multiprocessorCount / segments), 1, MAX_SAMPLE_PARTS);
    }

    /// Turns the sizes of the buckets of a pass into offsets, and after the last pass puts the buckets in the queues.
    void scanCounts(Workspace workspace, int pass, Group group) {
        SortPlan plan = workspace.layout().plan;
        scanCounts
                .with(workspace.pass(pass, group))
                .with(queues(workspace, group))
                .with(pass == plan.passCount() - 1 ? 1 : 0);
        int blocks = Math.toIntExact(workspace.layout().segmentCount(pass, group));
        scanCounts.launch(workspace.stream(), blocks, KernelConstants.SCAN_THREADS, sharedMemory.scan(), afterPhase);
    }

    /// Moves the elements of a pass to their buckets.
    ///
    /// @param struct the struct `Pass` of the group, which may say that there are fewer elements
    void scatter(Workspace workspace, long[] struct, int pass, Group group, DeviceElements in, DeviceElements out) {
        scatter.with(in.fields()).with(out.fields()).with(struct);
        int waves = WAVES;
        if (element.keepsOrder()) {
            Regions.Counters counters = workspace.layout().counters[pass];
            scatter.with(workspace.address(counters.tickets()) + group.number() * (long) Integer.BYTES)
                    .with(workspace.address(workspace.layout().tileWords(pass, group)));
            // Tiles are handed out one by one, so no block is left with more than others.
            waves = 1;
        }
        int blocks = distributionBlocks(scatterBlocks, workspace, pass, group, waves);
        scatter.launch(
                workspace.stream(), blocks, tuning.distributionThreads(), sharedMemory.scatter(), Kernel.Mode.AFTER);
    }

    /// Sorts the buckets of a group, of all size classes, from `in` to `out`, which may be the same, and makes runs for
    /// [#mergeSort].
    ///
    /// @param in    what the last pass wrote
    /// @param input of the whole sort
    void smallSort(Workspace workspace, Group group, DeviceElements in, DeviceElements out, DeviceElements input) {
        int largest = SizeClasses.LARGEST;
        int lowest = lowestClass(workspace, group);
        // The largest come first, and all run side by side: the small buckets fill up what the large ones leave.
        boolean isFirst = true;
        for (int c = largest; c >= lowest; c--) {
            smallSort[c].with(c == largest ? workspace.arrays(input) : in.fields());
            smallSort[c].with(out.fields()).with(queues(workspace, group));
            if (c != largest) {
                smallSort[c].with(c);
            }
            smallSort[c].with(isFirst ? 1 : 0);
            int blocks =
                    (int) Math.min(smallSortBlocks[c], workspace.layout().queues.capacity());
            smallSort[c].launch(
                    workspace.stream(), blocks, SizeClasses.threads(tuning, c), sharedMemory.smallSort(c), afterPhase);
            isFirst = false;
        }
    }

    /// Returns the size class that smaller buckets go to as well. Where the GPU can work on all buckets at once, one
    /// launch for all sizes but the largest takes less time than one for each size, although small buckets leave some
    /// of its threads idle.
    private int lowestClass(Workspace workspace, Group group) {
        SortPlan plan = workspace.layout().plan;
        int common = SizeClasses.LARGEST - 1;
        long buckets = workspace.layout().segmentCount(plan.passCount(), group);
        return buckets <= smallSortBlocks[common] ? common : 0;
    }

    long[] queues(Workspace workspace, Group group) {
        return workspace.queues(lowestClass(workspace, group), group);
    }

    /// Merges the runs of buckets larger than the small-sort limit in `out` by way of `scratch`.
    ///
    /// @param largestBucket pinned memory for the size of the largest bucket; null where nobody asks
    void mergeSort(Workspace workspace, DeviceElements out, DeviceElements scratch, MemorySegment largestBucket) {
        mergeSort(workspace, out, scratch, queues(workspace, workspace.layout().all()), largestBucket);
    }

    /// Does the same for the large buckets of these queues.
    void mergeSort(
            Workspace workspace,
            DeviceElements out,
            DeviceElements scratch,
            long[] queues,
            MemorySegment largestBucket) {
        mergeSort
                .with(out.fields())
                .with(scratch.fields())
                .with(queues)
                .with(workspace.address(workspace.layout().mergeProgress))
                .with(largestBucket == null ? 0 : largestBucket.address());
        int threads = SizeClasses.threads(tuning, SizeClasses.LARGEST);
        mergeSort.launch(workspace.stream(), mergeSortBlocks, threads, sharedMemory.mergeTile(), afterPhase);
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

    /// Returns the kernels that look for order that is there already, and make use of it.
    OrderKernels order() {
        return orderKernels;
    }

    /// Returns the kernels that count values; null where there are too many values to count.
    ValueKernels values() {
        return valueKernels;
    }

    /// Returns the kernels that move payloads by values; null where they are moved otherwise.
    ByteKernels bytes() {
        return byteKernels;
    }

    /// Returns the kernels that only sorts by index have; null for elements that are moved.
    public IndexKernels indexed() {
        return indexKernels;
    }

    /// Returns the kernels that exchange elements with other GPUs.
    public ExchangeKernels exchange() {
        if (exchangeKernels == null) {
            exchangeKernels = new ExchangeKernels(modules, sharedMemory, multiprocessorCount);
        }
        return exchangeKernels;
    }

    /// Returns the kernels of sorts in place.
    PageKernels pages() {
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

    private int distributionBlocks(int residentBlocks, Workspace workspace, int pass, Group group, int waves) {
        WorkspaceLayout layout = workspace.layout();
        long slots = Math.ceilDiv(
                layout.plan.tileSlots(pass, tuning) * layout.segmentCount(pass, group), layout.plan.segmentCount(pass));
        return (int) Math.min(slots, (long) residentBlocks * waves);
    }
}
