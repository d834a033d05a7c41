package io.samplesort;

import io.samplesort.cpu.CpuSorter;
import io.samplesort.gpu.GpuSorter;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/// A sorter for one element type and one order. It owns what it needs (compiled kernels, device memory, buffers), so
/// that many sorts pay for it once; [#close] gives it back. Made by [SampleSort#onBestDevice] and its siblings.
///
/// Sorts are not stable: equal keys may change places, and with them their payloads. Keys come out in the order of the
/// [Order]; where it is natural, arrays equal those of [java.util.Arrays] bit for bit, as long as they hold no NaNs
/// of different bits.
///
/// A sorter sorts for one thread at a time; a second thread gets an [IllegalStateException]. Any number of sorters may
/// work at once.
///
/// Host memory may be an array or a native or mapped segment of any length. Until the sorted elements are written back,
/// a failed sort leaves the input as it was; the message of a later failure says what state it is in.
public final class Sorter implements AutoCloseable {
    private final ElementType key;
    private final ElementType payload;
    private final Order order;
    private final Device device;
    private final Tuning tuning;
    private final String tuningOverrides;
    private final boolean isLean;
    private final long gpuThreshold;
    private final boolean timesPhases;
    private final AtomicBoolean isBusy = new AtomicBoolean();
    private volatile boolean isClosed;
    private GpuSorter gpu;
    private CpuSorter cpu;
    private String gpuRefusal;

    private Sorter(Builder builder, ElementType key) {
        this.key = key;
        this.payload = builder.payload;
        this.order = builder.order;
        this.device = builder.device;
        this.tuning = builder.tuning;
        this.tuningOverrides = builder.tuningOverrides;
        this.isLean = builder.isLean;
        this.gpuThreshold = builder.gpuThreshold;
        this.timesPhases = builder.timesPhases;
        if (device.kind() == Device.Kind.GPU) {
            gpu = new GpuSorter(device.ordinal(), key, payload, order, this::tuningOn, timesPhases);
        }
    }

    /// What a sorter is to be. Not for use by two threads at once.
    public static final class Builder {
        /// At fewer elements the CPU is as fast as moving them to the GPU and back (bench/results, host, 2026-11-21).
        private static final long DEFAULT_GPU_THRESHOLD = 1L << 18;

        private final Device device;
        private Order order = Order.natural();
        private ElementType payload;
        private Tuning tuning;
        private String tuningOverrides = "";
        private long gpuThreshold = DEFAULT_GPU_THRESHOLD;
        private boolean timesPhases;
        private boolean isLean;

        Builder(Device device) {
            this.device = Objects.requireNonNull(device, "device");
        }

        /// How keys compare; [Order#natural] unless set.
        public Builder order(Order order) {
            this.order = Objects.requireNonNull(order, "order");
            return this;
        }

        /// Elements have a payload of this type, which moves with its key and lies in an array of its own. It is moved
        /// as bits; any type of the right size will do.
        public Builder payload(ElementType payload) {
            this.payload = Objects.requireNonNull(payload, "payload");
            return this;
        }

        /// The tuning parameters of the GPU engine; [Tuning#defaultFor] unless set.
        public Builder tuning(Tuning tuning) {
            this.tuning = Objects.requireNonNull(tuning, "tuning");
            return this;
        }

        /// Replaces some of the default tuning parameters of the GPU engine, as [Tuning#with] does.
        public Builder tuning(String overrides) {
            this.tuningOverrides = Objects.requireNonNull(overrides, "overrides");
            return this;
        }

        /// Whether sorts on the GPU take as little memory as they can: beside the input, as much again and a few
        /// percent.
        /// Otherwise they take five to seven times the input where that much is free, and a lean sort takes about a
        /// quarter more time. Off unless set.
        public Builder lean(boolean isLean) {
            this.isLean = isLean;
            return this;
        }

        /// From how many elements on a sorter of the device `auto` takes host memory to the GPU; 2^18 unless set.
        ///
        /// @throws IllegalArgumentException if `count` is negative
        public Builder gpuThreshold(long count) {
            if (count < 0) {
                throw new IllegalArgumentException("GPU threshold " + count + ": must not be negative");
            }
            this.gpuThreshold = count;
            return this;
        }

        /// Whether reports tell the time of each phase on the GPU. Off unless set: the events cost microseconds a sort.
        public Builder timesPhases(boolean timesPhases) {
            this.timesPhases = timesPhases;
            return this;
        }

        /// Builds the sorter. For an explicit GPU this compiles the kernels, or takes them from the cache.
        ///
        /// @throws IllegalArgumentException   if the order is not for keys of this type, or the tuning does not fit
        /// @throws GpuUnavailableException    if a GPU was named and cannot be used
        /// @throws KernelCompilationException if NVRTC refuses the kernels
        public Sorter build(ElementType key) {
            Objects.requireNonNull(key, "key");
            order.checkApplicableTo(key);
            // Wrong ones show now, not when a GPU is first used.
            Tuning.defaultFor(key, payload).with(tuningOverrides);
            return new Sorter(this, key);
        }
    }

    private Tuning tuningOn(String architecture) {
        Tuning base = tuning != null ? tuning : Tuning.defaultFor(key, payload, architecture);
        return base.with(tuningOverrides).with(isLean ? "bucketSlack=0" : "");
    }

    /// The type of the keys.
    public ElementType keyType() {
        return key;
    }

    /// The order of the keys.
    public Order order() {
        return order;
    }

    /// The tuning parameters in effect on the GPU; the defaults depend on which one it is. Empty for a sorter on the
    /// CPU,
    /// and for one of the device `auto` until it first sorts on a GPU.
    public Optional<Tuning> tuning() {
        return gpu == null ? Optional.empty() : Optional.of(gpu.tuning());
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalStateException if this sorter is for other keys or for pairs, is closed, or is sorting already
    public SortReport sort(byte[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalStateException     if this sorter is for other keys or for pairs, is closed, or is sorting
    /// already
    public SortReport sort(byte[] keys, int from, int to) {
        Objects.requireNonNull(keys, "keys");
        Objects.checkFromToIndex(from, to, keys.length);
        requireKeyType(ElementType.BYTE);
        return sort(Segments.range(MemorySegment.ofArray(keys), key, from, to));
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalStateException if this sorter is for other keys or for pairs, is closed, or is sorting already
    public SortReport sort(short[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalStateException     if this sorter is for other keys or for pairs, is closed, or is sorting
    /// already
    public SortReport sort(short[] keys, int from, int to) {
        Objects.requireNonNull(keys, "keys");
        Objects.checkFromToIndex(from, to, keys.length);
        requireKeyType(ElementType.SHORT);
        return sort(Segments.range(MemorySegment.ofArray(keys), key, from, to));
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalStateException if this sorter is for other keys or for pairs, is closed, or is sorting already
    public SortReport sort(char[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalStateException     if this sorter is for other keys or for pairs, is closed, or is sorting
    /// already
    public SortReport sort(char[] keys, int from, int to) {
        Objects.requireNonNull(keys, "keys");
        Objects.checkFromToIndex(from, to, keys.length);
        requireKeyType(ElementType.CHAR);
        return sort(Segments.range(MemorySegment.ofArray(keys), key, from, to));
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalStateException if this sorter is for other keys or for pairs, is closed, or is sorting already
    public SortReport sort(int[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalStateException     if this sorter is for other keys or for pairs, is closed, or is sorting
    /// already
    public SortReport sort(int[] keys, int from, int to) {
        Objects.requireNonNull(keys, "keys");
        Objects.checkFromToIndex(from, to, keys.length);
        requireKeyType(ElementType.INT);
        return sort(Segments.range(MemorySegment.ofArray(keys), key, from, to));
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalStateException if this sorter is for other keys or for pairs, is closed, or is sorting already
    public SortReport sort(long[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalStateException     if this sorter is for other keys or for pairs, is closed, or is sorting
    /// already
    public SortReport sort(long[] keys, int from, int to) {
        Objects.requireNonNull(keys, "keys");
        Objects.checkFromToIndex(from, to, keys.length);
        requireKeyType(ElementType.LONG);
        return sort(Segments.range(MemorySegment.ofArray(keys), key, from, to));
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalStateException if this sorter is for other keys or for pairs, is closed, or is sorting already
    public SortReport sort(float[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalStateException     if this sorter is for other keys or for pairs, is closed, or is sorting
    /// already
    public SortReport sort(float[] keys, int from, int to) {
        Objects.requireNonNull(keys, "keys");
        Objects.checkFromToIndex(from, to, keys.length);
        requireKeyType(ElementType.FLOAT);
        return sort(Segments.range(MemorySegment.ofArray(keys), key, from, to));
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalStateException if this sorter is for other keys or for pairs, is closed, or is sorting already
    public SortReport sort(double[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalStateException     if this sorter is for other keys or for pairs, is closed, or is sorting
    /// already
    public SortReport sort(double[] keys, int from, int to) {
        Objects.requireNonNull(keys, "keys");
        Objects.checkFromToIndex(from, to, keys.length);
        requireKeyType(ElementType.DOUBLE);
        return sort(Segments.range(MemorySegment.ofArray(keys), key, from, to));
    }

    /// Sorts the keys in a heap, native or mapped segment of any length.
    ///
    /// @throws IllegalArgumentException          if the segment is read-only or misaligned, or its size is no multiple
    ///     of the key size
    /// @throws IllegalStateException             if this sorter is for pairs, is closed, or is sorting already
    /// @throws InsufficientDeviceMemoryException if the GPU was named and has too little free memory
    public SortReport sort(MemorySegment keys) {
        requirePayload(false);
        return sortHost(Segments.check("keys", keys, key), null);
    }

    /// Sorts the keys and moves payload i along with key i.
    ///
    /// @throws IllegalArgumentException          if a segment is read-only or misaligned, its size is no multiple of
    ///     its element size, the element counts differ, or the segments overlap
    /// @throws IllegalStateException             if this sorter is not for pairs, is closed, or is sorting already
    /// @throws InsufficientDeviceMemoryException if the GPU was named and has too little free memory
    public SortReport sort(MemorySegment keys, MemorySegment payloads) {
        requirePayload(true);
        MemorySegment checkedKeys = Segments.check("keys", keys, key);
        MemorySegment checkedPayloads = Segments.check("payloads", payloads, payload);
        Segments.checkPair(checkedKeys, key, checkedPayloads, payload);
        return sortHost(checkedKeys, checkedPayloads);
    }

    /// Sorts all of the keys in device memory and waits for the end.
    ///
    /// @throws IllegalArgumentException          if the size is no multiple of the key size, or the memory is of
    ///     another GPU
    /// @throws IllegalStateException             if this sorter is for pairs, is closed, or is sorting already
    /// @throws InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport sort(DeviceMemory keys) {
        requirePayload(false);
        long count = deviceCount("keys", keys, key);
        return exclusively(() -> gpuFor(keys).sortOnDevice(keys.address(), 0, count));
    }

    /// Sorts all of the keys in device memory, moves payload i along with key i, and waits for the end.
    ///
    /// @throws IllegalArgumentException          if a size is no multiple of its element size, the element counts
    ///     differ, or the memory is of another GPU
    /// @throws IllegalStateException             if this sorter is not for pairs, is closed, or is sorting already
    /// @throws InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport sort(DeviceMemory keys, DeviceMemory payloads) {
        requirePayload(true);
        long count = deviceCount("keys", keys, key);
        long payloadCount = deviceCount("payloads", payloads, payload);
        if (payloadCount != count) {
            throw new IllegalArgumentException(
                    count + " keys and " + payloadCount + " payloads: there must be as many");
        }
        if (payloads == keys) {
            throw new IllegalArgumentException("keys and payloads are the same device memory");
        }
        return exclusively(() -> gpuFor(keys).sortOnDevice(keys.address(), payloads.address(), count));
    }

    /// Puts a sort on a CUDA stream and returns at once. The memory and the stream may be anybody's (ours, JCuda's,
    /// cuVS's), as long as they belong to the primary context of this sorter's GPU. The keys must not be touched until
    /// the stream has come past the sort. Errors of the kernels show when the stream is synchronised.
    ///
    /// @param keysPointer  device address of the keys, aligned to their size
    /// @param count        how many
    /// @param streamHandle a `CUstream` or `cudaStream_t`; 0 is the default stream
    /// @throws IllegalArgumentException          if the pointer is null or misaligned, or `count` is negative
    /// @throws IllegalStateException             if this sorter is for pairs, is closed, or is in use by another thread
    /// @throws InsufficientDeviceMemoryException if the GPU has too little free memory
    public void sortAsync(long keysPointer, long count, long streamHandle) {
        requirePayload(false);
        checkPointer("keys", keysPointer, key, count);
        exclusively(() -> {
            gpuFor(null).sortAsync(keysPointer, 0, count, streamHandle);
            return null;
        });
    }

    /// The same for keys with payloads.
    ///
    /// @param payloadsPointer device address of the payloads, aligned to their size
    /// @throws IllegalArgumentException          if a pointer is null or misaligned, or `count` is negative
    /// @throws IllegalStateException             if this sorter is not for pairs, is closed, or is in use by another
    ///     thread
    /// @throws InsufficientDeviceMemoryException if the GPU has too little free memory
    public void sortAsync(long keysPointer, long payloadsPointer, long count, long streamHandle) {
        requirePayload(true);
        checkPointer("keys", keysPointer, key, count);
        checkPointer("payloads", payloadsPointer, payload, count);
        exclusively(() -> {
            gpuFor(null).sortAsync(keysPointer, payloadsPointer, count, streamHandle);
            return null;
        });
    }

    private SortReport sortHost(MemorySegment keys, MemorySegment payloads) {
        return exclusively(() -> {
            long count = keys.byteSize() / key.byteSize();
            if (device.kind() == Device.Kind.GPU) {
                return gpu.sort(keys, payloads);
            }
            if (device.kind() == Device.Kind.CPU || count < gpuThreshold) {
                return cpu().sort(keys, payloads);
            }
            return sortOnBestDevice(keys, payloads);
        });
    }

    private SortReport sortOnBestDevice(MemorySegment keys, MemorySegment payloads) {
        String refusal = gpuRefusal;
        if (refusal == null) {
            try {
                return gpuFor(null).sort(keys, payloads);
            } catch (GpuUnavailableException e) {
                // It will not come back while this process runs: do not look again.
                gpuRefusal = e.getMessage();
                refusal = gpuRefusal;
            } catch (InsufficientDeviceMemoryException e) {
                refusal = e.getMessage();
            }
        }
        return cpu().sort(keys, payloads).withFallbackReason(refusal);
    }

    /// Gives back host memory that is kept for the next sort, if it is more than `keptBytes`.
    void release(long keptBytes) {
        if (cpu != null) {
            cpu.release(keptBytes);
        }
    }

    private CpuSorter cpu() {
        if (cpu == null) {
            cpu = new CpuSorter(key, payload, order);
        }
        return cpu;
    }

    private GpuSorter gpuFor(DeviceMemory memory) {
        if (device.kind() == Device.Kind.CPU) {
            throw new IllegalStateException(
                    "this sorter is for the CPU and cannot sort device memory: build it on a GPU");
        }
        int ordinal = memory == null ? device.ordinal() : memory.device().ordinal();
        if (gpu == null) {
            gpu = new GpuSorter(ordinal, key, payload, order, this::tuningOn, timesPhases);
        }
        if (gpu.ordinal() != ordinal) {
            throw new IllegalArgumentException(
                    "this sorter works on gpu:" + gpu.ordinal() + " and the memory is of gpu:" + ordinal);
        }
        return gpu;
    }

    private <T> T exclusively(Supplier<T> sort) {
        if (!isBusy.compareAndSet(false, true)) {
            throw new IllegalStateException("this sorter is sorting for another thread: use a sorter for each");
        }
        try {
            if (isClosed) {
                throw new IllegalStateException("this sorter is closed");
            }
            return sort.get();
        } finally {
            isBusy.set(false);
        }
    }

    private void requireKeyType(ElementType type) {
        if (key != type) {
            throw new IllegalStateException("this sorter is for " + key + " keys, not for " + type + " keys");
        }
    }

    private void requirePayload(boolean given) {
        if (given && payload == null) {
            throw new IllegalStateException("this sorter is for keys alone: build it with payload(…) to sort pairs");
        }
        if (!given && payload != null) {
            throw new IllegalStateException(
                    "this sorter is for keys with a " + payload + " payload: give the payloads too");
        }
    }

    private static long deviceCount(String what, DeviceMemory memory, ElementType type) {
        Objects.requireNonNull(memory, what);
        memory.address();
        Segments.checkSize(what, memory.byteSize(), type);
        return memory.byteSize() / type.byteSize();
    }

    private static void checkPointer(String what, long pointer, ElementType type, long count) {
        if (count < 0) {
            throw new IllegalArgumentException("element count " + count + ": must not be negative");
        }
        if (pointer == 0 && count > 0) {
            throw new IllegalArgumentException("the device pointer of the " + what + " is null");
        }
        if (pointer % type.byteSize() != 0) {
            throw new IllegalArgumentException("the device pointer of the " + what + " is not aligned to "
                    + type.byteSize() + " bytes, the size of a " + type);
        }
    }

    /// Gives everything back: kernels, device memory, buffers. A second call does nothing.
    ///
    /// @throws IllegalStateException if a sort is under way in another thread
    @Override
    public void close() {
        if (!isBusy.compareAndSet(false, true)) {
            throw new IllegalStateException("this sorter is sorting for another thread and cannot be closed now");
        }
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            if (cpu != null) {
                cpu.close();
            }
            if (gpu != null) {
                gpu.close();
            }
        } finally {
            isBusy.set(false);
        }
    }
}
