package io.samplesort.gpu.inplace;

import io.samplesort.cuda.Event;
import io.samplesort.cuda.Stream;
import io.samplesort.errors.CudaException;
import io.samplesort.errors.SampleSortException;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.launch.Group;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.HostWait;
import io.samplesort.gpu.sort.PageArray;
import io.samplesort.gpu.sort.PagePass;
import io.samplesort.gpu.sort.PageSort;
import io.samplesort.gpu.sort.PhaseTimer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// One sort in place.
///
/// 1. A sorted sample gives the splitters.
/// 2. The array is divided into buckets, chunk by chunk. A bucket is a list of pages ([PagePass]).
/// 3. The GPU decides what is sorted together and which pages move ([RegionPlan]), and chooses the splitters of the
///    next pass for all buckets.
/// 4. Region by region, buckets are divided further into the work area and sorted from there to where they belong.
///    Before that, other elements that lie there move to other pages.
///
/// The host waits three times: for the search for order in the array, for the plan, and for the end. The GPU has work
/// meanwhile.
final class InPlaceRun {
    private static final int IN_ORDER = 1;

    private final DeviceSort sort;
    private final Stream stream;
    private final PageArray array;
    private final InPlacePlan plan;
    private final InPlaceMemory memory;
    private final SideStream side;
    private final PhaseTimer timer;
    private boolean isWriting;

    /// The result of a sort.
    ///
    /// @param passes    0 if the array was in order
    /// @param isInOrder false if the sample was unlucky, or the order contradicts itself: in that case the array has
    ///     all its elements, but in some other order
    record Done(int passes, long bytesMoved, long largestBucket, boolean isInOrder) {}

    /// @param columns device addresses of the array's columns
    InPlaceRun(
            DeviceSort sort,
            Stream stream,
            long[] columns,
            InPlacePlan plan,
            InPlaceMemory memory,
            SideStream side,
            PhaseTimer timer) {
        this.sort = sort;
        this.stream = stream;
        this.plan = plan;
        this.memory = memory;
        this.side = side;
        this.timer = timer;
        array = new PageArray(plan.shape(), columns, sort.columnBytes());
    }

    private long count() {
        return plan.shape().count();
    }

    /// Sorts, and waits for the end.
    ///
    /// @param seed the seed of the sample
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
            RegionPlan regions = divide(passes);
            sortRegions(passes, regions);
            return finish(passes, regions);
        }
    }

    private RegionPlan divide(PageSort passes) {
        try (SideStream.Use use = side.beside(stream)) {
            divideToPages(passes, use);
            // These pages can still be read where they are, as nothing is written there before splitters are chosen.
            timer.phase("settle_pages");
            movePages(
                    passes,
                    memory.workPages(),
                    0,
                    RegionPlan.settledAt(),
                    plan.chunks().besidePages(),
                    false);
            timer.phase("select_splitters");
        }
        timer.end();
        // The GPU chooses splitters while the host reads the plan.
        side.awaitTold();
        RegionPlan regions = new RegionPlan(memory.pinnedPlan());
        if (!regions.isComplete()) {
            throw new SampleSortException("buckets found no free page while " + count()
                    + " elements were sorted in place, and elements are lost: this is a defect of samplesort,"
                    + " please report it");
        }
        return regions;
    }

    /// Divides the array, and plans moves while splitters are chosen.
    private void divideToPages(PageSort passes, SideStream.Use use) {
        timer.phase("divide_chunks");
        try (PagePass pass = new PagePass(sort, stream, array, plan.chunks(), memory.workPages(), memory.area())) {
            isWriting = true;
            pass.divide(memory.sample()[0], memory.ranks());
            timer.phase("plan_regions");
            pass.planRegions(passes, plan.limits(), memory.plan(), memory.listed());
            use.follow();
            timer.phase("plan_moves");
            int mostRegions = plan.layout().groupCount();
            pass.planMoves(
                    memory.listed(), memory.list(), memory.moves(), memory.plan(), mostRegions, plan.areaPages());
            stream.copyToHost(memory.pinnedPlan(), memory.plan(), RegionPlan.bytes(mostRegions));
            side.tell(stream);
            passes.selectSplitters(use.stream(), memory.listed(), memory.workPages());
        }
    }

    private void seekOrder() {
        timer.phase("check_order");
        stream.fill(memory.order(), (byte) 0, KernelStructs.ORDER_SEARCH_BYTES);
        sort.kernels().checkOrder(stream, sort.asInput(array.columns()[0], 0), count(), 0, memory.order());
        stream.copyToHost(memory.pinnedTold(), memory.order(), Integer.BYTES);
    }

    /// Draws a sample and sorts it.
    private void sample(int seed) {
        int[] bytes = sort.columnBytes();
        int sampled = plan.sampleCount();
        long[] sample = memory.sample();
        sort.kernels().drawSample(stream, array.columns()[0], bytes[0], count(), sample[0], sampled, seed);
        if (bytes.length > 1) {
            // The payloads of a sample are moved along but never used.
            stream.fill(sample[1], (byte) 0, (long) sampled * bytes[1]);
        }
        sort.enqueue(stream, plan.sampleSort(), sample, PhaseTimer.none(), HostWait.none());
        int[] ranks = plan.ranks();
        MemorySegment.copy(ranks, 0, memory.pinnedRanks(), ValueLayout.JAVA_INT, 0, ranks.length);
        stream.copyToDevice(memory.ranks(), memory.pinnedRanks(), (long) ranks.length * Integer.BYTES);
    }

    private void sortRegions(PageSort passes, RegionPlan regions) {
        long moved = regions.settled();
        for (int region = 0; region < regions.regionCount(); region++) {
            boolean areBehind = regions.areMovesBehind(region);
            if (!areBehind) {
                // Before the first region, pages settle.
                moveAway(passes, regions, region, moved, region > 0);
            }
            timer.phase("divide_region");
            Group group = regions.group(region);
            passes.divide(group, regions.count(region), memory.list());
            if (areBehind) {
                moveAway(passes, regions, region, moved, false);
            }
            moved += regions.moves(region);
            timer.phase("small_sort");
            passes.smallSort(group);
        }
        timer.end();
    }

    /// Moves the pages that lie where a region belongs.
    ///
    /// @param isApart whether they are independent of the previous work on the stream
    private void moveAway(PageSort passes, RegionPlan regions, int region, long firstMove, boolean isApart) {
        if (regions.moves(region) > 0) {
            timer.phase("move_pages");
            movePages(
                    passes, memory.areaPages(), firstMove, RegionPlan.movesAt(region), regions.moves(region), isApart);
        }
    }

    /// Moves pages.
    ///
    /// @param from    addresses of the first page outside the array, as the numbers of the sources count
    /// @param countAt where the plan has their number
    /// @param most    the most that there may be
    /// @param isApart whether they are independent of the previous kernel
    private void movePages(PageSort passes, long[] from, long firstMove, long countAt, long most, boolean isApart) {
        long first = memory.moves() + firstMove * KernelStructs.PAGE_MOVE_BYTES;
        passes.movePages(from, first, memory.plan() + countAt, most, isApart);
    }

    private Done finish(PageSort passes, RegionPlan regions) {
        MemorySegment told = memory.pinnedTold();
        passes.tell(told);
        stream.synchronize();
        long largest = told.get(ValueLayout.JAVA_LONG, 0);
        int large = told.get(ValueLayout.JAVA_INT, Long.BYTES);
        if (large > 0) {
            passes.mergeLarge(large, told);
        }
        int passCount = plan.layout().passCount();
        long moved = (1L + passCount) * count() + regions.movedElements();
        return new Done(passCount, 2 * moved * sort.rowBytes(), largest, regions.isInOrder());
    }
}
