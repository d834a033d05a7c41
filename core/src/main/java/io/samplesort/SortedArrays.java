package io.samplesort;

import io.samplesort.cpu.sorted.CpuSortedOperations;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.memory.ArrayRange;
import io.samplesort.memory.SetOperation;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// Works on arrays of `int`, `long`, `float` or `double` that are sorted already, in natural order, on all cores if the
/// arrays are large. No method changes its input. Each result is an array of its own with exactly the elements that
/// there are. [SortedOperations] does the same with other types, with payloads, with other orders and in other memory.
///
/// If an array is not sorted, the result has no meaning; `firstOutOfOrder` finds the place. Floating-point numbers are
/// equal if they have the same bits, so that -0.0 is not 0.0 ([Order#natural]).
public final class SortedArrays {
    private static final int MOST_IN_ARRAY = Integer.MAX_VALUE - 8;

    private SortedArrays() {}

    /// Returns all elements of some sorted arrays, sorted.
    ///
    /// @throws OutOfMemoryError if no array has room for all of them
    public static int[] merge(int[]... runs) {
        return (int[]) mergeArrays(ElementType.INT, runs);
    }

    /// Returns the distinct elements of a sorted array, sorted.
    public static int[] unique(int[] sorted) {
        return (int[]) uniqueOf(ElementType.INT, sorted);
    }

    /// Returns how often each distinct element of a sorted array is there, in the order of [#unique(int[])].
    public static int[] counts(int[] sorted) {
        return countsOf(ElementType.INT, sorted);
    }

    /// Returns where each run of equal elements of a sorted array begins, and at last the length of the array: the
    /// offsets that [io.samplesort.types.SegmentOffsets] takes.
    public static int[] groups(int[] sorted) {
        return groupsOf(ElementType.INT, sorted);
    }

    /// Returns for each query how many elements of a sorted array come before it. Queries may be in any order.
    public static int[] lowerBounds(int[] sorted, int[] queries) {
        return boundsOf(ElementType.INT, sorted, queries, false);
    }

    /// Returns for each query how many elements of a sorted array do not come after it. Queries may be in any order.
    public static int[] upperBounds(int[] sorted, int[] queries) {
        return boundsOf(ElementType.INT, sorted, queries, true);
    }

    /// Returns the union of two sorted arrays as multisets, sorted: an element that is there `a` times in the first and
    /// `b` times in the second is there max(a, b) times.
    public static int[] union(int[] first, int[] second) {
        return (int[]) combine(SetOperation.UNION, ElementType.INT, first, second);
    }

    /// Returns the intersection of two sorted arrays as multisets, sorted: an element that is there `a` times in the
    /// first and `b` times in the second is there min(a, b) times.
    public static int[] intersection(int[] first, int[] second) {
        return (int[]) combine(SetOperation.INTERSECTION, ElementType.INT, first, second);
    }

    /// Returns the difference of two sorted arrays as multisets, sorted: an element that is there `a` times in the
    /// first and `b` times in the second is there max(a - b, 0) times.
    public static int[] difference(int[] first, int[] second) {
        return (int[]) combine(SetOperation.DIFFERENCE, ElementType.INT, first, second);
    }

    /// Returns the index of the first element that comes before the one before it; -1 if the array is sorted.
    public static int firstOutOfOrder(int[] array) {
        return (int) engine(ElementType.INT).firstOutOfOrder(segment("array", array));
    }

    /// Does the same as [#merge(int[]...)].
    public static long[] merge(long[]... runs) {
        return (long[]) mergeArrays(ElementType.LONG, runs);
    }

    /// Does the same as [#unique(int[])].
    public static long[] unique(long[] sorted) {
        return (long[]) uniqueOf(ElementType.LONG, sorted);
    }

    /// Does the same as [#counts(int[])].
    public static int[] counts(long[] sorted) {
        return countsOf(ElementType.LONG, sorted);
    }

    /// Does the same as [#groups(int[])].
    public static int[] groups(long[] sorted) {
        return groupsOf(ElementType.LONG, sorted);
    }

    /// Does the same as [#lowerBounds(int[], int[])].
    public static int[] lowerBounds(long[] sorted, long[] queries) {
        return boundsOf(ElementType.LONG, sorted, queries, false);
    }

    /// Does the same as [#upperBounds(int[], int[])].
    public static int[] upperBounds(long[] sorted, long[] queries) {
        return boundsOf(ElementType.LONG, sorted, queries, true);
    }

    /// Does the same as [#union(int[], int[])].
    public static long[] union(long[] first, long[] second) {
        return (long[]) combine(SetOperation.UNION, ElementType.LONG, first, second);
    }

    /// Does the same as [#intersection(int[], int[])].
    public static long[] intersection(long[] first, long[] second) {
        return (long[]) combine(SetOperation.INTERSECTION, ElementType.LONG, first, second);
    }

    /// Does the same as [#difference(int[], int[])].
    public static long[] difference(long[] first, long[] second) {
        return (long[]) combine(SetOperation.DIFFERENCE, ElementType.LONG, first, second);
    }

    /// Does the same as [#firstOutOfOrder(int[])].
    public static int firstOutOfOrder(long[] array) {
        return (int) engine(ElementType.LONG).firstOutOfOrder(segment("array", array));
    }

    /// Does the same as [#merge(int[]...)].
    public static float[] merge(float[]... runs) {
        return (float[]) mergeArrays(ElementType.FLOAT, runs);
    }

    /// Does the same as [#unique(int[])].
    public static float[] unique(float[] sorted) {
        return (float[]) uniqueOf(ElementType.FLOAT, sorted);
    }

    /// Does the same as [#counts(int[])].
    public static int[] counts(float[] sorted) {
        return countsOf(ElementType.FLOAT, sorted);
    }

    /// Does the same as [#groups(int[])].
    public static int[] groups(float[] sorted) {
        return groupsOf(ElementType.FLOAT, sorted);
    }

    /// Does the same as [#lowerBounds(int[], int[])].
    public static int[] lowerBounds(float[] sorted, float[] queries) {
        return boundsOf(ElementType.FLOAT, sorted, queries, false);
    }

    /// Does the same as [#upperBounds(int[], int[])].
    public static int[] upperBounds(float[] sorted, float[] queries) {
        return boundsOf(ElementType.FLOAT, sorted, queries, true);
    }

    /// Does the same as [#union(int[], int[])].
    public static float[] union(float[] first, float[] second) {
        return (float[]) combine(SetOperation.UNION, ElementType.FLOAT, first, second);
    }

    /// Does the same as [#intersection(int[], int[])].
    public static float[] intersection(float[] first, float[] second) {
        return (float[]) combine(SetOperation.INTERSECTION, ElementType.FLOAT, first, second);
    }

    /// Does the same as [#difference(int[], int[])].
    public static float[] difference(float[] first, float[] second) {
        return (float[]) combine(SetOperation.DIFFERENCE, ElementType.FLOAT, first, second);
    }

    /// Does the same as [#firstOutOfOrder(int[])].
    public static int firstOutOfOrder(float[] array) {
        return (int) engine(ElementType.FLOAT).firstOutOfOrder(segment("array", array));
    }

    /// Does the same as [#merge(int[]...)].
    public static double[] merge(double[]... runs) {
        return (double[]) mergeArrays(ElementType.DOUBLE, runs);
    }

    /// Does the same as [#unique(int[])].
    public static double[] unique(double[] sorted) {
        return (double[]) uniqueOf(ElementType.DOUBLE, sorted);
    }

    /// Does the same as [#counts(int[])].
    public static int[] counts(double[] sorted) {
        return countsOf(ElementType.DOUBLE, sorted);
    }

    /// Does the same as [#groups(int[])].
    public static int[] groups(double[] sorted) {
        return groupsOf(ElementType.DOUBLE, sorted);
    }

    /// Does the same as [#lowerBounds(int[], int[])].
    public static int[] lowerBounds(double[] sorted, double[] queries) {
        return boundsOf(ElementType.DOUBLE, sorted, queries, false);
    }

    /// Does the same as [#upperBounds(int[], int[])].
    public static int[] upperBounds(double[] sorted, double[] queries) {
        return boundsOf(ElementType.DOUBLE, sorted, queries, true);
    }

    /// Does the same as [#union(int[], int[])].
    public static double[] union(double[] first, double[] second) {
        return (double[]) combine(SetOperation.UNION, ElementType.DOUBLE, first, second);
    }

    /// Does the same as [#intersection(int[], int[])].
    public static double[] intersection(double[] first, double[] second) {
        return (double[]) combine(SetOperation.INTERSECTION, ElementType.DOUBLE, first, second);
    }

    /// Does the same as [#difference(int[], int[])].
    public static double[] difference(double[] first, double[] second) {
        return (double[]) combine(SetOperation.DIFFERENCE, ElementType.DOUBLE, first, second);
    }

    /// Does the same as [#firstOutOfOrder(int[])].
    public static int firstOutOfOrder(double[] array) {
        return (int) engine(ElementType.DOUBLE).firstOutOfOrder(segment("array", array));
    }

    private static CpuSortedOperations engine(ElementType type) {
        return new CpuSortedOperations(type, Order.natural(), Parallel.commonParallelism());
    }

    private static MemorySegment segment(String what, Object array) {
        return new ArrayRange(array, 0, NumberArrays.length(what, array)).segment();
    }

    private static Object newArray(Object like, long length) {
        return Array.newInstance(like.getClass().getComponentType(), Math.toIntExact(length));
    }

    private static int[] bytes(ElementType type) {
        return new int[] {type.byteSize()};
    }

    private static Object mergeArrays(ElementType type, Object[] runs) {
        List<List<MemorySegment>> inputs = new ArrayList<>();
        long length = 0;
        for (int i = 0; i < Objects.requireNonNull(runs, "runs").length; i++) {
            inputs.add(List.of(segment("runs[" + i + "]", runs[i])));
            length += Array.getLength(runs[i]);
        }
        if (length > Integer.MAX_VALUE) {
            throw new OutOfMemoryError("no array has room for " + length + " elements");
        }
        Object target = Array.newInstance(runs.getClass().getComponentType().getComponentType(), (int) length);
        engine(type).merge(inputs, bytes(type), List.of(segment("target", target)));
        return target;
    }

    private static Object uniqueOf(ElementType type, Object sorted) {
        CpuSortedOperations engine = engine(type);
        List<MemorySegment> keys = List.of(segment("sorted", sorted));
        // Counting takes less time than room for all elements would.
        long found = engine.unique(keys, bytes(type), keys, 0);
        Object target = newArray(sorted, found);
        engine.unique(keys, bytes(type), List.of(segment("target", target)), found);
        return target;
    }

    private static int[] countsOf(ElementType type, Object sorted) {
        int[] counts = groupsOf(type, sorted);
        for (int i = 0; i < counts.length - 1; i++) {
            counts[i] = counts[i + 1] - counts[i];
        }
        return Arrays.copyOf(counts, counts.length - 1);
    }

    private static int[] groupsOf(ElementType type, Object sorted) {
        CpuSortedOperations engine = engine(type);
        MemorySegment keys = segment("sorted", sorted);
        long found = engine.groups(keys, MemorySegment.NULL, Integer.BYTES, 0);
        int[] offsets = new int[Math.toIntExact(found + 1)];
        engine.groups(keys, segment("offsets", offsets), Integer.BYTES, offsets.length);
        return offsets;
    }

    private static int[] boundsOf(ElementType type, Object sorted, Object queries, boolean isUpper) {
        MemorySegment keys = segment("sorted", sorted);
        MemorySegment wanted = segment("queries", queries);
        int[] bounds = new int[Array.getLength(queries)];
        engine(type).bounds(keys, wanted, segment("bounds", bounds), Integer.BYTES, isUpper);
        return bounds;
    }

    private static Object combine(SetOperation operation, ElementType type, Object first, Object second) {
        List<MemorySegment> one = List.of(segment("first", first));
        List<MemorySegment> other = List.of(segment("second", second));
        CpuSortedOperations engine = engine(type);
        long most = operation.most(Array.getLength(first), Array.getLength(second));
        // Counting takes as long as writing, so that there is room for as many as there can be, if an array has that.
        long room = most <= MOST_IN_ARRAY ? most : engine.combine(operation, one, other, bytes(type), one, 0);
        Object target = newArray(first, room);
        long found = engine.combine(operation, one, other, bytes(type), List.of(segment("target", target)), room);
        if (found >= room) {
            return target;
        }
        Object exact = newArray(first, found);
        System.arraycopy(target, 0, exact, 0, (int) found);
        return exact;
    }
}
