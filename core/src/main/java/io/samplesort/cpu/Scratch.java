package io.samplesort.cpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The memory that a distribution pass writes to, kept from sort to sort: the operating system takes longer to hand out
/// fresh pages than a pass takes to fill them.
final class Scratch implements AutoCloseable {
    private Arena arena;
    private Elements elements;
    private MemorySegment oracle;
    private long byteSize;

    /// Makes room for `count` elements and returns how many bytes that takes.
    long reserve(Column keys, Column payloads, long count) {
        long payloadBytes = payloads == null ? 0 : payloads.decodedBytes();
        long needed = Math.multiplyExact(count, keys.decodedBytes() + payloadBytes + 1);
        if (needed > byteSize) {
            close();
            Arena grown = Arena.ofShared();
            try {
                MemorySegment keySegment = keys.allocateDecoded(grown, count);
                MemorySegment payloadSegment = payloads == null ? null : payloads.allocateDecoded(grown, count);
                oracle = grown.allocate(count);
                elements = new Elements(keySegment, payloadSegment, false);
            } catch (RuntimeException | Error e) {
                grown.close();
                throw e;
            }
            arena = grown;
            byteSize = needed;
        }
        return needed;
    }

    Elements elements() {
        return elements;
    }

    /// A byte an element.
    MemorySegment oracle() {
        return oracle;
    }

    long byteSize() {
        return byteSize;
    }

    @Override
    public void close() {
        if (arena != null) {
            arena.close();
            arena = null;
            byteSize = 0;
        }
    }
}
