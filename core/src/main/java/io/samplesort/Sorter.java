package io.samplesort;

import io.samplesort.cpu.records.OrderedRun;
import io.samplesort.gpu.GpuSortSpec;
import io.samplesort.gpu.GpusSorter;
import io.samplesort.memory.ArrayRange;
import io.samplesort.types.ElementCost;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortListener;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Sorts elements of one type in one order. [SampleSort#onBestDevice] and its siblings begin to build one. A sorter
/// owns what it needs (compiled kernels, device memory, buffers), so that many sorts pay for it once; [#close] gives it
/// back.
///
/// Equal elements may change places, and their payloads with them, unless the sorter was built with
/// [SorterBuilder#stable]. Elements come out in the order of the [Order]. In natural order, sorted arrays equal those
/// of [java.util.Arrays] bit for bit, unless they hold NaNs of different bits.
///
/// A sorter sorts for one thread at a time; a second thread gets an [IllegalStateException]. Any number of sorters may
/// work at once. An interrupt does not end a sort; the thread stays interrupted. A
/// listener can end it ([SorterBuilder#listener]).
///
/// Host memory may be an array, or a native or mapped segment of any length. But the CPU takes at most 2^31 - 9
/// elements in argsorts and in sorts that are stable, by fields, by a comparator of your own, or with payloads other
/// than one array of numbers. A sort by index of more than 2^32 - 2 elements in the memory of one GPU fails with a
/// [io.samplesort.errors.GpuUnavailableException].
///
/// Elements need not be aligned: records may lie in a `byte[]` and anywhere in native memory. In an array of wider
/// numbers, the alignment of an element must not be larger than these numbers: an `int[]` holds no `long` and no struct
/// with a `double`. For a comparator of your own, all elements must be aligned as their layout says. Many numbers that
/// are not aligned are sorted without SIMD instructions on the CPU.
///
/// In three cases the CPU engine sorts a segment of a confined arena with the calling thread alone: if the order is a
/// comparator of your own or a listener watches the sort, which could close the arena, and if Java runs with
/// `--illegal-native-access=deny` and without native access for this library. The GPU engine refuses the segment with a
/// [io.samplesort.errors.GpuUnavailableException] in the last two cases. Use a shared arena then. A sort that fails
/// before it writes back
/// sorted elements leaves the input as it was; the message of a later failure says what state the input is in.
public final class Sorter extends ArraySorter implements AutoCloseable {
    private final ElementType key;
    private final List<ElementType> payloads;
    private final Order order;
    private final boolean isStable;
    private final Engines engines;
    private final OneUser user;
    /// The latest sorter with indexes, which its caller closes; null before there is one.
    private @Nullable Sorter withIndexes;
    /// How long those before it have waited for the compiler.
    private Duration compiledForIndexes = Duration.ZERO;

    /// @param listener watches the sorts; null for none
    Sorter(GpuSortSpec spec, Engines engines, @Nullable SortListener listener) {
        this.user = new OneUser(listener);
        this.key = spec.key();
        this.payloads = spec.payloads();
        this.order = spec.order();
        this.isStable = spec.isStable();
        this.engines = engines;
    }

    /// Returns the type of the keys.
    public ElementType keyType() {
        return key;
    }

    /// Returns a stable sorter of the same elements with their indexes as payloads, with all settings of this one.
    ///
    /// @throws IllegalStateException if this sorter is closed or is sorting
    Sorter withIndexes(ElementType index) {
        GpuSortSpec indexed = new GpuSortSpec(key, List.of(index), order, true);
        return user.exclusively(() -> {
            compiledForIndexes = compileTimeForIndexes();
            withIndexes = new Sorter(indexed, engines.like(indexed), user.listener());
            return withIndexes;
        });
    }

    /// Returns operations on sorted keys of this order, on the CPU and with the threads and listener of this sorter.
    ///
    /// @throws IllegalStateException if this sorter is closed or is sorting
    SortedOperations sortedOperations() {
        return user.exclusively(() -> {
            SorterBuilder builder = SampleSort.onCpu().order(order).cpuThreads(engines.cpuThreads());
            SortListener listener = user.listener();
            return (listener == null ? builder : builder.listener(listener)).buildSortedOperations(key);
        });
    }

    /// Returns the order of the keys.
    public Order order() {
        return order;
    }

    /// Returns the types of the payloads, in their order; empty if there are none.
    public List<ElementType> payloadTypes() {
        return payloads;
    }

    /// Returns whether equal elements keep their order.
    public boolean isStable() {
        return isStable;
    }

    /// Returns the tuning parameters that are in effect on the GPU; the defaults depend on the GPU. Empty for a sorter
    /// on the CPU, and for one of the device `auto` until it first sorts on a GPU.
    public Optional<Tuning> tuning() {
        return engines.tuning();
    }

    /// Returns how long the compiler took for this sorter, which needs it when an order is first used on this machine.
    /// A sorter for the device `auto` sorts on the CPU meanwhile. Zero if the kernels came from the cache on disk, or
    /// if no kernels were needed. The kernels of sorts in place are compiled by the first such sort, which is not
    /// counted here.
    public Duration compileTime() {
        return engines.compileTime().plus(compileTimeForIndexes());
    }

    private Duration compileTimeForIndexes() {
        return withIndexes == null ? compiledForIndexes : compiledForIndexes.plus(withIndexes.compileTime());
    }

    /// Returns the host memory that a sort of `count` elements in host memory takes for each of them. On the device
    /// `auto`, this waits for the kernels if the GPU is to sort that many, and later sorts use the GPU at once.
    public ElementCost elementCost(long count) {
        return engines.elementCost(count);
    }

    @Override
    SortReport sortRange(ElementType type, Object array, int from, int to) {
        if (isOfRecords(array)) {
            return sort(new ArrayRange(array, from, to).segment());
        }
        Segments.requireKeys(Role.SORTER, key, type);
        Segments.requirePayloads(payloads, 0);
        return user.sort(to - from, () -> engines.sort(new ArrayRange(array, from, to)));
    }

    @Override
    int[] argsortRange(ElementType type, Object array, int from, int to) {
        int first = from;
        if (isOfRecords(array)) {
            if (from % key.byteSize() != 0) {
                throw new IllegalArgumentException("the range begins at byte " + from + ", which is no multiple of "
                        + key.byteSize() + ", the size of a record: begin it where a record begins");
            }
            first = from / key.byteSize();
        } else {
            Segments.requireKeys(Role.SORTER, key, type);
        }
        int[] permutation = argsort(new ArrayRange(array, from, to).segment());
        for (int i = 0; first > 0 && i < permutation.length; i++) {
            permutation[i] += first;
        }
        return permutation;
    }

    /// Returns whether an array is one of bytes, and this sorter is for records, which may lie in one.
    private boolean isOfRecords(Object array) {
        return array instanceof byte[] && !key.isPrimitive();
    }

    @Override
    SortReport argsortInto(ElementType type, Object array, Object permutation) {
        if (!isOfRecords(array)) {
            Segments.requireKeys(Role.SORTER, key, type);
        }
        int count = NumberArrays.length("permutation", permutation);
        return argsort(
                new ArrayRange(array, 0, NumberArrays.length("keys", array)).segment(),
                new ArrayRange(permutation, 0, count).segment());
    }

    /// Sorts the elements in a heap, native or mapped segment. On the CPU, this may take as much memory again where
    /// that makes it faster.
    ///
    /// @throws IllegalArgumentException          if the segment is read-only, its size is no multiple of the element
    ///     size, it is not aligned as this class says, it has more elements than the CPU takes, or this sorter is for
    ///     elements with payloads
    /// @throws IllegalStateException             if this sorter is closed or is sorting already, or the segment belongs
    ///     to a closed arena
    /// @throws WrongThreadException              if the segment is confined to another thread
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the named GPU has too little free memory
    public SortReport sort(MemorySegment keys) {
        return sort(keys, new MemorySegment[0]);
    }

    /// Sorts the keys and moves element i of each array of payloads along with key i. On the CPU, this may take as much
    /// memory again where that makes it faster.
    ///
    /// @param payloads as many segments as this sorter has payload types, in that order
    /// @throws IllegalArgumentException          if a segment is read-only, its size is no multiple of its element
    ///     size, it is not aligned as this class says, the element counts differ, segments overlap, there are more
    ///     elements than the CPU takes, or this sorter is for another number of payloads
    /// @throws IllegalStateException             if this sorter is closed or is sorting already, or a segment belongs
    ///     to a closed arena
    /// @throws WrongThreadException              if a segment is confined to another thread
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the named GPU has too little free memory
    public SortReport sort(MemorySegment keys, MemorySegment... payloads) {
        return sortReporting(keys, Arrays.asList(payloads), null);
    }

    /// Sorts as [#sort(MemorySegment, MemorySegment...)] does, and reports meanwhile how many elements are final, so
    /// that the first ones can be used while others are sorted. Only the CPU engine reports this, and not in all sorts.
    /// This sort takes no memory for speed alone.
    ///
    /// @param payloads as many segments as this sorter has payload types, in that order; empty if it has none
    /// @param finished is called now and then with the number of elements at the front that are final, which the sort
    ///     does not touch any more. This number never falls. Calls come one at a time, from the threads of the sort;
    ///     there may be none. An exception that it throws ends the sort.
    public SortReport sort(MemorySegment keys, List<MemorySegment> payloads, LongConsumer finished) {
        return sortReporting(keys, payloads, Objects.requireNonNull(finished, "finished"));
    }

    private SortReport sortReporting(
            MemorySegment keys, List<MemorySegment> payloads, @Nullable LongConsumer finished) {
        Segments.requirePayloads(this.payloads, payloads.size());
        MemorySegment checkedKeys = Segments.checkAlignment("keys", Segments.check("keys", keys, key), key, order);
        List<MemorySegment> columns = new ArrayList<>();
        for (int i = 0; i < payloads.size(); i++) {
            columns.add(Segments.check("payloads", payloads.get(i), this.payloads.get(i)));
        }
        Segments.checkColumns(checkedKeys, key, columns, this.payloads);
        return user.sort(checkedKeys.byteSize() / key.byteSize(), () -> engines.sort(checkedKeys, columns, finished));
    }

    /// Copies the elements of `source` to `target` and sorts them there.
    ///
    /// @throws IllegalArgumentException as by [#sort(MemorySegment)], or if the sizes differ or the segments overlap
    /// @throws IllegalStateException    if this sorter is closed or is sorting already, or a segment belongs to a
    ///     closed arena
    /// @throws WrongThreadException     if a segment is confined to another thread
    public SortReport sortedCopy(MemorySegment source, MemorySegment target) {
        Segments.requireNoPayloads("sortedCopy", payloads);
        MemorySegment checked = Segments.checkAlignment("target", Segments.check("target", target, key), key, order);
        Segments.checkCopy(source, checked);
        return user.reading(checked.byteSize() / key.byteSize(), () -> {
            checked.copyFrom(source);
            return engines.sort(checked, List.of(), null);
        });
    }

    /// Finds the order of the elements and leaves them where they are: afterwards `permutation[i]` is the index of the
    /// element that comes i-th in sorted order. Equal elements come in the order of their indexes, so this is stable on
    /// every device.
    ///
    /// The CPU takes 12 to 16 bytes of heap for each element, or 8 with a comparator of your own. If the heap has too
    /// little room, the sort takes 3 to 4 times the size of elements and indexes outside of it.
    ///
    /// @param permutation room for one `int` or one `long` for each element
    /// @throws IllegalArgumentException          if the size of a segment does not fit, the elements are not aligned as
    ///     this class says, there are more than the CPU takes, the permutation is read-only, the segments overlap, or
    ///     this sorter is for elements with payloads
    /// @throws IllegalStateException             if this sorter is closed or is sorting already, or a segment belongs
    ///     to a closed arena
    /// @throws WrongThreadException              if a segment is confined to another thread
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the named GPU has too little free memory
    /// @throws OutOfMemoryError                  if there is too little host memory; the message says what to do
    public SortReport argsort(MemorySegment elements, MemorySegment permutation) {
        Segments.requireNoPayloads("argsort", payloads);
        MemorySegment checked = checkElements(elements);
        long count = checked.byteSize() / key.byteSize();
        ElementType index = Segments.indexType(permutation.byteSize(), count);
        MemorySegment checkedPermutation = Segments.check("permutation", permutation, index);
        Segments.checkApart("elements", checked, "permutation", checkedPermutation);
        return user.reading(count, () -> engines.argsort(checked, checkedPermutation));
    }

    /// Finds the order of fewer than 2^31 elements, as [#argsort(MemorySegment, MemorySegment)] does, and returns it in
    /// a new array.
    ///
    /// @throws IllegalArgumentException if there are more elements, or as by [#argsort(MemorySegment, MemorySegment)]
    /// @throws OutOfMemoryError         if the heap has too little room for the array
    public int[] argsort(MemorySegment elements) {
        long count = elements.byteSize() / key.byteSize();
        if (count > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException(
                    count + " elements: their permutation does not fit an int[], hand over a segment of longs");
        }
        int[] permutation = HeapArrays.permutation(count, "argsort(elements, permutation)");
        argsort(elements, MemorySegment.ofArray(permutation));
        return permutation;
    }

    /// Returns whether the elements are in order already: none belongs before its left neighbour. All cores of the CPU
    /// look at them, whatever the device, even while this sorter sorts and after it is closed.
    ///
    /// @throws IllegalArgumentException if the size of the segment is no multiple of the element size, or it is not
    ///     aligned as this class says
    /// @throws IllegalStateException    if the segment belongs to a closed arena
    /// @throws WrongThreadException     if the segment is confined to another thread
    public boolean isSorted(MemorySegment elements) {
        MemorySegment checked = checkElements(elements);
        long count = checked.byteSize() / key.byteSize();
        return OrderedRun.isSorted(Segments.forCpu(checked, count, order), key, order);
    }

    private MemorySegment checkElements(MemorySegment elements) {
        MemorySegment checked = Segments.checkReadable("elements", elements, key);
        return Segments.checkAlignment("elements", checked, key, order);
    }

    /// Puts element `permutation[i]` of `source` at place i of `target`. With the permutation that [#argsort] of the
    /// keys has found, this brings any column of numbers or records into their order.
    /// [ColumnSorter#applyPermutation(int[], KeyColumn)] does the same with key columns, and [StringSorter] with
    /// strings.
    ///
    /// @param permutation an `int` or a `long` for each element
    /// @param type        of the elements of `source` and `target`; it need not be that of any sorter
    /// @throws IllegalArgumentException if a segment does not fit, source and target overlap, or the permutation is not
    ///     valid: an index is out of range or appears twice. In all these cases nothing is changed.
    public static void applyPermutation(
            MemorySegment permutation, ElementType type, MemorySegment source, MemorySegment target) {
        Segments.applyPermutation(permutation, type, source, target);
    }

    /// Sorts all of the keys in device memory, moves element i of each array of payloads along with key i, and waits
    /// until that is done. If the GPU itself fails meanwhile, the memory may hold anything; all other errors come
    /// before anything is changed.
    ///
    /// Large arrays are sorted in place if [SorterBuilder#inPlace] says so, or if there is too little memory for any
    /// other way.
    ///
    /// @param payloads as many as this sorter has payload types, in that order
    /// @throws IllegalArgumentException          if a size is no multiple of its element size, the element counts
    ///     differ, the memory is of another GPU, or this sorter is for another number of payloads
    /// @throws IllegalStateException             if this sorter is for the CPU, is closed, or is sorting already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport sort(DeviceMemory keys, DeviceMemory... payloads) {
        Segments.requirePayloads(this.payloads, payloads.length);
        long count = DeviceChecks.count("keys", keys, key);
        long[] addresses = DeviceChecks.payloadAddresses(keys, count, payloads, this.payloads);
        return user.sort(count, () -> engines.gpuFor(keys, payloads).sortOnDevice(keys.address(), addresses, count));
    }

    /// Copies the elements of `source` to `target`, both in device memory, sorts them there, and waits until that is
    /// done. Large records and other elements that are sorted by index are sorted faster this way than by
    /// [#sort(DeviceMemory, DeviceMemory...)], which has to copy them back and takes that much more memory.
    ///
    /// @throws IllegalArgumentException          if the sizes differ or are no multiple of the element size, source and
    ///     target are the same memory, one of them is of another GPU, or this sorter is for elements with payloads
    /// @throws IllegalStateException             if this sorter is for the CPU, is closed, or is sorting already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport sortedCopy(DeviceMemory source, DeviceMemory target) {
        Segments.requireNoPayloads("sortedCopy", payloads);
        long count = DeviceChecks.copiedCount(source, target, key);
        return user.sort(
                count,
                () -> engines.gpuFor(source, target).sortedCopyOnDevice(source.address(), target.address(), count));
    }

    /// Finds the order of elements in device memory, as [#argsort(MemorySegment, MemorySegment)] does in host memory,
    /// and waits until that is done.
    ///
    /// @throws IllegalArgumentException          if a size does not fit, the memory is of another GPU, or this sorter
    ///     is for elements with payloads
    /// @throws IllegalStateException             if this sorter is for the CPU, is closed, or is sorting already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport argsort(DeviceMemory elements, DeviceMemory permutation) {
        Segments.requireNoPayloads("argsort", payloads);
        long count = DeviceChecks.count("elements", elements, key);
        ElementType index = DeviceChecks.indexType(permutation, count);
        DeviceChecks.checkApart("elements", elements, "permutation", permutation);
        return user.sort(
                count,
                () -> engines.gpuArgsortFor(elements, permutation)
                        .argsortOnDevice(elements.address(), permutation.address(), index.byteSize(), count));
    }

    /// Sorts one array that lies on several GPUs, and moves element i of each array of payloads along with key i. Each
    /// part keeps its number of elements: afterwards the first part has the smallest, and so on. An array in one part
    /// is sorted by any sorter for a GPU, as by [#sort(DeviceMemory, DeviceMemory...)].
    ///
    /// @param payloads as many as this sorter has payload types, in that order, each on the same GPUs as the keys and
    ///     with parts that have as many elements as those of the keys
    /// @throws IllegalArgumentException          if a size does not fit, a part lies on a GPU that is not one of this
    ///     sorter's, or this sorter is for another number of payloads
    /// @throws IllegalStateException             if this sorter is for one GPU and there are several parts, is for the
    ///     CPU, is closed, or is sorting already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if a GPU, which the message names, has too little
    ///     free memory; nothing is changed in that case
    /// @throws io.samplesort.errors.SampleSortException if a GPU fails; the message names it and says what the memory
    ///     holds
    public SortReport sort(DeviceParts keys, DeviceParts... payloads) {
        Segments.requirePayloads(this.payloads, payloads.length);
        DeviceParts[] all = new DeviceParts[1 + payloads.length];
        all[0] = keys;
        System.arraycopy(payloads, 0, all, 1, payloads.length);
        if (engines.isForOneGpu() && DeviceParts.haveOnePart(all)) {
            return sort(
                    keys.onlyPart(),
                    Arrays.stream(payloads).map(DeviceParts::onlyPart).toArray(DeviceMemory[]::new));
        }
        long[] counts = DeviceChecks.counts("keys", keys, key);
        return user.sort(DeviceChecks.sum(counts), () -> {
            GpusSorter gpus = engines.gpusFor(all);
            List<long[]> columns = DeviceChecks.columns("keys", keys, key, "payloads", payloads, this.payloads);
            return gpus.sortOnDevices(keys.ordinals(), columns, counts);
        });
    }

    /// Finds the order of one array that lies on several GPUs, as [#argsort(MemorySegment, MemorySegment)] does in host
    /// memory. The indexes count through all parts. An array in one part may be given to any sorter for a GPU.
    ///
    /// @param permutation room for one `int` or one `long` for each element, in parts like those of the elements
    /// @throws IllegalArgumentException          if a size does not fit, a part lies on a GPU that is not one of this
    ///     sorter's, or this sorter is for elements with payloads
    /// @throws IllegalStateException             if this sorter is for one GPU and there are several parts, is for the
    ///     CPU, is closed, or is sorting already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if a GPU has too little free memory
    public SortReport argsort(DeviceParts elements, DeviceParts permutation) {
        Segments.requireNoPayloads("argsort", payloads);
        if (engines.isForOneGpu() && DeviceParts.haveOnePart(elements, permutation)) {
            return argsort(elements.onlyPart(), permutation.onlyPart());
        }
        long[] counts = DeviceChecks.counts("elements", elements, key);
        return user.sort(DeviceChecks.sum(counts), () -> {
            GpusSorter gpus = engines.gpusArgsortFor(elements, permutation);
            ElementType index = Segments.indexType(permutation.byteSize(), DeviceChecks.sum(counts));
            List<long[]> columns = DeviceChecks.columns(
                    "elements", elements, key, "indexes", new DeviceParts[] {permutation}, List.of(index));
            return gpus.argsortOnDevices(elements.ordinals(), columns, index.byteSize(), counts);
        });
    }

    /// Returns whether the elements in device memory are in order already.
    ///
    /// @throws IllegalArgumentException if the size is no multiple of the element size, or the memory is of another GPU
    /// @throws IllegalStateException    if this sorter is for the CPU, is closed, or is in use by another thread
    public boolean isSorted(DeviceMemory elements) {
        long count = DeviceChecks.count("elements", elements, key);
        return user.exclusively(
                () -> count < 2 || engines.gpuArgsortFor(elements).orderedCount(elements.address(), count) == count);
    }

    /// Puts element `permutation[i]` of `source` at place i of `target`, all in device memory, and waits until that is
    /// done.
    ///
    /// @param permutation an `int` or a `long` for each element
    /// @param type        of the elements of `source` and `target`; it need not be that of this sorter
    /// @throws IllegalArgumentException if sizes do not fit, source and target are the same memory or of another GPU,
    ///     or the permutation is not valid: an index is out of range or appears twice. In all these cases nothing is
    ///     changed.
    /// @throws IllegalStateException    if this sorter is for the CPU, is closed, or is in use by another thread
    public void applyPermutation(DeviceMemory permutation, ElementType type, DeviceMemory source, DeviceMemory target) {
        long count = DeviceChecks.copiedCount(source, target, type);
        DeviceChecks.checkApart("permutation", permutation, "target", target);
        ElementType index = DeviceChecks.indexType(permutation, count);
        user.exclusively(() -> {
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

    /// Puts a sort on a CUDA stream and returns at once. The stream may come from this or any other library (JCuda,
    /// cuVS), as long as it belongs to the primary context of the memory's GPU; [DeviceMemory#wrap] takes the memory of
    /// such a library. Keys and payloads must be neither touched nor freed until the stream has passed the sort. Errors
    /// of the kernels show when the stream is synchronised.
    ///
    /// @param streamHandle a `CUstream` or `cudaStream_t`; 0 is the default stream
    /// @throws IllegalArgumentException          if the size is no multiple of the element size, the memory is of
    ///     another GPU, or this sorter is for elements with payloads
    /// @throws IllegalStateException             if this sorter is for the CPU, is closed, or is in use by another
    ///     thread, or memory is closed
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public void sortAsync(DeviceMemory keys, long streamHandle) {
        sortAsync(keys, List.of(), streamHandle);
    }

    /// Puts a sort of keys with payloads on a CUDA stream, as [#sortAsync(DeviceMemory, long)] does for keys alone.
    ///
    /// @param payloads     as many as this sorter has payload types, in that order
    /// @param streamHandle a `CUstream` or `cudaStream_t`; 0 is the default stream
    /// @throws IllegalArgumentException          if a size is no multiple of its element size, the element counts
    ///     differ, the memory is of another GPU, or this sorter is for another number of payloads
    /// @throws IllegalStateException             if this sorter is for the CPU, is closed, or is in use by another
    ///     thread, or memory is closed
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public void sortAsync(DeviceMemory keys, List<DeviceMemory> payloads, long streamHandle) {
        Segments.requirePayloads(this.payloads, payloads.size());
        DeviceMemory[] columns = payloads.toArray(DeviceMemory[]::new);
        long count = DeviceChecks.count("keys", keys, key);
        long[] addresses = DeviceChecks.payloadAddresses(keys, count, columns, this.payloads);
        user.exclusively(() -> {
            engines.gpuFor(keys, columns).sortAsync(keys.address(), addresses, count, streamHandle);
            return null;
        });
    }

    /// Returns how many bytes of host memory the CPU engine keeps for the next sort.
    long keptBytes() {
        return engines.keptBytes();
    }

    /// Gives everything back: kernels, device memory, buffers. A second call does nothing.
    ///
    /// @throws IllegalStateException if a sort is under way
    @Override
    public void close() {
        user.close(engines::close);
    }
}
