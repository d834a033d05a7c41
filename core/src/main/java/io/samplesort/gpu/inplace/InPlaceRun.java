package io.samplesort.gpu.inplace;

import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.gpu.sort.WorkspaceLayout;
import io.samplesort.types.CudaException;
import io.samplesort.types.SampleSortException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// One sort in place.
///
/// 1. A sorted sample gives the splitters, and all chunks of the array are counted: so the host knows how many elements
///    of each bucket each chunk has. Nothing has been changed by then.
/// 2. The chunks are divided into buckets one after another ([ChunkPasses]).
/// 3. Region by region, buckets are gathered, what lies in their place moves to where they have been ([PieceMap]), and
///    they are divided further and sorted into it.
///
/// The host waits twice: for the counts, and for the end. While it plans the moves the chunks are divided.
final class InPlaceRun {
    private static final int IN_ORDER = 1;

    private final DeviceSort sort;
    private final Stream stream;
    private final long[] columns;
    private final InPlacePlan plan;
    private final InPlaceMemory memory;
    private final PhaseTimer timer;
    private final ChunkPasses passes;
    private boolean isWriting;

    /// What a sort has done.
    ///
    /// @param passes 0 where the array was in order
    record Done(int passes, long bytesMoved, long largestBucket) {}

    /// @param columns device addresses of the array's columns
    InPlaceRun(
            DeviceSort sort, Stream stream, long[] columns, InPlacePlan plan, InPlaceMemory memory, PhaseTimer timer) {
        this.sort = sort;
        this.stream = stream;
        this.columns = columns;
        this.plan = plan;
        this.memory = memory;
        this.timer = timer;
        passes = new ChunkPasses(sort, stream, columns, plan, memory);
    }

    /// Sorts, and waits for the end. Returns null if the sample was unlucky; nothing has been changed then.
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
                    "the GPU failed while " + plan.count() + " elements were sorted in place: they are lost", e);
        }
    }

    private Done divideAndSort(int seed) {
        boolean seeksOrder = sort.tuning().orderCheckSize() > 0
                && plan.count() >= sort.tuning().orderCheckSize();
        if (seeksOrder) {
            seekOrder();
        }
        timer.phase("sample");
        passes.sample(seed);
        timer.phase("count_buckets");
        passes.count();
        timer.end();
        stream.synchronize();
        if (seeksOrder && memory.pinnedOrder().get(ValueLayout.JAVA_INT, 0) == IN_ORDER) {
            return new Done(0, plan.count() * sort.rowBytes(), 0);
        }
        long[][] counts = passes.counts();
        long[] sizes = bucketSizes(counts);
        List<Region> regions = Region.of(sizes, passes.areEqual(), plan.regionSize(), plan.segments());
        List<WorkspaceLayout> layouts = regions == null ? null : layouts(regions);
        if (layouts == null) {
            return null;
        }
        isWriting = true;
        timer.phase("scatter");
        passes.scatter(counts);
        return sortRegions(regions, layouts, pieces(regions, counts, sizes));
    }

    private void seekOrder() {
        timer.phase("check_order");
        stream.fill(memory.order(), (byte) 0, KernelStructs.ORDER_SEARCH_BYTES);
        sort.kernels().exchange().checkOrder(stream, sort.asInput(columns[0], 0), plan.count(), 0, memory.order());
        stream.copyToHost(memory.pinnedOrder(), memory.order(), Integer.BYTES);
    }

    private long[] bucketSizes(long[][] counts) {
        long[] sizes = new long[plan.bucketCount()];
        for (long[] each : counts) {
            for (int bucket = 0; bucket < sizes.length; bucket++) {
                sizes[bucket] += each[bucket];
            }
        }
        return sizes;
    }

    /// Returns the layout of the sort of each region; null if one does not fit the work area.
    private List<WorkspaceLayout> layouts(List<Region> regions) {
        List<WorkspaceLayout> layouts = new ArrayList<>();
        for (Region region : regions) {
            WorkspaceLayout layout = plan.layout(sort, region);
            if (layout == null) {
                return null;
            }
            layouts.add(layout);
        }
        return layouts;
    }

    /// Returns where the pieces of all buckets lie once the chunks have been divided: those of the first chunk behind
    /// all others. Within a bucket they keep the order of the chunks.
    private PieceMap pieces(List<Region> regions, long[][] counts, long[] sizes) {
        long[] begins = new long[regions.size() + 1];
        for (int number = 0; number < regions.size(); number++) {
            begins[number] = regions.get(number).begin();
        }
        begins[regions.size()] = plan.count();
        PieceMap map = new PieceMap(begins);
        // The place of the next piece of each bucket.
        long[] places = new long[plan.bucketCount()];
        long place = 0;
        for (int bucket = 0; bucket < places.length; bucket++) {
            places[bucket] = place + counts[0][bucket];
            place += sizes[bucket];
        }
        long position = 0;
        for (int chunk = 1; chunk < counts.length; chunk++) {
            for (int bucket = 0; bucket < places.length; bucket++) {
                map.add(position, places[bucket], counts[chunk][bucket]);
                places[bucket] += counts[chunk][bucket];
                position += counts[chunk][bucket];
            }
        }
        place = 0;
        for (int bucket = 0; bucket < places.length; bucket++) {
            map.add(position, place, counts[0][bucket]);
            place += sizes[bucket];
            position += counts[0][bucket];
        }
        return map;
    }

    private Done sortRegions(List<Region> regions, List<WorkspaceLayout> layouts, PieceMap map) {
        MoveTable moves =
                new MoveTable(stream, sort.kernels().move(), sort.columnBytes(), memory.moves(), memory.pinnedMoves());
        int mostPasses = 0;
        // Chunks are counted, and regions gathered.
        long bytes = 3 * plan.count() * sort.rowBytes();
        for (int number = 0; number < regions.size(); number++) {
            Region region = regions.get(number);
            WorkspaceLayout layout = layouts.get(number);
            map.takeRegion();
            timer.phase("gather_pieces");
            moves.move(map.gathered(), columns, memory.gathering());
            timer.phase("evict_pieces");
            moves.move(map.evicted(), columns, columns);
            timer.phase("sort_region");
            sort.enqueueBehind(
                    stream,
                    layout,
                    region.segments(),
                    memory.pinnedSegments(number),
                    memory.gathering(),
                    sort.from(columns, region.begin()),
                    memory.work(),
                    memory.pinnedLargestBucket(number));
            mostPasses = Math.max(mostPasses, layout.plan.passCount());
            bytes += sort.bytesMoved(region.count(), layout, 1)
                    + 2 * map.evicted().sum() * sort.rowBytes();
        }
        timer.end();
        stream.synchronize();
        if (!passes.areComplete()) {
            throw new SampleSortException("some of " + plan.count() + " elements went to other buckets than they had"
                    + " been counted for while they were sorted in place, and they are lost: the order has to give the"
                    + " same answer each time");
        }
        return new Done(mostPasses, bytes, largestBucket(regions.size()));
    }

    private long largestBucket(int regionCount) {
        long largest = 0;
        for (int region = 0; region < regionCount; region++) {
            MemorySegment told = memory.pinnedLargestBucket(region);
            largest = Math.max(largest, told.get(ValueLayout.JAVA_LONG, 0));
        }
        return largest;
    }
}
