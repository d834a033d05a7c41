package io.samplesort;

import io.samplesort.gpu.DeviceSegments;
import io.samplesort.gpu.GpuSortSpec;
import io.samplesort.gpu.WantedOfSegments;
import io.samplesort.memory.ArrayRange;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SegmentOffsets;
import io.samplesort.types.SortListener;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Sorts the segments of an array, each by itself, in one call: the rows of a matrix, or groups of any lengths.
/// [SorterBuilder#buildSegmented] builds one.
///
/// [SegmentOffsets] say where segments begin and end. There may be millions of them, of any mix of lengths: threads
/// share them by their elements, and all threads sort a long segment together. Elements outside of all segments stay
/// where they are.
///
/// In each segment, elements come out as a [Sorter] of the same order, payloads and stability sorts them. Segments in
/// host memory are sorted on the CPU, whatever the device.
///
/// Wrong arguments are found before anything is changed. If a sort fails later, each segment is either sorted or as it
/// was, payloads included; so it is where a comparator of the user's own throws an exception. If a listener cancels a
/// sort, one segment may also hold its elements in any order. No element is lost in these cases. If the GPU itself
/// fails, device memory may hold anything.
///
/// A sorter sorts for one thread at a time; a second thread gets an [IllegalStateException]. It keeps its memory for
/// the next sort; [#close] gives it back. Segments of memory may lie and be aligned as [Sorter] says.
public final class SegmentedSorter implements AutoCloseable {
    private final ElementType key;
    private final List<ElementType> payloads;
    private final Order order;
    private final boolean isStable;
    private final SegmentEngines engines;
    private final OneUser user;

    /// @param listener watches the sorts; null for none
    SegmentedSorter(GpuSortSpec spec, SegmentEngines engines, @Nullable SortListener listener) {
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

    /// Returns the order of the keys.
    public Order order() {
        return order;
    }

    /// Returns the types of the payloads, in their order; empty if there are none.
    public List<ElementType> payloadTypes() {
        return payloads;
    }

    /// Returns whether equal elements of a segment keep their order.
    public boolean isStable() {
        return isStable;
    }

    /// Sorts each segment of the array, or with a sorter for structs of the records that these bytes hold.
    ///
    /// @throws IllegalArgumentException if the last offset is greater than the number of elements, or this sorter is
    ///     for other keys or for elements with payloads
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public SortReport sort(byte[] keys, SegmentOffsets segments) {
        return sortArray(ElementType.BYTE, keys, segments);
    }

    /// Sorts each segment of the array, as [#sort(byte[], SegmentOffsets)] does.
    public SortReport sort(short[] keys, SegmentOffsets segments) {
        return sortArray(ElementType.SHORT, keys, segments);
    }

    /// Sorts each segment of the array, as [#sort(byte[], SegmentOffsets)] does.
    public SortReport sort(char[] keys, SegmentOffsets segments) {
        return sortArray(ElementType.CHAR, keys, segments);
    }

    /// Sorts each segment of the array, as [#sort(byte[], SegmentOffsets)] does.
    public SortReport sort(int[] keys, SegmentOffsets segments) {
        return sortArray(ElementType.INT, keys, segments);
    }

    /// Sorts each segment of the array, as [#sort(byte[], SegmentOffsets)] does.
    public SortReport sort(long[] keys, SegmentOffsets segments) {
        return sortArray(ElementType.LONG, keys, segments);
    }

    /// Sorts each segment of the array, as [#sort(byte[], SegmentOffsets)] does.
    public SortReport sort(float[] keys, SegmentOffsets segments) {
        return sortArray(ElementType.FLOAT, keys, segments);
    }

    /// Sorts each segment of the array, as [#sort(byte[], SegmentOffsets)] does.
    public SortReport sort(double[] keys, SegmentOffsets segments) {
        return sortArray(ElementType.DOUBLE, keys, segments);
    }

    /// Returns the order of the elements of each segment, as [#argsort(MemorySegment, SegmentOffsets, MemorySegment)]
    /// does.
    ///
    /// @throws IllegalArgumentException if the last offset is greater than the number of elements, or this sorter is
    ///     for other keys or for elements with payloads
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    /// @throws OutOfMemoryError         if the heap has too little room for the array
    public int[] argsort(byte[] keys, SegmentOffsets segments) {
        return argsortArray(ElementType.BYTE, keys, segments);
    }

    /// Does the same as [#argsort(byte[], SegmentOffsets)] for keys of type `short`.
    public int[] argsort(short[] keys, SegmentOffsets segments) {
        return argsortArray(ElementType.SHORT, keys, segments);
    }

    /// Does the same as [#argsort(byte[], SegmentOffsets)] for keys of type `char`.
    public int[] argsort(char[] keys, SegmentOffsets segments) {
        return argsortArray(ElementType.CHAR, keys, segments);
    }

    /// Does the same as [#argsort(byte[], SegmentOffsets)] for keys of type `int`.
    public int[] argsort(int[] keys, SegmentOffsets segments) {
        return argsortArray(ElementType.INT, keys, segments);
    }

    /// Does the same as [#argsort(byte[], SegmentOffsets)] for keys of type `long`.
    public int[] argsort(long[] keys, SegmentOffsets segments) {
        return argsortArray(ElementType.LONG, keys, segments);
    }

    /// Does the same as [#argsort(byte[], SegmentOffsets)] for keys of type `float`.
    public int[] argsort(float[] keys, SegmentOffsets segments) {
        return argsortArray(ElementType.FLOAT, keys, segments);
    }

    /// Does the same as [#argsort(byte[], SegmentOffsets)] for keys of type `double`.
    public int[] argsort(double[] keys, SegmentOffsets segments) {
        return argsortArray(ElementType.DOUBLE, keys, segments);
    }

    private SortReport sortArray(ElementType type, Object array, SegmentOffsets segments) {
        return sort(segmentOf(type, array), segments);
    }

    private int[] argsortArray(ElementType type, Object array, SegmentOffsets segments) {
        MemorySegment elements = segmentOf(type, array);
        Segments.requireNoPayloads("argsort", payloads);
        Segments.checkSize("elements", elements.byteSize(), key);
        int[] permutation = HeapArrays.permutation(
                elements.byteSize() / key.byteSize(), "argsort(elements, segments, permutation)");
        argsort(elements, segments, MemorySegment.ofArray(permutation));
        return permutation;
    }

    /// Returns an array, which has elements of this type, as a segment. An array of bytes may also hold records.
    private MemorySegment segmentOf(ElementType type, Object array) {
        int length = NumberArrays.length("keys", array);
        if (key.isPrimitive() || !(array instanceof byte[])) {
            Segments.requireKeys(Role.SEGMENTED_SORTER, key, type);
        }
        return new ArrayRange(array, 0, length).segment();
    }

    /// Sorts the keys of each segment, in a heap, native or mapped segment of memory, and moves element i of each array
    /// of payloads along with key i.
    ///
    /// @param segments counted in elements from the beginning of the memory
    /// @param payloads as many as this sorter has payload types, in that order
    /// @throws IllegalArgumentException if the last offset is greater than the number of elements, memory is read-only,
    ///     a size is no multiple of the element size, memory is not aligned as [Sorter] says, the element counts
    ///     differ, memory overlaps, one segment has more elements than the CPU takes, or this sorter is for another
    ///     number of payloads
    /// @throws IllegalStateException    if this sorter is closed or is sorting already, or memory belongs to a closed
    ///     arena
    /// @throws WrongThreadException     if memory is confined to another thread
    public SortReport sort(MemorySegment keys, SegmentOffsets segments, MemorySegment... payloads) {
        Segments.requirePayloads(this.payloads, payloads.length);
        MemorySegment checkedKeys = Segments.checkAlignment("keys", Segments.check("keys", keys, key), key, order);
        List<MemorySegment> columns = new ArrayList<>();
        for (int i = 0; i < payloads.length; i++) {
            columns.add(Segments.check("payloads", payloads[i], this.payloads.get(i)));
        }
        Segments.checkColumns(checkedKeys, key, columns, this.payloads);
        long count = Segments.checkOffsets(segments, checkedKeys.byteSize() / key.byteSize());
        return user.sort(count, () -> engines.sort(checkedKeys, columns, segments));
    }

    /// Finds the order of the elements of each segment and leaves them where they are. Afterwards `permutation[i]` is
    /// the index, in the whole array, of the element that comes to place `i`. Equal elements of a segment come in the
    /// order of their indexes, so this is stable on every device. Places outside of all segments hold themselves.
    ///
    /// @param segments    counted in elements from the beginning of the memory
    /// @param permutation room for one `int` or one `long` for each element of the memory, in a segment or not
    /// @throws IllegalArgumentException if the last offset is greater than the number of elements, the size of a
    ///     segment does not fit, the elements are not aligned as [Sorter] says, one segment has more elements than the
    ///     CPU takes, the permutation is read-only, memory overlaps, or this sorter is for elements with payloads
    /// @throws IllegalStateException    if this sorter is closed or is sorting already, or memory belongs to a closed
    ///     arena
    /// @throws WrongThreadException     if memory is confined to another thread
    public SortReport argsort(MemorySegment elements, SegmentOffsets segments, MemorySegment permutation) {
        Segments.requireNoPayloads("argsort", payloads);
        MemorySegment checked =
                Segments.checkAlignment("elements", Segments.checkReadable("elements", elements, key), key, order);
        long elementCount = checked.byteSize() / key.byteSize();
        ElementType index = Segments.indexType(permutation.byteSize(), elementCount);
        MemorySegment checkedPermutation = Segments.check("permutation", permutation, index);
        Segments.checkApart("elements", checked, "permutation", checkedPermutation);
        long count = Segments.checkOffsets(segments, elementCount);
        return user.reading(count, () -> engines.argsort(checked, segments, checkedPermutation));
    }

    /// Writes the `k` keys of each segment that come first to `target`, in order, and leaves all keys where they are.
    /// The results lie as [SegmentOffsets#atMost] says: those of segment 0, then those of segment 1 and so on, and of a
    /// segment that has fewer than `k` keys all of them. Of equal keys, the one with the smaller index comes first.
    ///
    /// Short segments are sorted in a copy of about 2^20 elements at a time, and long ones are filtered.
    ///
    /// @param segments counted in elements from the beginning of the memory
    /// @param k        not negative
    /// @param target   room for as many keys as `segments.atMost(k).last()` says
    /// @throws IllegalArgumentException if `k` is negative, the last offset is greater than the number of keys, a size
    ///     does not fit, memory overlaps or is not aligned as [Sorter] says, the target is read-only, one segment has
    ///     more elements than the CPU takes, or this sorter is for elements with payloads
    /// @throws IllegalStateException    if this sorter is closed or is sorting already, or memory belongs to a closed
    ///     arena
    /// @throws WrongThreadException     if memory is confined to another thread
    public SortReport first(MemorySegment keys, SegmentOffsets segments, long k, MemorySegment target) {
        return select("first", keys, segments, k, target);
    }

    /// Writes the `k` keys of each segment that come last to `target`, in order, as
    /// [#first(MemorySegment, SegmentOffsets, long, MemorySegment)] does with those that come first.
    public SortReport last(MemorySegment keys, SegmentOffsets segments, long k, MemorySegment target) {
        return select("last", keys, segments, k, target);
    }

    private SortReport select(
            String method, MemorySegment keys, SegmentOffsets segments, long k, MemorySegment target) {
        long wanted = checkedWanted(method, keys, segments, k);
        Segments.check("target", target, key);
        Segments.checkApart("the keys", keys, "the target", target);
        if (target.byteSize() / key.byteSize() != wanted) {
            throw new IllegalArgumentException("the target has room for " + target.byteSize() / key.byteSize()
                    + " keys, and " + wanted + " are wanted: give one with room for segments.atMost(k).last()");
        }
        long count = segments.last() - segments.first();
        return user.reading(count, () -> engines.select(keys, segments, k, method.equals("last"), target));
    }

    /// Writes the indexes of the `k` elements of each segment that come first, in the order of these and counted in the
    /// whole array, as [#first(MemorySegment, SegmentOffsets, long, MemorySegment)] writes the elements.
    ///
    /// @param indexes room for as many ints or longs as `segments.atMost(k).last()` says
    public SortReport argfirst(MemorySegment elements, SegmentOffsets segments, long k, MemorySegment indexes) {
        return argselect("argfirst", elements, segments, k, indexes);
    }

    /// Writes the indexes of the `k` elements of each segment that come last, as
    /// [#argfirst(MemorySegment, SegmentOffsets, long, MemorySegment)] does.
    public SortReport arglast(MemorySegment elements, SegmentOffsets segments, long k, MemorySegment indexes) {
        return argselect("arglast", elements, segments, k, indexes);
    }

    private SortReport argselect(
            String method, MemorySegment elements, SegmentOffsets segments, long k, MemorySegment indexes) {
        Objects.requireNonNull(indexes, "indexes");
        long wanted = checkedWanted(method, elements, segments, k);
        int indexBytes = DeviceChecks.indexBytes("indexes", indexes.byteSize(), wanted, "wanted elements");
        Segments.check("indexes", indexes, indexBytes == Long.BYTES ? ElementType.LONG : ElementType.INT);
        Segments.checkApart("the elements", elements, "the indexes", indexes);
        if (wanted > 0 && indexBytes == Integer.BYTES && segments.last() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "indexes up to " + (segments.last() - 1) + " do not fit ints: give room for longs");
        }
        long count = segments.last() - segments.first();
        boolean isLast = method.equals("arglast");
        return user.reading(count, () -> engines.argselect(elements, segments, k, isLast, indexes, indexBytes));
    }

    /// Returns how many elements a selection wants, which has been checked.
    private long checkedWanted(String method, MemorySegment elements, SegmentOffsets segments, long k) {
        Segments.requireNoPayloads(method, payloads);
        Segments.checkAlignment("elements", Segments.checkReadable("elements", elements, key), key, order);
        Segments.checkOffsets(segments, elements.byteSize() / key.byteSize());
        return segments.atMost(k).last();
    }

    /// Sorts the keys of each segment in device memory, moves element i of each array of payloads along with key i, and
    /// waits until that is done. The host reads how many segments there are of which lengths before it begins. In
    /// addition to the arrays, segments of up to a few thousand elements take next to no memory, and longer ones as
    /// much as all keys and somewhat more, above all if long segments lie close together.
    ///
    /// @param offsets    one more than there are segments, as [SegmentOffsets] describes them
    /// @param offsetType [ElementType#INT] or [ElementType#LONG]
    /// @param payloads   as many as this sorter has payload types, in that order
    /// @throws IllegalArgumentException if a size does not fit, the offsets are of another type, there is no offset,
    ///     memory overlaps or is of another GPU, offsets fall or are greater than the number of keys, or this sorter is
    ///     for another number of payloads; nothing is changed in that case
    /// @throws IllegalStateException    if memory is closed, or this sorter is for the CPU, is closed, or is sorting
    ///     already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory; nothing is
    ///     changed in that case
    public SortReport sort(DeviceMemory keys, DeviceMemory offsets, ElementType offsetType, DeviceMemory... payloads) {
        Segments.requirePayloads(this.payloads, payloads.length);
        long count = DeviceChecks.count("keys", keys, key);
        long[] addresses = DeviceChecks.payloadAddresses(keys, count, payloads, this.payloads);
        DeviceSegments segments = DeviceChecks.segments(offsets, offsetType);
        DeviceChecks.checkApart("keys", keys, "offsets", offsets);
        for (DeviceMemory payload : payloads) {
            DeviceChecks.checkApart("payloads", payload, "offsets", offsets);
        }
        return user.sort(
                count,
                () -> engines.sortOnDevice(
                        engines.gpuOf(offsets, all(keys, payloads)), keys.address(), addresses, count, segments));
    }

    private static DeviceMemory[] all(DeviceMemory keys, DeviceMemory[] payloads) {
        DeviceMemory[] all = new DeviceMemory[1 + payloads.length];
        all[0] = keys;
        System.arraycopy(payloads, 0, all, 1, payloads.length);
        return all;
    }

    /// Finds the order of the elements of each segment in device memory, as [#argsort(MemorySegment, SegmentOffsets,
    /// MemorySegment)] does in host memory, and waits until that is done.
    ///
    /// @param offsets    one more than there are segments, as [SegmentOffsets] describes them
    /// @param offsetType [ElementType#INT] or [ElementType#LONG]
    /// @throws IllegalArgumentException if a size does not fit, the offsets are of another type, there is no offset,
    ///     memory overlaps or is of another GPU, offsets fall or are greater than the number of elements, or this
    ///     sorter is for elements with payloads
    /// @throws IllegalStateException    if memory is closed, or this sorter is for the CPU, is closed, or is sorting
    ///     already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport argsort(
            DeviceMemory elements, DeviceMemory offsets, ElementType offsetType, DeviceMemory permutation) {
        Segments.requireNoPayloads("argsort", payloads);
        long count = DeviceChecks.count("elements", elements, key);
        DeviceSegments segments = DeviceChecks.segments(offsets, offsetType);
        ElementType index = DeviceChecks.indexType(permutation, count);
        DeviceChecks.checkApart("elements", elements, "permutation", permutation);
        DeviceChecks.checkApart("offsets", offsets, "permutation", permutation);
        return user.reading(
                count,
                () -> engines.argsortOnDevice(
                        engines.gpuOf(elements, offsets, permutation),
                        elements.address(),
                        count,
                        segments,
                        permutation.address(),
                        index));
    }

    /// Writes the `k` keys of each segment in device memory that come first to `target`, in order, as
    /// [#first(MemorySegment, SegmentOffsets, long, MemorySegment)] does in host memory, and waits until that is done.
    /// It also writes where the results of each segment begin, and at last how many there are: the offsets of
    /// segments of the target. The keys and their offsets stay as they are.
    ///
    /// This reads the keys once, without a copy, if there are at least 256 keys for each segment, no segment has more
    /// than 32,768 of them (or fewer, if keys are large) unless it is a 512th of all keys or less, and `k` is small: up
    /// to 512 for numbers of four bytes or fewer, 256 for those of eight, half as much for indexes, and 32 to 128 for
    /// structs. Otherwise it sorts all segments in a copy, and takes as long as that.
    ///
    /// @param offsets       one more than there are segments, as [SegmentOffsets] describes them
    /// @param offsetType    [ElementType#INT] or [ElementType#LONG], also of the results' offsets
    /// @param k             not negative
    /// @param target        room for the results or more; what is behind them stays as it is. There are at most `k` of
    ///     each segment
    /// @param targetOffsets room for exactly as many offsets as `offsets` has
    /// @return how many results there are
    /// @throws IllegalArgumentException if `k` is negative, the target has too little room, a size does not fit, the
    ///     offsets are of another type, there is no offset, memory overlaps or is of another GPU, offsets fall or are
    ///     greater than the number of keys, or this sorter is for elements with payloads; nothing is changed in that
    ///     case
    /// @throws IllegalStateException    if memory is closed, or this sorter is for the CPU, is closed, or is sorting
    ///     already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory; nothing is
    ///     changed in that case
    public long first(
            DeviceMemory keys,
            DeviceMemory offsets,
            ElementType offsetType,
            long k,
            DeviceMemory target,
            DeviceMemory targetOffsets) {
        return selectOnDevice("first", keys, offsets, offsetType, k, target, targetOffsets);
    }

    /// Writes the `k` keys of each segment in device memory that come last to `target`, in order, as
    /// [#first(DeviceMemory, DeviceMemory, ElementType, long, DeviceMemory, DeviceMemory)] does with those that come
    /// first.
    public long last(
            DeviceMemory keys,
            DeviceMemory offsets,
            ElementType offsetType,
            long k,
            DeviceMemory target,
            DeviceMemory targetOffsets) {
        return selectOnDevice("last", keys, offsets, offsetType, k, target, targetOffsets);
    }

    /// Writes the indexes of the `k` elements of each segment in device memory that come first, in the order of these
    /// and counted in the whole array, as
    /// [#first(DeviceMemory, DeviceMemory, ElementType, long, DeviceMemory, DeviceMemory)] writes the elements.
    ///
    /// @param indexes room for the results or more, each an index of the type of the offsets
    public long argfirst(
            DeviceMemory elements,
            DeviceMemory offsets,
            ElementType offsetType,
            long k,
            DeviceMemory indexes,
            DeviceMemory targetOffsets) {
        return selectOnDevice("argfirst", elements, offsets, offsetType, k, indexes, targetOffsets);
    }

    /// Writes the indexes of the `k` elements of each segment in device memory that come last, as
    /// [#argfirst(DeviceMemory, DeviceMemory, ElementType, long, DeviceMemory, DeviceMemory)] does.
    public long arglast(
            DeviceMemory elements,
            DeviceMemory offsets,
            ElementType offsetType,
            long k,
            DeviceMemory indexes,
            DeviceMemory targetOffsets) {
        return selectOnDevice("arglast", elements, offsets, offsetType, k, indexes, targetOffsets);
    }

    private long selectOnDevice(
            String method,
            DeviceMemory elements,
            DeviceMemory offsets,
            ElementType offsetType,
            long k,
            DeviceMemory target,
            DeviceMemory targetOffsets) {
        Segments.requireNoPayloads(method, payloads);
        boolean isArg = method.startsWith("arg");
        long count = DeviceChecks.count("elements", elements, key);
        DeviceSegments segments = DeviceChecks.segments(offsets, offsetType);
        String results = isArg ? "indexes" : "target";
        long room = DeviceChecks.count(results, target, isArg ? offsetType : key);
        long resultOffsets = DeviceChecks.segmentCount("offsets of the results", targetOffsets, offsetType) + 1;
        if (k < 0) {
            throw new IllegalArgumentException(
                    "the first or last " + k + " elements of each segment: the number must not be negative");
        }
        if (resultOffsets != segments.count() + 1) {
            throw new IllegalArgumentException("there are " + (segments.count() + 1) + " offsets, and room for "
                    + resultOffsets + " offsets of the results: give room for as many");
        }
        DeviceChecks.checkTargetsApart(
                List.of("elements", "offsets", results, "offsets of the results"),
                List.of(elements, offsets, target, targetOffsets));
        boolean isLast = method.endsWith("last");
        WantedOfSegments wanted = new WantedOfSegments(k, isLast, targetOffsets.address(), target.address(), room);
        return user.reading(count, () -> {
            int gpu = engines.gpuOf(elements, offsets, target, targetOffsets);
            return isArg
                    ? engines.argselectOnDevice(gpu, elements.address(), count, segments, wanted)
                    : engines.selectOnDevice(gpu, elements.address(), count, segments, wanted);
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
