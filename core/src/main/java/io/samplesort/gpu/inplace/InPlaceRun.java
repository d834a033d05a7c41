package io.samplesort.gpu.inplace;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.FirstPass;
import io.samplesort.gpu.sort.GivenSegments;
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
/// 2. The chunks are divided into buckets one after another, each into the memory of the chunk before it. The first one
///    goes to the work area, and from there to where the last one lay.
/// 3. Region by region, buckets are gathered, what lies in their place moves to where they have been, and they are
///    divided further and sorted into it ([PieceMap]).
///
/// The host waits twice: for the counts, and for the end. While it plans the moves the chunks are divided.
final class InPlaceRun implements AutoCloseable {
    private static final int IN_ORDER = 1;
    private static final int ALIGNMENT = 256;

    private final DeviceSort sort;
    private final Stream stream;
    private final long[] columns;
    private final int[] columnBytes;
    private final InPlacePlan plan;
    private final PhaseTimer timer;
    private final MemorySegment pinned;
    private final Owned owned = new Owned();
    private final DeviceAllocation work;
    private final DeviceColumns gathering;
    private final DeviceAllocation passMemory;
    private final DeviceAllocation small;
    private final long[][] counts;
    private boolean isWriting;
    private long evictedCount;

    /// What a sort has done.
    ///
    /// @param passes 0 where the array was in order
    record Done(int passes, long bytesMoved, long largestBucket) {}

    /// Takes all device memory of the sort but that for its sample.
    ///
    /// @param columns device addresses of the array's columns
    /// @param pinned  memory for [#pinnedBytes]
    InPlaceRun(
            DeviceSort sort, Stream stream, long[] columns, InPlacePlan plan, PhaseTimer timer, MemorySegment pinned) {
        this.sort = sort;
        this.stream = stream;
        this.columns = columns;
        this.columnBytes = sort.columnBytes();
        this.plan = plan;
        this.timer = timer;
        this.pinned = pinned;
        counts = new long[plan.chunks()][];
        try {
            work = allocate(plan.workBytes());
            gathering = owned.add(new DeviceColumns(sort.context(), stream, columnBytes, plan.regionSize()));
            passMemory = allocate(plan.passBytes());
            small = allocate(smallBytes(plan.bucketCount()));
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    private DeviceAllocation allocate(long bytes) {
        return owned.add(DeviceAllocation.allocateAsync(sort.context(), stream, bytes));
    }

    /// Returns the device memory for the table of moves, the search for order and the ranks of the splitters.
    static long smallBytes(int bucketCount) {
        return MoveTable.DEVICE_BYTES + searchBytes() + bucketCount * (long) Integer.BYTES;
    }

    private static long searchBytes() {
        return Math.ceilDiv(KernelStructs.ORDER_SEARCH_BYTES, Long.BYTES) * (long) Long.BYTES;
    }

    /// Returns the pinned memory that a sort takes: for the order that is found, the ranks, the passes, the moves, and
    /// for each region its segments and the size of its largest bucket.
    static long pinnedBytes(InPlacePlan plan) {
        return regionsAt(plan) + plan.mostRegions() * regionBytes(plan);
    }

    private static long passesAt(InPlacePlan plan) {
        return Long.BYTES + plan.bucketCount() * (long) Integer.BYTES;
    }

    private static long tableAt(InPlacePlan plan) {
        return passesAt(plan) + plan.chunks() * FirstPass.pinnedBytes(plan.bucketCount());
    }

    private static long regionsAt(InPlacePlan plan) {
        return tableAt(plan) + MoveTable.PINNED_BYTES;
    }

    private static long regionBytes(InPlacePlan plan) {
        return Long.BYTES + GivenSegments.bytes(plan.segments());
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
        List<FirstPass> passes;
        try (Owned sampled = new Owned()) {
            timer.phase("sample");
            DeviceColumns sample =
                    sampled.add(new DeviceColumns(sort.context(), stream, columnBytes, plan.sampleCount()));
            drawAndSort(sample, seed);
            uploadRanks();
            timer.phase("count_buckets");
            passes = count(sample);
            timer.end();
            stream.synchronize();
            if (seeksOrder && pinned.get(ValueLayout.JAVA_INT, 0) == IN_ORDER) {
                return new Done(0, plan.count() * sort.rowBytes(), 0);
            }
            for (int chunk = 0; chunk < counts.length; chunk++) {
                counts[chunk] = passes.get(chunk).counted();
            }
            List<Region> regions =
                    Region.of(bucketSizes(), passes.getFirst().areEqual(), plan.regionSize(), plan.segments());
            List<WorkspaceLayout> layouts = regions == null ? null : layouts(regions);
            if (layouts == null) {
                return null;
            }
            isWriting = true;
            timer.phase("scatter");
            passes = scatter(sample);
            return sortRegions(regions, layouts, passes);
        }
    }

    private void seekOrder() {
        timer.phase("check_order");
        long search = small.address() + MoveTable.DEVICE_BYTES;
        stream.fill(search, (byte) 0, KernelStructs.ORDER_SEARCH_BYTES);
        sort.kernels().exchange().checkOrder(stream, sort.asInput(columns[0], 0), plan.count(), 0, search);
        stream.copyToHost(pinned, search, Integer.BYTES);
    }

    private void drawAndSort(DeviceColumns sample, int seed) {
        int count = plan.sampleCount();
        sort.kernels()
                .exchange()
                .drawSample(stream, columns[0], columnBytes[0], plan.count(), sample.address(0, 0), count, seed);
        if (columnBytes.length > 1) {
            // Payloads of a sample are moved along and mean nothing.
            stream.fill(sample.address(1, 0), (byte) 0, (long) count * columnBytes[1]);
        }
        sort.enqueue(stream, sort.layouts().smallest(count, 0), sample.from(0), PhaseTimer.none(), null);
    }

    private long ranks() {
        return small.address() + MoveTable.DEVICE_BYTES + searchBytes();
    }

    private void uploadRanks() {
        int[] ranks = plan.ranks();
        MemorySegment.copy(ranks, 0, pinned, ValueLayout.JAVA_INT, Long.BYTES, ranks.length);
        long bytes = (long) ranks.length * Integer.BYTES;
        stream.copyToDevice(ranks(), pinned.asSlice(Long.BYTES, bytes), bytes);
    }

    /// Returns the first pass of a chunk, planted.
    private FirstPass pass(int chunk, DeviceColumns sample) {
        long bytes = FirstPass.pinnedBytes(plan.bucketCount());
        FirstPass pass = new FirstPass(
                sort,
                stream,
                columns(chunk * plan.chunkSize()),
                plan.chunkCount(chunk),
                plan.logBuckets(),
                pinned.asSlice(passesAt(plan) + chunk * bytes, bytes),
                passMemory);
        pass.plant(sample.address(0, 0), ranks());
        return pass;
    }

    private List<FirstPass> count(DeviceColumns sample) {
        List<FirstPass> passes = new ArrayList<>();
        for (int chunk = 0; chunk < counts.length; chunk++) {
            try (FirstPass pass = pass(chunk, sample)) {
                pass.countAll();
                passes.add(pass);
            }
        }
        return passes;
    }

    private long[] bucketSizes() {
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

    private List<FirstPass> scatter(DeviceColumns sample) {
        List<FirstPass> passes = new ArrayList<>();
        for (int chunk = 0; chunk < counts.length; chunk++) {
            long[] begins = new long[plan.bucketCount()];
            long[] ends = new long[plan.bucketCount()];
            long end = 0;
            for (int bucket = 0; bucket < begins.length; bucket++) {
                begins[bucket] = end;
                end += counts[chunk][bucket];
                ends[bucket] = end;
            }
            try (FirstPass pass = pass(chunk, sample)) {
                pass.scatter(begins, ends, chunk == 0 ? workColumns() : columns((chunk - 1) * plan.chunkSize()));
                passes.add(pass);
            }
        }
        long[] first = workColumns();
        long[] last = columns(plan.count() - plan.chunkCount(0));
        for (int c = 0; c < columns.length; c++) {
            stream.copyOnDevice(last[c], first[c], plan.chunkCount(0) * columnBytes[c]);
        }
        return passes;
    }

    private Done sortRegions(List<Region> regions, List<WorkspaceLayout> layouts, List<FirstPass> passes) {
        PieceMap map = pieces(regions);
        MoveTable moves = new MoveTable(
                stream,
                sort.kernels().move(),
                columnBytes,
                small.address(),
                pinned.asSlice(tableAt(plan), MoveTable.PINNED_BYTES));
        WorkspaceLayout largest = null;
        for (int number = 0; number < regions.size(); number++) {
            Region region = regions.get(number);
            WorkspaceLayout layout = layouts.get(number);
            map.takeRegion();
            timer.phase("gather_pieces");
            moves.move(map.gathered(), columns, gathering.from(0));
            timer.phase("evict_pieces");
            moves.move(map.evicted(), columns, columns);
            timer.phase("sort_region");
            MemorySegment part = pinned.asSlice(regionsAt(plan) + number * regionBytes(plan), regionBytes(plan));
            sort.enqueueBehind(
                    stream,
                    layout,
                    region.segments(),
                    part.asSlice(Long.BYTES),
                    gathering.from(0),
                    columns(region.begin()),
                    work,
                    part.asSlice(0, Long.BYTES));
            for (int piece = 0; piece < map.evicted().size(); piece++) {
                evictedCount += map.evicted().count(piece);
            }
            largest = largest == null || layout.plan.elementCount() > largest.plan.elementCount() ? layout : largest;
        }
        timer.end();
        stream.synchronize();
        return done(passes, largest, regions.size());
    }

    private PieceMap pieces(List<Region> regions) {
        long[] begins = new long[regions.size() + 1];
        for (int number = 0; number < regions.size(); number++) {
            begins[number] = regions.get(number).begin();
        }
        begins[regions.size()] = plan.count();
        PieceMap map = new PieceMap(begins);
        // Where the next piece of each bucket belongs: first those of the first chunk, which lies behind all others
        // now.
        long[] places = new long[plan.bucketCount()];
        long place = 0;
        long[] sizes = bucketSizes();
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

    private Done done(List<FirstPass> passes, WorkspaceLayout largest, int regionCount) {
        for (FirstPass pass : passes) {
            if (pass.sizes() == null) {
                throw new SampleSortException("elements were counted differently from how they were moved, while "
                        + plan.count() + " of them were sorted in place: they are lost; the order has to give the same"
                        + " answer each time");
            }
        }
        long largestBucket = 0;
        for (int number = 0; number < regionCount; number++) {
            long at = regionsAt(plan) + number * regionBytes(plan);
            largestBucket = Math.max(largestBucket, pinned.get(ValueLayout.JAVA_LONG, at));
        }
        // Chunks are counted, and regions gathered; what the passes read and write the layout tells.
        long moved = sort.bytesMoved(plan.count(), largest, 1)
                + 3 * plan.count() * sort.rowBytes()
                + 2 * evictedCount * sort.rowBytes();
        return new Done(largest.plan.passCount(), moved, largestBucket);
    }

    /// Returns the addresses of the elements from a position on.
    private long[] columns(long position) {
        long[] addresses = columns.clone();
        for (int c = 0; c < addresses.length; c++) {
            addresses[c] += position * columnBytes[c];
        }
        return addresses;
    }

    /// Returns the addresses of a chunk in the work area.
    private long[] workColumns() {
        long[] addresses = new long[columns.length];
        long address = work.address();
        for (int c = 0; c < addresses.length; c++) {
            addresses[c] = address;
            address += Math.ceilDiv(plan.chunkSize() * columnBytes[c], (long) ALIGNMENT) * ALIGNMENT;
        }
        return addresses;
    }

    /// Gives the memory back once the stream has come this far.
    @Override
    public void close() {
        owned.close();
    }
}
