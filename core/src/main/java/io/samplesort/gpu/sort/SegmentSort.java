package io.samplesort.gpu.sort;

import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelStructs.Queues;
import io.samplesort.gpu.code.StructValues;
import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.launch.DividingMemory;
import io.samplesort.gpu.launch.KernelLaunch;
import io.samplesort.gpu.launch.RegionSpace;
import io.samplesort.gpu.launch.Regions;
import io.samplesort.gpu.launch.Workspace;
import io.samplesort.gpu.launch.WorkspaceLayout;
import io.samplesort.types.Tuning;
import java.util.ArrayList;
import java.util.List;

/// Sorts each segment of an array by itself, in place. Warps sort short segments, blocks those up to the small-sort
/// limit, and longer ones are divided as a whole input is. A pass makes equally many buckets of each of its segments,
/// so long segments are divided in several classes of similar lengths, one class after another. Huge segments are
/// sorted as whole inputs.
public final class SegmentSort extends SortStrategy {
    /// Groups of segments that warps sort: at least this many for each warp that the GPU can run at once, so that all
    /// multiprocessors end at about the same time.
    private static final int GROUPS_A_WARP = 4;

    private static final int LOG_MOST_IN_GROUP = 5;

    private final SegmentTotals totals;
    private final KernelElement element;
    /// The memory of the small sort; null if it has nothing to do.
    private final WorkspaceLayout queued;

    private Regions.Head head;
    private Regions.Queues queues;
    private long wideOffsets;
    private final List<LongSegments> divided;
    /// The sorts of huge segments, as many as there are.
    private final List<SortStrategy> huge = new ArrayList<>();

    private final WorkspaceLayout all;

    /// @param totals     the counts, which have been read
    /// @param strategies chooses the sorts of huge segments
    public SegmentSort(SegmentTotals totals, Strategies strategies) {
        super(totals.count(), 0, 1);
        this.totals = totals;
        element = strategies.element();
        Tuning tuning = strategies.tuning();
        queued = totals.inBlocks() == 0 ? null : queuesLayout(tuning);
        divided = LongSegments.of(totals, element, tuning);
        long most = queued == null ? 0 : queued.byteSize();
        for (LongSegments segments : divided) {
            most = Math.max(most, segments.layout().byteSize() + totals.memory().byteSize());
        }
        for (int i = 0; i < totals.hugeCount(); i++) {
            SortStrategy sort = strategies.ofWanted(totals.hugeSize(i));
            huge.add(sort);
            most = Math.max(most, sort.byteSize());
        }
        all = new WorkspaceLayout(most, 0, List.of());
    }

    private WorkspaceLayout queuesLayout(Tuning tuning) {
        RegionSpace space = new RegionSpace();
        head = Regions.Head.in(space, 1, false, false);
        space.zeroSoFar();
        boolean areWide = totals.offsets().bytes() == Long.BYTES;
        wideOffsets = space.region(areWide ? 0 : (totals.offsets().segments() + 1) * Long.BYTES);
        queues = Regions.Queues.in(space, totals.inBlocks(), 0, tuning.smallSortLimit());
        return space.layout();
    }

    /// Returns the most memory that is taken at a time.
    @Override
    public WorkspaceLayout memory() {
        return all;
    }

    @Override
    public boolean leavesInput() {
        return false;
    }

    @Override
    public SortStrategy forFewer(long count) {
        throw new UnsupportedOperationException("segments are sorted all at once");
    }

    @Override
    public void enqueue(SortCall call) {
        if (totals.inWarps() > 0) {
            sortShort(call);
        }
        if (queued != null) {
            sortMedium(call);
        }
        if (!divided.isEmpty()) {
            try (Workspace workspace = call.allocate(totals.memory())) {
                call.timer().phase("count_segments");
                totals.enqueueCount(call.on(), call.launcher(), workspace);
                for (LongSegments segments : divided) {
                    sortLong(call, segments, totals.counts(workspace));
                }
            }
        }
        for (int i = 0; i < huge.size(); i++) {
            DeviceElements elements = from(call.output(), totals.hugeBegin(i));
            huge.get(i)
                    .enqueue(new SortCall(
                            call.launcher(), call.on(), elements, elements, call.timer(), HostWait.none(), 0));
        }
        call.timer().end();
    }

    private DeviceElements from(DeviceElements elements, long begin) {
        long payloads = elements.payloads() == 0 ? 0 : elements.payloads() + begin * element.payloadBytes();
        return new DeviceElements(elements.keys() + begin * element.keyBytes(), payloads);
    }

    /// Sorts the segments that a warp can sort.
    private void sortShort(SortCall call) {
        long segments = totals.offsets().segments();
        int warps = KernelConstants.SEGMENT_THREADS / KernelConstants.WARP_SIZE;
        KernelLaunch sort = call.phase("sort_segments");
        long wanted = (long) sort.residentBlocks() * warps * GROUPS_A_WARP;
        long inGroup = Math.max(1, segments / wanted);
        int logGroup = Math.min(LOG_MOST_IN_GROUP, Long.SIZE - 1 - Long.numberOfLeadingZeros(inGroup));
        long groups = Math.ceilDiv(segments, 1L << logGroup);
        sort.with(call.input().fields(), call.output().fields(), totals.segments())
                .values(logGroup)
                .launch(call.on(), Math.ceilDiv(groups, (long) warps));
    }

    /// Sorts the segments that a block can sort and a warp cannot.
    private void sortMedium(SortCall call) {
        try (Workspace workspace = call.allocate(queued)) {
            SegmentTotals.SegmentOffsetsOnDevice offsets = totals.offsets();
            boolean areWide = offsets.bytes() == Long.BYTES;
            long[] lists = queues(workspace, areWide ? offsets.address() : workspace.address(wideOffsets));
            call.phase("list_segments")
                    .with(totals.segments(), lists)
                    .values(areWide ? 0 : workspace.address(wideOffsets))
                    .launchInWaves(
                            call.on(), Math.ceilDiv(offsets.segments() + 1, (long) KernelConstants.LIST_THREADS));
            if (element.mapsKeys()) {
                int warps = KernelConstants.LIST_THREADS / KernelConstants.WARP_SIZE;
                call.phase("order_segments")
                        .with(call.output().fields(), totals.segments())
                        .launchInWaves(call.on(), Math.ceilDiv(offsets.segments(), (long) warps));
            }
            call.timer().phase("small_sort");
            call.kernels().dividing().smallSort(call.on(), call.output(), lists, queues.capacity());
        }
    }

    /// Sorts longer segments.
    private void sortLong(SortCall call, LongSegments segments, long[] counts) {
        try (DividingMemory memory =
                new DividingMemory(call.allocate(segments.layout().memory), segments.layout(), call.output())) {
            call.phase("list_long_segments")
                    .with(totals.segments(), counts, memory.firstPass())
                    .values(segments.number(), segments.firstRange())
                    .launch(call.on(), segments.ranges());
            Phases phases = new Phases(call, memory, null);
            phases.begin();
            phases.goOn();
        }
    }

    private long[] queues(Workspace workspace, long segmentOffsets) {
        return new StructValues<>(Queues.values())
                .set(Queues.BUCKET_OFFSETS, segmentOffsets)
                .set(Queues.BUCKET_BEGINS, segmentOffsets)
                .set(Queues.FIRST_BUCKET, 0)
                .set(Queues.CAPACITY, queues.capacity())
                .set(Queues.SIZES, workspace.address(head.sizes()))
                .set(Queues.TAKEN, workspace.address(head.taken()))
                .set(Queues.UNEVEN, workspace.address(head.uneven()))
                .set(Queues.ENTRIES, workspace.address(queues.entries()))
                .set(Queues.LARGE_COUNT, workspace.address(head.largeCount()))
                .set(Queues.LARGE_BUCKETS, workspace.address(queues.largeBuckets()))
                .set(Queues.LARGEST_BUCKET, workspace.address(head.largestBucket()))
                .set(Queues.ELEMENT_COUNT, elementCount())
                .set(Queues.LOWEST_CLASS, 0)
                .set(Queues.LAST_ARRAY, 1)
                .toArray();
    }
}
