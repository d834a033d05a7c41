package io.samplesort.gpu.sort;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.code.KernelStructs.Queues;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.launch.DividingKernels;
import io.samplesort.gpu.launch.DividingLayout;
import io.samplesort.gpu.launch.DividingMemory;
import io.samplesort.gpu.launch.Group;
import io.samplesort.gpu.launch.KernelLaunch;
import io.samplesort.gpu.launch.Kernels;
import io.samplesort.gpu.launch.Regions;
import io.samplesort.gpu.launch.SortPlan;
import io.samplesort.gpu.launch.Workspace;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The passes of a sort in place after the first one, and its small sort: they take the buckets, which lie in pages, in
/// groups, one after another. Only the last method waits.
public final class PageSort implements AutoCloseable {
    private static final long SAMPLE_SEED = 0x5eed5a3713500L;
    private static final long COUNT_SEED = 0x5eed5c0a7ed00L;

    /// With fewer slots than this for each block that fits the GPU at once, only these blocks are launched and share
    /// the slots equally. More blocks would repeat the fixed work at the begin of a block, which does not pay off in a
    /// small region.
    private static final int MANY_SLOTS = 16;

    /// For each bucket of the first pass there is memory for this many segments. Most buckets are one segment, so there
    /// may be this many times the blocks that count the keys of a segment.
    private static final int SEGMENTS_A_BUCKET = 2;

    /// With more blocks than this for each segment, each would have little to count.
    private static final int MOST_PARTS = 8;

    private final DeviceSort sort;
    private final PageArray array;
    private final long[] beside;
    private final DividingMemory memory;

    /// Prepares the passes. This allocates no memory.
    ///
    /// @param beside device addresses of the columns of the pages outside the array
    /// @param layout the layout that [#layout] returns
    /// @param memory memory of the size that the layout takes
    public PageSort(
            DeviceSort sort,
            Stream stream,
            PageArray array,
            long[] beside,
            DividingLayout layout,
            DeviceAllocation memory) {
        this.sort = sort;
        this.array = array;
        this.beside = beside;
        this.memory = new DividingMemory(
                new Workspace(stream, layout.memory, memory), layout, array.elements(), array.elements());
    }

    /// Returns the layout of these passes.
    ///
    /// @param headSize     elements for which the passes have room
    /// @param groups       the most groups that there are
    /// @param mostOfAGroup the most segments of a group
    public static DividingLayout layout(
            DeviceSort sort, long count, int logBuckets, long headSize, int groups, int mostOfAGroup) {
        SortPlan plan = SortPlan.ofPages(count, logBuckets, sort.tuning());
        return DividingLayout.ofPages(plan, sort.element(), sort.tuning(), headSize, groups, mostOfAGroup);
    }

    /// Returns the struct `Pass` of the pass that divides the segments.
    long[] secondPass() {
        return memory.pass(1, new Group(0, 0, memory.layout().mostSegments()));
    }

    /// Returns how many blocks of each scatter kernel fit the GPU at once.
    static int residentBlocks(Kernels kernels) {
        return Math.min(
                kernels.of("scatter_to_pages").residentBlocks(),
                kernels.of("scatter_from_pages").residentBlocks());
    }

    private KernelLaunch kernel(String name) {
        return sort.kernels().of(name);
    }

    /// Chooses the splitters of all segments at once and gives their buckets room, by counting a sample. That keeps the
    /// GPU busier than doing so for each group.
    ///
    /// @param on     the stream for that
    /// @param list   device address of the list of all pages
    /// @param beside device addresses of the columns of the pages outside the array, as the list numbers them
    public void selectSplitters(Stream on, long list, long[] beside) {
        DividingLayout layout = memory.layout();
        long[] pages = array.pages(list, beside);
        Kernels kernels = sort.kernels();
        int segments = layout.mostSegments();
        long sampleCount = layout.rooms.sampled(1);
        int sampleParts = kernels.dividing().sampleParts(segments, sampleCount);
        kernel("select_page_splitters")
                .with(array.elements().fields(), pages, secondPass())
                .values(SAMPLE_SEED + 1, sampleCount, sampleParts)
                .launch(on, (long) segments * sampleParts);
        int countParts = Math.clamp(SEGMENTS_A_BUCKET * (long) residentBlocks(kernels) / segments, 1, MOST_PARTS);
        kernel("count_page_sample")
                .ofShared(new SharedMemory(sort.element(), sort.tuning()).countPages(layout.plan.bucketCount(1)))
                .with(array.elements().fields(), pages, secondPass())
                .values(COUNT_SEED, layout.rooms.counted(1), countParts)
                .launch(on, (long) segments * countParts);
    }

    /// Divides the segments of a group. Afterwards their pages hold none of their elements.
    ///
    /// @param count elements of all segments
    /// @param list  device address of the present list of all pages
    public void divide(Group group, long count, long list) {
        DividingKernels kernels = sort.kernels().dividing();
        DividingLayout layout = memory.layout();
        long[] pages = array.pages(list, beside);
        for (int pass = 1; pass < layout.plan.passCount(); pass++) {
            long[] words = layout.tileWordsOfAGroup(pass);
            if (words != null) {
                memory.stream().fill(memory.address(words[0]), (byte) 0, words[1]);
            }
        }
        scatterFromPages(group, count, pages);
        kernel("scan_page_counts")
                .with(
                        array.elements().fields(),
                        pages,
                        memory.target(1).fields(),
                        memory.pass(1, group),
                        kernels.queues(memory, group))
                .flag(layout.plan.passCount() == 2)
                .launch(memory.stream(), group.end() - group.begin());
        for (int pass = 2; pass < layout.plan.passCount(); pass++) {
            kernels.selectSplitters(memory, pass, group, memory.target(pass - 1), SAMPLE_SEED + pass);
            kernels.scatter(memory, pass, group, memory.target(pass - 1), memory.target(pass));
            kernels.scanCounts(memory, pass, group);
        }
    }

    /// Moves the elements of segments that lie in pages to their buckets. This begins while the previous kernel ends,
    /// which must have nothing to do with these elements and their splitters. The first group waits for that kernel.
    private void scatterFromPages(Group group, long count, long[] pages) {
        KernelLaunch scatter = kernel("scatter_from_pages");
        if (group.number() == 0) {
            scatter = scatter.after();
        }
        scatter.with(array.elements().fields(), pages, memory.target(1).fields());
        scatter.with(memory.pass(1, group));
        // Segments have as many slots as this, or one fewer (segments.cuh).
        long slots = count / sort.tuning().tileSize() + 1 + group.end() - group.begin();
        long resident = residentBlocks(sort.kernels());
        long blocks = Math.min(slots, resident);
        if (sort.element().keepsOrder()) {
            scatter.values(memory.tickets(1, group), memory.tileWords(1, group));
        } else if (slots < MANY_SLOTS * resident) {
            long share = Math.ceilDiv(slots, resident);
            scatter.values(share);
            blocks = Math.ceilDiv(slots, share);
        } else {
            scatter.values(0);
            blocks = KernelLaunch.WAVES * resident;
        }
        scatter.launch(memory.stream(), blocks);
    }

    /// Sorts the buckets of a group to where they belong in the array.
    public void smallSort(Group group) {
        DeviceElements last = memory.target(memory.layout().plan.passCount() - 1);
        sort.kernels().dividing().smallSort(memory, group, last, array.elements(), array.elements());
    }

    /// Moves pages of the array.
    ///
    /// @param from      device addresses of the columns of the pages outside the array, as the sources are numbered
    /// @param moves     device address of the `PageMove`
    /// @param moveCount device address of their number
    /// @param most      the most that there may be
    /// @param isApart   whether these pages have nothing to do with the previous kernel
    public void movePages(long[] from, long moves, long moveCount, long most, boolean isApart) {
        kernel("move_pages")
                .with(array.elements().fields(), array.pages(0, from), array.pages(0, beside))
                .values(moves, moveCount)
                .flag(isApart)
                .launchFor(memory.stream(), most << array.shape().logTiles());
    }

    /// Copies the size of the largest bucket to the host, and after it the number of buckets that are left for
    /// [#mergeLarge].
    ///
    /// @param pinned two longs
    public void tell(MemorySegment pinned) {
        Regions.Head head = memory.layout().head;
        memory.stream().copyToHost(pinned, memory.address(head.largestBucket()), Long.BYTES);
        memory.stream().copyToHost(pinned.asSlice(Long.BYTES), memory.address(head.largeCount()), Integer.BYTES);
    }

    /// Merges the runs of buckets that were too large for the small sort, one bucket after another, with the memory of
    /// the passes as the other buffer. This waits for each. There are such buckets only if a sample was unlucky, or the
    /// order contradicts itself.
    ///
    /// @param pinned two longs
    public void mergeLarge(int buckets, MemorySegment pinned) {
        Stream stream = memory.stream();
        DividingLayout layout = memory.layout();
        long large = memory.address(layout.queues.largeBuckets());
        long one = memory.address(layout.head.largeCount());
        pinned.set(ValueLayout.JAVA_INT, 0, 1);
        stream.copyToDevice(one, pinned, Integer.BYTES);
        for (int index = 0; index < buckets; index++) {
            stream.copyToHost(pinned, large + (long) index * Long.BYTES, Long.BYTES);
            stream.synchronize();
            long bucket = pinned.get(ValueLayout.JAVA_LONG, 0);
            Regions.Segments last = layout.segments[layout.plan.passCount()];
            stream.copyToHost(pinned, memory.address(last.offsets()) + bucket * Long.BYTES, Long.BYTES);
            stream.fill(memory.address(layout.head.mergeProgress()), (byte) 0, mergeProgressBytes());
            stream.synchronize();
            long offset = pinned.get(ValueLayout.JAVA_LONG, 0);
            long[] queues = sort.kernels().dividing().queues(memory, layout.all());
            queues[Queues.LARGE_BUCKETS.ordinal()] = large + (long) index * Long.BYTES;
            sort.kernels().dividing().mergeSort(memory, array.elements(), memory.targetFrom(offset), queues, 0);
        }
        stream.synchronize();
    }

    private static long mergeProgressBytes() {
        return KernelStructs.MERGE_PROGRESS_BYTES;
    }

    @Override
    public void close() {
        memory.close();
    }
}
