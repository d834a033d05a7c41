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
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The GPU engine, host half: sample sort as the phases of the paper (Section 4), each a kernel, put on a stream one
/// after another without waiting for any of them.
///
/// Extra device memory, for inputs over the small-sort limit: in the fast layout (segments.cuh) room for the input and
/// for the slack of its buckets in each of two buffers, with the default tuning about six times the input for two
/// passes; in the exact layout, taken where there is not that much memory or the tuning says so, once the input. About
/// 40 bytes for each bucket of `bucketTarget` elements or fewer come to that. Next to none for smaller inputs. It comes
/// from the device's stream-ordered pool and goes back there after each sort.
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

    /// @param tuningOn    the tuning in effect, made from the default for the GPU
    /// @param timesPhases whether reports of sorts tell the time of each phase; costs a few microseconds a sort
    /// @throws io.samplesort.GpuUnavailableException if there is no usable GPU of this ordinal
    public GpuSorter(
            int ordinal,
            ElementType key,
            List<ElementType> payloads,
            Order order,
            boolean isStable,
            Function<Tuning, Tuning> tuningOn,
            boolean timesPhases) {
        Cuda.require();
        this.key = key;
        this.payload = payloads.isEmpty() ? null : payloads.getFirst();
        this.timesPhases = timesPhases;
        CudaDevice device = CudaDevice.get(ordinal);
        tuning = tuningOn.apply(Tuning.defaultFor(key, payload, device.architecture()));
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
    public SortReport sortOnDevice(long keys, long[] payloadColumns, long count) {
        long payloads = payloadColumns.length == 0 ? 0 : payloadColumns[0];
        long start = System.nanoTime();
        try (Context.Scope scope = context.enter();
                PhaseTimer timer = PhaseTimer.create(context, stream, timesPhases)) {
            Workspace.Layout layout = layout("sorting " + count + " elements", count, 0);
            enqueue(stream, layout, new DeviceElements(keys, payloads), timer, true);
            stream.synchronize();
            return report(layout, layout.byteSize, timer, start);
        }
    }

    /// Puts the sort of elements in device memory on somebody else's stream and returns at once. What the sort needs
    /// beside the input is allocated and freed in the order of that stream, so any number of sorts may be under way.
    public void sortAsync(long keys, long[] payloadColumns, long count, long streamHandle) {
        long payloads = payloadColumns.length == 0 ? 0 : payloadColumns[0];
        try (Context.Scope scope = context.enter();
                Stream borrowed = Stream.borrow(context, streamHandle)) {
            Workspace.Layout layout = layout("sorting " + count + " elements", count, 0);
            enqueue(borrowed, layout, new DeviceElements(keys, payloads), PhaseTimer.none(), false);
        }
    }

    /// Sorts elements in host memory: up, sorted, down again.
    ///
    /// @throws InsufficientDeviceMemoryException before anything is changed
    public SortReport sort(MemorySegment keys, List<MemorySegment> payloadColumns) {
        MemorySegment payloads = payloadColumns.isEmpty() ? null : payloadColumns.getFirst();
        long start = System.nanoTime();
        long count = keys.byteSize() / key.byteSize();
        try (Context.Scope scope = context.enter();
                PhaseTimer timer = PhaseTimer.create(context, stream, timesPhases)) {
            long payloadBytes = payloads == null ? 0 : payloads.byteSize();
            long elementBytes = Math.addExact(keys.byteSize(), payloadBytes);
            Workspace.Layout layout = layout("sorting " + count + " elements from host memory", count, elementBytes);
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
            return report(layout, layout.byteSize + elementBytes, timer, start);
        }
    }

    public boolean sortsIndexes() {
        return false;
    }

    public SortReport argsort(MemorySegment elements, MemorySegment permutation) {
        if (elements.byteSize() == 0) {
            return sort(elements, List.of());
        }
        throw new IllegalStateException("argsort on " + ordinal());
    }

    public SortReport argsortOnDevice(long elements, long permutation, int indexBytes, long count) {
        if (count == 0) {
            return sortOnDevice(elements, new long[0], count);
        }
        throw new IllegalStateException("argsort on " + ordinal());
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
            DeviceElements in = input;
            if (plan.passCount() == 0) {
                timer.phase("prepare");
                kernels.prepare(on, workspace, input);
            }
            for (int pass = 0; pass < plan.passCount(); pass++) {
                // The exact layout goes to and fro between the input and one buffer, the fast one leaves the input as
                // it
                // is until the small sort.
                DeviceElements out =
                        layout.isFast ? workspace.buffer(pass % 2) : pass % 2 == 0 ? workspace.buffer(0) : input;
                timer.phase("select_splitters");
                kernels.selectSplitters(on, workspace, pass, in, SAMPLE_SEED + pass);
                if (!layout.isFast) {
                    timer.phase("count_buckets");
                    kernels.countBuckets(on, workspace, pass, in);
                    timer.phase("scan_counts");
                    kernels.scanCounts(on, workspace, pass);
                }
                timer.phase("scatter");
                kernels.scatter(on, workspace, pass, in, out);
                if (layout.isFast) {
                    timer.phase("scan_counts");
                    kernels.scanCounts(on, workspace, pass);
                }
                in = out;
            }
            timer.phase("small_sort");
            kernels.smallSort(on, workspace, in, input);
            if (plan.passCount() > 0) {
                DeviceElements scratch = workspace.buffer(layout.isFast ? plan.passCount() % 2 : 0);
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
        // A pass reads and writes the elements to scatter, and in the exact layout reads the keys to count; the small
        // sort
        // reads and writes.
        long countedBytes = layout.isFast ? 0 : key.byteSize();
        long bytesMoved =
                plan.elementCount() * (plan.passCount() * (countedBytes + 2 * elementBytes) + 2 * elementBytes);
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

    /// The fast layout where the tuning and the free memory allow it.
    ///
    /// @param besideBytes what has to be free beside the layout
    /// @throws InsufficientDeviceMemoryException if there is not enough memory for the exact layout either
    private Workspace.Layout layout(String what, long count, long besideBytes) {
        SortPlan plan = SortPlan.of(count, tuning);
        long free = context.freeBytes();
        if (tuning.bucketSlack() > 0) {
            Workspace.Layout fast = new Workspace.Layout(plan, key, payload, tuning, true);
            if (Math.addExact(fast.byteSize, besideBytes) <= free) {
                return fast;
            }
        }
        Workspace.Layout exact = new Workspace.Layout(plan, key, payload, tuning, false);
        long needed = Math.addExact(exact.byteSize, besideBytes);
        if (needed > free) {
            throw new InsufficientDeviceMemoryException(what, needed, free);
        }
        return exact;
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
