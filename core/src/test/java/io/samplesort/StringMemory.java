package io.samplesort;

import io.samplesort.types.ElementType;
import io.samplesort.types.Strings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Where the strings of a test lie: the kinds of memory and offsets that a view of strings may have.
public enum StringMemory {
    HEAP_INTS(false, ElementType.INT, 0, 0),
    HEAP_LONGS(false, ElementType.LONG, 0, 0),
    NATIVE_INTS(true, ElementType.INT, 0, 0),
    NATIVE_LONGS(true, ElementType.LONG, 0, 0),
    /// The first string does not begin at the first byte.
    LATE_START(false, ElementType.INT, 13, 0),
    NATIVE_LATE_START(true, ElementType.LONG, 5, 0),
    /// Each string has a newline at its end, which is not compared.
    LINES(false, ElementType.LONG, 3, 1),
    NATIVE_LINES(true, ElementType.INT, 0, 1);

    private final boolean isNative;
    private final ElementType offsetType;
    private final int firstOffset;
    private final int terminatorBytes;

    StringMemory(boolean isNative, ElementType offsetType, int firstOffset, int terminatorBytes) {
        this.isNative = isNative;
        this.offsetType = offsetType;
        this.firstOffset = firstOffset;
        this.terminatorBytes = terminatorBytes;
    }

    /// Returns a view of a copy of the strings.
    public Strings view(byte[][] strings, Arena arena) {
        int size = firstOffset;
        for (byte[] string : strings) {
            size += string.length + terminatorBytes;
        }
        MemorySegment bytes = isNative ? arena.allocate(size) : MemorySegment.ofArray(new byte[size]);
        bytes.fill((byte) 0x61);
        int offsetBytes = offsetType.byteSize();
        long offsetsSize = (strings.length + 1L) * offsetBytes;
        MemorySegment offsets = isNative
                ? arena.allocate(offsetsSize, offsetBytes)
                : offsetBytes == Integer.BYTES
                        ? MemorySegment.ofArray(new int[strings.length + 1])
                        : MemorySegment.ofArray(new long[strings.length + 1]);
        int at = firstOffset;
        for (int i = 0; i <= strings.length; i++) {
            if (offsetBytes == Integer.BYTES) {
                offsets.setAtIndex(ValueLayout.JAVA_INT, i, at);
            } else {
                offsets.setAtIndex(ValueLayout.JAVA_LONG, i, at);
            }
            if (i < strings.length) {
                MemorySegment.copy(strings[i], 0, bytes, ValueLayout.JAVA_BYTE, at, strings[i].length);
                at += strings[i].length;
                bytes.asSlice(at, terminatorBytes).fill((byte) '\n');
                at += terminatorBytes;
            }
        }
        return Strings.of(bytes, offsets, offsetType).withoutLast(terminatorBytes);
    }
}
