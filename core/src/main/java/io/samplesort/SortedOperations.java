package io.samplesort;

import io.samplesort.gpu.GpuSortSpec;
import io.samplesort.gpu.GpuSortedOperations;
import io.samplesort.memory.SetOperation;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortListener;
import io.samplesort.types.SortReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Works on keys that are sorted already: merges them, finds distinct keys and how often each is there, combines two
/// inputs as sets, and looks for the places of other keys. [SorterBuilder#buildSortedOperations] makes one. Each of
/// these takes one pass over its inputs, which are never changed. [SortedArrays] does the same with arrays in one call.
///
/// Keys are equal if neither comes before the other in the [Order]. Inputs have to be sorted in that order. If one is
/// not, the result has no meaning, but nothing is read or written beyond the memory, and there are no more results than
/// sorted inputs of these sizes could have; [#firstOutOfOrder(DeviceMemory)] finds the place.
///
/// Host memory is worked on by the CPU ([HostSortedOperations]), and device memory by its GPU, where each method waits
/// for the end. The methods for device memory throw these exceptions before anything is changed: an
/// [IllegalArgumentException] if a size does not fit, memory is of another GPU, a target overlaps an input or another
/// target, or the number of payloads is not that of this object; an [IllegalStateException] if this object is for the
/// CPU, is closed, or is at work already; and an [io.samplesort.errors.InsufficientDeviceMemoryException] if the GPU
/// has too little free memory. Device memory is never empty, so there is no slice of a result of no elements.
///
/// One thread at a time may use this; a second thread gets an [IllegalStateException].
public final class SortedOperations extends HostSortedOperations implements AutoCloseable {
    private final Engines engines;
    private final SortedColumns<DeviceMemory> columns;

    /// @param listener watches the operations; null for none
    SortedOperations(
            ElementType key,
            List<ElementType> payloads,
            Order order,
            Engines engines,
            int cpuThreads,
            @Nullable SortListener listener) {
        super(key, payloads, order, cpuThreads, listener);
        this.engines = engines;
        this.columns = new SortedColumns<>(key, payloads, SortedColumns.OnDevice.DEVICE);
    }

    /// Returns what the engines are made for: sorts by index.
    static GpuSortSpec spec(ElementType key, Order order) {
        return new GpuSortSpec(key, List.of(), order, true);
    }

    static void requireAsMany(List<?> inputs, List<?> payloads) {
        if (inputs.size() != Objects.requireNonNull(payloads, "payloads").size()) {
            throw new IllegalArgumentException(inputs.size() + " inputs and payloads of " + payloads.size()
                    + ": give a list of payloads for each input, which may be empty");
        }
    }

    /// Returns an input of a merge, which must not be null.
    static <M> M named(M input, int number) {
        return Objects.requireNonNull(input, () -> "input " + number);
    }

    /// Returns the type of the bounds of this many queries that have these bytes in all.
    static ElementType boundType(long bytes, long queries) {
        return DeviceChecks.indexBytes("bounds", bytes, queries, "queries") == Integer.BYTES
                ? ElementType.INT
                : ElementType.LONG;
    }

    /// Returns the type of the keys.
    public ElementType keyType() {
        return key;
    }

    /// Returns the types of the payloads, in their order; empty if there are none.
    public List<ElementType> payloadTypes() {
        return payloadTypes;
    }

    private GpuSortedOperations gpuFor(List<DeviceMemory> memory) {
        DeviceMemory[] others = memory.subList(1, memory.size()).toArray(DeviceMemory[]::new);
        return engines.gpuArgsortFor(memory.getFirst(), others).sortedOperations();
    }

    private static long[] addresses(List<DeviceMemory> columns) {
        return columns.stream().mapToLong(DeviceMemory::address).toArray();
    }

    @SafeVarargs
    private static List<DeviceMemory> all(List<DeviceMemory>... lists) {
        List<DeviceMemory> all = new ArrayList<>();
        for (List<DeviceMemory> list : lists) {
            all.addAll(list);
        }
        return all;
    }

    /// Merges sorted inputs in device memory, as [#merge(List, List, java.lang.foreign.MemorySegment, List)] does in
    /// host memory.
    ///
    /// @param target room for exactly the keys of all inputs
    public SortReport merge(List<DeviceMemory> inputs, DeviceMemory target) {
        return merge(inputs, Collections.nCopies(inputs.size(), List.of()), target, List.of());
    }

    /// Merges sorted inputs with payloads in device memory, which move along with their keys.
    ///
    /// @param payloads       for each input as many columns as there are payload types
    /// @param payloadTargets as many columns, each with room for the payloads of all inputs
    public SortReport merge(
            List<DeviceMemory> inputs,
            List<List<DeviceMemory>> payloads,
            DeviceMemory target,
            List<DeviceMemory> payloadTargets) {
        requireAsMany(inputs, payloads);
        List<List<DeviceMemory>> all = new ArrayList<>();
        List<DeviceMemory> memory = new ArrayList<>();
        long[] counts = new long[inputs.size()];
        long sum = 0;
        for (int i = 0; i < counts.length; i++) {
            all.add(columns.input(named(inputs.get(i), i), payloads.get(i)));
            memory.addAll(all.get(i));
            counts[i] = columns.count(inputs.get(i));
            sum += counts[i];
        }
        List<DeviceMemory> targets = columns.targets(target, payloadTargets, all);
        columns.requireRoom(targets, sum);
        memory.addAll(targets);
        long[][] sources = all.stream().map(SortedOperations::addresses).toArray(long[][]::new);
        return user.reading(sum, () -> gpuFor(memory).merge(sources, counts, columns.bytes(), addresses(targets)));
    }

    /// Writes the first key of each run of equal keys in device memory, so that sorted keys become distinct.
    ///
    /// @return how many there are
    /// @throws IllegalArgumentException also if `target` has too little room: it then holds anything
    public long unique(DeviceMemory keys, DeviceMemory target) {
        return unique(keys, List.of(), target, List.of());
    }

    /// Writes the first key of each run of equal keys in device memory, and its payloads.
    ///
    /// @return how many there are
    /// @throws IllegalArgumentException also if targets have too little room: they then hold anything
    public long unique(
            DeviceMemory keys, List<DeviceMemory> payloads, DeviceMemory target, List<DeviceMemory> payloadTargets) {
        List<DeviceMemory> input = columns.input(keys, payloads);
        List<DeviceMemory> targets = columns.targets(target, payloadTargets, List.of(input));
        long room = columns.room(targets);
        long count = columns.count(keys);
        long found = user.reading(
                count,
                () -> gpuFor(all(input, targets))
                        .unique(addresses(input), columns.bytes(), count, addresses(targets), room));
        return columns.fitting("distinct keys", found, targets);
    }

    /// Writes the first key of each run of equal keys in device memory, and how many keys the run has.
    ///
    /// @param countType [ElementType#INT] or [ElementType#LONG]
    /// @return how many runs there are
    /// @throws IllegalArgumentException also if there are payloads, `target` or `counts` has too little room (both then
    ///     hold anything), or an int cannot hold the number of keys
    public long counts(DeviceMemory keys, DeviceMemory target, ElementType countType, DeviceMemory counts) {
        Segments.requireNoPayloads(Role.SORTED_OPERATIONS, "counts", payloadTypes);
        long count = columns.count(keys);
        List<DeviceMemory> targets = columns.targets(target, List.of(), List.of(List.of(keys)));
        long targetRoom = columns.room(targets);
        long room = Math.min(targetRoom, columns.numbers("counts", counts, countType, count, keys));
        DeviceChecks.checkApart("counts", counts, "target", target);
        long found = user.reading(
                count,
                () -> gpuFor(List.of(keys, target, counts))
                        .counts(keys.address(), count, target.address(), room, counts.address(), countType.byteSize()));
        return SortedColumns.fitting(
                "distinct keys", found, room == targetRoom ? "target" : "memory of the counts", room);
    }

    /// Writes where each run of equal keys in device memory begins, and at last the number of keys: the offsets that
    /// [SegmentedSorter] takes. That one takes all offsets that memory has, so give it a slice of one more than this
    /// returns.
    ///
    /// @param offsetType [ElementType#INT] or [ElementType#LONG]
    /// @param offsets    room for one offset more than there are runs
    /// @return how many runs there are
    /// @throws IllegalArgumentException also if `offsets` has too little room (it then holds anything), or an int
    ///     cannot hold the number of keys
    public long groups(DeviceMemory keys, ElementType offsetType, DeviceMemory offsets) {
        long count = columns.count(keys);
        long room = columns.numbers("offsets", offsets, offsetType, count, keys);
        long found = user.reading(
                count,
                () -> gpuFor(List.of(keys, offsets))
                        .groups(keys.address(), count, offsets.address(), offsetType.byteSize(), room));
        SortedColumns.fitting("offsets", found + 1, "memory of the offsets", room);
        return found;
    }

    /// Writes for each query in device memory how many keys come before it.
    ///
    /// @param queries in any order
    /// @param bounds  an int or a long for each query, whichever the size of the memory fits
    /// @throws IllegalArgumentException also if an int cannot hold the number of keys
    public SortReport lowerBounds(DeviceMemory keys, DeviceMemory queries, DeviceMemory bounds) {
        return bounds(keys, queries, bounds, false);
    }

    /// Writes for each query in device memory how many keys do not come after it, in the same way as
    /// [#lowerBounds(DeviceMemory, DeviceMemory, DeviceMemory)].
    public SortReport upperBounds(DeviceMemory keys, DeviceMemory queries, DeviceMemory bounds) {
        return bounds(keys, queries, bounds, true);
    }

    private SortReport bounds(DeviceMemory keys, DeviceMemory queries, DeviceMemory bounds, boolean isUpper) {
        long keyCount = columns.count(keys);
        long count = DeviceChecks.count("queries", queries, key);
        ElementType type = boundType(Objects.requireNonNull(bounds, "bounds").byteSize(), count);
        columns.numbers("bounds", bounds, type, keyCount, keys);
        DeviceChecks.checkApart("bounds", bounds, "queries", queries);
        return user.reading(
                count,
                () -> gpuFor(List.of(keys, queries, bounds))
                        .bounds(
                                keys.address(),
                                keyCount,
                                queries.address(),
                                count,
                                bounds.address(),
                                type.byteSize(),
                                isUpper));
    }

    /// Writes the union of two sorted inputs in device memory as multisets, as
    /// [#union(java.lang.foreign.MemorySegment, java.lang.foreign.MemorySegment, java.lang.foreign.MemorySegment)] does
    /// in host memory.
    public long union(DeviceMemory first, DeviceMemory second, DeviceMemory target) {
        return union(first, List.of(), second, List.of(), target, List.of());
    }

    /// Writes the union of two sorted inputs with payloads in device memory, which move along with their keys.
    public long union(
            DeviceMemory first,
            List<DeviceMemory> firstPayloads,
            DeviceMemory second,
            List<DeviceMemory> secondPayloads,
            DeviceMemory target,
            List<DeviceMemory> payloadTargets) {
        return combine(SetOperation.UNION, first, firstPayloads, second, secondPayloads, target, payloadTargets);
    }

    /// Writes the intersection of two sorted inputs in device memory as multisets, as [#intersection(
    /// java.lang.foreign.MemorySegment, java.lang.foreign.MemorySegment, java.lang.foreign.MemorySegment)] does in host
    /// memory.
    public long intersection(DeviceMemory first, DeviceMemory second, DeviceMemory target) {
        return intersection(first, List.of(), second, List.of(), target, List.of());
    }

    /// Writes the intersection of two sorted inputs with payloads in device memory; those of the first move along.
    /// Those of the second are not read, but must be given.
    public long intersection(
            DeviceMemory first,
            List<DeviceMemory> firstPayloads,
            DeviceMemory second,
            List<DeviceMemory> secondPayloads,
            DeviceMemory target,
            List<DeviceMemory> payloadTargets) {
        return combine(SetOperation.INTERSECTION, first, firstPayloads, second, secondPayloads, target, payloadTargets);
    }

    /// Writes the difference of two sorted inputs in device memory as multisets, as [#difference(
    /// java.lang.foreign.MemorySegment, java.lang.foreign.MemorySegment, java.lang.foreign.MemorySegment)] does in host
    /// memory.
    public long difference(DeviceMemory first, DeviceMemory second, DeviceMemory target) {
        return difference(first, List.of(), second, List.of(), target, List.of());
    }

    /// Writes the difference of two sorted inputs with payloads in device memory; those of the first move along. Those
    /// of the second are not read, but must be given.
    public long difference(
            DeviceMemory first,
            List<DeviceMemory> firstPayloads,
            DeviceMemory second,
            List<DeviceMemory> secondPayloads,
            DeviceMemory target,
            List<DeviceMemory> payloadTargets) {
        return combine(SetOperation.DIFFERENCE, first, firstPayloads, second, secondPayloads, target, payloadTargets);
    }

    private long combine(
            SetOperation operation,
            DeviceMemory first,
            List<DeviceMemory> firstPayloads,
            DeviceMemory second,
            List<DeviceMemory> secondPayloads,
            DeviceMemory target,
            List<DeviceMemory> payloadTargets) {
        List<DeviceMemory> one = columns.input(first, firstPayloads);
        List<DeviceMemory> other = columns.input(second, secondPayloads);
        List<DeviceMemory> targets = columns.targets(target, payloadTargets, List.of(one, other));
        long room = columns.room(targets);
        long count = columns.count(first);
        long otherCount = columns.count(second);
        long found = user.reading(
                count + otherCount,
                () -> gpuFor(all(one, other, targets))
                        .combine(
                                operation,
                                addresses(one),
                                count,
                                addresses(other),
                                otherCount,
                                columns.bytes(),
                                addresses(targets),
                                room));
        return columns.fitting("elements", found, targets);
    }

    /// Returns the index of the first key in device memory that comes before the one before it; -1 if all keys are in
    /// order.
    public long firstOutOfOrder(DeviceMemory keys) {
        long count = columns.count(keys);
        return user.reading(count, () -> gpuFor(List.of(keys)).firstOutOfOrder(keys.address(), count));
    }

    /// Gives back all memory. A second call does nothing.
    ///
    /// @throws IllegalStateException if an operation is under way
    @Override
    public void close() {
        user.close(engines::close);
    }
}
