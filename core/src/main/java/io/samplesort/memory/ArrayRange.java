package io.samplesort.memory;

import java.lang.foreign.MemorySegment;

/// The elements `from` to `to - 1` of an array of numbers. It becomes a segment only if one is needed: the first
/// segment of a process takes some 20 ms, and the kernels of the CPU engine work on arrays as they are.
///
/// @param array an array of any primitive type but boolean
public record ArrayRange(Object array, int from, int to) {
    /// Returns how many elements there are.
    public int count() {
        return to - from;
    }

    /// Returns these elements as a segment.
    public MemorySegment segment() {
        MemorySegment all = whole();
        long bytes = elementBytes();
        return all.asSlice(from * bytes, count() * bytes);
    }

    private MemorySegment whole() {
        if (array instanceof long[] longs) {
            return MemorySegment.ofArray(longs);
        }
        if (array instanceof int[] ints) {
            return MemorySegment.ofArray(ints);
        }
        if (array instanceof double[] doubles) {
            return MemorySegment.ofArray(doubles);
        }
        if (array instanceof float[] floats) {
            return MemorySegment.ofArray(floats);
        }
        if (array instanceof short[] shorts) {
            return MemorySegment.ofArray(shorts);
        }
        return array instanceof char[] chars ? MemorySegment.ofArray(chars) : MemorySegment.ofArray((byte[]) array);
    }

    private int elementBytes() {
        if (array instanceof long[] || array instanceof double[]) {
            return Long.BYTES;
        }
        if (array instanceof int[] || array instanceof float[]) {
            return Integer.BYTES;
        }
        return array instanceof byte[] ? Byte.BYTES : Short.BYTES;
    }
}
