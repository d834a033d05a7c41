package io.samplesort.gpu;

import io.samplesort.cuda.Background;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Owned;
import io.samplesort.errors.CudaException;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.exchange.ExchangeGpu;
import io.samplesort.gpu.exchange.ExchangePart;
import io.samplesort.gpu.exchange.ExchangeSort;
import io.samplesort.gpu.host.HostPlan;
import io.samplesort.gpu.host.HostSort;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The engine of several GPUs of one host, host half. It holds for each GPU what a [GpuSorter] holds for one: a
/// context, kernels, a stream, and the way to host memory. Only one thread at a time may use it.
///
/// Each GPU has a thread of its own: sorts of device memory take long to give a GPU its work, and sorts of host memory
/// wait for copies.
public final class GpusSorter implements AutoCloseable {
    /// What sorts arrays holds threads, streams and pinned memory, so it is kept for the latest orders of GPUs alone.
    private static final int MOST_EXCHANGES = 4;

    private final GpuSortSpec spec;
    private final List<Integer> ordinals;
    private final List<GpuResources> gpus = new ArrayList<>();
    private final Owned owned = new Owned();
    /// Maps the numbers of GPUs, in the order of the parts of an array, to what sorts such arrays; the latest one that
    /// was used is the last.
    private final Map<List<Integer>, ExchangeSort> exchanges = new LinkedHashMap<>(16, 0.75f, true);

    private List<HostSort> hostSorts = List.of();

    /// Opens the engine on several GPUs.
    ///
    /// @param ordinals the numbers of the GPUs, at least one, all different
    /// @throws IllegalArgumentException                       if the tuning needs more shared memory than a block has
    /// @throws io.samplesort.errors.GpuUnavailableException    if there is no usable GPU of one of these numbers
    /// @throws io.samplesort.errors.KernelCompilationException if the CUDA expression of a user's order does not
    ///     compile
    public GpusSorter(List<Integer> ordinals, GpuSortSpec spec, GpuSortOptions options) {
        this.spec = spec;
        this.ordinals = List.copyOf(ordinals);
        try {
            // The first GPU leaves its kernels in the cache for the others, which are then opened side by side, since
            // the driver takes a tenth of a second for each context.
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
            // These are closed before the GPUs.
            owned.add(this::closeExchanges);
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    private static GpuResources open(int ordinal, GpuSortSpec spec, GpuSortOptions options) {
        try {
            return new GpuResources(ComingKernels.ofSeveral(ordinal, spec, options));
        } catch (CudaException e) {
            CudaException named = new CudaException("gpu:" + ordinal + " cannot be used: " + e.getMessage(), e.code());
            named.initCause(e);
            throw named;
        }
    }

    private void add(GpuResources gpu) {
        gpus.add(owned.add(gpu));
    }

    /// Sorts one array that lies on several of these GPUs, see [ExchangeSort], and waits for the end.
    ///
    /// @param ordinals the GPU of each part
    /// @param columns  of each part the device addresses of its columns, the keys first
    /// @param counts   how many elements each part has
    public SortReport sortOnDevices(List<Integer> ordinals, List<long[]> columns, long[] counts) {
        return exchange(ordinals).sort(parts(columns, counts), gpus.getFirst().timesPhases());
    }

    /// Writes the indexes of the elements of one array in sorted order, and waits for the end. The array lies on
    /// several of these GPUs.
    ///
    /// @param columns    of each part the device addresses of its elements and of its piece of the permutation
    /// @param indexBytes bytes of an index, 4 or 8
    public SortReport argsortOnDevices(List<Integer> ordinals, List<long[]> columns, int indexBytes, long[] counts) {
        List<long[]> elements =
                columns.stream().map(part -> new long[] {part[0]}).toList();
        return exchange(ordinals)
                .argsort(
                        parts(elements, counts),
                        columns.stream().mapToLong(part -> part[1]).toArray(),
                        indexBytes,
                        gpus.getFirst().timesPhases());
    }

    private static List<ExchangePart> parts(List<long[]> columns, long[] counts) {
        List<ExchangePart> parts = new ArrayList<>();
        for (int part = 0; part < counts.length; part++) {
            parts.add(new ExchangePart(columns.get(part), counts[part]));
        }
        return parts;
    }

    /// Returns what sorts arrays whose parts lie on these GPUs, which is made at its first use.
    private ExchangeSort exchange(List<Integer> ordinals) {
        ExchangeSort exchange = exchanges.get(ordinals);
        if (exchange == null) {
            List<ExchangeGpu> members = new ArrayList<>();
            for (int ordinal : ordinals) {
                GpuResources gpu = gpus.get(ordinals().indexOf(ordinal));
                members.add(new ExchangeGpu(gpu.sort(), gpu.stream(), gpu.readBack()));
            }
            if (exchanges.size() == MOST_EXCHANGES) {
                List<Integer> eldest = exchanges.keySet().iterator().next();
                exchanges.remove(eldest).close();
            }
            exchange = new ExchangeSort(members);
            exchanges.put(ordinals, exchange);
        }
        return exchange;
    }

    private void closeExchanges() {
        try (Owned all = new Owned()) {
            exchanges.values().forEach(all::add);
            exchanges.clear();
        }
    }

    /// Sorts elements in host memory on all GPUs side by side. If the GPUs can hold the elements together, each element
    /// crosses a link once each way ([HostExchange]), else twice ([HostSort#sortOnAll]). The first GPU alone sorts
    /// small inputs.
    ///
    /// @throws InsufficientDeviceMemoryException before anything is changed
    /// @throws io.samplesort.errors.SampleSortException if a GPU fails when part of the result has been written; in
    ///     that case the message says what the memory holds
    public SortReport sort(MemorySegment keys, List<MemorySegment> payloads) {
        List<MemorySegment> columns = new ArrayList<>(List.of(keys));
        columns.addAll(payloads);
        GpuResources first = gpus.getFirst();
        long count = keys.byteSize() / spec.key().byteSize();
        long rowBytes = first.sort().rowBytes();
        if (count * rowBytes < (long) gpus.size() * first.sort().tuning().chunkBytes()) {
            try (Context.Scope scope = first.context().enter()) {
                return hostSorts().getFirst().sort(columns, first.timesPhases());
            }
        }
        long[] shares = Shares.among(gpus, count, rowBytes);
        if (shares != null) {
            try (HostExchange exchange = new HostExchange(gpus, shares, spec.columnBytes())) {
                return exchange.sort(exchange(ordinals()), columns);
            } catch (InsufficientDeviceMemoryException e) {
                // Others have taken memory meanwhile. Nothing is changed yet, so the elements are now sorted in parts.
            }
        }
        return HostSort.sortOnAll(hostSorts(), columns, first.timesPhases());
    }

    /// Writes the indexes of elements in host memory in sorted order to host memory.
    ///
    /// @param permutation an int or a long for each element
    /// @throws InsufficientDeviceMemoryException if the GPUs cannot hold the elements and their indexes together
    public SortReport argsort(MemorySegment elements, MemorySegment permutation) {
        int elementBytes = spec.key().byteSize();
        long count = elements.byteSize() / elementBytes;
        int indexBytes = count == 0 ? Integer.BYTES : (int) (permutation.byteSize() / count);
        int[] columnBytes = {elementBytes, indexBytes};
        long rowBytes = (long) elementBytes + indexBytes;
        long[] shares = Shares.among(gpus, count, rowBytes);
        if (shares == null) {
            throw new InsufficientDeviceMemoryException(
                    "sorting " + count + " indexes on " + gpus.size() + " GPUs", rowBytes * count, 0);
        }
        try (HostExchange exchange = new HostExchange(gpus, shares, columnBytes)) {
            return exchange.argsort(exchange(ordinals()), elements, permutation, indexBytes);
        }
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

    /// Returns the largest number of elements, from 1 to `count`, that a sort of host memory keeps on the devices.
    public long largestOnDevices(long count) {
        if (Shares.among(gpus, count, gpus.getFirst().sort().rowBytes()) != null) {
            return count;
        }
        GpuResources first = gpus.getFirst();
        try (Context.Scope scope = first.context().enter()) {
            return HostPlan.largestOnDevice(
                    count, first.sort(), first.sort().strategies().freeBytes());
        }
    }

    /// Returns whether this engine sorts indexes, so that it can write the order of elements without moving them.
    public boolean sortsIndexes() {
        return gpus.getFirst().sort().element().sortsIndexes();
    }

    /// Returns the numbers of the GPUs.
    public List<Integer> ordinals() {
        return ordinals;
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
