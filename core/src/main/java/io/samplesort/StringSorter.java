package io.samplesort;

import io.samplesort.cpu.records.Permutation;
import io.samplesort.cpu.strings.StringColumn;
import io.samplesort.gpu.rows.DeviceText;
import io.samplesort.memory.LargeMemory;
import io.samplesort.types.DistinctStrings;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortListener;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sorts strings of any length. [SorterBuilder#buildStrings] makes one. All sorts are stable: equal strings come in the
/// order of their indexes.
///
/// The result is a permutation ([#argsort]), the places of the strings in order ([#sortedPlaces]), or rewritten bytes
/// and offsets ([#sortedCopy], [#sorted]). A permutation also brings other columns into the order of the strings:
/// use [Sorter#applyPermutation] for numbers and records, [#applyPermutation] for strings and, in device memory, for
/// both.
///
/// Strings may lie in arrays, or in native or mapped segments. A segment that is confined to another thread is refused
/// with a [WrongThreadException]. On the CPU, a sort takes 8 bytes of heap for each string in addition to the result,
/// and about 3 MiB for each thread; the sorter keeps them for the next sort. Sorts never write to the strings, so a
/// failed sort leaves them as they were.
///
/// A sorter sorts for one thread at a time; a second thread gets an [IllegalStateException]. Any number of sorters may
/// work at once.
public final class StringSorter implements AutoCloseable {
    private static final int MOST_IN_ARRAY = Integer.MAX_VALUE - 8;

    private final StringOrder order;
    private final StringEngines engines;
    private final long mostInArray;
    private final OneUser user;

    /// @param listener watches the sorts; null for none
    StringSorter(StringOrder order, StringEngines engines, @Nullable SortListener listener) {
        this(order, engines, listener, MOST_IN_ARRAY);
    }

    /// @param mostInArray up to this many strings, the permutation of a sorted copy lies in an array, beyond that
    ///     outside of the heap
    StringSorter(StringOrder order, StringEngines engines, @Nullable SortListener listener, long mostInArray) {
        this.user = new OneUser(listener);
        this.order = order;
        this.engines = engines;
        this.mostInArray = mostInArray;
    }

    /// Returns the order of the strings.
    public StringOrder order() {
        return order;
    }

    /// Finds the order of fewer than 2^31 strings and leaves them where they are: afterwards `permutation[i]` is the
    /// index of the string that comes i-th in sorted order.
    ///
    /// @throws IllegalArgumentException if the permutation has another length than there are strings
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public SortReport argsort(Strings strings, int[] permutation) {
        if (permutation.length != strings.count()) {
            throw new IllegalArgumentException(
                    "the permutation has room for " + permutation.length + " of " + strings.count() + " strings");
        }
        return argsort(strings, MemorySegment.ofArray(permutation));
    }

    /// Finds the order of any number of strings, as [#argsort(Strings, int[])] does.
    ///
    /// @param permutation room for one `int` or one `long` for each string
    /// @throws IllegalArgumentException if the permutation is read-only or of another size, or overlaps the
    ///     strings
    /// @throws IllegalStateException    if this sorter is closed or is sorting already, or a segment belongs to a
    ///     closed arena
    /// @throws OutOfMemoryError         if there is too little memory; nothing has been written in that case
    public SortReport argsort(Strings strings, MemorySegment permutation) {
        StringArguments.check(strings);
        ElementType index = Segments.indexType(permutation.byteSize(), strings.count());
        Segments.check("permutation", permutation, index);
        StringArguments.checkApart(strings, "permutation", permutation);
        return user.reading(strings.count(), () -> argsort(StringArguments.forCpu(strings), permutation, index));
    }

    private SortReport argsort(Strings strings, MemorySegment permutation, ElementType index) {
        MemorySegment shared = Segments.forCpu(permutation, strings.count(), Order.natural());
        return engines.argsort(strings, shared, index.byteSize(), false);
    }

    /// Finds the order of strings as [#argsort(Strings, MemorySegment)] does, in native memory that belongs to the
    /// caller alone and stays allocated until this returns, whatever other threads do. This lets kernels sort them on
    /// the CPU where they lie.
    ///
    /// Nothing is checked: the process may end if offsets decrease or lie beyond the bytes, memory is freed meanwhile,
    /// or the permutation is too short.
    ///
    /// @param permutation room for one `int` for each string
    /// @throws IllegalStateException if this sorter is closed or is sorting already
    SortReport argsortOwned(Strings strings, MemorySegment permutation) {
        return user.reading(strings.count(), () -> engines.argsort(strings, permutation, Integer.BYTES, true));
    }

    /// Returns the order of fewer than 2^31 strings, as [#argsort(Strings, int[])] finds it, in a new array.
    ///
    /// @throws IllegalArgumentException if there are more strings
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public int[] argsort(Strings strings) {
        int[] permutation = HeapArrays.permutation(requireArray(strings), "argsort(strings, permutation)");
        argsort(strings, permutation);
        return permutation;
    }

    /// Returns the indexes of the `k` strings that come first, in the order of these, without sorting the others; all
    /// indexes if there are no more. Of equal strings, the one with the smaller index comes first. Strings in host
    /// memory are selected on the CPU, whatever the device, and for a small `k` most of them are read only in part. If
    /// more than a quarter of them is wanted, all are sorted.
    ///
    /// @param k not negative
    /// @throws IllegalArgumentException if `k` is negative, or there are 2^31 - 8 strings or more
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public int[] argfirst(Strings strings, int k) {
        return argselect(strings, k, false);
    }

    /// Returns the indexes of the `k` strings that come last, in the order of these, as [#argfirst] does, so that the
    /// very last one is at the end. Of equal strings, the one with the greater index comes last.
    ///
    /// @throws IllegalArgumentException as by [#argfirst]
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public int[] arglast(Strings strings, int k) {
        return argselect(strings, k, true);
    }

    private int[] argselect(Strings strings, int k, boolean isLast) {
        StringArguments.check(strings);
        if (strings.count() > MOST_IN_ARRAY) {
            throw new IllegalArgumentException(strings.count() + " strings: those of at most " + MOST_IN_ARRAY
                    + " can be selected, select from slices");
        }
        int wanted = (int) Ranks.of(strings.count(), k, isLast).count();
        return user.reading(
                strings.count(), () -> engines.cpu().argselect(StringArguments.forCpu(strings), wanted, isLast));
    }

    /// Returns whether the strings are in order already: none belongs before its left neighbour. All cores of the CPU
    /// look at them, whatever the device, even while this sorter sorts and after it is closed.
    ///
    /// @throws IllegalStateException if a segment belongs to a closed arena
    public boolean isSorted(Strings strings) {
        StringArguments.check(strings);
        return new StringColumn(StringArguments.forCpu(strings)).isSorted(order);
    }

    /// Finds where the strings lie in sorted order, and leaves them there: afterwards the string that comes i-th begins
    /// at `starts[i]` of [Strings#bytes] and has `lengths[i]` bytes, without its terminator.
    ///
    /// @param starts  room for one `long` for each string
    /// @param lengths room for one `long` for each string
    /// @throws IllegalArgumentException if a segment is read-only or of another size, or overlaps another
    /// @throws IllegalStateException    if this sorter is closed or is sorting already, or a segment belongs to a
    ///     closed arena
    public SortReport sortedPlaces(Strings strings, MemorySegment starts, MemorySegment lengths) {
        StringArguments.check(strings);
        long count = strings.count();
        for (MemorySegment target : new MemorySegment[] {starts, lengths}) {
            Segments.check("starts and lengths", target, ElementType.LONG);
            if (target.byteSize() != count * Long.BYTES) {
                throw new IllegalArgumentException("starts and lengths have " + target.byteSize() + " bytes, and "
                        + count + " strings need a long each");
            }
            StringArguments.checkApart(strings, "starts and lengths", target);
        }
        Segments.checkApart("starts", starts, "lengths", lengths);
        return user.reading(count, () -> {
            Strings taken = StringArguments.forCpu(strings);
            // The permutation lies in the memory of the lengths: each index is replaced when it has been read.
            SortReport report = argsort(taken, lengths, ElementType.LONG);
            new StringColumn(taken)
                    .writePlaces(
                            Segments.forCpu(starts, count, Order.natural()),
                            Segments.forCpu(lengths, count, Order.natural()));
            return report;
        });
    }

    /// Writes the strings in sorted order to other memory: their bytes, terminators included, one after another from
    /// the beginning of `bytes`, and offsets that begin with 0.
    ///
    /// @param bytes   room for the bytes of all strings, and possibly more
    /// @param offsets room for one more offset than there are strings, of the type of the source's offsets
    /// @throws IllegalArgumentException if there is too little room, a segment is read-only or overlaps another, or the
    ///     segment of the offsets has another size
    /// @throws IllegalStateException    if this sorter is closed or is sorting already, or a segment belongs to a
    ///     closed arena
    public SortReport sortedCopy(Strings source, MemorySegment bytes, MemorySegment offsets) {
        StringArguments.check(source);
        StringArguments.checkTarget(source, bytes, offsets);
        long count = source.count();
        return user.reading(count, () -> {
            Strings taken = StringArguments.forCpu(source);
            if (count <= mostInArray) {
                return sortedCopy(taken, MemorySegment.ofArray(new int[(int) count]), ElementType.INT, bytes, offsets);
            }
            try (Arena arena = Arena.ofShared()) {
                MemorySegment permutation = LargeMemory.allocate(count * Long.BYTES, arena);
                return sortedCopy(taken, permutation, ElementType.LONG, bytes, offsets);
            }
        });
    }

    private SortReport sortedCopy(
            Strings source, MemorySegment permutation, ElementType index, MemorySegment bytes, MemorySegment offsets) {
        SortReport report = argsort(source, permutation, index);
        new StringColumn(source)
                .gather(
                        permutation,
                        index.byteSize(),
                        Segments.forCpu(bytes, source.count(), Order.natural()),
                        Segments.forCpu(offsets, source.count(), Order.natural()));
        return report;
    }

    /// Returns the strings in sorted order, in new memory of the heap, with the same terminators.
    ///
    /// @throws IllegalArgumentException if the bytes do not fit an array; use [#sortedCopy] with segments in that case
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public Strings sorted(Strings source) {
        requireArray(source);
        long size = source.byteSize();
        if (size > MOST_IN_ARRAY) {
            throw new IllegalArgumentException(
                    size + " bytes of strings do not fit an array: hand over segments to sortedCopy");
        }
        MemorySegment bytes = MemorySegment.ofArray(new byte[(int) size]);
        MemorySegment offsets = source.offsetType().equals(ElementType.LONG)
                ? MemorySegment.ofArray(new long[(int) source.count() + 1])
                : MemorySegment.ofArray(new int[(int) source.count() + 1]);
        sortedCopy(source, bytes, offsets);
        return source.in(bytes, offsets);
    }

    /// Finds the different strings among fewer than 2^31, in order, and how often each occurs.
    ///
    /// @throws IllegalArgumentException if there are more strings
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public DistinctStrings distinct(Strings strings) {
        StringArguments.check(strings);
        int[] permutation = new int[requireArray(strings)];
        return user.reading(strings.count(), () -> {
            Strings taken = StringArguments.forCpu(strings);
            argsort(taken, MemorySegment.ofArray(permutation), ElementType.INT);
            return new StringColumn(taken).distinct(permutation, order);
        });
    }

    /// Writes strings in the order of a permutation, as [#sortedCopy] does in sorted order: string `permutation[i]` of
    /// the source comes i-th.
    ///
    /// @param permutation an `int` or a `long` for each string
    /// @param bytes       room for the bytes of all strings, and possibly more
    /// @param offsets     room for one more offset than there are strings, of the type of the source's offsets
    /// @throws IllegalArgumentException as by [#sortedCopy], or if the permutation is not valid: an index is out of
    ///     range or appears twice. In all these cases nothing is changed.
    public static void applyPermutation(
            MemorySegment permutation, Strings source, MemorySegment bytes, MemorySegment offsets) {
        StringArguments.check(source);
        StringArguments.checkTarget(source, bytes, offsets);
        long count = source.count();
        ElementType index = Segments.indexType(permutation.byteSize(), count);
        Segments.checkReadable("permutation", permutation, index);
        Segments.checkApart("permutation", permutation, "target", bytes);
        Segments.checkApart("permutation", permutation, "target", offsets);
        Order none = Order.natural();
        MemorySegment valid = Segments.forCpu(permutation, count, none);
        // This throws if the permutation is not valid.
        new Permutation(valid, index.byteSize());
        new StringColumn(StringArguments.forCpu(source))
                .gather(
                        valid,
                        index.byteSize(),
                        Segments.forCpu(bytes, count, none),
                        Segments.forCpu(offsets, count, none));
    }

    /// Finds the order of strings in device memory and leaves them where they are, as [#argsort(Strings, int[])] does.
    ///
    /// @param permutation room for as many ints or longs as there are strings, in the memory of the same GPU
    /// @throws IllegalArgumentException if the permutation has another size, or is the memory of the strings or of
    ///     another GPU, or if offsets decrease or lie beyond the bytes
    /// @throws IllegalStateException    if memory is closed, or this sorter is for the CPU, is closed, or is
    ///     sorting already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport argsort(DeviceStrings strings, DeviceMemory permutation) {
        DeviceText text = strings.text();
        DeviceChecks.checkApart("permutation", permutation, "bytes", strings.bytes());
        DeviceChecks.checkApart("permutation", permutation, "offsets", strings.offsets());
        int indexBytes = DeviceChecks.indexBytes("permutation", permutation, text.count(), "strings");
        return user.reading(
                text.count(),
                () -> engines.gpuFor(strings.bytes(), permutation)
                        .argsortOnDevice(text, permutation.address(), indexBytes));
    }

    /// Writes the indexes of the `k` strings in device memory that come first, in the order of these, and waits until
    /// that is done. Of equal strings, the one with the smaller index comes first. This takes as long as an argsort of
    /// all strings, and 4 or 8 bytes of device memory for each in addition.
    ///
    /// @param k       not negative
    /// @param indexes room for `k` ints or longs on the same GPU; if there are fewer strings, the rest of it stays as
    ///     it is
    /// @throws IllegalArgumentException if `k` is negative, the room has another size, or is the memory of the strings
    ///     or of another GPU, or if offsets decrease or lie beyond the bytes; nothing is changed in that case
    /// @throws IllegalStateException    if memory is closed, or this sorter is for the CPU, is closed, or is
    ///     sorting already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport argfirst(DeviceStrings strings, long k, DeviceMemory indexes) {
        return argselect(strings, k, false, indexes);
    }

    /// Writes the indexes of the `k` strings in device memory that come last, in the order of these, as
    /// [#argfirst(DeviceStrings, long, DeviceMemory)] does, so that the very last one is at the end.
    public SortReport arglast(DeviceStrings strings, long k, DeviceMemory indexes) {
        return argselect(strings, k, true, indexes);
    }

    private SortReport argselect(DeviceStrings strings, long k, boolean isLast, DeviceMemory indexes) {
        DeviceText text = strings.text();
        Ranks ranks = Ranks.of(text.count(), k, isLast);
        DeviceChecks.checkApart("indexes", indexes, "bytes", strings.bytes());
        DeviceChecks.checkApart("indexes", indexes, "offsets", strings.offsets());
        int indexBytes = DeviceChecks.indexBytes("indexes", indexes, k, "wanted strings");
        return user.reading(
                text.count(),
                () -> engines.gpuFor(strings.bytes(), indexes)
                        .argselectOnDevice(text, ranks.from(), ranks.to(), indexes.address(), indexBytes));
    }

    /// Writes a sorted copy of strings in device memory: all bytes from the first byte of the target on, and offsets
    /// that begin with 0.
    ///
    /// @param target as many strings in memory of the same GPU, with room for all bytes of the source
    /// @throws IllegalArgumentException if the target has another count, too little room or memory of another GPU or of
    ///     the source, or if offsets decrease or lie beyond the bytes
    /// @throws IllegalStateException    if memory is closed, or this sorter is for the CPU, is closed, or is
    ///     sorting already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport sortedCopy(DeviceStrings source, DeviceStrings target) {
        DeviceText from = source.text();
        DeviceText to = target.text();
        StringArguments.checkTarget(source, target);
        return user.reading(
                from.count(),
                () -> engines.gpuFor(source.bytes(), target.bytes()).sortedCopyOnDevice(from, to));
    }

    /// Finds the different strings among those in device memory, in order, and how often each occurs, as
    /// [#distinct(Strings)] does. Returns how many there are: this many places of `indexes` and `counts` are written,
    /// from the first one on.
    ///
    /// @param indexes takes the index of the first occurrence of each: room for as many ints or longs as there are
    ///     strings
    /// @param counts  takes how often each occurs: as large as `indexes`
    /// @throws IllegalArgumentException if `indexes` or `counts` has another size, or is the memory of the other, of
    ///     the strings or of another GPU, or if offsets decrease or lie beyond the bytes; in these cases nothing has
    ///     been written
    /// @throws IllegalStateException    if memory is closed, or this sorter is for the CPU, is closed, or is
    ///     sorting already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public long distinct(DeviceStrings strings, DeviceMemory indexes, DeviceMemory counts) {
        DeviceText text = strings.text();
        int indexBytes = DeviceChecks.indexBytes("indexes", indexes, text.count(), "strings");
        if (DeviceChecks.indexBytes("counts", counts, text.count(), "strings") != indexBytes) {
            throw new IllegalArgumentException("the indexes have " + indexes.byteSize() + " bytes and the counts "
                    + counts.byteSize() + ": both must be ints or both longs");
        }
        DeviceChecks.checkApart("indexes", indexes, "counts", counts);
        for (DeviceMemory source : List.of(strings.bytes(), strings.offsets())) {
            DeviceChecks.checkApart("indexes", indexes, "strings", source);
            DeviceChecks.checkApart("counts", counts, "strings", source);
        }
        return user.reading(
                text.count(),
                () -> engines.gpuFor(strings.bytes(), indexes, counts)
                        .distinctOnDevice(text, indexes.address(), counts.address(), indexBytes));
    }

    /// Writes strings in device memory in the order of a permutation, as [#sortedCopy(DeviceStrings, DeviceStrings)]
    /// does in sorted order: string `permutation[i]` of the source comes i-th.
    ///
    /// @param permutation an int or a long for each string, in the memory of the same GPU
    /// @param target      as many strings in memory of the same GPU, with room for all bytes of the source
    /// @throws IllegalArgumentException as by [#sortedCopy(DeviceStrings, DeviceStrings)], or if the permutation has
    ///     another size, is memory of the target, or is not valid: an index is out of range or appears twice. In all
    ///     these cases nothing is changed.
    /// @throws IllegalStateException    if memory is closed, or this sorter is for the CPU, is closed, or is
    ///     sorting already
    public void applyPermutation(DeviceMemory permutation, DeviceStrings source, DeviceStrings target) {
        DeviceText from = source.text();
        DeviceText to = target.text();
        StringArguments.checkTarget(source, target);
        int indexBytes = DeviceChecks.indexBytes("permutation", permutation, from.count(), "strings");
        for (DeviceMemory memory : List.of(target.bytes(), target.offsets())) {
            DeviceChecks.checkApart("permutation", permutation, "target", memory);
        }
        user.exclusively(() -> {
            engines.gpuFor(source.bytes(), target.bytes(), permutation)
                    .applyPermutation(permutation.address(), indexBytes, from, to);
            return true;
        });
    }

    /// Writes elements of one size in device memory, such as numbers or records that belong to the strings, in the
    /// order of a permutation: element `permutation[i]` of the source comes i-th.
    ///
    /// @param permutation an int or a long for each element, in the memory of the same GPU
    /// @throws IllegalArgumentException if source and target have different sizes or sizes that are no multiple of the
    ///     element's, the permutation has another size, two of these are the same memory, or the permutation is not
    ///     valid: an index is out of range or appears twice. In all these cases nothing is changed.
    /// @throws IllegalStateException    if memory is closed, or this sorter is for the CPU, is closed, or is
    ///     sorting already
    public void applyPermutation(DeviceMemory permutation, ElementType type, DeviceMemory source, DeviceMemory target) {
        long count = DeviceChecks.copiedCount(source, target, type);
        DeviceChecks.checkApart("permutation", permutation, "target", target);
        int indexBytes = DeviceChecks.indexBytes("permutation", permutation, count, "elements");
        user.exclusively(() -> {
            engines.gpuFor(source, permutation, target)
                    .applyPermutation(
                            permutation.address(),
                            indexBytes,
                            source.address(),
                            target.address(),
                            type.byteSize(),
                            count);
            return true;
        });
    }

    /// Returns whether strings in device memory are in order.
    ///
    /// @throws IllegalArgumentException if offsets decrease or lie beyond the bytes
    /// @throws IllegalStateException    if memory is closed, or this sorter is for the CPU, is closed, or is
    ///     sorting already
    public boolean isSorted(DeviceStrings strings) {
        DeviceText text = strings.text();
        return user.exclusively(() -> engines.gpuFor(strings.bytes()).orderedCount(text) == text.count());
    }

    private static int requireArray(Strings strings) {
        if (strings.count() > MOST_IN_ARRAY) {
            throw new IllegalArgumentException(strings.count()
                    + " strings: their permutation does not fit an int[], hand over a segment of longs");
        }
        return (int) strings.count();
    }

    /// Returns how many bytes of host memory the CPU engine keeps for the next sort.
    long keptBytes() {
        return engines.keptBytes();
    }

    /// Gives everything back. A second call does nothing.
    ///
    /// @throws IllegalStateException if a sort is under way
    @Override
    public void close() {
        user.close(engines::close);
    }
}
