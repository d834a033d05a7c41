package io.samplesort;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.gpu.GpuSortOptions;
import io.samplesort.gpu.GpuSortSpec;
import io.samplesort.gpu.GpuSorter;
import io.samplesort.shared.FileSorters;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortListener;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Tuning;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Describes a [Sorter], and builds it. [SampleSort#on] and its siblings make builders. Options for a GPU have no
/// effect on the CPU, so that one set of options fits every device. One thread at a time may use a builder.
///
/// What a builder was given counts as an argument of the method that builds the sorter: settings that do not fit each
/// other, or have no effect on the sorter, lead to an [IllegalArgumentException] there. An [IllegalStateException]
/// comes only from a sorter or memory: one that is closed, in use, or on another device than it would have to be.
public final class SorterBuilder {
    /// With fewer elements, the CPU sorts as fast as they move to the GPU and back (bench/results, host-memory-h200).
    static final long DEFAULT_GPU_THRESHOLD = 1L << 18;

    static {
        FileSorters.madeBy(new FileSorterMaker());
    }

    private static final String LEAN = "extraPercent=0";

    /// Few elements are sorted in a fraction of a millisecond, and sorting them in place takes several times as long.
    private static final String IN_PLACE = LEAN + ",inPlaceSize=" + (1 << 25);

    private static final String BY_PERMUTATION =
            "leave it out, and bring other columns with applyPermutation into the order that argsort finds";

    private final Device device;
    /// Null until it is set.
    private @Nullable Order order;

    private List<ElementType> payloads = List.of();
    private boolean isStable;
    private @Nullable Tuning tuning;
    private String tuningOverrides = "";
    private long gpuThreshold = DEFAULT_GPU_THRESHOLD;
    private long deviceMemoryLimit = Long.MAX_VALUE;
    private boolean timesPhases;
    /// Null for a stream of the sorter's own.
    private @Nullable Long stream;

    private boolean isLean;
    private boolean isInPlace;
    private int cpuThreads = Integer.MAX_VALUE;
    /// Null for none.
    private @Nullable SortListener listener;

    SorterBuilder(Device device) {
        this.device = Objects.requireNonNull(device, "device");
        if (device.kind() == Device.Kind.GPU || device.kind() == Device.Kind.GPUS) {
            // The driver takes a tenth of a second to start, and the caller can do something else meanwhile.
            GpuSorter.start();
        }
    }

    /// Begins to load what sorts numbers on the CPU, in the background, while this thread makes the sorter and looks
    /// for a GPU.
    private void loadCpuKernels() {
        if (device.kind() == Device.Kind.CPU || device.kind() == Device.Kind.AUTO) {
            CpuSorter.load();
        }
    }

    /// Makes a copy of another builder, which may change later.
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
        this.stream = other.stream;
        this.isLean = other.isLean;
        this.isInPlace = other.isInPlace;
        this.cpuThreads = other.cpuThreads;
        this.listener = other.listener;
    }

    /// Sets how keys compare. The default is [Order#natural]. [#buildStrings], [#buildColumns] and
    /// [#buildObjects] take none from here.
    public SorterBuilder order(Order order) {
        this.order = Objects.requireNonNull(order, "order");
        return this;
    }

    /// Gives each element a payload of this type, which moves with its key and lies in an array of its own. The sort
    /// moves payloads as bits, so any type of the right size will do. A second call replaces the first one; [#payloads]
    /// gives several.
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

    /// Sets the tuning parameters of the GPU engine. The default is the tuning that `samplesort tune` has stored for
    /// the GPU on this machine, or else [Tuning#defaultFor]. A tuning that does not fit the elements or the GPU causes
    /// an [IllegalArgumentException] when the GPU is first used: in [#build] if it was named, else in a sort.
    public SorterBuilder tuning(Tuning tuning) {
        this.tuning = Objects.requireNonNull(tuning, "tuning");
        return this;
    }

    /// Replaces some tuning parameters of the GPU engine, as [Tuning#with] does, and leaves the others as they are.
    /// Overrides of an earlier call are forgotten. [#build] checks them together with the defaults for keys without
    /// payloads. Together with the tuning in effect, they are checked when the GPU is first used, as [#tuning(Tuning)]
    /// says.
    public SorterBuilder tuning(String overrides) {
        this.tuningOverrides = Objects.requireNonNull(overrides, "overrides");
        return this;
    }

    /// Makes sorts on the GPU take as little memory as they can: for large inputs, as much as the input and about a
    /// tenth more. By default, sorts take up to 1.3 times the input, or a sixty-fourth of the GPU's memory if that is
    /// more. A lean sort takes a few percent more time.
    public SorterBuilder lean() {
        this.isLean = true;
        return this;
    }

    /// Makes the sorter sort large arrays in device memory in place, which takes at most a tenth of the array as extra
    /// memory, but longer. This applies to [Sorter#sort(DeviceMemory, DeviceMemory...)] of 2^25 elements or more:
    /// numbers, pairs of numbers, and structs of up to 32 bytes. All other sorts of this sorter are lean ([#lean]).
    /// Among them are all sorts by index, and stable sorts of anything but pairs of equally large numbers. By default,
    /// arrays are sorted in place only if the GPU has too little free memory for any other way.
    ///
    /// If the GPU fails while it sorts in place, the elements are lost, and the exception says so.
    public SorterBuilder inPlace() {
        this.isInPlace = true;
        return this;
    }

    /// Sets how many elements in host memory there must be before a sorter for the device `auto` sorts them on the GPU.
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

    /// Limits the number of threads that a sort on the CPU divides its work among, the calling thread included. The
    /// default, and the most, is one for each core.
    ///
    /// @throws IllegalArgumentException if `count` is not positive
    public SorterBuilder cpuThreads(int count) {
        if (count <= 0) {
            throw new IllegalArgumentException(count + " threads: must be positive");
        }
        this.cpuThreads = count;
        return this;
    }

    /// Limits the device memory that sorts take on each GPU. Elements that are in device memory already do not count.
    /// By
    /// default, sorts may take all that is free. Host memory of any size is sorted within the limit: elements that do
    /// not fit at once are sorted in parts, cross the link twice each way, and take as much host memory again.
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

    /// Makes reports tell the time of each phase on the GPU. This costs some microseconds in each sort.
    public SorterBuilder timesPhases() {
        this.timesPhases = true;
        return this;
    }

    /// Puts all work in device memory on a CUDA stream, after what is on it already: so a sort may follow the kernels
    /// of another library (JCuda, cuVS) without a wait between them, and other work may follow a sort. Methods still
    /// wait for their results; [Sorter#sortAsync] does not. By default, a sorter has a stream of its own, and the
    /// caller waits for earlier work before it hands over memory.
    ///
    /// The stream belongs to the primary context of the GPU whose memory is sorted, and has to exist as long as what
    /// this builder builds.
    ///
    /// @param handle a `CUstream` or `cudaStream_t`; 0 is the default stream
    public SorterBuilder stream(long handle) {
        this.stream = handle;
        return this;
    }

    /// Sets a listener, which is told how far a sort has come, and can cancel it. It watches all sorts of the sorter
    /// but [Sorter#sortAsync]. Sorts in device memory can only be cancelled before they begin. In a
    /// sort of files, the listener watches the sort of each part in memory; files stay as they are if it cancels one.
    public SorterBuilder listener(SortListener listener) {
        this.listener = Objects.requireNonNull(listener, "listener");
        return this;
    }

    /// Builds the sorter. For a GPU that was named, this compiles the kernels or takes them from the cache. A sorter
    /// for the device `auto` sorts on the CPU if NVRTC refuses the kernels.
    ///
    /// @throws IllegalArgumentException   if the order is not for keys of this type, or the tuning does not fit, as far
    ///     as it is checked here ([#tuning(Tuning)], [#tuning(String)])
    /// @throws io.samplesort.errors.GpuUnavailableException if a GPU was named and cannot be used
    /// @throws io.samplesort.errors.KernelCompilationException if a GPU was named and NVRTC refuses the kernels
    public Sorter build(ElementType key) {
        Objects.requireNonNull(key, "key");
        Order keyOrder = order == null ? Order.natural() : order;
        keyOrder.checkApplicableTo(key);
        checkTuning(key);
        loadCpuKernels();
        GpuSortSpec spec = new GpuSortSpec(key, payloads, keyOrder, isStable);
        return new Sorter(spec, new Engines(spec, gpuOptions(), device, gpuThreshold, cpuThreads), listener);
    }

    /// Builds a sorter of segments, with the order, payloads and stability, and on the device and with the threads,
    /// limits and tuning that this builder has set.
    ///
    /// @throws IllegalArgumentException if this builder has set lean sorts or sorts in place, which sorters of segments
    ///     do not have, the device is several GPUs, the order is not for keys of this type, or the tuning does not fit
    /// @throws io.samplesort.errors.GpuUnavailableException if a GPU was named and cannot be used
    /// @throws io.samplesort.errors.KernelCompilationException if a GPU was named and NVRTC refuses the kernels
    public SegmentedSorter buildSegmented(ElementType key) {
        Objects.requireNonNull(key, "key");
        Order keyOrder = order == null ? Order.natural() : order;
        keyOrder.checkApplicableTo(key);
        if (isLean || isInPlace) {
            throw withoutEffect(isLean ? "lean" : "inPlace", "segments", "leave it out");
        }
        requireNotSeveral("segments");
        checkTuning(key);
        loadCpuKernels();
        GpuSortSpec spec = new GpuSortSpec(key, payloads, keyOrder, isStable);
        return new SegmentedSorter(spec, new SegmentEngines(spec, gpuOptions(), device, cpuThreads), listener);
    }

    /// Builds a sorter of strings in this order, on the device and with the threads, limits and tuning that this
    /// builder has set. Sorts of strings come down to sorts of words, whose tuning it is. They are always stable.
    ///
    /// @throws IllegalArgumentException if this builder has set an order, payloads or sorts in place, which sorters of
    ///     strings do not have, the device is several GPUs, or the tuning does not fit
    /// @throws io.samplesort.errors.GpuUnavailableException if a GPU was named and cannot be used
    /// @throws io.samplesort.errors.KernelCompilationException if a GPU was named and NVRTC refuses the kernels
    public StringSorter buildStrings(StringOrder stringOrder) {
        Objects.requireNonNull(stringOrder, "order");
        require("strings", "give the order to buildStrings(order)", BY_PERMUTATION);
        loadCpuKernels();
        return stringSorter(stringOrder, false, listener);
    }

    /// @param waitsForGpu whether a sort on the device `auto` waits for the kernels of the GPU, as sorts of files do
    StringSorter stringSorter(StringOrder stringOrder, boolean waitsForGpu) {
        return stringSorter(stringOrder, waitsForGpu, null);
    }

    private StringSorter stringSorter(StringOrder stringOrder, boolean waitsForGpu, @Nullable SortListener listener) {
        return new StringSorter(
                stringOrder,
                new StringEngines(stringOrder, gpuOptions(), device, gpuThreshold, cpuThreads, waitsForGpu),
                listener);
    }

    /// Builds a sorter of rows by key columns, on the device and with the threads, limits and tuning that this builder
    /// has set. Its sorts come down to sorts of words, whose tuning it is. They are always stable.
    ///
    /// @throws IllegalArgumentException if this builder has set an order, payloads or sorts in place, which sorters of
    ///     rows do not have, the device is several GPUs, or the tuning does not fit
    /// @throws io.samplesort.errors.GpuUnavailableException if a GPU was named and cannot be used
    /// @throws io.samplesort.errors.KernelCompilationException if a GPU was named and NVRTC refuses the kernels
    public ColumnSorter buildColumns() {
        require("rows", "each key column says itself how it compares", BY_PERMUTATION);
        return columnSorter(listener);
    }

    private ColumnSorter columnSorter(@Nullable SortListener listener) {
        loadCpuKernels();
        GpuSortSpec spec = new GpuSortSpec(ElementType.LONG, List.of(), Order.natural(), false);
        GpuSortOptions gpuOptions = gpuOptions();
        Sorter words = new Sorter(spec, new Engines(spec, gpuOptions, device, gpuThreshold, cpuThreads), null);
        SorterBuilder asItIsNow = new SorterBuilder(this);
        return new ColumnSorter(
                words,
                stringOrder -> asItIsNow.stringSorter(stringOrder, false),
                new ColumnEngine(device, gpuOptions),
                cpuThreads,
                listener);
    }

    /// Builds a sorter of Java objects, on the device and with the threads, limits and tuning that this builder has
    /// set. It sorts by [io.samplesort.types.Keys] as [#buildColumns] says. Any other comparator compares objects on
    /// the CPU, whatever the device. So does [Comparator#naturalOrder]: for strings and boxed numbers,
    /// `Keys.comparing(x -> x)` is faster. Sorts are always stable.
    ///
    /// @param objectOrder [io.samplesort.types.Keys], which are fast, or any comparator; unlike in
    ///     [SampleSort#sort(Object[], Comparator)], null does not mean natural order
    /// @throws NullPointerException     if the order is null
    /// @throws IllegalArgumentException if this builder has set an order, payloads or sorts in place, which sorters of
    ///     objects do not have, the device is several GPUs, or the tuning does not fit
    /// @throws io.samplesort.errors.GpuUnavailableException if a GPU was named and cannot be used
    /// @throws io.samplesort.errors.KernelCompilationException if a GPU was named and NVRTC refuses the kernels
    public <T> ObjectSorter<T> buildObjects(Comparator<? super T> objectOrder) {
        Objects.requireNonNull(objectOrder, "order");
        require("objects", "give the order to buildObjects(order)", "leave it out, since objects move as a whole");
        return new ObjectSorter<>(objectOrder, columnSorter(null), listener);
    }

    /// Builds a selector of elements of this type, in the order and with the payloads, device, threads, limits and
    /// tuning that this builder has set. A selector for a GPU compiles what only selections need when it first selects.
    /// Selections are always stable.
    ///
    /// @throws IllegalArgumentException if this builder has set sorts in place, which selectors do not have, the order
    ///     is not for keys of this type, the device is several GPUs, or the tuning does not fit
    /// @throws io.samplesort.errors.GpuUnavailableException if a GPU was named and cannot be used
    /// @throws io.samplesort.errors.KernelCompilationException if a GPU was named and NVRTC refuses the kernels
    public Selector buildSelector(ElementType key) {
        Objects.requireNonNull(key, "key");
        Order keyOrder = order == null ? Order.natural() : order;
        keyOrder.checkApplicableTo(key);
        requireOneDevice("selections", "leave it out, since a selection never changes its input");
        checkTuning(key);
        Engines engines = new Engines(Selector.spec(key, keyOrder), gpuOptions(), device, gpuThreshold, cpuThreads);
        return new Selector(key, payloads, keyOrder, engines, cpuThreads, listener);
    }

    /// Builds operations on keys of this type that are sorted already, in the order and with the payloads, device,
    /// threads, limits and tuning that this builder has set. For a GPU they compile what only they need when they first
    /// run.
    ///
    /// @throws IllegalArgumentException if this builder has set sorts in place, which these operations do not have, the
    ///     order is not for keys of this type, the device is several GPUs, or the tuning does not fit
    /// @throws io.samplesort.errors.GpuUnavailableException if a GPU was named and cannot be used
    /// @throws io.samplesort.errors.KernelCompilationException if a GPU was named and NVRTC refuses the kernels
    public SortedOperations buildSortedOperations(ElementType key) {
        Objects.requireNonNull(key, "key");
        Order keyOrder = order == null ? Order.natural() : order;
        keyOrder.checkApplicableTo(key);
        requireOneDevice("sorted keys", "leave it out, since their inputs are never changed");
        checkTuning(key);
        Engines engines =
                new Engines(SortedOperations.spec(key, keyOrder), gpuOptions(), device, gpuThreshold, cpuThreads);
        return new SortedOperations(key, payloads, keyOrder, engines, cpuThreads, listener);
    }

    /// Returns a copy of this builder for sorters of lines.
    ///
    /// @throws IllegalArgumentException if this builder has set what has no effect on them, the device is several GPUs,
    ///     or the tuning does not fit
    SorterBuilder ofLines() {
        require(
                "lines",
                "give the order to LineSort.with(builder, order)",
                "leave it out, since lines move as a whole");
        if (timesPhases) {
            throw withoutEffect(
                    "timesPhases", "lines", "leave it out, since the report has the phases of the whole sort");
        }
        if (listener != null) {
            throw withoutEffect("listener", "lines", "give a FileListener to LineSort.listener");
        }
        return new SorterBuilder(this);
    }

    int cpuThreads() {
        return cpuThreads;
    }

    /// Checks that everything that was set has an effect on sorters of something else than elements.
    ///
    /// @param what      what is sorted
    /// @param toOrder   what the user does instead of setting an order
    /// @param toPayload what the user does instead of setting payloads
    private void require(String what, String toOrder, String toPayload) {
        if (order != null) {
            throw withoutEffect("order", what, toOrder);
        }
        if (!payloads.isEmpty()) {
            throw withoutEffect("payload", what, toPayload);
        }
        requireOneDevice(what, "leave it out, and use lean() to take the least memory");
        checkTuning(ElementType.LONG);
    }

    /// @param toInPlace what the user does instead of asking for sorts in place
    private void requireOneDevice(String what, String toInPlace) {
        if (isInPlace) {
            throw withoutEffect("inPlace", what, toInPlace);
        }
        requireNotSeveral(what);
        checkTuning(ElementType.LONG);
    }

    private void requireNotSeveral(String what) {
        if (device.kind() == Device.Kind.GPUS) {
            throw new IllegalArgumentException("a sorter of " + what + " on " + device
                    + ": several GPUs sort numbers and records together; for this name one, such as gpu:0");
        }
    }

    private static IllegalArgumentException withoutEffect(String option, String what, String remedy) {
        return new IllegalArgumentException(
                "this builder has set " + option + ", which has no effect on a sorter of " + what + ": " + remedy);
    }

    /// Reports wrong overrides now, and not when a GPU is first used.
    private void checkTuning(ElementType key) {
        if (!tuningOverrides.isBlank()) {
            Tuning.defaultFor(key, null).with(tuningOverrides);
        }
    }

    private GpuSortOptions gpuOptions() {
        if (stream != null && device.kind() == Device.Kind.GPUS) {
            throw new IllegalArgumentException("this builder has set a stream, which belongs to one GPU, for " + device
                    + ": leave it out, or name one GPU, such as gpu:0");
        }
        return new GpuSortOptions(tuningInEffect(), deviceMemoryLimit, timesPhases, stream);
    }

    /// Returns a function that turns the default for a GPU into the tuning in effect. It keeps what this builder says
    /// now, since the builder may change later.
    private UnaryOperator<Tuning> tuningInEffect() {
        String memoryOverrides = isInPlace ? IN_PLACE : isLean ? LEAN : "";
        return new TuningInEffect(tuning, tuningOverrides, memoryOverrides);
    }

    /// Turns the defaults into the tuning of a sorter.
    ///
    /// @param given replaces the defaults; null to keep them
    private record TuningInEffect(@Nullable Tuning given, String overrides, String memoryOverrides)
            implements UnaryOperator<Tuning> {
        @Override
        public Tuning apply(Tuning byDefault) {
            return (given != null ? given : byDefault).with(overrides).with(memoryOverrides);
        }
    }
}
