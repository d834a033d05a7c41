package io.samplesort;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.gpu.GpuSortOptions;
import io.samplesort.gpu.GpuSortSpec;
import io.samplesort.gpu.GpuSorter;
import io.samplesort.shared.LineSorters;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Tuning;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/// Says what a [Sorter] shall be, and builds it. [SampleSort#on] and its siblings make builders. A builder is for one
/// thread at a time.
public final class SorterBuilder {
    /// With fewer elements, the CPU is as fast as moving them to the GPU and back (bench/results, host-memory-h200).
    static final long DEFAULT_GPU_THRESHOLD = 1L << 18;

    static {
        // Lines lie in native memory, so what sorts strings in other memory is not loaded for them.
        LineSorters.madeBy((builder, order) -> new OwnedStringSorter(((SorterBuilder) builder).stringSorter(order)));
    }

    private static final String LEAN = "extraPercent=0";

    /// Few elements are sorted in a fraction of a millisecond, of which regions would make a multiple.
    private static final String IN_PLACE = LEAN + ",inPlaceSize=" + (1 << 25);

    private final Device device;
    private Order order = Order.natural();
    private List<ElementType> payloads = List.of();
    private boolean isStable;
    private Tuning tuning;
    private String tuningOverrides = "";
    private long gpuThreshold = DEFAULT_GPU_THRESHOLD;
    private long deviceMemoryLimit = Long.MAX_VALUE;
    private boolean timesPhases;
    private boolean isLean;
    private boolean isInPlace;
    private int cpuThreads = Integer.MAX_VALUE;

    SorterBuilder(Device device) {
        this.device = Objects.requireNonNull(device, "device");
        if (device.kind() == Device.Kind.GPU || device.kind() == Device.Kind.GPUS) {
            // The driver takes a tenth of a second to start, and the caller can do something else meanwhile.
            GpuSorter.start();
        }
    }

    /// Begins to load what sorts numbers on the CPU, while this thread makes the sorter and looks for a GPU.
    private void loadCpuKernels() {
        if (device.kind() == Device.Kind.CPU || device.kind() == Device.Kind.AUTO) {
            CpuSorter.load();
        }
    }

    /// Begins with all that another builder says now.
    private SorterBuilder(SorterBuilder other) {
        this.device = other.device;
        this.order = other.order;
        this.payloads = other.payloads;
        this.isStable = other.isStable;
        this.tuning = other.tuning;
        this.tuningOverrides = other.tuningOverrides;
        this.gpuThreshold = other.gpuThreshold;
        this.deviceMemoryLimit = other.deviceMemoryLimit;
        this.timesPhases = other.timesPhases;
        this.isLean = other.isLean;
        this.isInPlace = other.isInPlace;
        this.cpuThreads = other.cpuThreads;
    }

    /// Sets how keys compare. The default is [Order#natural].
    public SorterBuilder order(Order order) {
        this.order = Objects.requireNonNull(order, "order");
        return this;
    }

    /// Gives each element a payload of this type, which moves with its key and lies in an array of its own. The sort
    /// moves payloads as bits, so any type of the right size will do.
    public SorterBuilder payload(ElementType payload) {
        return payloads(Objects.requireNonNull(payload, "payload"));
    }

    /// Gives each element several payloads of these types, each in an array of its own. This replaces what an earlier
    /// call has set; no types at all mean that elements have no payload.
    public SorterBuilder payloads(ElementType... payloads) {
        this.payloads = List.of(payloads);
        return this;
    }

    /// Makes the sorter stable: equal elements keep their order, so the result is the same on every device and in every
    /// run. This costs time and memory; docs/records.md says how much. By default, equal elements may change places.
    public SorterBuilder stable() {
        this.isStable = true;
        return this;
    }

    /// Sets the tuning parameters of the GPU engine. The default is what `samplesort tune` kept for the GPU on this
    /// machine, or else [Tuning#defaultFor].
    public SorterBuilder tuning(Tuning tuning) {
        this.tuning = Objects.requireNonNull(tuning, "tuning");
        return this;
    }

    /// Replaces some tuning parameters of the GPU engine, as [Tuning#with] does, and leaves the others as they are.
    public SorterBuilder tuning(String overrides) {
        this.tuningOverrides = Objects.requireNonNull(overrides, "overrides");
        return this;
    }

    /// Sets whether sorts on the GPU take as little memory as they can, which is as much as the input and about a tenth
    /// more, for large inputs. Other sorts take up to 1.3 times the input, or a sixty-fourth of the GPU's memory if
    /// that is more; a lean sort takes a few percent more time. The default is false.
    public SorterBuilder lean(boolean isLean) {
        this.isLean = isLean;
        return this;
    }

    /// Sets whether the sorter sorts large arrays in device memory in place, with at most a tenth of the array beside
    /// them, which takes longer. This is about [Sorter#sort(DeviceMemory, DeviceMemory...)] of 2^25 elements or more:
    /// numbers, pairs of numbers, and structs of up to 32 bytes. All other sorts are lean ([#lean]), those by index and
    /// stable ones of other elements than pairs of equally large numbers among them. The default is false; where the
    /// GPU has too little free memory for any other way, arrays are sorted in place all the same.
    ///
    /// If the GPU fails while it sorts in place, the elements are lost, and the exception says so.
    public SorterBuilder inPlace(boolean isInPlace) {
        this.isInPlace = isInPlace;
        return this;
    }

    /// Sets how many elements in host memory there must be before a sorter of the device `auto` takes them to the GPU.
    /// The default is 2^18.
    ///
    /// @throws IllegalArgumentException if `count` is negative
    public SorterBuilder gpuThreshold(long count) {
        if (count < 0) {
            throw new IllegalArgumentException("GPU threshold " + count + ": must not be negative");
        }
        this.gpuThreshold = count;
        return this;
    }

    /// Limits how many threads a sort on the CPU divides its work among, the calling thread included. The default, and
    /// the most, is as many as there are cores.
    ///
    /// @throws IllegalArgumentException if `count` is not positive
    public SorterBuilder cpuThreads(int count) {
        if (count <= 0) {
            throw new IllegalArgumentException(count + " threads: must be positive");
        }
        this.cpuThreads = count;
        return this;
    }

    /// Limits the device memory that sorts on the GPU take. Elements that live there already are not counted. By
    /// default, sorts may take all that is free. Host memory of any size is sorted within the limit, in parts: elements
    /// that do not fit cross the link twice each way, and the sort takes as much host memory again.
    ///
    /// @param bytes at least a few MiB
    /// @throws IllegalArgumentException if `bytes` is not positive
    public SorterBuilder deviceMemory(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("device memory of " + bytes + " bytes: must be positive");
        }
        this.deviceMemoryLimit = bytes;
        return this;
    }

    /// Sets whether reports tell the time of each phase on the GPU. The default is false, since the events cost
    /// microseconds in each sort.
    public SorterBuilder timesPhases(boolean timesPhases) {
        this.timesPhases = timesPhases;
        return this;
    }

    /// Builds the sorter. For a GPU that was named, this compiles the kernels or takes them from the cache.
    ///
    /// @throws IllegalArgumentException   if the order is not for keys of this type, or the tuning does not fit
    /// @throws io.samplesort.errors.GpuUnavailableException if a GPU was named and cannot be used
    /// @throws io.samplesort.errors.KernelCompilationException if NVRTC refuses the kernels
    public Sorter build(ElementType key) {
        Objects.requireNonNull(key, "key");
        order.checkApplicableTo(key);
        // Wrong overrides show now, and not when a GPU is first used.
        if (!tuningOverrides.isBlank()) {
            Tuning.defaultFor(key, null).with(tuningOverrides);
        }
        loadCpuKernels();
        GpuSortSpec spec = new GpuSortSpec(key, payloads, order, isStable);
        GpuSortOptions gpuOptions = new GpuSortOptions(tuningInEffect(), deviceMemoryLimit, timesPhases);
        return new Sorter(spec, new Engines(spec, gpuOptions, device, gpuThreshold, cpuThreads));
    }

    /// Builds a sorter of strings in this order, on the device and with the threads that this builder says. The tuning
    /// is that of the sorts of words that strings are sorted by.
    ///
    /// @throws io.samplesort.errors.GpuUnavailableException if a GPU was named and cannot be used
    public StringSorter buildStrings(StringOrder stringOrder) {
        Objects.requireNonNull(stringOrder, "order");
        requireOneDevice("strings");
        loadCpuKernels();
        return stringSorter(stringOrder);
    }

    private StringSorter stringSorter(StringOrder stringOrder) {
        GpuSortOptions gpuOptions = new GpuSortOptions(tuningInEffect(), deviceMemoryLimit, timesPhases);
        return new StringSorter(
                stringOrder, new StringEngines(stringOrder, gpuOptions, device, gpuThreshold, cpuThreads));
    }

    /// Builds a sorter of rows by key columns, on the device and with the threads and limits that this builder says.
    /// The order and the payloads of this builder are for other sorters.
    ///
    /// @throws io.samplesort.errors.GpuUnavailableException if a GPU was named and cannot be used
    /// @throws io.samplesort.errors.KernelCompilationException if NVRTC refuses the kernels
    public ColumnSorter buildColumns() {
        requireOneDevice("rows and objects");
        loadCpuKernels();
        GpuSortSpec spec = new GpuSortSpec(ElementType.LONG, List.of(), Order.natural(), false);
        GpuSortOptions gpuOptions = new GpuSortOptions(tuningInEffect(), deviceMemoryLimit, timesPhases);
        Sorter words = new Sorter(spec, new Engines(spec, gpuOptions, device, gpuThreshold, cpuThreads));
        SorterBuilder asItIsNow = new SorterBuilder(this);
        return new ColumnSorter(words, asItIsNow::buildStrings, new ColumnEngine(device, gpuOptions), cpuThreads);
    }

    /// Builds a sorter of Java objects, on the device and with the threads and limits that this builder says.
    ///
    /// @param objectOrder [io.samplesort.types.Keys], which are fast, or any comparator; the order and the payloads of
    ///     this builder are for other sorters
    /// @throws io.samplesort.errors.GpuUnavailableException if a GPU was named and cannot be used
    /// @throws io.samplesort.errors.KernelCompilationException if NVRTC refuses the kernels
    public <T> ObjectSorter<T> buildObjects(Comparator<? super T> objectOrder) {
        return new ObjectSorter<>(objectOrder, buildColumns());
    }

    private void requireOneDevice(String what) {
        if (device.kind() == Device.Kind.GPUS) {
            throw new IllegalArgumentException("a sorter of " + what + " on " + device
                    + ": several GPUs sort numbers and records together; for this name one, such as gpu:0");
        }
    }

    /// Makes the tuning in effect from the default for a GPU, with what this builder says now: it may change later.
    private UnaryOperator<Tuning> tuningInEffect() {
        String memoryOverrides = isInPlace ? IN_PLACE : isLean ? LEAN : "";
        return new TuningInEffect(tuning, tuningOverrides, memoryOverrides);
    }

    /// Makes the tuning of a sorter of the defaults.
    ///
    /// @param given takes their place; null for the defaults
    private record TuningInEffect(Tuning given, String overrides, String memoryOverrides)
            implements UnaryOperator<Tuning> {
        @Override
        public Tuning apply(Tuning byDefault) {
            return (given != null ? given : byDefault).with(overrides).with(memoryOverrides);
        }
    }
}
