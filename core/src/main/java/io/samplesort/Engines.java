package io.samplesort;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.records.IndexedCpuSorter;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.cuda.Owned;
import io.samplesort.errors.GpuUnavailableException;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.ComingKernels;
import io.samplesort.gpu.GpuSortOptions;
import io.samplesort.gpu.GpuSortSpec;
import io.samplesort.gpu.GpuSorter;
import io.samplesort.gpu.GpusSorter;
import io.samplesort.gpu.PairedArgsort;
import io.samplesort.memory.ArrayRange;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.reports.SortWatch;
import io.samplesort.types.ElementCost;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The engines of one [Sorter]. Each is made when it is first needed, except that of a GPU that was named, which is
/// made at once. For one thread at a time.
final class Engines implements AutoCloseable {
    private final GpuSortSpec spec;
    private final GpuSortOptions gpuOptions;
    private final Device device;
    private final long gpuThreshold;
    private final int cpuThreads;
    private final ElementType key;
    private final List<ElementType> payloads;
    private final Order order;
    private final LazyGpu<GpuSorter> gpu;
    private final LazyGpu<GpuSorter> gpuArgsort;
    /// Whether the CPU engine sorts the elements themselves, and not their indexes.
    private final boolean isDirect;
    private @Nullable GpusSorter gpus;
    private @Nullable GpusSorter gpusArgsort;
    private @Nullable PairedArgsort gpusPairs;
    /// For memory of one of several GPUs, by the number of that GPU; null before it is first needed, as is what closes
    /// them.
    private @Nullable Map<Integer, Engines> onOneOfGpus;

    private @Nullable Owned owned;
    private @Nullable CpuSorter cpu;
    private @Nullable IndexedCpuSorter indexedCpu;

    /// @param gpuThreshold the number of elements from which on the device `auto` sorts host memory on the GPU
    /// @param mostThreads  how many threads the CPU engine may use, if there are as many cores
    Engines(GpuSortSpec spec, GpuSortOptions gpuOptions, Device device, long gpuThreshold, int mostThreads) {
        this.spec = spec;
        this.gpuOptions = gpuOptions;
        this.device = onOneIfAlone(device);
        this.gpuThreshold = gpuThreshold;
        this.cpuThreads = Math.min(mostThreads, Parallel.commonParallelism());
        this.key = spec.key();
        this.payloads = spec.payloads();
        this.order = spec.order();
        this.isDirect = isDirect(spec);
        gpu = lazy(spec);
        // A stable sort of elements without payloads is always by index.
        gpuArgsort = lazy(new GpuSortSpec(key, List.of(), order, true));
        if (this.device.kind() == Device.Kind.GPU) {
            gpu.on(this.device.ordinal());
        } else if (this.device.kind() == Device.Kind.GPUS) {
            gpus = new GpusSorter(visible(this.device), spec, gpuOptions);
        }
    }

    /// Returns engines for something else with all settings of these.
    Engines like(GpuSortSpec other) {
        return new Engines(other, gpuOptions, device, gpuThreshold, cpuThreads);
    }

    /// Returns how many threads the CPU engine may use.
    int cpuThreads() {
        return cpuThreads;
    }

    private LazyGpu<GpuSorter> lazy(GpuSortSpec sorted) {
        return new LazyGpu<>(
                (ordinal, isAwaited) -> ComingKernels.of(ordinal, sorted, gpuOptions, isAwaited),
                GpuSorter::new,
                LazyGpu.MOST_ELEMENTS_PER_CORE * cpuThreads);
    }

    /// Returns the GPU itself where a sorter for all GPUs is on a machine that has only one.
    private static Device onOneIfAlone(Device device) {
        if (device.kind() != Device.Kind.GPUS) {
            return device;
        }
        List<Integer> ordinals = visible(device);
        return ordinals.size() == 1 ? Device.gpu(ordinals.getFirst()) : device;
    }

    /// Returns the numbers of the GPUs of a device.
    ///
    /// @throws GpuUnavailableException if one of them does not exist
    private static List<Integer> visible(Device device) {
        if (device.ordinals().isEmpty()) {
            return IntStream.range(0, CudaDevice.count()).boxed().toList();
        }
        device.ordinals().forEach(CudaDevice::get);
        return device.ordinals();
    }

    Optional<Tuning> tuning() {
        if (gpus != null) {
            return Optional.of(gpus.tuning());
        }
        return Optional.ofNullable(gpu.orNull()).map(GpuSorter::tuning);
    }

    Duration compileTime() {
        Duration all = Duration.ZERO;
        for (GpuSorter one : Arrays.asList(gpu.orNull(), gpuArgsort.orNull())) {
            all = one == null ? all : all.plus(one.compileTime());
        }
        for (GpusSorter several : Arrays.asList(gpus, gpusArgsort)) {
            all = several == null ? all : all.plus(several.compileTime());
        }
        if (onOneOfGpus != null) {
            for (Engines one : onOneOfGpus.values()) {
                all = all.plus(one.compileTime());
            }
        }
        return gpusPairs == null ? all : all.plus(gpusPairs.compileTime());
    }

    /// Sorts host memory, and moves columns of payloads along with the keys.
    ///
    /// @param finished is called by engines that know it with the number of elements at the front that are final; null
    ///     if not needed: the sort may then take as much memory again where that makes it faster
    SortReport sort(MemorySegment keys, List<MemorySegment> columns, @Nullable LongConsumer finished) {
        long count = keys.byteSize() / key.byteSize();
        return onChosenDevice(
                count,
                gpu,
                () -> {
                    List<MemorySegment> shared = columns.stream()
                            .map(column -> Segments.forGpu("payloads", column))
                            .toList();
                    return sortOnGpu(Segments.forGpu("keys", keys), shared);
                },
                () -> {
                    List<MemorySegment> taken = columns.stream()
                            .map(column -> forCpu(column, count))
                            .toList();
                    return sortOnCpu(forCpu(keys, count), taken, finished);
                });
    }

    /// Sorts elements of an array, for a sorter without payloads. Where the CPU sorts, this makes no segment of them
    /// unless it has to.
    SortReport sort(ArrayRange array) {
        return onChosenDevice(
                array.count(),
                gpu,
                () -> sortOnGpu(array.segment(), List.of()),
                () -> isDirect ? cpu().sort(array) : indexedCpu().sort(array.segment(), List.of()));
    }

    private SortReport sortOnGpu(MemorySegment keys, List<MemorySegment> columns) {
        return gpus == null ? gpuFor(null).sort(keys, columns) : gpus.sort(keys, columns);
    }

    private MemorySegment forCpu(MemorySegment segment, long count) {
        return Segments.forCpu(segment, count, order);
    }

    private SortReport sortOnCpu(MemorySegment keys, List<MemorySegment> columns, @Nullable LongConsumer finished) {
        return isDirect
                ? cpu().sort(keys, columns.isEmpty() ? null : columns.getFirst(), finished)
                : indexedCpu().sort(keys, columns);
    }

    /// Writes the order of elements in host memory to `permutation`.
    SortReport argsort(MemorySegment elements, MemorySegment permutation) {
        long count = elements.byteSize() / key.byteSize();
        return onChosenDevice(
                count,
                sortsIndexes() ? gpu : gpuArgsort,
                () -> argsortOnGpu(Segments.forGpu("elements", elements), Segments.forGpu("permutation", permutation)),
                () -> indexedCpu().argsort(forCpu(elements, count), forCpu(permutation, count)));
    }

    private SortReport argsortOnGpu(MemorySegment elements, MemorySegment permutation) {
        return gpus == null ? gpuArgsortFor(null).argsort(elements, permutation) : argsortOnGpus(elements, permutation);
    }

    private SortReport argsortOnGpus(MemorySegment elements, MemorySegment permutation) {
        try {
            return gpusArgsort().argsort(elements, permutation);
        } catch (InsufficientDeviceMemoryException e) {
            if (gpusPairs == null) {
                gpusPairs = new PairedArgsort(several().ordinals(), key, order, gpuOptions);
            }
            long count = elements.byteSize() / key.byteSize();
            return gpusPairs.argsort(elements, permutation, Segments.indexType(permutation.byteSize(), count));
        }
    }

    /// Sorts on the device of this sorter. For the device `auto`, the CPU sorts where the GPU cannot.
    ///
    /// @param engine that of one GPU
    private SortReport onChosenDevice(
            long count, LazyGpu<GpuSorter> engine, Supplier<SortReport> onGpu, Supplier<SortReport> onCpu) {
        if (device.kind() == Device.Kind.GPU || device.kind() == Device.Kind.GPUS) {
            return onGpu.get();
        }
        if (device.kind() == Device.Kind.CPU || count < gpuThreshold) {
            return onCpu.get();
        }
        String obstacle = engine.obstacle(count).orElse(null);
        if (obstacle == null) {
            try {
                return onGpu.get();
            } catch (GpuUnavailableException | InsufficientDeviceMemoryException e) {
                obstacle = e.getMessage();
            }
        }
        // The GPU may have begun to read elements that the CPU now sorts where they lie.
        SortWatch.current().moves();
        return new SortReportBuilder(onCpu.get()).fallbackReason(obstacle).build();
    }

    private boolean sortsIndexes() {
        return gpu.orNull() != null && gpu.orNull().sortsIndexes();
    }

    /// Returns the host memory that a sort of `count` elements takes for each of them. A GPU is not given more elements
    /// at once than stay in its memory, since a sort of more takes as much host memory again.
    ElementCost elementCost(long count) {
        if (device.kind() == Device.Kind.GPU || device.kind() == Device.Kind.GPUS) {
            return onGpu(ElementCost.inPlace(rowBytes(), 0), count);
        }
        ElementCost onCpu = isDirect
                ? ElementCost.inPlace(rowBytes(), Parallel.commonParallelism() * cpu().heapBytesPerThread())
                : costByIndex();
        // Whoever plans a large sort by this waits for the kernels.
        if (device.kind() == Device.Kind.CPU
                || count < gpuThreshold
                || gpu.obstacle(Long.MAX_VALUE).isPresent()) {
            return onCpu;
        }
        // The CPU may sort even so, if other processes have taken the memory of the GPU. So this includes what the CPU
        // takes.
        return onGpu(onCpu, count);
    }

    /// Returns the bytes of an element and its payloads.
    private int rowBytes() {
        int bytes = key.byteSize();
        for (ElementType payload : payloads) {
            bytes += payload.byteSize();
        }
        return bytes;
    }

    /// Returns what a sort of indexes on the CPU takes for each element.
    private ElementCost costByIndex() {
        int largest = key.byteSize();
        for (ElementType payload : payloads) {
            largest = Math.max(largest, payload.byteSize());
        }
        return new ElementCost(
                rowBytes(),
                IndexedCpuSorter.nativeBytesPerElement(order, key.byteSize(), rowBytes(), largest),
                IndexedCpuSorter.heapBytesPerElement(order, key.byteSize(), rowBytes()),
                Parallel.commonParallelism() * IndexedCpuSorter.heapBytesPerThread(order),
                IndexedCpuSorter.MAX_COUNT);
    }

    private ElementCost onGpu(ElementCost cost, long count) {
        long onDevice = gpus == null ? gpuFor(null).largestOnDevice(count) : gpus.largestOnDevices(count);
        // If hardly any elements fit on the device, the sort may take that host memory, or say that the device has too
        // little.
        return onDevice < Math.ceilDiv(count, ElementCost.MOST_PARTS) ? cost : cost.upTo(onDevice);
    }

    private static boolean isDirect(GpuSortSpec spec) {
        List<ElementType> payloads = spec.payloads();
        return !spec.isStable()
                && spec.order() instanceof NaturalOrder
                && (payloads.isEmpty()
                        || payloads.size() == 1 && payloads.getFirst().isPrimitive());
    }

    private CpuSorter cpu() {
        if (cpu == null) {
            ElementType payload = payloads.isEmpty() ? null : payloads.getFirst();
            cpu = new CpuSorter(key, payload, order, cpuThreads);
        }
        return cpu;
    }

    private IndexedCpuSorter indexedCpu() {
        if (indexedCpu == null) {
            indexedCpu = new IndexedCpuSorter(key, payloads, order, cpuThreads);
        }
        return indexedCpu;
    }

    /// Returns the engine for device memory or, if `memory` is null, for the GPU of this sorter.
    ///
    /// @throws IllegalStateException    if this sorter is for the CPU
    /// @throws IllegalArgumentException if the memory is of another GPU
    GpuSorter gpuFor(@Nullable DeviceMemory memory, DeviceMemory... others) {
        if (gpus != null && memory != null) {
            return onGpuOf(memory).gpuFor(memory, others);
        }
        int ordinal = requireGpu(memory, others);
        return requireOn(ordinal, gpu.on(ordinal));
    }

    /// Returns the engine for argsort, which is the engine for the elements if that one sorts indexes itself.
    GpuSorter gpuArgsortFor(@Nullable DeviceMemory memory, DeviceMemory... others) {
        if (gpus != null && memory != null) {
            return onGpuOf(memory).gpuArgsortFor(memory, others);
        }
        int ordinal = requireGpu(memory, others);
        return requireOn(ordinal, (sortsIndexes() ? gpu : gpuArgsort).on(ordinal));
    }

    /// Returns the engines for memory of one of several GPUs.
    private Engines onGpuOf(DeviceMemory memory) {
        int ordinal = DeviceChecks.oneOf(several().ordinals(), memory);
        if (onOneOfGpus == null || owned == null) {
            onOneOfGpus = new HashMap<>();
            owned = new Owned();
        }
        Engines engines = onOneOfGpus.get(ordinal);
        if (engines == null) {
            engines = owned.add(new Engines(spec, gpuOptions, Device.gpu(ordinal), gpuThreshold, cpuThreads));
            onOneOfGpus.put(ordinal, engines);
        }
        return engines;
    }

    private int requireGpu(@Nullable DeviceMemory memory, DeviceMemory... others) {
        return memory == null ? device.ordinal() : DeviceChecks.gpuOf(device, memory, others);
    }

    private static GpuSorter requireOn(int ordinal, GpuSorter gpu) {
        DeviceChecks.checkGpu(gpu.ordinal(), ordinal);
        return gpu;
    }

    /// Returns whether device memory is that of one GPU here.
    boolean isForOneGpu() {
        return device.kind() == Device.Kind.GPU || device.kind() == Device.Kind.AUTO;
    }

    /// Returns the engine for an array that lies on several GPUs.
    ///
    /// @throws IllegalStateException    if this sorter is not for several GPUs
    /// @throws IllegalArgumentException if a part lies on a GPU that is none of this sorter's
    GpusSorter gpusFor(DeviceParts... arrays) {
        DeviceChecks.checkParts(device, gpus == null ? List.of() : gpus.ordinals(), arrays);
        return several();
    }

    /// Returns the engine that finds the permutation of an array that lies on several GPUs.
    GpusSorter gpusArgsortFor(DeviceParts... arrays) {
        gpusFor(arrays);
        return gpusArgsort();
    }

    private GpusSorter gpusArgsort() {
        if (gpusArgsort == null && !several().sortsIndexes()) {
            gpusArgsort =
                    new GpusSorter(several().ordinals(), new GpuSortSpec(key, List.of(), order, true), gpuOptions);
        }
        return gpusArgsort == null ? several() : gpusArgsort;
    }

    /// Returns the engine of several GPUs, where this sorter is for several.
    private GpusSorter several() {
        return Objects.requireNonNull(gpus, "no sorter for several GPUs");
    }

    /// Returns how many bytes of host memory the CPU engine keeps for the next sort.
    long keptBytes() {
        return (cpu == null ? 0 : cpu.keptBytes()) + (indexedCpu == null ? 0 : indexedCpu.keptBytes());
    }

    @Override
    public void close() {
        // All of them are closed even if closing one fails, as it does on a GPU that is lost.
        try (CpuSorter first = cpu;
                IndexedCpuSorter second = indexedCpu;
                GpuSorter third = gpu.orNull();
                GpuSorter fourth = gpuArgsort.orNull();
                GpusSorter fifth = gpus;
                GpusSorter sixth = gpusArgsort;
                PairedArgsort seventh = gpusPairs;
                Owned eighth = owned) {}
    }
}
