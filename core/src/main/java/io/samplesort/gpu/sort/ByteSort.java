package io.samplesort.gpu.sort;

import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.code.KernelStructs.Pass;
import io.samplesort.gpu.code.StructValues;
import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.launch.RegionSpace;
import io.samplesort.gpu.launch.SortPlan;
import io.samplesort.gpu.launch.Workspace;
import io.samplesort.gpu.launch.WorkspaceLayout;
import io.samplesort.types.Tuning;
import java.util.Arrays;

/// Sorts keys of 8 and 16 bits with payloads by their values: payloads are moved to their places by one byte of the key
/// in each pass, and the keys that belong there are written in the end.
public final class ByteSort extends SortStrategy {
    /// The fewest elements that are moved by value, with keys of 8 and of 16 bits. The passes of fewer elements leave
    /// most of a GPU idle.
    private static final long[] FEWEST = {1 << 17, 1 << 21};

    /// Bytes that a thread copies at once. Payloads are copied to an array that begins at the same position within such
    /// a word.
    private static final int WORD_BYTES = 16;

    /// Bytes that a thread of `copy_payloads` has in flight at once.
    private static final long COPIED_BYTES = 64;

    /// Clearing the counters of a block and adding them up takes some microseconds, so each block counts at least this
    /// many keys.
    private static final long KEYS_A_BLOCK = 1 << 13;

    private final SortPlan plan;
    private final KernelElement element;
    private final Tuning tuning;
    private final boolean seeksOrder;
    /// The state of the search for order; empty without one.
    private final long orderSearch;
    /// The mark that tells that the input has been put where it belongs.
    private final long inputMark;
    /// For each pass, how often each byte occurs in each segment. These counts must be 0 before the sort.
    private final long[] totals;
    /// Where the segments of each pass begin, and after them where the keys of each value belong.
    private final long[] segments;
    /// For each pass, where the next element of each bucket goes.
    private final long[] positions;
    /// What a pass leaves for the next one: a byte of each key, and the payloads.
    private final long keys;

    private final long payloads;
    private final WorkspaceLayout memory;

    /// @param element of a kind that is moved by value
    public ByteSort(long count, KernelElement element, Tuning tuning) {
        // A single pass is followed by a copy.
        super(count, element.keyBytes(), 2);
        this.element = element;
        this.tuning = tuning;
        int passes = element.keyBytes();
        int[] logs = new int[passes];
        Arrays.fill(logs, Byte.SIZE);
        plan = new SortPlan(count, logs);
        seeksOrder = plan.seeksOrder(tuning);
        totals = new long[passes];
        segments = new long[passes + 1];
        positions = new long[passes];

        RegionSpace space = new RegionSpace();
        orderSearch = space.region(seeksOrder ? KernelStructs.ORDER_SEARCH_BYTES : 0);
        inputMark = space.region(1);
        for (int pass = 0; pass < passes; pass++) {
            totals[pass] = space.region(plan.segmentCount(pass + 1) * Long.BYTES);
        }
        space.zeroSoFar();
        segments[passes] = space.region((element.valueCount() + 1L) * Long.BYTES);
        for (int pass = 0; pass < passes; pass++) {
            segments[pass] = space.region((plan.segmentCount(pass) + 1) * Long.BYTES);
            positions[pass] = space.region(plan.segmentCount(pass + 1) * Long.BYTES);
        }
        keys = space.region(passes > 1 ? count : 0);
        // Payloads begin at the same position within a word as those of the result.
        payloads = space.region(Math.multiplyExact(count, (long) element.payloadBytes()) + WORD_BYTES);
        memory = space.layout();
    }

    /// Returns a sort of this many elements in this way; null if it cannot sort them, another way is faster, or it
    /// takes more memory than this.
    static ByteSort of(long count, KernelElement element, Tuning tuning, long bytes) {
        if (!element.movesByValue() || OneBlockSort.canSort(count, tuning) || count < FEWEST[element.keyBytes() - 1]) {
            return null;
        }
        ByteSort sort = new ByteSort(count, element, tuning);
        return sort.byteSize() <= bytes ? sort : null;
    }

    @Override
    public WorkspaceLayout memory() {
        return memory;
    }

    @Override
    public SortStrategy forFewer(long count) {
        return OneBlockSort.canSort(count, tuning) ? new OneBlockSort(count) : new ByteSort(count, element, tuning);
    }

    @Override
    public void enqueue(SortCall call) {
        // All keys of one value are equal, so no bucket of them needs sorting.
        call.host().tellBucket(0);
        try (Workspace workspace = call.allocate(memory)) {
            OrderPhases order = null;
            if (seeksOrder) {
                long search = workspace.address(orderSearch);
                order = new OrderPhases(call, elementCount(), search, workspace.address(inputMark), null);
                call.host().forgetOrder();
            }
            call.launch(this, workspace.address(0), new Passes(call, workspace, order));
        }
    }

    /// Launches the phases, and times them.
    private final class Passes implements RepeatedSorts.Launches {
        private final SortCall call;
        private final Workspace workspace;
        /// Null if no order is looked for.
        private final OrderPhases order;

        Passes(SortCall call, Workspace workspace, OrderPhases order) {
            this.call = call;
            this.workspace = workspace;
            this.order = order;
        }

        @Override
        public void begin() {
            if (order != null) {
                order.findOrder();
                order.putInOrder();
            }
            if (order == null || !order.isAwaited()) {
                countBytes();
            }
        }

        @Override
        public boolean endsEarly() {
            return order != null && order.endsSort();
        }

        @Override
        public void goOn() {
            if (order != null && order.isAwaited()) {
                countBytes();
            }
            moveByValue();
        }

        /// Counts the bytes by which the first pass divides.
        private void countBytes() {
            call.phase("count_bytes")
                    .values(call.input().keys(), elementCount(), workspace.address(totals[0]), mark())
                    .launchFor(call.on(), Math.ceilDiv(elementCount(), KEYS_A_BLOCK));
            placeBytes(0);
        }

        /// Turns the counts of the bytes into where the buckets of a pass begin.
        private void placeBytes(int pass) {
            call.phase("place_bytes")
                    .values(workspace.address(totals[pass]), workspace.address(segments[pass + 1]))
                    .with(fields(pass))
                    .launch(call.on(), plan.segmentCount(pass));
        }

        /// Moves payloads to their places, and writes the keys that belong there. A single pass whose input and result
        /// are the same array cannot overwrite what it has still to read, so it writes elsewhere and a copy follows.
        private void moveByValue() {
            DeviceElements output = call.output();
            long beyond = output.payloads() % WORD_BYTES;
            DeviceElements placed = new DeviceElements(workspace.address(keys), workspace.address(payloads) + beyond);
            int last = passes() - 1;
            if (last > 0) {
                scatter("scatter_high_bytes", 0, call.input(), placed);
                call.phase("count_low_bytes")
                        .values(placed.keys())
                        .with(fields(1))
                        .values(workspace.address(totals[1]))
                        .launchFor(call.on(), plan.tileSlots(1, tuning));
                placeBytes(1);
            }
            boolean isCopied = last == 0 && call.input().payloads() == output.payloads();
            scatter("scatter_low_bytes", last, last > 0 ? placed : call.input(), isCopied ? placed : output);
            if (isCopied) {
                call.phase("copy_payloads")
                        .values(placed.payloads(), output.payloads(), elementCount(), mark())
                        .launchFor(call.on(), blocks(element.payloadBytes(), COPIED_BYTES));
            }
            call.phase("fill_bytes")
                    .values(output.keys(), elementCount(), workspace.address(segments[passes()]), mark())
                    .launchFor(call.on(), blocks(element.keyBytes(), WORD_BYTES));
        }

        private void scatter(String kernel, int pass, DeviceElements in, DeviceElements out) {
            call.phase(kernel)
                    .with(in.fields(), out.fields(), fields(pass))
                    .launchInWaves(call.on(), plan.tileSlots(pass, tuning));
        }

        /// Returns how many blocks write all keys or payloads of `bytes` bytes each, if a thread writes `bytesAThread`
        /// bytes.
        private long blocks(int bytes, long bytesAThread) {
            return Math.ceilDiv(elementCount() * bytes, KernelConstants.FILL_THREADS * bytesAThread);
        }

        private long mark() {
            return workspace.address(inputMark);
        }

        /// Returns the struct `Pass` of segments.cuh. These passes need few of its fields.
        private long[] fields(int pass) {
            return new StructValues<>(Pass.values())
                    .set(Pass.ELEMENT_COUNT, elementCount())
                    .set(Pass.SEGMENT_COUNT, plan.segmentCount(pass))
                    .set(Pass.LOG_BUCKET_COUNT, Byte.SIZE)
                    .set(Pass.SEGMENT_OFFSETS, workspace.address(segments[pass]))
                    .set(Pass.SEGMENT_BEGINS, workspace.address(segments[pass]))
                    .set(Pass.WRITE_POSITIONS, workspace.address(positions[pass]))
                    .set(Pass.INDEX, pass)
                    .setOthers(0)
                    .toArray();
        }
    }
}
