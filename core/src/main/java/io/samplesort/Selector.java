package io.samplesort;

import io.samplesort.cpu.select.CpuSelector;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.gpu.GpuSelector;
import io.samplesort.gpu.GpuSortSpec;
import io.samplesort.memory.ArrayRange;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortListener;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Selects elements by their places in sorted order, without sorting the others: the first or the last k, in order, or
/// those of given ranks, such as the median. [SorterBuilder#buildSelector] builds one. For a small k this takes about
/// as long as reading the elements once, and memory for k elements and some thousands more; for a k above a quarter of
/// them, all are sorted, in a copy. The input is never changed.
///
/// The result is that of a stable sort: elements come in the order of the [Order], and of equal elements, the one with
/// the smaller index comes first. It is the same on every device and in every run. An order of your own that
/// contradicts itself gives some k different elements.
///
/// Elements in host memory are selected on the CPU, whatever the device: the way to a GPU takes longer than reading
/// them here. Those in device memory are selected on their GPU, of which there are at most 2^32 - 2. If the CPU has to
/// sort all elements by index, it takes at most 2^31 - 9.
///
/// Segments may be what [Sorter] takes. A target has room for exactly k elements; if there are fewer, the rest of it
/// stays as it is. If a selection fails, targets may hold anything.
///
/// A selector works for one thread at a time; a second thread gets an [IllegalStateException].
public final class Selector extends ArraySelector implements AutoCloseable {
    private final ElementType key;
    private final List<ElementType> payloads;
    private final Order order;
    private final Engines engines;
    private final int cpuThreads;
    private final OneUser user;
    private @Nullable CpuSelector cpu;

    /// @param listener watches the selections; null for none
    Selector(
            ElementType key,
            List<ElementType> payloads,
            Order order,
            Engines engines,
            int cpuThreads,
            @Nullable SortListener listener) {
        this.key = key;
        this.payloads = payloads;
        this.order = order;
        this.engines = engines;
        this.cpuThreads = Math.min(cpuThreads, Parallel.commonParallelism());
        this.user = new OneUser(Role.SELECTOR, listener);
    }

    /// Returns what the engines of a selector are made for: sorts by index.
    static GpuSortSpec spec(ElementType key, Order order) {
        return new GpuSortSpec(key, List.of(), order, true);
    }

    /// Writes the `k` keys that come first to `target`, in order.
    ///
    /// @param k      not negative
    /// @param target room for `k` keys
    /// @throws IllegalArgumentException if `k` is negative, a size does not fit, the keys are not aligned as [Sorter]
    ///     says, the target is read-only or overlaps the keys, this selector is for elements with payloads, or there
    ///     are more elements than the CPU takes
    /// @throws IllegalStateException    if this selector is closed or is selecting already, or a segment belongs to a
    ///     closed arena
    /// @throws WrongThreadException     if a segment is confined to another thread
    /// @throws OutOfMemoryError         if there is too little host memory
    public SortReport first(MemorySegment keys, long k, MemorySegment target) {
        return first(keys, List.of(), k, target, List.of());
    }

    /// Writes the `k` keys that come last to `target`, in order, so that the very last one is at the end.
    ///
    /// @param target room for `k` keys
    /// @throws IllegalArgumentException as by [#first(MemorySegment, long, MemorySegment)]
    /// @throws IllegalStateException    as by [#first(MemorySegment, long, MemorySegment)]
    /// @throws WrongThreadException     if a segment is confined to another thread
    public SortReport last(MemorySegment keys, long k, MemorySegment target) {
        return last(keys, List.of(), k, target, List.of());
    }

    /// Writes the `k` keys that come first to `target`, and their payloads to other targets.
    ///
    /// @param payloads       as many segments as this selector has payload types, each with a payload for each key
    /// @param payloadTargets as many segments, each with room for `k` payloads
    /// @throws IllegalArgumentException as by [#first(MemorySegment, long, MemorySegment)], or if this selector is for
    ///     another number of payloads, or targets overlap
    /// @throws IllegalStateException    as by [#first(MemorySegment, long, MemorySegment)]
    /// @throws WrongThreadException     if a segment is confined to another thread
    public SortReport first(
            MemorySegment keys,
            List<MemorySegment> payloads,
            long k,
            MemorySegment target,
            List<MemorySegment> payloadTargets) {
        return select(keys, payloads, k, false, target, payloadTargets);
    }

    /// Writes the `k` keys that come last to `target`, and their payloads to other targets, as
    /// [#first(MemorySegment, List, long, MemorySegment, List)] does with those that come first.
    public SortReport last(
            MemorySegment keys,
            List<MemorySegment> payloads,
            long k,
            MemorySegment target,
            List<MemorySegment> payloadTargets) {
        return select(keys, payloads, k, true, target, payloadTargets);
    }

    private SortReport select(
            MemorySegment keys,
            List<MemorySegment> payloads,
            long k,
            boolean isLast,
            MemorySegment target,
            List<MemorySegment> payloadTargets) {
        long count = checkKeys(keys);
        Ranks ranks = Ranks.of(count, k, isLast);
        SelectionColumns columns = new SelectionColumns(key, this.payloads);
        columns.check(keys, payloads, k, target, payloadTargets);
        return user.reading(
                count,
                () -> cpu().select(
                                forCpu(columns.all(keys, payloads), count),
                                columns.bytes(),
                                ranks.from(),
                                ranks.to(),
                                columns.all(target, payloadTargets)));
    }

    private long checkKeys(MemorySegment keys) {
        Segments.checkAlignment("keys", Segments.checkReadable("keys", keys, key), key, order);
        return keys.byteSize() / key.byteSize();
    }

    private List<MemorySegment> forCpu(List<MemorySegment> columns, long count) {
        List<MemorySegment> taken = new ArrayList<>();
        columns.forEach(column -> taken.add(Segments.forCpu(column, count, order)));
        return taken;
    }

    private CpuSelector cpu() {
        if (cpu == null) {
            cpu = new CpuSelector(key, order, cpuThreads);
        }
        return cpu;
    }

    /// Writes the indexes of the `k` elements that come first, in the order of these.
    ///
    /// @param indexes room for `k` ints or longs
    /// @throws IllegalArgumentException as by [#first(MemorySegment, long, MemorySegment)]
    /// @throws IllegalStateException    as by [#first(MemorySegment, long, MemorySegment)]
    /// @throws WrongThreadException     if a segment is confined to another thread
    public SortReport argfirst(MemorySegment elements, long k, MemorySegment indexes) {
        return argselect(elements, k, false, indexes);
    }

    /// Writes the indexes of the `k` elements that come last, as [#argfirst(MemorySegment, long, MemorySegment)] does.
    public SortReport arglast(MemorySegment elements, long k, MemorySegment indexes) {
        return argselect(elements, k, true, indexes);
    }

    private SortReport argselect(MemorySegment elements, long k, boolean isLast, MemorySegment indexes) {
        Segments.requireNoPayloads(Role.SELECTOR, isLast ? "arglast" : "argfirst", payloads);
        long count = checkKeys(elements);
        Ranks ranks = Ranks.of(count, k, isLast);
        SelectionColumns.checkIndexes(elements, k, indexes);
        return user.reading(
                count,
                () -> cpu().argselect(
                                Segments.forCpu(elements, count, order),
                                ranks.from(),
                                ranks.to(),
                                indexes.asSlice(
                                        0, ranks.count() * SelectionColumns.indexBytes(indexes.byteSize(), k))));
    }

    /// Writes the key of this rank: that at place `rank`, from 0 on, of the sorted keys.
    ///
    /// @param target room for one key
    /// @throws IndexOutOfBoundsException if there is no such place
    /// @throws IllegalArgumentException  as by [#first(MemorySegment, long, MemorySegment)]
    /// @throws IllegalStateException     as by [#first(MemorySegment, long, MemorySegment)]
    /// @throws WrongThreadException      if a segment is confined to another thread
    public SortReport nth(MemorySegment keys, long rank, MemorySegment target) {
        Objects.checkIndex(rank, checkKeys(keys));
        return ofRanks(keys, target, rank);
    }

    /// Writes quantiles by the rule of the nearest rank, as [#quantiles(byte[], double...)] says.
    ///
    /// @param target room for as many keys as there are quantiles
    /// @throws IllegalArgumentException if there are quantiles but no keys, one is not from 0 to 1, or as by
    ///     [#first(MemorySegment, long, MemorySegment)]
    /// @throws IllegalStateException    as by [#first(MemorySegment, long, MemorySegment)]
    /// @throws WrongThreadException     if a segment is confined to another thread
    public SortReport quantiles(MemorySegment keys, MemorySegment target, double... quantiles) {
        return ofRanks(keys, target, Ranks.ofQuantiles(quantiles, checkKeys(keys)));
    }

    private SortReport ofRanks(MemorySegment keys, MemorySegment target, long... ranks) {
        SelectionColumns columns = new SelectionColumns(key, payloads);
        columns.check(keys, List.of(), ranks.length, target, List.of());
        long count = keys.byteSize() / key.byteSize();
        return user.reading(
                count,
                () -> each(
                        ranks,
                        place -> cpu().select(
                                        forCpu(List.of(keys), count),
                                        columns.bytes(),
                                        ranks[(int) place],
                                        ranks[(int) place] + 1,
                                        List.of(target.asSlice(place * key.byteSize(), key.byteSize())))));
    }

    /// Selects the element of each rank, and returns one report of all of these selections.
    private SortReport each(long[] ranks, LongFunction<SortReport> select) {
        SortReport last = null;
        Duration total = Duration.ZERO;
        for (int i = 0; i < ranks.length; i++) {
            last = select.apply(i);
            total = total.plus(last.total());
        }
        return (last == null ? new SortReportBuilder("none") : new SortReportBuilder(last))
                .total(total)
                .build();
    }

    @Override
    Object selectArray(ElementType type, Object array, int k, boolean isLast) {
        ElementType taken = taken(type, array);
        MemorySegment keys = segment(array);
        long count = Math.min(Math.max(k, 0), keys.byteSize() / taken.byteSize());
        Ranks.of(count, k, isLast);
        Object selected = newArray(array, count * (taken.byteSize() / type.byteSize()));
        select(keys, List.of(), count, isLast, segment(selected), List.of());
        return selected;
    }

    @Override
    int[] argselectArray(ElementType type, Object array, int k, boolean isLast) {
        ElementType taken = taken(type, array);
        MemorySegment keys = segment(array);
        long count = Math.min(Math.max(k, 0), keys.byteSize() / taken.byteSize());
        Ranks.of(count, k, isLast);
        int[] indexes = new int[(int) count];
        argselect(keys, count, isLast, MemorySegment.ofArray(indexes));
        return indexes;
    }

    @Override
    Object numbersOfRanks(ElementType type, Object array, long... ranks) {
        Segments.requireKeys(Role.SELECTOR, key, type);
        Object selected = newArray(array, ranks.length);
        ofRanks(segment(array), segment(selected), ranks);
        return selected;
    }

    @Override
    Object quantilesOfArray(ElementType type, Object array, double... quantiles) {
        ElementType taken = taken(type, array);
        Object selected = newArray(array, (long) quantiles.length * (taken.byteSize() / type.byteSize()));
        quantiles(segment(array), segment(selected), quantiles);
        return selected;
    }

    /// Returns the type of the elements of an array: records in an array of bytes, if this selector is for records.
    private ElementType taken(ElementType type, Object array) {
        if (array instanceof byte[] && !key.isPrimitive()) {
            return key;
        }
        Segments.requireKeys(Role.SELECTOR, key, type);
        return type;
    }

    private static Object newArray(Object like, long length) {
        return Array.newInstance(like.getClass().getComponentType(), Math.toIntExact(length));
    }

    private static MemorySegment segment(Object array) {
        return new ArrayRange(array, 0, Array.getLength(array)).segment();
    }

    /// Writes the `k` keys in device memory that come first to `target`, in order, and waits until that is done.
    ///
    /// @param k      not negative
    /// @param target room for `k` keys on the same GPU
    /// @throws IllegalArgumentException          if `k` is negative, a size does not fit, the memory is of another GPU
    ///     or overlaps, or this selector is for elements with payloads
    /// @throws IllegalStateException             if this selector is for the CPU, is closed, or is selecting already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport first(DeviceMemory keys, long k, DeviceMemory target) {
        return select(keys, List.of(), k, false, target, List.of());
    }

    /// Writes the `k` keys in device memory that come last, as [#first(DeviceMemory, long, DeviceMemory)] does.
    public SortReport last(DeviceMemory keys, long k, DeviceMemory target) {
        return select(keys, List.of(), k, true, target, List.of());
    }

    /// Writes the `k` keys in device memory that come first, and their payloads to other targets, as
    /// [#first(MemorySegment, List, long, MemorySegment, List)] does in host memory.
    ///
    /// @throws IllegalArgumentException          as by [#first(DeviceMemory, long, DeviceMemory)], or if this selector
    ///     is for another number of payloads
    /// @throws IllegalStateException             if this selector is for the CPU, is closed, or is selecting already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport first(
            DeviceMemory keys,
            List<DeviceMemory> payloads,
            long k,
            DeviceMemory target,
            List<DeviceMemory> payloadTargets) {
        return select(keys, payloads, k, false, target, payloadTargets);
    }

    /// Writes the `k` keys in device memory that come last, and their payloads to other targets.
    public SortReport last(
            DeviceMemory keys,
            List<DeviceMemory> payloads,
            long k,
            DeviceMemory target,
            List<DeviceMemory> payloadTargets) {
        return select(keys, payloads, k, true, target, payloadTargets);
    }

    private SortReport select(
            DeviceMemory keys,
            List<DeviceMemory> payloads,
            long k,
            boolean isLast,
            DeviceMemory target,
            List<DeviceMemory> payloadTargets) {
        long count = DeviceChecks.count("keys", keys, key);
        Ranks ranks = Ranks.of(count, k, isLast);
        SelectionColumns columns = new SelectionColumns(key, this.payloads);
        columns.check(keys, payloads, k, target, payloadTargets);
        long[] sources = SelectionColumns.addresses(keys, payloads);
        long[] targets = SelectionColumns.addresses(target, payloadTargets);
        return user.reading(
                count,
                () -> gpuFor(keys, target).select(sources, columns.bytes(), count, ranks.from(), ranks.to(), targets));
    }

    private GpuSelector gpuFor(DeviceMemory memory, DeviceMemory other) {
        return engines.gpuArgsortFor(memory, other).selector();
    }

    /// Writes the indexes of the `k` elements in device memory that come first, in the order of these.
    ///
    /// @param indexes room for `k` ints or longs on the same GPU
    /// @throws IllegalArgumentException          as by [#first(DeviceMemory, long, DeviceMemory)]
    /// @throws IllegalStateException             if this selector is for the CPU, is closed, or is selecting already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport argfirst(DeviceMemory elements, long k, DeviceMemory indexes) {
        return argselect(elements, k, false, indexes);
    }

    /// Writes the indexes of the `k` elements in device memory that come last, in the order of these.
    public SortReport arglast(DeviceMemory elements, long k, DeviceMemory indexes) {
        return argselect(elements, k, true, indexes);
    }

    private SortReport argselect(DeviceMemory elements, long k, boolean isLast, DeviceMemory indexes) {
        Segments.requireNoPayloads(Role.SELECTOR, isLast ? "arglast" : "argfirst", payloads);
        long count = DeviceChecks.count("elements", elements, key);
        Ranks ranks = Ranks.of(count, k, isLast);
        int indexBytes = DeviceChecks.indexBytes("indexes", indexes, k, "wanted elements");
        DeviceChecks.checkApart("elements", elements, "indexes", indexes);
        return user.reading(
                count,
                () -> gpuFor(elements, indexes)
                        .argselect(
                                elements.address(),
                                key.byteSize(),
                                count,
                                ranks.from(),
                                ranks.to(),
                                indexes.address(),
                                indexBytes));
    }

    /// Writes the key of this rank in device memory, as [#nth(MemorySegment, long, MemorySegment)] does in host memory.
    ///
    /// @param target room for one key on the same GPU
    /// @throws IndexOutOfBoundsException         if there is no such place
    /// @throws IllegalArgumentException          as by [#first(DeviceMemory, long, DeviceMemory)]
    /// @throws IllegalStateException             if this selector is for the CPU, is closed, or is selecting already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport nth(DeviceMemory keys, long rank, DeviceMemory target) {
        Objects.checkIndex(rank, DeviceChecks.count("keys", keys, key));
        return ofRanks(keys, target, rank);
    }

    /// Writes quantiles of keys in device memory, as [#quantiles(MemorySegment, MemorySegment, double...)] does in host
    /// memory.
    ///
    /// @throws IllegalArgumentException          if a quantile is not from 0 to 1, or as by
    ///     [#first(DeviceMemory, long, DeviceMemory)]
    /// @throws IllegalStateException             if this selector is for the CPU, is closed, or is selecting already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport quantiles(DeviceMemory keys, DeviceMemory target, double... quantiles) {
        return ofRanks(keys, target, Ranks.ofQuantiles(quantiles, DeviceChecks.count("keys", keys, key)));
    }

    private SortReport ofRanks(DeviceMemory keys, DeviceMemory target, long... ranks) {
        SelectionColumns columns = new SelectionColumns(key, payloads);
        columns.check(keys, List.of(), ranks.length, target, List.of());
        long count = keys.byteSize() / key.byteSize();
        return user.reading(
                count,
                () -> each(
                        ranks,
                        place -> gpuFor(keys, target)
                                .select(
                                        new long[] {keys.address()},
                                        columns.bytes(),
                                        count,
                                        ranks[(int) place],
                                        ranks[(int) place] + 1,
                                        new long[] {target.address() + place * key.byteSize()})));
    }

    /// Returns how many bytes of host memory the CPU engine keeps for the next selection.
    long keptBytes() {
        return cpu == null ? 0 : cpu.keptBytes();
    }

    /// Gives everything back: kernels, device memory, buffers. A second call does nothing.
    ///
    /// @throws IllegalStateException if a selection is under way
    @Override
    public void close() {
        user.close(() -> {
            try (CpuSelector closed = cpu) {
                engines.close();
            }
        });
    }
}
