package io.samplesort.cpu.leaf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The place of a column that the kernels work on: in an array, or in native memory.
///
/// @param array   null if it lies in native memory
/// @param at      where in the array it begins, in bytes
/// @param segment null if it is the rest of an array whose elements are those of the column. The first segment of a
///     process takes some 20 ms, so none is made for an array.
record Place(Object array, long at, MemorySegment segment) {
    /// Returns the place of a segment.
    static Place of(MemorySegment segment) {
        return new Place(segment.heapBase().orElse(null), segment.address(), segment);
    }

    /// Returns the place of an array of the column's elements, from byte `at` on.
    static Place of(Object array, long at) {
        return new Place(array, at, null);
    }

    /// Returns the bits of element `i` of a column of four-byte elements.
    int intAt(long i) {
        if (segment != null) {
            return segment.get(ValueLayout.JAVA_INT_UNALIGNED, i * Integer.BYTES);
        }
        int index = (int) (at / Integer.BYTES + i);
        return array instanceof int[] ints ? ints[index] : Float.floatToRawIntBits(((float[]) array)[index]);
    }

    /// Returns the bits of element `i` of a column of eight-byte elements.
    long longAt(long i) {
        if (segment != null) {
            return segment.get(ValueLayout.JAVA_LONG_UNALIGNED, i * Long.BYTES);
        }
        int index = (int) (at / Long.BYTES + i);
        return array instanceof long[] longs ? longs[index] : Double.doubleToRawLongBits(((double[]) array)[index]);
    }
}
