package io.samplesort.gpu.launch;

import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelStructs.Queues;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.code.SizeClasses;
import io.samplesort.types.Tuning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The kernels that divide an input and sort its buckets, with one method for each kernel that several ways to sort
/// launch.
public final class DividingKernels {
    private static final int MAX_SAMPLE_PARTS = 16;
    /// One block sorts a sample that has fewer keys than this for each thread.
    private static final int SAMPLED_KEYS_A_THREAD = 4;

    /// If there are not many buckets, smaller ones go to this size class as well.
    private static final int LOWEST_OF_FEW_BUCKETS = 2;

    /// There are many buckets from this multiple of what blocks of the common size class can sort at once.
    private static final long MANY_BUCKETS = 16;

    private final KernelTable table;
    private final KernelElement element;
    private final Tuning tuning;
    private final SharedMemory sharedMemory;
    /// The small sorts of all size classes but the largest, by size class. There are two of each if buckets with few
    /// different numbers are sorted apart.
    private final List<KernelLaunch[]> smallSorts = new ArrayList<>();

    DividingKernels(KernelTable table, KernelElement element, Tuning tuning, SharedMemory sharedMemory) {
        this.table = table;
        this.element = element;
        this.tuning = tuning;
        this.sharedMemory = sharedMemory;
        addSmallSorts("small_sort");
        if (sharedMemory.tellsFewNumbers()) {
            addSmallSorts("small_sort_few");
        }
    }

    private void addSmallSorts(String name) {
        KernelLaunch[] launches = new KernelLaunch[SizeClasses.LARGEST];
        for (int c = 0; c < SizeClasses.LARGEST; c++) {
            launches[c] = table.of(name).ofBlocks(SizeClasses.threads(tuning, c), sharedMemory.smallSort(c));
        }
        smallSorts.add(launches);
    }

    /// Chooses the splitters of the segments of a pass, and the room of the buckets. If [#beginSplitters] has done so,
    /// this waits for it.
    public void selectSplitters(DividingMemory memory, int pass, Group group, DeviceElements in, long seed) {
        selectSplitters(memory, pass, group, in, seed, false);
    }

    /// Chooses the splitters of the first pass while others look for order, unless the input may be in order.
    public void beginSplitters(DividingMemory memory, DeviceElements in, long seed) {
        selectSplitters(memory, 0, memory.layout().all(), in, seed, true);
    }

    private void selectSplitters(
            DividingMemory memory, int pass, Group group, DeviceElements in, long seed, boolean isEarly) {
        DividingLayout layout = memory.layout();
        long sampleCount = layout.rooms.sampled(pass);
        long segments = layout.segmentCount(pass, group);
        int parts = sampleParts(segments, sampleCount);
        boolean isLookedAt = pass == 0 && layout.seeksOrder;
        table.of("select_splitters")
                .with(in.fields(), memory.pass(pass, group))
                .values(seed, sampleCount, parts)
                .flag(layout.rooms.counted(pass) == 0)
                .values(isLookedAt ? memory.address(layout.head.orderSearch()) : 0)
                .flag(isEarly)
                .launch(memory.stream(), segments * parts);
    }

    /// Returns how many blocks sort the sample of one segment. Each block draws the whole sample, and the blocks agree
    /// on their parts; that takes as long as one block needs to sort a few thousand keys. They gather their parts in
    /// the second buffer; without that buffer one block sorts everything.
    public int sampleParts(long segments, long sampleCount) {
        if (sharedMemory.sampleBuffers() == 1 || sampleCount < SAMPLED_KEYS_A_THREAD * (long) tuning.sampleThreads()) {
            return 1;
        }
        long parts = Math.min(
                sampleCount / (tuning.sampleThreads() / 2),
                tuning.sampleThreads() / KernelConstants.BOUND_OVERSAMPLING);
        return Math.clamp(Math.min(parts, table.multiprocessorCount() / segments), 1, MAX_SAMPLE_PARTS);
    }

    /// Counts how many keys of a random sample of the input fall into each bucket of a first pass.
    public void countSample(DividingMemory memory, DeviceElements in, long seed, long countedCount) {
        long taken = (long) tuning.distributionThreads() * KernelConstants.COUNTED_ITEMS;
        table.of("count_sample")
                .ofShared(sharedMemory.count(memory.layout().plan.bucketCount(0)))
                .with(in.fields(), memory.firstPass())
                .values(seed, countedCount)
                .launchFor(memory.stream(), Math.ceilDiv(countedCount, taken));
    }

    /// Builds the splitter tree of a first pass that several GPUs, or all chunks of a sort in place, make together.
    ///
    /// @param sample device address of sorted keys in the user's form
    /// @param ranks  device address of the rank of each splitter in the sample, as ints
    public void plantTree(DividingMemory memory, long sample, long ranks) {
        table.of("plant_tree")
                .with(new DeviceElements(sample, 0).fields())
                .values(ranks)
                .with(memory.firstPass())
                .launch(memory.stream(), 1);
    }

    /// Moves the elements of a pass to their buckets.
    public void scatter(DividingMemory memory, int pass, Group group, DeviceElements in, DeviceElements out) {
        DividingLayout layout = memory.layout();
        KernelLaunch scatter = table.of("scatter").with(in.fields(), out.fields());
        scatter.with(memory.pass(pass, group));
        long slots = Math.ceilDiv(
                layout.plan.tileSlots(pass, tuning) * layout.segmentCount(pass, group), layout.plan.segmentCount(pass));
        if (element.keepsOrder()) {
            // Tiles are handed out one by one, so no block has more than its share.
            scatter.values(memory.tickets(pass, group), memory.tileWords(pass, group));
            scatter.launchFor(memory.stream(), slots);
        } else {
            scatter.launchInWaves(memory.stream(), slots);
        }
    }

    /// Turns the sizes of the buckets of a pass into offsets, and after the last pass puts the buckets in the queues.
    public void scanCounts(DividingMemory memory, int pass, Group group) {
        table.of("scan_counts")
                .with(memory.pass(pass, group), queues(memory, group))
                .flag(pass == memory.layout().plan.passCount() - 1)
                .launch(memory.stream(), memory.layout().segmentCount(pass, group));
    }

    /// Sorts the buckets of a group, of all size classes, from `in` to `out`, which may be the same, and makes sorted
    /// runs for [#mergeSort].
    ///
    /// @param in    the array that the last pass wrote
    /// @param input the input of the whole sort
    public void smallSort(
            DividingMemory memory, Group group, DeviceElements in, DeviceElements out, DeviceElements input) {
        smallSort(
                memory.stream(),
                memory.arrays(input),
                in,
                out,
                queues(memory, group),
                lowestClass(memory, group),
                memory.layout().queues.capacity(),
                smallSorts);
    }

    /// Sorts the segments of an array in place that `list_segments` has put in queues.
    ///
    /// @param queues   the struct `Queues`, with all size classes
    /// @param capacity the most entries of a queue
    public void smallSort(Stream stream, DeviceElements elements, long[] queues, long capacity) {
        long[] arrays = new long[elements.fields().length * (KernelConstants.MAX_PASSES + 1)];
        for (int at = 0; at < arrays.length; at += elements.fields().length) {
            System.arraycopy(elements.fields(), 0, arrays, at, elements.fields().length);
        }
        smallSort(stream, arrays, elements, elements, queues, 0, capacity, smallSorts.subList(0, 1));
    }

    private void smallSort(
            Stream stream,
            long[] arrays,
            DeviceElements in,
            DeviceElements out,
            long[] queues,
            int lowestClass,
            long capacity,
            List<KernelLaunch[]> kinds) {
        // The largest come first, and all run side by side: small buckets fill the gaps that large ones leave.
        KernelLaunch largest = table.of("small_sort_largest").with(arrays);
        largest.with(out.fields(), queues).launchFor(stream, capacity);
        for (KernelLaunch[] launches : kinds) {
            for (int c = SizeClasses.LARGEST - 1; c >= lowestClass; c--) {
                launches[c].with(in.fields(), out.fields(), queues).values(c);
                launches[c].launch(stream, Math.min(smallSorts.getFirst()[c].residentBlocks(), capacity));
            }
        }
    }

    /// Sorts parts of an input, each with one block, to `out`, which may be the input.
    ///
    /// @param partSize elements of each part but the last one, at most what a block can sort
    public void sortParts(Stream stream, DeviceElements in, DeviceElements out, long count, long partSize) {
        int sizeClass = SizeClasses.of(tuning, partSize);
        long[] arrays = Arrays.copyOf(in.fields(), in.fields().length * (KernelConstants.MAX_PASSES + 1));
        long[] noQueues = new long[Queues.values().length];
        noQueues[Queues.ELEMENT_COUNT.ordinal()] = count;
        noQueues[Queues.CAPACITY.ordinal()] = partSize;
        table.of("small_sort_largest")
                .after()
                .ofBlocks(SizeClasses.threads(tuning, sizeClass), sharedMemory.sortAlone(sizeClass))
                .with(arrays, out.fields(), noQueues)
                .launch(stream, Math.ceilDiv(count, partSize));
    }

    /// Returns the smallest size class that is launched; smaller buckets go to it as well. A launch takes about a
    /// microsecond even if its queue is empty. If the GPU can work on all buckets of a group at once, one launch for
    /// all sizes but the largest takes less time than one for each size, although small buckets leave some of its
    /// threads idle. If an input has not many more buckets, some sizes share a launch. A region of a sort in place has
    /// few buckets, too.
    private int lowestClass(DividingMemory memory, Group group) {
        DividingLayout layout = memory.layout();
        int passes = layout.plan.passCount();
        int common = SizeClasses.LARGEST - 1;
        int resident = smallSorts.getFirst()[common].residentBlocks();
        if (layout.segmentCount(passes, group) <= resident) {
            return common;
        }
        long all = layout.segmentCount(passes, layout.all());
        boolean areFew = layout.isPaged() || all < MANY_BUCKETS * resident;
        return areFew ? LOWEST_OF_FEW_BUCKETS : 0;
    }

    /// Returns the struct `Queues` of queues.cuh for one group, as [#smallSort] uses it.
    public long[] queues(DividingMemory memory, Group group) {
        return memory.queues(lowestClass(memory, group), group);
    }

    /// Merges the runs of buckets larger than the small-sort limit in `out`, with `scratch` as the other buffer.
    ///
    /// @param queues        the struct `Queues` of these buckets
    /// @param largestBucket address of pinned memory for the size of the largest bucket; 0 if not needed
    public void mergeSort(
            DividingMemory memory, DeviceElements out, DeviceElements scratch, long[] queues, long largestBucket) {
        KernelLaunch mergeSort = table.of("merge_sort").with(out.fields(), scratch.fields());
        mergeSort
                .with(queues)
                .values(memory.address(memory.layout().head.mergeProgress()), largestBucket)
                .launch(memory.stream(), mergeSort.residentBlocks());
    }
}
