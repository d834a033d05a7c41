package io.samplesort;

import io.samplesort.cpu.sorted.CpuSortedOperations;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.memory.SetOperation;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortListener;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The methods of [SortedOperations] for host memory, which work on the CPU, whatever the device. Segments may be what
/// [Sorter] takes.
///
/// All of them throw these exceptions before anything is changed: an [IllegalArgumentException] if a size does not fit,
/// keys are not aligned as [Sorter] says, a target is read-only, or overlaps an input or another target, or the number
/// of payloads is not that of this object; an [IllegalStateException] if this object is closed or at work already, or a
/// segment belongs to a closed arena; and a [WrongThreadException] if a segment is confined to another thread.
public abstract sealed class HostSortedOperations permits SortedOperations {
    final ElementType key;
    final List<ElementType> payloadTypes;
    final OneUser user;
    private final Order order;
    private final int cpuThreads;
    private final SortedColumns<MemorySegment> columns;
    private final SortedColumns<MemorySegment> keysAlone;
    private @Nullable CpuSortedOperations cpu;

    HostSortedOperations(
            ElementType key, List<ElementType> payloads, Order order, int cpuThreads, @Nullable SortListener listener) {
        this.key = key;
        this.payloadTypes = payloads;
        this.order = order;
        this.cpuThreads = Math.min(cpuThreads, Parallel.commonParallelism());
        this.user = new OneUser(Role.SORTED_OPERATIONS, listener);
        this.columns = new SortedColumns<>(key, payloads, SortedColumns.Host.HOST);
        this.keysAlone = new SortedColumns<>(key, List.of(), SortedColumns.Host.HOST);
    }

    private CpuSortedOperations cpu() {
        if (cpu == null) {
            cpu = new CpuSortedOperations(key, order, cpuThreads);
        }
        return cpu;
    }

    private MemorySegment forCpu(MemorySegment segment, long count) {
        return Segments.forCpu(segment, count, order);
    }

    private List<MemorySegment> forCpu(List<MemorySegment> segments, long count) {
        List<MemorySegment> taken = new ArrayList<>();
        segments.forEach(segment -> taken.add(forCpu(segment, count)));
        return taken;
    }

    private long count(MemorySegment keys) {
        long count = columns.count(keys);
        Segments.checkAlignment("keys", keys, key, order);
        return count;
    }

    private List<MemorySegment> input(MemorySegment keys, List<MemorySegment> payloads) {
        List<MemorySegment> input = columns.input(keys, payloads);
        Segments.checkAlignment("keys", keys, key, order);
        return input;
    }

    /// Merges sorted inputs, any number of them, to one sorted target. Of equal keys, those of earlier inputs come
    /// first. If an input is not sorted, the target has all keys even so.
    ///
    /// @param target room for exactly the keys of all inputs
    public SortReport merge(List<MemorySegment> inputs, MemorySegment target) {
        return merge(inputs, Collections.nCopies(inputs.size(), List.of()), target, List.of());
    }

    /// Merges sorted inputs with payloads, which move along with their keys.
    ///
    /// @param payloads       for each input as many segments as there are payload types
    /// @param payloadTargets as many segments, each with room for the payloads of all inputs
    public SortReport merge(
            List<MemorySegment> inputs,
            List<List<MemorySegment>> payloads,
            MemorySegment target,
            List<MemorySegment> payloadTargets) {
        SortedOperations.requireAsMany(inputs, payloads);
        List<List<MemorySegment>> all = new ArrayList<>();
        long sum = 0;
        for (int i = 0; i < inputs.size(); i++) {
            all.add(input(SortedOperations.named(inputs.get(i), i), payloads.get(i)));
            sum += count(inputs.get(i));
        }
        long count = sum;
        List<MemorySegment> targets = columns.targets(target, payloadTargets, all);
        columns.requireRoom(targets, count);
        return user.reading(count, () -> {
            List<List<MemorySegment>> taken =
                    all.stream().map(input -> forCpu(input, count)).toList();
            return cpu().merge(taken, columns.bytes(), forCpu(targets, count));
        });
    }

    /// Writes the first key of each run of equal keys, so that sorted keys become distinct.
    ///
    /// @return how many there are
    /// @throws IllegalArgumentException also if `target` has too little room: it then holds anything
    public long unique(MemorySegment keys, MemorySegment target) {
        return unique(keys, List.of(), target, List.of());
    }

    /// Writes the first key of each run of equal keys, and its payloads.
    ///
    /// @return how many there are
    /// @throws IllegalArgumentException also if targets have too little room: they then hold anything
    public long unique(
            MemorySegment keys,
            List<MemorySegment> payloads,
            MemorySegment target,
            List<MemorySegment> payloadTargets) {
        List<MemorySegment> input = input(keys, payloads);
        List<MemorySegment> targets = columns.targets(target, payloadTargets, List.of(input));
        long room = columns.room(targets);
        long count = count(keys);
        long found = user.reading(
                count, () -> cpu().unique(forCpu(input, count), columns.bytes(), forCpu(targets, count), room));
        return columns.fitting("distinct keys", found, targets);
    }

    /// Writes the first key of each run of equal keys, and how many keys the run has.
    ///
    /// @param countType [ElementType#INT] or [ElementType#LONG]
    /// @return how many runs there are
    /// @throws IllegalArgumentException also if there are payloads, `target` or `counts` has too little room (both then
    ///     hold anything), or an int cannot hold the number of keys
    public long counts(MemorySegment keys, MemorySegment target, ElementType countType, MemorySegment counts) {
        Segments.requireNoPayloads(Role.SORTED_OPERATIONS, "counts", payloadTypes);
        long count = count(keys);
        List<MemorySegment> targets = columns.targets(target, List.of(), List.of(List.of(keys)));
        long targetRoom = columns.room(targets);
        long room = Math.min(targetRoom, columns.numbers("counts", counts, countType, count, keys));
        Segments.checkApart("counts", counts, "target", target);
        long found = user.reading(
                count,
                () -> cpu().counts(
                                forCpu(keys, count),
                                forCpu(target, count),
                                forCpu(counts, count),
                                countType.byteSize(),
                                room));
        return SortedColumns.fitting(
                "distinct keys", found, room == targetRoom ? "target" : "memory of the counts", room);
    }

    /// Writes where each run of equal keys begins, and at last the number of keys: the offsets that
    /// [io.samplesort.types.SegmentOffsets] takes. If there are no keys, this is one offset, 0.
    ///
    /// @param offsetType [ElementType#INT] or [ElementType#LONG]
    /// @param offsets    room for one offset more than there are runs
    /// @return how many runs there are
    /// @throws IllegalArgumentException also if `offsets` has too little room (it then holds anything), or an int
    ///     cannot hold the number of keys
    public long groups(MemorySegment keys, ElementType offsetType, MemorySegment offsets) {
        long count = count(keys);
        long room = columns.numbers("offsets", offsets, offsetType, count, keys);
        long found = user.reading(
                count, () -> cpu().groups(forCpu(keys, count), forCpu(offsets, count), offsetType.byteSize(), room));
        SortedColumns.fitting("offsets", found + 1, "memory of the offsets", room);
        return found;
    }

    /// Writes for each query how many keys come before it: the index where it would stand as the first of its equals.
    ///
    /// @param queries in any order; if they are in that of the keys, this takes less time
    /// @param bounds  an int or a long for each query, whichever the size of the segment fits
    /// @throws IllegalArgumentException also if an int cannot hold the number of keys
    public SortReport lowerBounds(MemorySegment keys, MemorySegment queries, MemorySegment bounds) {
        return bounds(keys, queries, bounds, false);
    }

    /// Writes for each query how many keys do not come after it, in the same way as
    /// [#lowerBounds(MemorySegment, MemorySegment, MemorySegment)].
    public SortReport upperBounds(MemorySegment keys, MemorySegment queries, MemorySegment bounds) {
        return bounds(keys, queries, bounds, true);
    }

    private SortReport bounds(MemorySegment keys, MemorySegment queries, MemorySegment bounds, boolean isUpper) {
        long keyCount = count(keys);
        long count = SortedColumns.Host.HOST.input("queries", queries, key);
        Segments.checkAlignment("queries", queries, key, order);
        ElementType type = SortedOperations.boundType(
                Objects.requireNonNull(bounds, "bounds").byteSize(), count);
        keysAlone.numbers("bounds", bounds, type, keyCount, keys);
        Segments.checkApart("bounds", bounds, "queries", queries);
        long most = Math.max(count, keyCount);
        return user.reading(
                count,
                () -> cpu().bounds(
                                forCpu(keys, most),
                                forCpu(queries, most),
                                forCpu(bounds, most),
                                type.byteSize(),
                                isUpper));
    }

    /// Writes the union of two sorted inputs as multisets, sorted: a key that is there `a` times in the first and `b`
    /// times in the second is there max(a, b) times. All elements of the first input are taken, and of `b` equal ones
    /// of the second the last `b - a`.
    ///
    /// @return how many elements there are
    /// @throws IllegalArgumentException also if `target` has too little room: it then holds anything
    public long union(MemorySegment first, MemorySegment second, MemorySegment target) {
        return union(first, List.of(), second, List.of(), target, List.of());
    }

    /// Writes the union of two sorted inputs with payloads, which move along with their keys.
    public long union(
            MemorySegment first,
            List<MemorySegment> firstPayloads,
            MemorySegment second,
            List<MemorySegment> secondPayloads,
            MemorySegment target,
            List<MemorySegment> payloadTargets) {
        return combine(
                SetOperation.UNION, input(first, firstPayloads), input(second, secondPayloads), target, payloadTargets);
    }

    /// Writes the intersection of two sorted inputs as multisets, sorted: a key that is there `a` times in the first
    /// and `b` times in the second is there min(a, b) times. These are the first ones of the first input.
    ///
    /// @return how many elements there are
    /// @throws IllegalArgumentException also if `target` has too little room: it then holds anything
    public long intersection(MemorySegment first, MemorySegment second, MemorySegment target) {
        return intersection(first, List.of(), second, List.of(), target, List.of());
    }

    /// Writes the intersection of two sorted inputs with payloads; those of the first input move along. Those of the
    /// second are not read, but must be given.
    public long intersection(
            MemorySegment first,
            List<MemorySegment> firstPayloads,
            MemorySegment second,
            List<MemorySegment> secondPayloads,
            MemorySegment target,
            List<MemorySegment> payloadTargets) {
        return combine(
                SetOperation.INTERSECTION,
                input(first, firstPayloads),
                input(second, secondPayloads),
                target,
                payloadTargets);
    }

    /// Writes what the first of two sorted inputs has more than the second, as multisets, sorted: a key that is there
    /// `a` times in the first and `b` times in the second is there max(a - b, 0) times. These are the last ones of the
    /// first input.
    ///
    /// @return how many elements there are
    /// @throws IllegalArgumentException also if `target` has too little room: it then holds anything
    public long difference(MemorySegment first, MemorySegment second, MemorySegment target) {
        return difference(first, List.of(), second, List.of(), target, List.of());
    }

    /// Writes the difference of two sorted inputs with payloads; those of the first input move along. Those of the
    /// second are not read, but must be given.
    public long difference(
            MemorySegment first,
            List<MemorySegment> firstPayloads,
            MemorySegment second,
            List<MemorySegment> secondPayloads,
            MemorySegment target,
            List<MemorySegment> payloadTargets) {
        return combine(
                SetOperation.DIFFERENCE,
                input(first, firstPayloads),
                input(second, secondPayloads),
                target,
                payloadTargets);
    }

    private long combine(
            SetOperation operation,
            List<MemorySegment> first,
            List<MemorySegment> second,
            MemorySegment target,
            List<MemorySegment> payloadTargets) {
        List<MemorySegment> targets = columns.targets(target, payloadTargets, List.of(first, second));
        long room = columns.room(targets);
        long count = count(first.getFirst()) + count(second.getFirst());
        long found = user.reading(
                count,
                () -> cpu().combine(
                                operation,
                                forCpu(first, count),
                                forCpu(second, count),
                                columns.bytes(),
                                forCpu(targets, count),
                                room));
        return columns.fitting("elements", found, targets);
    }

    /// Returns the index of the first key that comes before the one before it; -1 if all keys are in order.
    public long firstOutOfOrder(MemorySegment keys) {
        long count = count(keys);
        return user.reading(count, () -> cpu().firstOutOfOrder(forCpu(keys, count)));
    }
}
