package io.samplesort.gpu;

import io.samplesort.cuda.Background;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Owned;
import io.samplesort.gpu.chunks.HostPlan;
import io.samplesort.gpu.chunks.HostSort;
import io.samplesort.types.CudaException;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The engine of several GPUs of one host, host half. It holds for each GPU what a [GpuSorter] holds for one: a
/// context, kernels, a stream, and the way to host memory. For one thread at a time.
///
/// Calls for device memory come from the calling thread for all GPUs, since they do not wait. In sorts of host memory
/// each GPU has a thread of its own, since it waits for copies.
public final class GpusSorter implements AutoCloseable {
    private final GpuSortSpec spec;
    private final List<GpuResources> gpus = new ArrayList<>();
    private final Owned owned = new Owned();
    private List<HostSort> hostSorts = List.of();

    /// Opens the engine on several GPUs.
    ///
    /// @param ordinals the numbers of the GPUs, at least one, all different
    /// @throws IllegalArgumentException                       if the tuning needs more shared memory than a block has
    /// @throws io.samplesort.types.GpuUnavailableException    if there is no usable GPU of one of these numbers
    /// @throws io.samplesort.types.KernelCompilationException if the CUDA expression of a user's order does not
    ///     compile
    public GpusSorter(List<Integer> ordinals, GpuSortSpec spec, GpuSortOptions options) {
        this.spec = spec;
        try {
            // The first GPU leaves its kernels in the cache for the others, which are opened side by side then, since
            // each context takes the driver a tenth of a second.
            add(open(ordinals.getFirst(), spec, options));
            List<Background<GpuResources>> others = new ArrayList<>();
            for (int ordinal : ordinals.subList(1, ordinals.size())) {
                others.add(Background.start("gpu", () -> open(ordinal, spec, options)));
            }
            RuntimeException failure = null;
            for (Background<GpuResources> opening : others) {
                try {
                    add(opening.result());
                } catch (RuntimeException e) {
                    failure = e;
                }
            }
            if (failure != null) {
                throw failure;
            }
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    private static GpuResources open(int ordinal, GpuSortSpec spec, GpuSortOptions options) {
        try {
            return new GpuResources(ordinal, spec, options);
        } catch (CudaException e) {
            CudaException named = new CudaException("gpu:" + ordinal + " cannot be used: " + e.getMessage(), e.code());
            named.initCause(e);
            throw named;
        }
    }

    private void add(GpuResources gpu) {
        gpus.add(owned.add(gpu));
    }

    /// Sorts elements in host memory, all GPUs side by side, see [HostSort#sortOnAll]. A few elements are sorted by
    /// the first GPU alone.
    ///
    /// @throws io.samplesort.types.InsufficientDeviceMemoryException before anything is changed
    /// @throws io.samplesort.types.SampleSortException if a GPU fails when part of the result has been written; the
    ///     message says what the memory holds then
    public SortReport sort(MemorySegment keys, List<MemorySegment> payloads) {
        List<MemorySegment> columns = new ArrayList<>(List.of(keys));
        columns.addAll(payloads);
        GpuResources first = gpus.getFirst();
        List<HostSort> sorts = hostSorts();
        long count = keys.byteSize() / spec.key().byteSize();
        if (count * first.sort().rowBytes()
                < (long) gpus.size() * first.sort().tuning().chunkBytes()) {
            try (Context.Scope scope = first.context().enter()) {
                return sorts.getFirst().sort(columns, first.timesPhases());
            }
        }
        return HostSort.sortOnAll(sorts, columns, first.timesPhases());
    }

    private List<HostSort> hostSorts() {
        if (hostSorts.isEmpty()) {
            List<HostSort> sorts = new ArrayList<>();
            for (GpuResources gpu : gpus) {
                try (Context.Scope scope = gpu.context().enter()) {
                    sorts.add(gpu.hostSort(spec));
                }
            }
            hostSorts = sorts;
        }
        return hostSorts;
    }

    /// Returns the largest number of elements, from 1 to `count`, that a sort of host memory keeps on a device.
    public long largestOnDevice(long count) {
        GpuResources first = gpus.getFirst();
        try (Context.Scope scope = first.context().enter()) {
            return HostPlan.largestOnDevice(
                    count, first.sort(), first.sort().layouts().freeBytes());
        }
    }

    /// Returns the numbers of the GPUs.
    public List<Integer> ordinals() {
        return gpus.stream().map(gpu -> gpu.context().device().ordinal()).toList();
    }

    /// Returns how long the compiler took for the kernels; zero if they came from the cache.
    public Duration compileTime() {
        return gpus.stream().map(GpuResources::compileTime).reduce(Duration.ZERO, Duration::plus);
    }

    /// Returns the tuning parameters in effect on the first GPU.
    public Tuning tuning() {
        return gpus.getFirst().sort().tuning();
    }

    @Override
    public void close() {
        owned.close();
    }
}
