package io.samplesort.gpu.sort;

import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelStructs.LongCounts;
import io.samplesort.gpu.code.KernelStructs.Queues;
import io.samplesort.gpu.code.KernelStructs.UserSegments;
import io.samplesort.gpu.code.StructValues;
import io.samplesort.gpu.launch.DividingLayout;
import io.samplesort.gpu.launch.DividingMemory;
import io.samplesort.gpu.launch.KernelLaunch;
import io.samplesort.gpu.launch.RegionSpace;
import io.samplesort.gpu.launch.Regions;
import io.samplesort.gpu.launch.SortPlan;
import io.samplesort.gpu.launch.Workspace;
import io.samplesort.gpu.launch.WorkspaceLayout;
import io.samplesort.types.Tuning;
import java.util.ArrayList;
import java.util.List;

/// Sorts each segment of an array by itself, in place. Warps sort short segments, blocks those up to the small-sort
/// limit, and longer ones are divided as a whole input is. A pass makes equally many buckets of each of its segments,
/// so
/// long segments are divided in several classes of similar lengths, one class after another.
///
/// Which segments there are is known on the device alone, so the launches depend only on how many segments there are
/// and
/// on how long these may be.
public final class SegmentSort extends SortStrategy {
    /// Groups of segments that warps sort: at least this many for each warp that the GPU can run at once, so that all
    /// multiprocessors end at about the same time.
    private static final int GROUPS_A_WARP = 4;

    private static final int LOG_MOST_IN_GROUP = 5;

    /// Segments of one class differ by this factor in length (as log2, `kLogClassFactor`).
    private static final int LOG_CLASS_FACTOR = 3;

    private final DeviceOffsets offsets;
    private final Regions.Head head;
    private final long wrong;
    private final long wideOffsets;
    private final Regions.Queues queues;
    private final long countedSegments;
    private final long countedElements;
    private final WorkspaceLayout own;
    /// For each class of long segments: how they are divided.
    private final List<DividingLayout> classes = new ArrayList<>();

    private final WorkspaceLayout all;

    /// The offsets of segments in device memory: one more than there are segments.
    ///
    /// @param address  device address
    /// @param bytes    bytes of an offset, 4 or 8
    /// @param segments the number of segments
    /// @param longest  the most elements that a segment may have
    public record DeviceOffsets(long address, int bytes, long segments, long longest) {}

    /// @param count the elements of the array, all segments and what lies around them
    public SegmentSort(long count, DeviceOffsets offsets, KernelElement element, Tuning tuning) {
        super(count, 0, 1);
        this.offsets = offsets;
        long longest = Math.min(count, offsets.longest);
        addClasses(longest, element, tuning);
        RegionSpace space = new RegionSpace();
        wrong = space.region(Long.BYTES);
        head = Regions.Head.in(space, 1, false, false);
        space.zeroSoFar();
        boolean hasQueues = longest > element.shortSegment();
        wideOffsets = space.region(hasQueues && offsets.bytes < Long.BYTES ? (offsets.segments + 1) * Long.BYTES : 0);
        long mostQueued = Math.min(offsets.segments, count / element.shortSegment());
        queues = hasQueues ? Regions.Queues.in(space, mostQueued, count, tuning.smallSortLimit()) : null;
        long countedBytes = classes.size() * (long) KernelConstants.LIST_BLOCKS * Long.BYTES;
        countedSegments = space.region(countedBytes);
        countedElements = space.region(countedBytes);
        own = space.layout();
        long most = 0;
        for (DividingLayout layout : classes) {
            most = Math.max(most, layout.byteSize());
        }
        all = new WorkspaceLayout(own.byteSize() + most, own.zeroedBytes(), own.gaps());
    }

    private void addClasses(long longest, KernelElement element, Tuning tuning) {
        long shortest = tuning.smallSortLimit();
        while (shortest < longest) {
            boolean isLast = classes.size() + 1 == KernelConstants.MOST_CLASSES;
            long end = isLast ? longest : Math.min(longest, shortest << LOG_CLASS_FACTOR);
            long most = Math.min(offsets.segments, elementCount() / shortest);
            // There is a gap behind each segment.
            SortPlan plan = SortPlan.ofUserSegments(elementCount(), 2 * most, end, tuning);
            classes.add(new DividingLayout(plan, element, tuning, 0));
            shortest = end;
        }
    }

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
        if (elementCount() == 0 || offsets.segments == 0) {
            return;
        }
        try (Workspace workspace = call.allocate(own)) {
            long[] segments = segments(workspace);
            call.phase("check_segments").with(segments).launchFor(call.on(), listBlocks());
            sortShort(call, segments);
            if (queues != null) {
                sortMedium(call, workspace, segments);
            }
            if (!classes.isEmpty()) {
                long[] counts = counts(workspace);
                call.phase("count_long_segments")
                        .with(segments, counts)
                        .launch(call.on(), Math.min(KernelConstants.LIST_BLOCKS, listBlocks()));
                for (int c = 0; c < classes.size(); c++) {
                    sortLong(call, segments, counts, c);
                }
            }
            call.timer().end();
            call.host().tellInstead(call.on(), workspace.address(wrong));
        }
    }

    private long listBlocks() {
        return Math.ceilDiv(offsets.segments + 1, (long) KernelConstants.LIST_THREADS);
    }

    /// Sorts the segments that a warp can sort.
    private void sortShort(SortCall call, long[] segments) {
        int warps = KernelConstants.SEGMENT_THREADS / KernelConstants.WARP_SIZE;
        KernelLaunch sort = call.phase("sort_segments");
        long wanted = (long) sort.residentBlocks() * warps * GROUPS_A_WARP;
        long inGroup = Math.max(1, offsets.segments / wanted);
        int logGroup = Math.min(LOG_MOST_IN_GROUP, Long.SIZE - 1 - Long.numberOfLeadingZeros(inGroup));
        long groups = Math.ceilDiv(offsets.segments, 1L << logGroup);
        sort.with(call.input().fields(), call.output().fields(), segments)
                .values(logGroup)
                .launch(call.on(), Math.ceilDiv(groups, (long) warps));
    }

    /// Sorts the segments that a block can sort and a warp cannot.
    private void sortMedium(SortCall call, Workspace workspace, long[] segments) {
        boolean areWide = offsets.bytes == Long.BYTES;
        long[] lists = queues(workspace, areWide ? offsets.address : workspace.address(wideOffsets));
        call.phase("list_segments")
                .with(segments, lists)
                .values(areWide ? 0 : workspace.address(wideOffsets))
                .launchInWaves(call.on(), listBlocks());
        call.timer().phase("small_sort");
        call.kernels().dividing().smallSort(call.on(), call.output(), lists, queues.capacity());
    }

    /// Sorts the segments of a class that are longer.
    private void sortLong(SortCall call, long[] segments, long[] counts, int number) {
        DividingLayout layout = classes.get(number);
        try (DividingMemory memory = new DividingMemory(call.allocate(layout.memory), layout, call.output())) {
            call.phase("list_long_segments")
                    .with(segments, counts, memory.firstPass())
                    .values(number)
                    .launch(call.on(), Math.min(KernelConstants.LIST_BLOCKS, listBlocks()));
            Phases phases = new Phases(call, memory, null);
            phases.begin();
            phases.goOn();
        }
    }

    private long[] segments(Workspace workspace) {
        return new StructValues<>(UserSegments.values())
                .set(UserSegments.OFFSETS, offsets.address)
                .set(UserSegments.OFFSET_BYTES, offsets.bytes)
                .set(UserSegments.SEGMENT_COUNT, offsets.segments)
                .set(UserSegments.ELEMENT_COUNT, elementCount())
                .set(UserSegments.WRONG, workspace.address(wrong))
                .toArray();
    }

    private long[] counts(Workspace workspace) {
        return new StructValues<>(LongCounts.values())
                .set(LongCounts.SEGMENTS, workspace.address(countedSegments))
                .set(LongCounts.ELEMENTS, workspace.address(countedElements))
                .set(LongCounts.CLASS_COUNT, classes.size())
                .toArray();
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
