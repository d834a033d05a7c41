package io.samplesort.gpu;

import io.samplesort.ElementType;
import io.samplesort.InsufficientDeviceMemoryException;
import io.samplesort.Order;
import io.samplesort.SortReport;
import io.samplesort.Tuning;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/// The GPU engine, host half: sample sort as the phases of the paper (Section 4), each a kernel, put on a stream one
/// after another without waiting for any of them.
///
/// Extra device memory: as much as the input, and about 40 bytes for each bucket of `bucketTarget` elements or fewer,
/// for inputs over the small-sort limit; next to none for smaller ones. It comes from the device's stream-ordered pool
/// and goes back there after each sort.
public final class GpuSorter implements AutoCloseable {
    /// Any constant will do: samples are stratified, and what an unlucky one makes slow is still sorted right.
    private static final long SAMPLE_SEED = 0x5eed5a3713500L;

    private final ElementType key;
    private final ElementType payload;
    private final Tuning tuning;
    private final Context context;
    private final Kernels kernels;
    private final Stream stream;
    private final PinnedMemory largestBucket;
    private final Owned owned = new Owned();
    private final boolean timesPhases;
    private HostTransfer hostTransfer;

    /// @param payload     null where elements have no payload
    /// @param tuningOn    the tuning for a GPU of the architecture of that name, such as `sm_90`
    /// @param timesPhases whether reports of sorts tell the time of each phase; costs a few microseconds a sort
    /// @throws io.samplesort.GpuUnavailableException if there is no usable GPU of this ordinal
    public GpuSorter(
            int ordinal,
            ElementType key,
            ElementType payload,
            Order order,
            Function<String, Tuning> tuningOn,
            boolean timesPhases) {
        Cuda.require();
        this.key = key;
        this.payload = payload;
        this.timesPhases = timesPhases;
        CudaDevice device = CudaDevice.get(ordinal);
        tuning = tuningOn.apply(device.architecture());
        context = Context.retainPrimary(device);
        try (Context.Scope scope = context.enter()) {
            try {
                kernels = owned.add(new Kernels(context, key, payload, order, tuning));
                stream = owned.add(Stream.create(context));
                largestBucket = owned.add(PinnedMemory.allocate(context, Long.BYTES));
            } catch (RuntimeException | Error e) {
                owned.closeAfter(e);
                throw e;
            }
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    /// Sorts elements in device memory and waits for the end.
    ///
    /// @param keys     device address of `count` keys
    /// @param payloads device address of `count` payloads, 0 where there are none
    public SortReport sortOnDevice(long keys, long payloads, long count) {
        long start = System.nanoTime();
        try (Context.Scope scope = context.enter();
                PhaseTimer timer = PhaseTimer.create(context, stream, timesPhases)) {
            Workspace.Layout layout = layout(count);
            requireFree("sorting " + count + " elements", layout.byteSize);
            enqueue(stream, layout, new DeviceElements(keys, payloads), timer, true);
            stream.synchronize();
            return report(layout, layout.byteSize, timer, start);
        }
    }

    /// Puts the sort of elements in device memory on somebody else's stream and returns at once. What the sort needs
    /// beside the input is allocated and freed in the order of that stream, so any number of sorts may be under way.
    public void sortAsync(long keys, long payloads, long count, long streamHandle) {
        try (Context.Scope scope = context.enter();
                Stream borrowed = Stream.borrow(context, streamHandle)) {
            Workspace.Layout layout = layout(count);
            requireFree("sorting " + count + " elements", layout.byteSize);
            enqueue(borrowed, layout, new DeviceElements(keys, payloads), PhaseTimer.none(), false);
        }
    }

    /// Sorts elements in host memory: up, sorted, down again.
    ///
    /// @param payloads null where elements have no payload
    /// @throws InsufficientDeviceMemoryException before anything is changed
    public SortReport sort(MemorySegment keys, MemorySegment payloads) {
        long start = System.nanoTime();
        long count = keys.byteSize() / key.byteSize();
        try (Context.Scope scope = context.enter();
                PhaseTimer timer = PhaseTimer.create(context, stream, timesPhases)) {
            Workspace.Layout layout = layout(count);
            long payloadBytes = payloads == null ? 0 : payloads.byteSize();
            long needed = Math.addExact(layout.byteSize, keys.byteSize() + payloadBytes);
            requireFree("sorting " + count + " elements from host memory", needed);
            HostTransfer transfer = hostTransfer();
            // The driver does not say what an allocation of 0 bytes gives.
            try (DeviceAllocation deviceKeys =
                            DeviceAllocation.allocateAsync(context, stream, Math.max(1, keys.byteSize()));
                    DeviceAllocation devicePayloads =
                            DeviceAllocation.allocateAsync(context, stream, Math.max(1, payloadBytes))) {
                timer.phase("upload");
                transfer.upload(stream, keys, deviceKeys.address());
                if (payloads != null) {
                    transfer.upload(stream, payloads, devicePayloads.address());
                }
                enqueue(
                        stream,
                        layout,
                        new DeviceElements(deviceKeys.address(), payloads == null ? 0 : devicePayloads.address()),
                        timer,
                        true);
                // A failed kernel shows here, while the input is still as it was.
                stream.synchronize();
                timer.phase("download");
                transfer.download(stream, deviceKeys.address(), keys);
                if (payloads != null) {
                    transfer.download(stream, devicePayloads.address(), payloads);
                }
                timer.end();
            }
            stream.synchronize();
            return report(layout, needed, timer, start);
        }
    }

    /// The number of the GPU this engine works on.
    public int ordinal() {
        return context.device().ordinal();
    }

    /// The tuning parameters in effect.
    public Tuning tuning() {
        return tuning;
    }

    private void enqueue(
            Stream on, Workspace.Layout layout, DeviceElements input, PhaseTimer timer, boolean readsLargestBucket) {
        SortPlan plan = layout.plan;
        try (Workspace workspace = new Workspace(context, on, layout)) {
            DeviceElements scratch = new DeviceElements(
                    workspace.address(layout.scratchKeys),
                    payload == null ? 0 : workspace.address(layout.scratchPayloads));
            DeviceElements in = input;
            DeviceElements out = scratch;
            timer.phase("prepare");
            kernels.prepare(on, workspace);
            for (int pass = 0; pass < plan.passCount(); pass++) {
                timer.phase("select_splitters");
                kernels.selectSplitters(on, workspace, pass, in, SAMPLE_SEED + pass);
                timer.phase("count_buckets");
                kernels.countBuckets(on, workspace, pass, in);
                timer.phase("scan_counts");
                kernels.scanCounts(on, workspace, pass);
                timer.phase("scatter");
                kernels.scatter(on, workspace, pass, in, out);
                DeviceElements swap = in;
                in = out;
                out = swap;
            }
            timer.phase("small_sort");
            kernels.smallSort(on, workspace, in, input);
            if (plan.passCount() > 0) {
                timer.phase("merge_sort");
                kernels.mergeSort(on, workspace, in, input, scratch);
            }
            timer.end();
            if (readsLargestBucket) {
                on.copyToHost(largestBucket.segment(), workspace.address(layout.largestBucket), Long.BYTES);
            }
        }
    }

    private SortReport report(Workspace.Layout layout, long extraBytes, PhaseTimer timer, long start) {
        SortPlan plan = layout.plan;
        long elementBytes = (long) key.byteSize() + (payload == null ? 0 : payload.byteSize());
        // A pass reads the keys to count and reads and writes the elements to scatter; the small sort reads and writes.
        long bytesMoved =
                plan.elementCount() * (plan.passCount() * (key.byteSize() + 2 * elementBytes) + 2 * elementBytes);
        return new SortReport(
                "gpu:" + context.device().ordinal() + " " + context.device().name(),
                plan.elementCount(),
                plan.passCount(),
                timer.phases(),
                Duration.ofNanos(System.nanoTime() - start),
                bytesMoved,
                extraBytes,
                largestBucket.segment().get(ValueLayout.JAVA_LONG, 0),
                Optional.empty());
    }

    private Workspace.Layout layout(long count) {
        return new Workspace.Layout(SortPlan.of(count, tuning), key, payload);
    }

    private void requireFree(String what, long needed) {
        long free = context.freeBytes();
        if (needed > free) {
            throw new InsufficientDeviceMemoryException(what, needed, free);
        }
    }

    private HostTransfer hostTransfer() {
        if (hostTransfer == null) {
            hostTransfer = owned.add(new HostTransfer(context));
        }
        return hostTransfer;
    }

    @Override
    public void close() {
        // Closes what it can even where some of it fails, as everything does on a GPU that is lost.
        try (context;
                Context.Scope scope = context.enter()) {
            owned.close();
        }
    }
}
