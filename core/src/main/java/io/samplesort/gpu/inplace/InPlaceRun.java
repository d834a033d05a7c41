package io.samplesort.gpu.inplace;

import io.samplesort.cuda.Event;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.plan.Group;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.PageArray;
import io.samplesort.gpu.sort.PagePass;
import io.samplesort.gpu.sort.PageSort;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.types.CudaException;
import io.samplesort.types.SampleSortException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// One sort in place.
///
/// 1. A sorted sample gives the splitters.
/// 2. The array is divided into buckets, chunk by chunk. A bucket is a list of pages ([PagePass]).
/// 3. Splitters of the pass behind it are chosen for all buckets.
/// 4. Region by region, buckets are divided further into the work area and sorted from there to where they belong. What
///    else lies there moves to other pages before ([PageMap]).
///
/// The host waits for the look at the order of the array, for the sizes of the buckets, for their pages, and for the
/// end. The GPU has work while the host plans.
final class InPlaceRun {
    private static final int IN_ORDER = 1;

    /// So many regions are planned before the GPU begins with the first of them, then twice as many each time.
    private static final int FIRST_REGIONS = 2;

    private final DeviceSort sort;
    private final Stream stream;
    private final PageArray array;
    private final InPlacePlan plan;
    private final InPlaceMemory memory;
    private final PhaseTimer timer;
    private boolean isWriting;

    /// What a sort has done.
    ///
    /// @param passes    0 where the array was in order
    /// @param isInOrder false if the sample was unlucky, or the order contradicts itself: the array has its elements in
    ///     another order then, but not in that of the sort
    record Done(int passes, long bytesMoved, long largestBucket, boolean isInOrder) {}

    /// @param columns device addresses of the array's columns
    InPlaceRun(
            DeviceSort sort, Stream stream, long[] columns, InPlacePlan plan, InPlaceMemory memory, PhaseTimer timer) {
        this.sort = sort;
        this.stream = stream;
        this.plan = plan;
        this.memory = memory;
        this.timer = timer;
        array = new PageArray(plan.shape(), columns, sort.columnBytes());
    }

    private long count() {
        return plan.shape().count();
    }

    /// Sorts, and waits for the end.
    ///
    /// @param seed of the sample
    /// @throws SampleSortException if the GPU fails; the message says so if elements are lost
    Done run(int seed) {
        try {
            return divideAndSort(seed);
        } catch (CudaException e) {
            if (!isWriting) {
                throw e;
            }
            throw new SampleSortException(
                    "the GPU failed while " + count() + " elements were sorted in place: they are lost", e);
        }
    }

    private Done divideAndSort(int seed) {
        boolean seeksOrder =
                sort.tuning().orderCheckSize() > 0 && count() >= sort.tuning().orderCheckSize();
        if (!seeksOrder) {
            timer.phase("sample");
            sample(seed);
            return divideAndSortRegions();
        }
        try (Event looked = Event.create(sort.context(), false)) {
            seekOrder();
            looked.record(stream);
            timer.phase("sample");
            sample(seed);
            timer.end();
            // The GPU sorts the sample meanwhile.
            looked.synchronize();
        }
        if (memory.pinnedTold().get(ValueLayout.JAVA_INT, 0) == IN_ORDER) {
            stream.synchronize();
            return new Done(0, count() * sort.rowBytes(), 0, true);
        }
        return divideAndSortRegions();
    }

    private Done divideAndSortRegions() {
        try (PageSort passes = new PageSort(sort, stream, array, memory.areaPages(), plan.layout(), memory.work())) {
            Divided divided = divide(passes);
            sortRegions(passes, divided.regions, divided.map);
            return finish(passes, divided.map.moves(), divided.segments.isInOrder());
        }
    }

    /// What the first pass has left.
    private record Divided(Segments segments, List<Region> regions, PageMap map) {}

    private Divided divide(PageSort passes) {
        timer.phase("divide_chunks");
        try (PagePass pass = new PagePass(
                sort, stream, array, plan.chunks(), memory.workPages(), memory.area(), memory.pinnedPass())) {
            isWriting = true;
            pass.divide(memory.sample()[0], memory.ranks());
            timer.phase("select_splitters");
            pass.awaitSizes();
            if (!pass.isComplete()) {
                throw new SampleSortException("buckets found no free page while " + count()
                        + " elements were sorted in place, and elements are lost: this is a defect of samplesort,"
                        + " please report it");
            }
            long[] sizes = pass.sizes();
            Segments segments =
                    new Segments(plan.shape(), sizes, pass.areEqual(), plan.mostOfASegment(), plan.layout()::partFor);
            List<Region> regions = segments.regions(plan.headSize(), plan.mostOfAGroup());
            passes.begin(segments.given(), segments.partBegins(regions), segments.parts(), memory.pinnedSegments());
            passes.selectSplitters(pass.deviceList(), memory.workPages(), segments.size());
            timer.end();
            // The GPU chooses splitters while the host learns where pages lie, and which of them have to settle.
            pass.awaitPages();
            PageMap map = new PageMap(
                    plan.shape(),
                    sizes,
                    pass.list(),
                    pass.places(),
                    pass.freePages(),
                    plan.areaPages(),
                    regions,
                    firsts(segments, regions));
            map.settle();
            return new Divided(segments, regions, map);
        }
    }

    private void seekOrder() {
        timer.phase("check_order");
        stream.fill(memory.order(), (byte) 0, KernelStructs.ORDER_SEARCH_BYTES);
        sort.kernels().exchange().checkOrder(stream, sort.asInput(array.columns()[0], 0), count(), 0, memory.order());
        stream.copyToHost(memory.pinnedTold(), memory.order(), Integer.BYTES);
    }

    /// Draws a sample and sorts it.
    private void sample(int seed) {
        int[] bytes = sort.columnBytes();
        int sampled = plan.sampleCount();
        long[] sample = memory.sample();
        sort.kernels().exchange().drawSample(stream, array.columns()[0], bytes[0], count(), sample[0], sampled, seed);
        if (bytes.length > 1) {
            // Payloads of a sample are moved along and mean nothing.
            stream.fill(sample[1], (byte) 0, (long) sampled * bytes[1]);
        }
        sort.enqueue(stream, plan.sampleLayout(), sample, PhaseTimer.none(), null);
        int[] ranks = plan.ranks();
        MemorySegment.copy(ranks, 0, memory.pinnedRanks(), ValueLayout.JAVA_INT, 0, ranks.length);
        stream.copyToDevice(memory.ranks(), memory.pinnedRanks(), (long) ranks.length * Integer.BYTES);
    }

    private void sortRegions(PageSort passes, List<Region> regions, PageMap map) {
        timer.phase("settle_pages");
        PageMoves moves = map.moves();
        uploadMoves(moves, 0);
        movePages(moves, 0, memory.workPages(), false);
        // The GPU is busy while the host plans the moves of the next regions.
        int planned = 0;
        for (int batch = FIRST_REGIONS; planned < regions.size(); batch *= 2) {
            int end = Math.min(planned + batch, regions.size());
            int firstMove = moves.size();
            for (int number = planned; number < end; number++) {
                map.take(number);
            }
            uploadList(map.list(), map.first(planned), map.first(end));
            uploadMoves(moves, firstMove);
            for (int number = planned; number < end; number++) {
                sortRegion(passes, regions.get(number), number, moves);
            }
            planned = end;
        }
        timer.end();
    }

    private void sortRegion(PageSort passes, Region region, int number, PageMoves moves) {
        Group group = new Group(number, region.firstSegment(), region.lastSegment(), region.begin());
        boolean isBehind = moves.isBehind(1 + number);
        if (!isBehind) {
            timer.phase("move_pages");
            movePages(moves, 1 + number, memory.areaPages(), true);
        }
        timer.phase("divide_region");
        passes.divide(group, region.count(), memory.list());
        if (isBehind) {
            timer.phase("move_pages");
            movePages(moves, 1 + number, memory.areaPages(), false);
        }
        timer.phase("small_sort");
        passes.smallSort(group);
    }

    /// Returns where the first page of each region stands in the list of all pages.
    private int[] firsts(Segments segments, List<Region> regions) {
        int[] firsts = new int[regions.size()];
        for (int number = 0; number < regions.size(); number++) {
            long begin = segments.begin(regions.get(number).firstSegment());
            firsts[number] = Math.toIntExact(begin / plan.shape().pageSize());
        }
        return firsts;
    }

    private void uploadMoves(PageMoves moves, int first) {
        long begin = (long) first * PageMoves.BYTES;
        long bytes = (long) moves.size() * PageMoves.BYTES - begin;
        if (bytes > 0) {
            MemorySegment pinned = memory.pinnedMoves().asSlice(begin, bytes);
            moves.write(first, pinned);
            stream.copyToDevice(memory.moves() + begin, pinned, bytes);
        }
    }

    /// Uploads a part of the list of all pages.
    private void uploadList(int[] list, int begin, int end) {
        if (begin < end) {
            long skipped = (long) begin * Integer.BYTES;
            MemorySegment pinned = memory.pinnedList().asSlice(skipped);
            MemorySegment.copy(list, begin, pinned, ValueLayout.JAVA_INT, 0, end - begin);
            stream.copyToDevice(memory.list() + skipped, pinned, (end - begin) * (long) Integer.BYTES);
        }
    }

    /// Moves the pages of a step.
    ///
    /// @param from    addresses of the first page beside the array as the sources are numbered
    /// @param isApart whether the step has nothing to do with the small sort before it
    private void movePages(PageMoves moves, int step, long[] from, boolean isApart) {
        long first = memory.moves() + (long) moves.first(step) * PageMoves.BYTES;
        sort.movePages(stream, array, from, memory.areaPages(), first, moves.count(step), isApart);
    }

    private Done finish(PageSort passes, PageMoves moves, boolean isInOrder) {
        MemorySegment told = memory.pinnedTold();
        passes.tell(told);
        stream.synchronize();
        long largest = told.get(ValueLayout.JAVA_LONG, 0);
        int large = told.get(ValueLayout.JAVA_INT, Long.BYTES);
        if (large > 0) {
            passes.mergeLarge(large, told);
        }
        int passCount = plan.layout().passCount();
        long moved = (1L + passCount) * count() + moves.sum();
        return new Done(passCount, 2 * moved * sort.rowBytes(), largest, isInOrder);
    }
}
