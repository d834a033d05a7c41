package io.samplesort.cpu;

import io.samplesort.ElementType;
import io.samplesort.Order;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The short way for few elements: the JDK's own sort on the array behind a segment.
final class DirectSort {
    private DirectSort() {}

    /// Sorts `keys` where it is backed by an array of the type's own and the order is Java's.
    ///
    /// @return whether it did
    static boolean trySort(MemorySegment keys, ElementType type, Order.BuiltIn order) {
        Object array = keys.heapBase().orElse(null);
        if (array == null || order.isReversed() || order.isUnsigned() && type != ElementType.CHAR) {
            return false;
        }
        int from = Math.toIntExact(keys.address() / type.byteSize());
        int to = from + Math.toIntExact(keys.byteSize() / type.byteSize());
        switch (array) {
            case byte[] a when type == ElementType.BYTE -> Arrays.sort(a, from, to);
            case short[] a when type == ElementType.SHORT -> Arrays.sort(a, from, to);
            case char[] a when type == ElementType.CHAR -> Arrays.sort(a, from, to);
            case int[] a when type == ElementType.INT -> Arrays.sort(a, from, to);
            case long[] a when type == ElementType.LONG -> Arrays.sort(a, from, to);
            case float[] a when type == ElementType.FLOAT -> Arrays.sort(a, from, to);
            case double[] a when type == ElementType.DOUBLE -> Arrays.sort(a, from, to);
            default -> {
                return false;
            }
        }
        return true;
    }
}
