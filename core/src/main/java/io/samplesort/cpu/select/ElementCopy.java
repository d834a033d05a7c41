package io.samplesort.cpu.select;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Copies single elements. A copy of memory in general takes several times as long for a few bytes.
final class ElementCopy {
    private ElementCopy() {}

    static void copy(MemorySegment from, long fromByte, MemorySegment to, long toByte, int bytes) {
        switch (bytes) {
            case Byte.BYTES -> to.set(ValueLayout.JAVA_BYTE, toByte, from.get(ValueLayout.JAVA_BYTE, fromByte));
            case Short.BYTES ->
                to.set(ValueLayout.JAVA_SHORT_UNALIGNED, toByte, from.get(ValueLayout.JAVA_SHORT_UNALIGNED, fromByte));
            case Integer.BYTES ->
                to.set(ValueLayout.JAVA_INT_UNALIGNED, toByte, from.get(ValueLayout.JAVA_INT_UNALIGNED, fromByte));
            case Long.BYTES ->
                to.set(ValueLayout.JAVA_LONG_UNALIGNED, toByte, from.get(ValueLayout.JAVA_LONG_UNALIGNED, fromByte));
            default -> MemorySegment.copy(from, fromByte, to, toByte, bytes);
        }
    }
}
