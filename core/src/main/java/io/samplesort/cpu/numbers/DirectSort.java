package io.samplesort.cpu.numbers;

import io.samplesort.cpu.leaf.LeafSort;
import io.samplesort.cpu.threads.Helpers;
import io.samplesort.keys.OrderedBits;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;

/// Sorts arrays that take no longer with the JDK than with this engine: few numbers, narrow ones, and those that are in
/// order already or in reverse order. It has no memory of its own, so no sorter has to be made or lent for it.
///
/// The JDK takes all NaNs for equal, and this library orders them by their bits, so NaNs are sorted once more.
public final class DirectSort {
    /// With more elements it pays to have several threads look for an order.
    static final int MOST = 1 << 17;

    /// The JDK counts shorts and chars on one thread. The fewer threads there are, the longer several need to do so
    /// faster, since each begins with counters of its own.
    private static final int MOST_COUNTED = MOST * Math.max(1, 16 / Helpers.commonParallelism());

    /// This many keys or fewer are sorted faster where they are than by a lane that has to decode them first.
    static final int MOST_TINY = 128;

    /// The JDK sorts floats by the same SIMD instructions as this engine, and need not decode them.
    private static final int MOST_FLOATS = 1 << 12;

    /// The JDK sorts ints by the same SIMD instructions, and has less to do before.
    private static final int MOST_INTS = 1 << 10;

    /// Ints of which few are distinct are sorted faster by the JDK, whose steps leave out those that equal a pivot.
    private static final int MOST_REPEATED_INTS = 1 << 14;

    /// The JDK counts bytes, with a counter that has to wait if the same byte comes again; this engine has several.
    private static final int MOST_BYTES = 1 << 15;

    /// Sorts of no more keys are not timed, since a look at the clock takes as long as sorting ten numbers.
    private static final int MOST_UNTIMED = 1 << 12;

    private static final String DEVICE = CpuSorter.deviceName(1);

    /// The reports of sorts that take less time than making a report. Each is made when it is first needed.
    private static final SortReport[] TINY = new SortReport[MOST_TINY + 1];

    private DirectSort() {}

    /// Sorts `array[from]` to `array[to - 1]` in natural order if that is fast.
    ///
    /// @param array of any primitive type but boolean
    /// @return null if nothing was changed
    public static SortReport trySort(Object array, int from, int to) {
        int count = to - from;
        if (count > MOST && count > most(array)) {
            return null;
        }
        long start = start(count);
        if (count <= MOST_TINY || count <= most(array)) {
            sort(array, from, to);
        } else if (!SortedArrays.tryOrder(array, from, to)) {
            if (!areRepeatedInts(array, from, to)) {
                return null;
            }
            sort(array, from, to);
        }
        return report(count, start);
    }

    /// Looks at the clock if this many elements are enough.
    public static long start(int count) {
        return count > MOST_UNTIMED ? System.nanoTime() : 0;
    }

    /// Returns the report of a sort by the calling thread that used no memory of an engine.
    ///
    /// @param start what [#start] has returned
    public static SortReport report(int count, long start) {
        return count <= MOST_TINY
                ? tinyReport(count)
                : report(count, count > MOST_UNTIMED ? Duration.ofNanos(System.nanoTime() - start) : Duration.ZERO);
    }

    private static SortReport tinyReport(int count) {
        SortReport report = TINY[count];
        if (report == null) {
            report = report(count, Duration.ZERO);
            // Two threads may both do this, with reports that are equal.
            TINY[count] = report;
        }
        return report;
    }

    private static SortReport report(int count, Duration total) {
        return new SortReportBuilder(DEVICE)
                .elementCount(count)
                .largestBucket(count)
                .total(total)
                .build();
    }

    private static boolean areRepeatedInts(Object array, int from, int to) {
        return array instanceof int[] ints && to - from <= MOST_REPEATED_INTS && FewKeys.seemFew(ints, from, to);
    }

    /// Returns how many elements of an array the JDK sorts at least as fast as this engine; 0 for only the tiniest.
    private static int most(Object array) {
        if (array instanceof byte[]) {
            return MOST_BYTES;
        }
        if (array instanceof float[] && LeafSort.hasSimd()) {
            return MOST_FLOATS;
        }
        if (array instanceof int[] && LeafSort.hasSimd()) {
            return MOST_INTS;
        }
        return array instanceof char[] || array instanceof short[] ? MOST_COUNTED : 0;
    }

    /// Sorts `keys` if they lie in an array of their own type and the order is Java's.
    ///
    /// @return whether `keys` were sorted
    static boolean trySort(MemorySegment keys, ElementType type, NaturalOrder order) {
        Object array = naturalArray(keys, type, order);
        if (array == null) {
            return false;
        }
        int from = Math.toIntExact(keys.address() / type.byteSize());
        sort(array, from, from + Math.toIntExact(keys.byteSize() / type.byteSize()));
        return true;
    }

    /// Returns the array in which keys lie, if it is one of their own type and the order is Java's; null otherwise.
    static Object naturalArray(MemorySegment keys, ElementType type, NaturalOrder order) {
        return isNatural(type, order) ? ownArray(keys, type) : null;
    }

    /// Returns the array in which keys lie, if it is one of their own type; null otherwise.
    static Object ownArray(MemorySegment keys, ElementType type) {
        Object array = keys.heapBase().orElse(null);
        boolean isAligned = keys.address() % type.byteSize() == 0;
        return array != null && isAligned && isOf(type, array) ? array : null;
    }

    /// Returns whether Java sorts keys of a type in this order.
    public static boolean isNatural(ElementType type, NaturalOrder order) {
        return !order.isReversed() && (!order.isUnsigned() || type.equals(ElementType.CHAR));
    }

    private static boolean isOf(ElementType type, Object array) {
        return array instanceof long[] && type.equals(ElementType.LONG)
                || array instanceof int[] && type.equals(ElementType.INT)
                || array instanceof double[] && type.equals(ElementType.DOUBLE)
                || array instanceof float[] && type.equals(ElementType.FLOAT)
                || array instanceof short[] && type.equals(ElementType.SHORT)
                || array instanceof char[] && type.equals(ElementType.CHAR)
                || array instanceof byte[] && type.equals(ElementType.BYTE);
    }

    /// A switch over classes would take several milliseconds in the first sort of a process.
    static void sort(Object array, int from, int to) {
        if (array instanceof long[] a) {
            Arrays.sort(a, from, to);
        } else if (array instanceof int[] a) {
            Arrays.sort(a, from, to);
        } else if (array instanceof double[] a) {
            Arrays.sort(a, from, to);
            sortNaNs(a, from, to);
        } else if (array instanceof float[] a) {
            Arrays.sort(a, from, to);
            sortNaNs(a, from, to);
        } else if (array instanceof short[] a) {
            Arrays.sort(a, from, to);
        } else if (array instanceof char[] a) {
            Arrays.sort(a, from, to);
        } else {
            Arrays.sort((byte[]) array, from, to);
        }
    }

    /// Sorts the NaNs, which are at the end, by their bits.
    private static void sortNaNs(double[] keys, int from, int to) {
        int start = to;
        while (start > from && Double.isNaN(keys[start - 1])) {
            start--;
        }
        if (to - start > 1) {
            long[] places = new long[to - start];
            for (int i = 0; i < places.length; i++) {
                places[i] = OrderedBits.ofDouble(Double.doubleToRawLongBits(keys[start + i]));
            }
            Arrays.sort(places);
            for (int i = 0; i < places.length; i++) {
                keys[start + i] = Double.longBitsToDouble(OrderedBits.doubleBits(places[i]));
            }
        }
    }

    private static void sortNaNs(float[] keys, int from, int to) {
        int start = to;
        while (start > from && Float.isNaN(keys[start - 1])) {
            start--;
        }
        if (to - start > 1) {
            int[] places = new int[to - start];
            for (int i = 0; i < places.length; i++) {
                places[i] = OrderedBits.ofFloat(Float.floatToRawIntBits(keys[start + i]));
            }
            Arrays.sort(places);
            for (int i = 0; i < places.length; i++) {
                keys[start + i] = Float.intBitsToFloat(OrderedBits.floatBits(places[i]));
            }
        }
    }
}
