package io.samplesort;

import io.samplesort.cpu.OrderedRun;
import io.samplesort.cpu.Permutation;
import io.samplesort.cuda.Cuda;
import io.samplesort.external.ElementCost;
import io.samplesort.external.PartSorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/// A sorter for one element type and one order. It owns what it needs (compiled kernels, device memory, buffers), so
/// that many sorts pay for it once; [#close] gives it back. Made by [SampleSort#onBestDevice] and its siblings.
///
/// Unless a sorter is built with [Builder#stable], equal elements may change places, and with them their payloads.
/// Elements come out in the order of the [Order]; where it is natural, arrays equal those of [java.util.Arrays] bit for
/// bit, as long as they hold no NaNs of different bits.
///
/// A sorter sorts for one thread at a time; a second thread gets an [IllegalStateException]. Any number of sorters may
/// work at once.
///
/// Host memory may be an array or a native or mapped segment of any length. Until the sorted elements are written back,
/// a failed sort leaves the input as it was; the message of a later failure says what state it is in.
public final class Sorter implements AutoCloseable {
    /// What device pointers to structs are aligned to, where their size allows: the kernels load so much at once.
    private static final int DEVICE_ALIGNMENT = 16;

    private final ElementType key;
    private final List<ElementType> payloads;
    private final Order order;
    private final Engines engines;
    private final AtomicBoolean isBusy = new AtomicBoolean();
    private volatile boolean isClosed;

    private Sorter(Builder builder, ElementType key) {
        this.key = key;
        this.payloads = builder.payloads;
        this.order = builder.order;
        this.engines = new Engines(builder, key);
    }

    /// What a sorter is to be. Not for use by two threads at once.
    public static final class Builder {
        /// At fewer elements the CPU is as fast as moving them to the GPU and back (bench/results, host, 2026-11-21).
        private static final long DEFAULT_GPU_THRESHOLD = 1L << 18;

        final Device device;
        Order order = Order.natural();
        List<ElementType> payloads = List.of();
        boolean isStable;
        Tuning tuning;
        String tuningOverrides = "";
        long gpuThreshold = DEFAULT_GPU_THRESHOLD;
        long deviceMemoryLimit = Long.MAX_VALUE;
        boolean timesPhases;
        boolean isLean;

        Builder(Device device) {
            this.device = Objects.requireNonNull(device, "device");
            if (device.kind() == Device.Kind.GPU) {
                // Takes a tenth of a second, and there is something else to do meanwhile.
                Cuda.start();
            }
        }

        /// How keys compare; [Order#natural] unless set.
        public Builder order(Order order) {
            this.order = Objects.requireNonNull(order, "order");
            return this;
        }

        /// Elements have a payload of this type, which moves with its key and lies in an array of its own. It is moved
        /// as bits; any type of the right size will do.
        public Builder payload(ElementType payload) {
            return payloads(Objects.requireNonNull(payload, "payload"));
        }

        /// Elements have a payload in each of several arrays, of these types; none take back an earlier call.
        public Builder payloads(ElementType... payloads) {
            this.payloads = List.of(payloads);
            return this;
        }

        /// Equal elements keep their order, so that the result is the same on every device and at every run. Costs time
        /// and memory; see docs/records.md for how much. Unless set, equal elements may change places.
        public Builder stable() {
            this.isStable = true;
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
        /// percent. Otherwise they take five to seven times the input where that much is free, and a lean sort takes
        /// about a quarter more time. Off unless set.
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

        /// Device memory that sorts on the GPU may take, beside elements that live there already; all that is free
        /// unless set. Host memory of any size is sorted within it, in parts: elements that do not fit cross the link
        /// twice each way, and take as much host memory again.
        ///
        /// @param bytes at least a few MiB
        /// @throws IllegalArgumentException if `bytes` is not positive
        public Builder deviceMemory(long bytes) {
            if (bytes <= 0) {
                throw new IllegalArgumentException("device memory of " + bytes + " bytes: must be positive");
            }
            this.deviceMemoryLimit = bytes;
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
            Tuning.defaultFor(key, null).with(tuningOverrides);
            return new Sorter(this, key);
        }
    }

    /// The type of the keys.
    public ElementType keyType() {
        return key;
    }

    /// The order of the keys.
    public Order order() {
        return order;
    }

    /// The types of the payloads.
    List<ElementType> payloadTypes() {
        return payloads;
    }

    /// This sorter as the one that sorts the parts of a file.
    PartSorter partSorter() {
        List<ElementType> columnTypes = new ArrayList<>(payloads);
        columnTypes.addFirst(key);
        return new PartSorter() {
            @Override
            public List<ElementType> columnTypes() {
                return columnTypes;
            }

            @Override
            public Comparator<MemorySegment> comparator() {
                return order.toComparator(key);
            }

            @Override
            public ElementCost cost(long count) {
                return engines.elementCost(count);
            }

            @Override
            public SortReport sort(MemorySegment keys, MemorySegment... payloads) {
                return Sorter.this.sort(keys, payloads);
            }
        };
    }

    /// The tuning parameters in effect on the GPU; the defaults depend on which one it is. Empty for a sorter on the
    /// CPU, and for one of the device `auto` until it first sorts on a GPU.
    public Optional<Tuning> tuning() {
        return engines.tuning();
    }

    /// How long this sorter has waited for its kernels to be compiled, at the first use of an order on this machine;
    /// zero where they came from the cache on disk, or none were needed.
    public Duration compileTime() {
        return engines.compileTime();
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
    ///     already
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
    ///     already
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
    ///     already
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
    ///     already
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
    ///     already
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
    ///     already
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
    ///     already
    public SortReport sort(double[] keys, int from, int to) {
        Objects.requireNonNull(keys, "keys");
        Objects.checkFromToIndex(from, to, keys.length);
        requireKeyType(ElementType.DOUBLE);
        return sort(Segments.range(MemorySegment.ofArray(keys), key, from, to));
    }

    /// Sorts the elements in a heap, native or mapped segment of any length.
    ///
    /// @throws IllegalArgumentException          if the segment is read-only or misaligned, or its size is no multiple
    ///     of the element size
    /// @throws IllegalStateException             if this sorter is for elements with payloads, is closed, or is sorting
    ///     already
    /// @throws InsufficientDeviceMemoryException if the GPU was named and has too little free memory
    public SortReport sort(MemorySegment keys) {
        return sort(keys, new MemorySegment[0]);
    }

    /// Sorts the keys and moves element i of each array of payloads along with key i.
    ///
    /// @param payloads as many segments as this sorter has payload types, in that order
    /// @throws IllegalArgumentException          if a segment is read-only or misaligned, its size is no multiple of
    ///     its element size, the element counts differ, or segments overlap
    /// @throws IllegalStateException             if this sorter is for another number of payloads, is closed, or is
    ///     sorting already
    /// @throws InsufficientDeviceMemoryException if the GPU was named and has too little free memory
    public SortReport sort(MemorySegment keys, MemorySegment... payloads) {
        requirePayloads(payloads.length);
        MemorySegment checkedKeys = Segments.check("keys", keys, key);
        List<MemorySegment> columns = new ArrayList<>();
        for (int i = 0; i < payloads.length; i++) {
            columns.add(Segments.check("payloads", payloads[i], this.payloads.get(i)));
        }
        Segments.checkColumns(checkedKeys, key, columns, this.payloads);
        return exclusively(() -> engines.sort(checkedKeys, columns));
    }

    /// Copies the elements of `source` to `target` and sorts them there.
    ///
    /// @throws IllegalArgumentException as by [#sort(MemorySegment)], or if the sizes differ or the segments overlap
    /// @throws IllegalStateException    if this sorter is for elements with payloads, is closed, or is sorting already
    public SortReport sortedCopy(MemorySegment source, MemorySegment target) {
        requirePayloads(0);
        MemorySegment checked = Segments.check("target", target, key);
        Segments.checkCopy(source, checked);
        return exclusively(() -> {
            checked.copyFrom(source);
            return engines.sort(checked, List.of());
        });
    }

    /// Finds the order of the elements and leaves them where they are: afterwards `permutation[i]` is the index of the
    /// element that comes i-th in sorted order. Equal elements come by their index: this is stable on every device.
    ///
    /// @param permutation room for one `int` or one `long` for each element
    /// @throws IllegalArgumentException          if a segment is misaligned or its size does not fit, the permutation
    ///     is read-only, or the segments overlap
    /// @throws IllegalStateException             if this sorter is for elements with payloads, is closed, or is sorting
    ///     already
    /// @throws InsufficientDeviceMemoryException if the GPU was named and has too little free memory
    public SortReport argsort(MemorySegment elements, MemorySegment permutation) {
        requirePayloads(0);
        MemorySegment checked = Segments.checkReadable("elements", elements, key);
        long count = checked.byteSize() / key.byteSize();
        ElementType index = Segments.indexType(permutation.byteSize(), count);
        MemorySegment checkedPermutation = Segments.check("permutation", permutation, index);
        Segments.checkApart("elements", checked, "permutation", checkedPermutation);
        return exclusively(() -> engines.argsort(checked, checkedPermutation));
    }

    /// The same as a new array, for fewer than 2^31 elements.
    ///
    /// @throws IllegalArgumentException if there are more, or as by [#argsort(MemorySegment, MemorySegment)]
    public int[] argsort(MemorySegment elements) {
        long count = elements.byteSize() / key.byteSize();
        if (count > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException(
                    count + " elements: their permutation does not fit an int[], hand over a segment of longs");
        }
        int[] permutation = new int[(int) count];
        argsort(elements, MemorySegment.ofArray(permutation));
        return permutation;
    }

    /// Whether the elements are in order already: none comes before the one at its left.
    ///
    /// @throws IllegalArgumentException if the segment is misaligned, or its size is no multiple of the element size
    public boolean isSorted(MemorySegment elements) {
        MemorySegment checked = Segments.checkReadable("elements", elements, key);
        return OrderedRun.isSorted(checked, key, order);
    }

    /// Sorts all of the keys in device memory, moves element i of each array of payloads along with key i, and waits
    /// for the end.
    ///
    /// @param payloads as many as this sorter has payload types, in that order
    /// @throws IllegalArgumentException          if a size is no multiple of its element size, the element counts
    ///     differ, or the memory is of another GPU
    /// @throws IllegalStateException             if this sorter is for another number of payloads, is closed, or is
    ///     sorting already
    /// @throws InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport sort(DeviceMemory keys, DeviceMemory... payloads) {
        requirePayloads(payloads.length);
        long count = deviceCount("keys", keys, key);
        long[] addresses = new long[payloads.length];
        for (int i = 0; i < payloads.length; i++) {
            long payloadCount = deviceCount("payloads", payloads[i], this.payloads.get(i));
            if (payloadCount != count) {
                throw new IllegalArgumentException(
                        count + " keys and " + payloadCount + " payloads: there must be as many");
            }
            if (payloads[i] == keys || Arrays.asList(payloads).indexOf(payloads[i]) != i) {
                throw new IllegalArgumentException("keys and payloads are the same device memory");
            }
            addresses[i] = payloads[i].address();
        }
        return exclusively(() -> engines.gpuFor(keys, payloads).sortOnDevice(keys.address(), addresses, count));
    }

    /// [#sortedCopy(MemorySegment, MemorySegment)] in device memory; waits for the end. For elements that are sorted by
    /// index, such as large records, this is faster than [#sort(DeviceMemory, DeviceMemory...)], which has to copy them
    /// back, and takes as much memory less.
    ///
    /// @throws IllegalArgumentException          if the sizes differ or are no multiple of the element size, source and
    ///     target are the same memory, or one of them is of another GPU
    /// @throws IllegalStateException             if this sorter is for elements with payloads, is closed, or is sorting
    ///     already
    /// @throws InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport sortedCopy(DeviceMemory source, DeviceMemory target) {
        requirePayloads(0);
        long count = copiedCount(source, target, key);
        return exclusively(
                () -> engines.gpuFor(source, target).sortedCopyOnDevice(source.address(), target.address(), count));
    }

    private static long copiedCount(DeviceMemory source, DeviceMemory target, ElementType type) {
        long count = deviceCount("source", source, type);
        if (deviceCount("target", target, type) != count) {
            throw new IllegalArgumentException("the source has " + source.byteSize() + " bytes and the target "
                    + target.byteSize() + ": they must have as many");
        }
        if (source == target) {
            throw new IllegalArgumentException("source and target are the same device memory");
        }
        return count;
    }

    /// The same for elements in device memory.
    ///
    /// @throws IllegalArgumentException if the size is no multiple of the element size, or the memory is of another GPU
    /// @throws IllegalStateException    if this sorter is for the CPU, is closed, or is in use by another thread
    public boolean isSorted(DeviceMemory elements) {
        long count = deviceCount("elements", elements, key);
        return exclusively(
                () -> count < 2 || engines.gpuArgsortFor(elements).orderedCount(elements.address(), count) == count);
    }

    /// Puts element `permutation[i]` of `source` at place i of `target`: after [#argsort] of the keys, any column in
    /// their order. The elements may be of any type.
    ///
    /// @param permutation an `int` or a `long` for each element
    /// @param type        of the elements of `source` and `target`
    /// @throws IllegalArgumentException if a segment does not fit, source and target overlap, or the permutation is
    ///     none: an index is out of range, or is there twice; nothing is changed then
    public static void applyPermutation(
            MemorySegment permutation, ElementType type, MemorySegment source, MemorySegment target) {
        MemorySegment checkedTarget = Segments.check("target", target, type);
        MemorySegment checkedSource = Segments.checkReadable("source", source, type);
        Segments.checkCopy(checkedSource, checkedTarget);
        ElementType index = Segments.indexType(permutation.byteSize(), source.byteSize() / type.byteSize());
        MemorySegment checked = Segments.checkReadable("permutation", permutation, index);
        Segments.checkApart("permutation", checked, "target", checkedTarget);
        new Permutation(checked, index.byteSize()).apply(checkedSource, checkedTarget, type.byteSize());
    }

    /// The same in device memory; waits for the end.
    ///
    /// @throws IllegalArgumentException if sizes do not fit, source and target are the same memory or of another GPU,
    ///     or the permutation is none; nothing is changed then
    /// @throws IllegalStateException    if this sorter is for the CPU, is closed, or is in use by another thread
    public void applyPermutation(DeviceMemory permutation, ElementType type, DeviceMemory source, DeviceMemory target) {
        long count = copiedCount(source, target, type);
        if (permutation == target) {
            throw new IllegalArgumentException("permutation and target are the same device memory");
        }
        ElementType index = Segments.indexType(permutation.byteSize(), count);
        exclusively(() -> {
            engines.gpuArgsortFor(source, permutation, target)
                    .applyPermutation(
                            permutation.address(),
                            index.byteSize(),
                            source.address(),
                            target.address(),
                            type.byteSize(),
                            count);
            return true;
        });
    }

    /// [#argsort(MemorySegment, MemorySegment)] in device memory; waits for the end.
    ///
    /// @throws IllegalArgumentException          if a size does not fit, or the memory is of another GPU
    /// @throws IllegalStateException             if this sorter is for elements with payloads, is closed, or is sorting
    ///     already
    /// @throws InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport argsort(DeviceMemory elements, DeviceMemory permutation) {
        requirePayloads(0);
        long count = deviceCount("elements", elements, key);
        ElementType index = Segments.indexType(permutation.byteSize(), count);
        if (permutation == elements) {
            throw new IllegalArgumentException("elements and permutation are the same device memory");
        }
        return exclusively(() -> engines.gpuArgsortFor(elements, permutation)
                .argsortOnDevice(elements.address(), permutation.address(), index.byteSize(), count));
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
        sortAsync(keysPointer, new long[0], count, streamHandle);
    }

    /// The same for keys with payloads.
    ///
    /// @param payloadsPointer device address of the payloads, aligned to their size
    /// @throws IllegalArgumentException          if a pointer is null or misaligned, or `count` is negative
    /// @throws IllegalStateException             if this sorter is not for pairs, is closed, or is in use by another
    ///     thread
    /// @throws InsufficientDeviceMemoryException if the GPU has too little free memory
    public void sortAsync(long keysPointer, long payloadsPointer, long count, long streamHandle) {
        sortAsync(keysPointer, new long[] {payloadsPointer}, count, streamHandle);
    }

    /// The same for keys with payloads in several arrays.
    ///
    /// @param payloadsPointers device addresses of the payloads, aligned to their sizes
    /// @throws IllegalArgumentException          if a pointer is null or misaligned, or `count` is negative
    /// @throws IllegalStateException             if this sorter is for another number of payloads, is closed, or is in
    ///     use by another thread
    /// @throws InsufficientDeviceMemoryException if the GPU has too little free memory
    public void sortAsync(long keysPointer, long[] payloadsPointers, long count, long streamHandle) {
        requirePayloads(payloadsPointers.length);
        checkPointer("keys", keysPointer, key, count);
        for (int i = 0; i < payloadsPointers.length; i++) {
            checkPointer("payloads", payloadsPointers[i], payloads.get(i), count);
        }
        exclusively(() -> {
            engines.gpuFor(null).sortAsync(keysPointer, payloadsPointers, count, streamHandle);
            return null;
        });
    }

    /// Gives back host memory that is kept for the next sort, if it is more than `keptBytes`.
    void release(long keptBytes) {
        engines.release(keptBytes);
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
        if (!key.equals(type)) {
            throw new IllegalStateException("this sorter is for " + key + " keys, not for " + type + " keys");
        }
    }

    private void requirePayloads(int given) {
        if (given == payloads.size()) {
            return;
        }
        throw new IllegalStateException(
                payloads.isEmpty()
                        ? "this sorter is for keys alone: build it with payload(…) to sort pairs"
                        : "this sorter is for keys with payloads of types " + payloads + " and was given " + given
                                + " arrays of payloads: give " + payloads.size());
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
        int alignment = type.isPrimitive()
                ? type.byteSize()
                : Math.max(type.byteAlignment(), Math.min(DEVICE_ALIGNMENT, Integer.lowestOneBit(type.byteSize())));
        if (pointer % alignment != 0) {
            throw new IllegalArgumentException("the device pointer of the " + what + " is not aligned to " + alignment
                    + " bytes, which elements of " + type.byteSize() + " bytes need");
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
            engines.close();
        } finally {
            isBusy.set(false);
        }
    }
}
