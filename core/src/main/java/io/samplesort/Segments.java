package io.samplesort;

import io.samplesort.cpu.numbers.CpuTuning;
import io.samplesort.cpu.records.Permutation;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.errors.GpuUnavailableException;
import io.samplesort.reports.SortWatch;
import io.samplesort.types.CustomOrder;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SegmentOffsets;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/// Checks of the host memory that a user hands over, all made before anything is changed. [DeviceChecks] checks device
/// memory.
final class Segments {
    private Segments() {}

    /// Checks that `segment` can be sorted as elements of `type`, and returns it.
    static MemorySegment check(String what, MemorySegment segment, ElementType type) {
        Objects.requireNonNull(segment, what);
        if (segment.isReadOnly()) {
            throw new IllegalArgumentException(
                    "the segment of the " + what + " is read-only and cannot be written: give another one");
        }
        return checkReadable(what, segment, type);
    }

    /// Checks a segment that is only read, and returns it.
    static MemorySegment checkReadable(String what, MemorySegment segment, ElementType type) {
        Objects.requireNonNull(segment, what);
        checkSize(what, segment.byteSize(), type);
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException("the segment of the " + what + " belongs to a closed arena");
        }
        requireWideValues(what, segment, type);
        if (!segment.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException("the segment of the " + what + " is confined to another thread");
        }
        return segment;
    }

    /// Refuses wide elements in an array of narrower values, such as longs in an `int[]`, which is mostly a mistake.
    /// Any elements may lie in an array of bytes, where they are aligned to nothing, and anywhere in native memory.
    private static void requireWideValues(String what, MemorySegment segment, ElementType type) {
        int alignment = type.byteAlignment();
        long found = segment.isNative() ? alignment : segment.maxByteAlignment();
        if (found > 1 && found < alignment && segment.byteSize() > 0) {
            throw new IllegalArgumentException("the segment of the " + what + " lies in an array of narrower values,"
                    + " not aligned to " + alignment + " bytes, the " + (type.isPrimitive() ? "size" : "alignment")
                    + " of one " + type + ": use "
                    + (type.isPrimitive() ? "an array of that type" : "an array of bytes")
                    + " or native memory");
        }
    }

    /// Checks that elements which a user's comparator will see are aligned as their layout says, and returns them. The
    /// orders of the library read elements wherever they lie.
    static MemorySegment checkAlignment(String what, MemorySegment segment, ElementType type, Order order) {
        if (!(order instanceof CustomOrder) || segment.byteSize() == 0) {
            return segment;
        }
        long alignment = type.layout().byteAlignment();
        boolean isAligned =
                segment.isNative() ? segment.address() % alignment == 0 : segment.maxByteAlignment() >= alignment;
        if (!isAligned) {
            throw new IllegalArgumentException("the segment of the " + what + " is not aligned to " + alignment
                    + " bytes, as the layout of " + type
                    + " says, and a comparator of your own may read it so: use aligned memory"
                    + (type.isPrimitive() ? ", such as an array of that type" : ", or a layout of unaligned values"));
        }
        return segment;
    }

    /// Returns a native segment that is confined to this thread in a form that all threads may use, and other segments
    /// as they are. Memory in that form can be freed while it is in use. So this thread must wait inside the sort while
    /// other threads use it, and must not call a user's code there, which could close the segment: if a listener
    /// watches the sort, the segment stays confined. So it does if Java does not allow this form. Then this thread
    /// alone works on it, and only the GPU engine cannot sort it.
    static MemorySegment forAllThreads(MemorySegment segment) {
        return SortWatch.current().isWatched() ? segment : forCopies(segment);
    }

    /// Does the same for copies, which call no user's code.
    static MemorySegment forCopies(MemorySegment segment) {
        if (!segment.isNative() || Parallel.isShared(segment)) {
            return segment;
        }
        try {
            return MemorySegment.ofAddress(segment.address()).reinterpret(segment.byteSize());
        } catch (IllegalCallerException e) {
            return segment;
        }
    }

    /// Returns a segment as the GPU engine takes it: as by [#forAllThreads].
    ///
    /// @throws GpuUnavailableException if it stays confined
    static MemorySegment forGpu(String what, MemorySegment segment) {
        MemorySegment shared = forAllThreads(segment);
        if (!Parallel.isShared(shared)) {
            throw new GpuUnavailableException("the segment of the " + what + " is confined to this thread, and several"
                    + " threads copy it to the GPU while a listener watches, which could close its arena: use memory of"
                    + " a shared arena, or no listener");
        }
        return shared;
    }

    /// Returns a segment of `count` elements as the CPU engine takes it. Many elements become memory for all threads,
    /// as by [#forAllThreads]. Few elements stay confined, since the calling thread sorts them alone. So do elements
    /// that a user's comparator sees: it could close their arena, and confined memory is checked at every access.
    static MemorySegment forCpu(MemorySegment segment, long count, Order order) {
        boolean staysConfined = order instanceof CustomOrder || count <= CpuTuning.DEFAULT.sequentialLimit();
        return staysConfined ? segment : forAllThreads(segment);
    }

    /// Returns whether a name such as "keys on gpu:0" begins with a word for several things.
    private static boolean isPlural(String what) {
        int end = what.indexOf(' ');
        return (end < 0 ? what : what.substring(0, end)).endsWith("s");
    }

    static void checkSize(String what, long bytes, ElementType type) {
        if (bytes % type.byteSize() != 0) {
            throw new IllegalArgumentException("the " + what + (isPlural(what) ? " have " : " has ") + bytes
                    + " bytes, which is no multiple of " + type.byteSize() + ", the size of one " + type);
        }
    }

    /// Checks that all columns have as many elements as the keys, and that none overlaps another.
    static void checkColumns(
            MemorySegment keys, ElementType key, List<MemorySegment> columns, List<ElementType> types) {
        long keyCount = keys.byteSize() / key.byteSize();
        for (int i = 0; i < columns.size(); i++) {
            MemorySegment column = columns.get(i);
            long count = column.byteSize() / types.get(i).byteSize();
            String which = columns.size() == 1 ? "" : " in column " + i;
            if (keyCount != count) {
                throw new IllegalArgumentException(
                        notAsMany(keyCount, count, which) + otherArray(column, types.get(i)));
            }
            if (keyCount > 0 && keys.asOverlappingSlice(column).isPresent()) {
                throw new IllegalArgumentException("keys and payloads" + which + " overlap in memory");
            }
            for (int j = 0; j < i && keyCount > 0; j++) {
                if (columns.get(j).asOverlappingSlice(column).isPresent()) {
                    throw new IllegalArgumentException(
                            "the payloads of columns " + j + " and " + i + " overlap in memory");
                }
            }
        }
    }

    /// @throws IllegalArgumentException if the numbers of keys and payloads differ
    static void requireAsMany(int keys, int payloads) {
        if (keys != payloads) {
            throw new IllegalArgumentException(notAsMany(keys, payloads, ""));
        }
    }

    private static String notAsMany(long keys, long payloads, String which) {
        return keys + " keys and " + payloads + " payloads" + which + ": there must be as many payloads as keys";
    }

    /// Returns what an error adds if a segment is an array of another type than a sorter takes, else nothing.
    private static String otherArray(MemorySegment segment, ElementType type) {
        String array =
                segment.heapBase().map(base -> base.getClass().getSimpleName()).orElse("");
        return array.isEmpty() || array.equals(type.name() + "[]")
                ? ""
                : "; this sorter is for payloads of type " + type + " and was given " + array
                        + ": give an array of that type, or build it with another payload(…)";
    }

    /// Checks that segments end within the elements, and returns how many elements the segments have.
    static long checkOffsets(SegmentOffsets segments, long count) {
        Objects.requireNonNull(segments, "segments");
        if (segments.last() > count) {
            throw new IllegalArgumentException(
                    "offset " + segments.segmentCount() + ", where the last segment ends, is " + segments.last()
                            + " and there are " + count + " elements: offsets must not be greater than that");
        }
        return segments.last() - segments.first();
    }

    static void checkApart(String what, MemorySegment segment, String other, MemorySegment otherSegment) {
        if (segment.byteSize() > 0 && segment.asOverlappingSlice(otherSegment).isPresent()) {
            throw new IllegalArgumentException(what + " and " + other + " overlap in memory");
        }
    }

    static void checkCopy(MemorySegment source, MemorySegment target) {
        if (source.byteSize() != target.byteSize()) {
            throw new IllegalArgumentException("the source has " + source.byteSize() + " bytes and the target "
                    + target.byteSize() + ": both must have the same size");
        }
        if (source.byteSize() > 0 && source.asOverlappingSlice(target).isPresent()) {
            throw new IllegalArgumentException("source and target overlap in memory: sort in place instead");
        }
    }

    /// Returns the type of the indexes, ints or longs, of a permutation of `count` elements that has this many bytes.
    static ElementType indexType(long bytes, long count) {
        if (bytes == count * Integer.BYTES && count <= Integer.MAX_VALUE) {
            return ElementType.INT;
        }
        if (isRoomForLongs(bytes, count)) {
            return ElementType.LONG;
        }
        throw new IllegalArgumentException("the permutation has " + bytes + " bytes: for " + count
                + " elements it has one long each" + (count <= Integer.MAX_VALUE ? ", or one int" : ""));
    }

    /// Returns whether the bytes are one long for each of `count` elements. The bytes of any count are compared right,
    /// also where they would not fit a long.
    static boolean isRoomForLongs(long bytes, long count) {
        return bytes % Long.BYTES == 0 && bytes / Long.BYTES == count;
    }

    /// @param payloads the types that a sorter was built with
    /// @param given    how many arrays of payloads it was given
    /// @throws IllegalArgumentException if the numbers differ
    static void requirePayloads(List<ElementType> payloads, int given) {
        requirePayloads(Role.SORTER, payloads, given);
    }

    static void requirePayloads(Role role, List<ElementType> payloads, int given) {
        if (given == payloads.size()) {
            return;
        }
        String arrays = given + (given == 1 ? " array" : " arrays") + " of payloads: ";
        throw new IllegalArgumentException(
                payloads.isEmpty()
                        ? "this " + role.noun + " is for keys alone and was given " + arrays
                                + "build it with payload(…) to " + role.verb + " elements with payloads"
                        : "this " + role.noun + " is for keys with payloads of types " + payloads + " and was given "
                                + arrays + "give " + payloads.size());
    }

    /// @param what the name of a method that takes no payloads
    /// @throws IllegalArgumentException if a sorter was built with payloads
    static void requireNoPayloads(String what, List<ElementType> payloads) {
        requireNoPayloads(Role.SORTER, what, payloads);
    }

    static void requireNoPayloads(Role role, String what, List<ElementType> payloads) {
        if (!payloads.isEmpty()) {
            throw new IllegalArgumentException("this " + role.noun + " is for keys with payloads of types " + payloads
                    + ", and " + what + " is for keys alone: build a " + role.noun + " without payload(…)");
        }
    }

    /// @param key   the type of keys that a sorter was built for
    /// @param given the type of the array that it was given
    /// @throws IllegalArgumentException if the types differ
    static void requireKeys(Role role, ElementType key, ElementType given) {
        if (!key.equals(given)) {
            throw new IllegalArgumentException(
                    "this " + role.noun + " is for " + key + " keys and was given " + given + "[]: build it with "
                            + role.build + "(ElementType." + given.name().toUpperCase(Locale.ROOT) + ")");
        }
    }

    /// Does what [Sorter#applyPermutation] promises of host memory.
    static void applyPermutation(
            MemorySegment permutation, ElementType type, MemorySegment source, MemorySegment target) {
        MemorySegment checkedTarget = check("target", target, type);
        MemorySegment checkedSource = checkReadable("source", source, type);
        checkCopy(checkedSource, checkedTarget);
        long count = source.byteSize() / type.byteSize();
        ElementType index = indexType(permutation.byteSize(), count);
        MemorySegment checked = checkReadable("permutation", permutation, index);
        checkApart("permutation", checked, "target", checkedTarget);
        Order none = Order.natural();
        new Permutation(forCpu(checked, count, none), index.byteSize())
                .apply(forCpu(checkedSource, count, none), forCpu(checkedTarget, count, none), type.byteSize());
    }
}
