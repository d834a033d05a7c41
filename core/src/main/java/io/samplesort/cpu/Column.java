package io.samplesort.cpu;

import io.samplesort.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// One column of the elements: their keys, or their payloads. In the user's memory a column is encoded, in ours decoded
/// to 32 or 64 bits a value.
///
/// @param type        the user's type
/// @param zeroExtends whether 8- and 16-bit values are widened with zeros
/// @param codec       between the two forms
record Column(ElementType type, boolean zeroExtends, KeyCodec codec) {
    int decodedBytes() {
        return type.byteSize() == Long.BYTES ? Long.BYTES : Integer.BYTES;
    }

    MemorySegment allocateDecoded(Arena arena, long count) {
        return arena.allocate(Math.multiplyExact(count, decodedBytes()), Long.BYTES);
    }

    Lane newLane() {
        return type.byteSize() == Long.BYTES ? new LongLane(this) : new IntLane(this);
    }
}
