package io.samplesort.gpu.sort;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.code.KernelStructs.Queues;
import io.samplesort.gpu.launch.Kernels;
import io.samplesort.gpu.plan.DeviceElements;
import io.samplesort.gpu.plan.DividingLayout;
import io.samplesort.gpu.plan.DividingMemory;
import io.samplesort.gpu.plan.Group;
import io.samplesort.gpu.plan.Regions;
import io.samplesort.gpu.plan.SortPlan;
import io.samplesort.gpu.plan.Workspace;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The passes of a sort in place behind the first one, and its small sort: they take the buckets that lie in pages in
/// groups, one after another. But for the last method, none of them waits.
public final class PageSort implements AutoCloseable {
    private static final long SAMPLE_SEED = 0x5eed5a3713500L;
    private static final long COUNT_SEED = 0x5eed5c0a7ed00L;

    private final DeviceSort sort;
    private final PageArray array;
    private final long[] beside;
    private final DividingMemory memory;

    /// Takes no memory.
    ///
    /// @param beside device addresses of the columns of the pages beside the array
    /// @param layout of [#layout]
    /// @param memory as much as the layout takes
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
    /// @param headSize     elements that the passes have room for
    /// @param groups       how many groups there are at most
    /// @param mostOfAGroup segments that a group has at most
    public static DividingLayout layout(
            DeviceSort sort, long count, int logBuckets, long headSize, int groups, int mostOfAGroup) {
        SortPlan plan = SortPlan.ofPages(count, logBuckets, sort.tuning());
        return DividingLayout.ofPages(plan, sort.element(), sort.tuning(), headSize, groups, mostOfAGroup);
    }

    /// Returns the struct `Pass` of the pass that divides the segments.
    long[] secondPass() {
        return memory.pass(1, new Group(0, 0, memory.layout().mostSegments()));
    }

    /// Chooses the splitters of all segments at once and gives their buckets room. That keeps the GPU busier than
    /// doing so for each group.
    ///
    /// @param on     the stream for that
    /// @param list   device address of the list of all pages
    /// @param beside device addresses of the columns of the pages beside the array as they are numbered there
    public void selectSplitters(Stream on, long list, long[] beside) {
        Group all = new Group(0, 0, memory.layout().mostSegments());
        long[] pages = array.pages(list, beside);
        Kernels kernels = sort.kernels();
        kernels.pages().selectSplitters(on, memory, all, array.elements(), pages, SAMPLE_SEED + 1, kernels);
        kernels.pages().countSample(on, memory, all, array.elements(), pages, COUNT_SEED);
    }

    /// Divides the segments of a group. Afterwards nothing of them lies in their pages.
    ///
    /// @param count elements of all segments
    /// @param list  device address of the list of all pages, as it is by now
    public void divide(Group group, long count, long list) {
        Kernels kernels = sort.kernels();
        DividingLayout layout = memory.layout();
        long[] pages = array.pages(list, beside);
        DeviceElements out = memory.target(1);
        for (int pass = 1; pass < layout.plan.passCount(); pass++) {
            long[] words = layout.tileWordsOfAGroup(pass);
            if (words != null) {
                memory.stream().fill(memory.address(words[0]), (byte) 0, words[1]);
            }
        }
        kernels.pages().scatterFromPages(memory, group, count, array.elements(), pages, out);
        kernels.pages().scanCounts(memory, group, array.elements(), pages, out, kernels);
        for (int pass = 2; pass < layout.plan.passCount(); pass++) {
            kernels.splitters().selectSplitters(memory, pass, group, memory.target(pass - 1), SAMPLE_SEED + pass);
            kernels.scatter(memory, pass, group, memory.target(pass - 1), memory.target(pass));
            kernels.scanCounts(memory, pass, group);
        }
    }

    /// Sorts the buckets of a group to where they belong in the array.
    public void smallSort(Group group) {
        DeviceElements last = memory.target(memory.layout().plan.passCount() - 1);
        sort.kernels().smallSort(memory, group, last, array.elements(), array.elements());
    }

    /// Moves pages of the array.
    ///
    /// @param from      device addresses of the columns of the pages beside the array as the sources are numbered
    /// @param moves     device address of the `PageMove`
    /// @param moveCount device address of their number
    /// @param most      how many there may be
    /// @param isApart   whether these pages have nothing to do with the kernel before
    public void movePages(long[] from, long moves, long moveCount, long most, boolean isApart) {
        sort.kernels()
                .pages()
                .movePages(
                        memory.stream(),
                        array.elements(),
                        array.pages(0, from),
                        array.pages(0, beside),
                        moves,
                        moveCount,
                        most,
                        1L << array.shape().logTiles(),
                        isApart);
    }

    /// Copies the size of the largest bucket to the host, and behind it how many buckets are left for [#mergeLarge].
    ///
    /// @param pinned two longs
    public void tell(MemorySegment pinned) {
        Regions.Head head = memory.layout().head;
        memory.stream().copyToHost(pinned, memory.address(head.largestBucket()), Long.BYTES);
        memory.stream().copyToHost(pinned.asSlice(Long.BYTES), memory.address(head.largeCount()), Integer.BYTES);
    }

    /// Merges the runs of buckets that were too large for the small sort, one bucket after another by way of the memory
    /// of the passes. This waits for each. There are such buckets only where a sample was unlucky, or the order
    /// contradicts itself.
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
            long[] queues = sort.kernels().queues(memory, layout.all());
            queues[Queues.LARGE_BUCKETS.ordinal()] = large + (long) index * Long.BYTES;
            sort.kernels().mergeSort(memory, array.elements(), memory.targetFrom(offset), queues, 0);
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
