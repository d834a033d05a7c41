package io.samplesort.cpu.numbers;

import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Sorts few integers the short way: with the JDK's own sort, on the array behind the segment.
///
/// Floating-point numbers go through a lane even so. Java treats all NaNs as equal, and this library does not; and the
/// lane is as fast, since it sorts the numbers as integers.
final class DirectSort {
    private DirectSort() {}

    /// Sorts `keys` if they are integers, they lie in an array of their own type, and the order is Java's.
    ///
    /// @return whether `keys` were sorted
    static boolean trySort(MemorySegment keys, ElementType type, NaturalOrder order) {
        Object array = keys.heapBase().orElse(null);
        if (array == null || order.isReversed() || order.isUnsigned() && !type.equals(ElementType.CHAR)) {
            return false;
        }
        int from = Math.toIntExact(keys.address() / type.byteSize());
        int to = from + Math.toIntExact(keys.byteSize() / type.byteSize());
        if (type.equals(ElementType.BYTE) && array instanceof byte[] a) {
            Arrays.sort(a, from, to);
        } else if (type.equals(ElementType.SHORT) && array instanceof short[] a) {
            Arrays.sort(a, from, to);
        } else if (type.equals(ElementType.CHAR) && array instanceof char[] a) {
            Arrays.sort(a, from, to);
        } else if (type.equals(ElementType.INT) && array instanceof int[] a) {
            Arrays.sort(a, from, to);
        } else if (type.equals(ElementType.LONG) && array instanceof long[] a) {
            Arrays.sort(a, from, to);
        } else {
            return false;
        }
        return true;
    }
}
