package io.samplesort;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// Checks on the memory a user hands over, all made before anything is changed.
final class Segments {
    private Segments() {}

    static MemorySegment range(MemorySegment array, ElementType type, int from, int to) {
        return array.asSlice((long) from * type.byteSize(), (long) (to - from) * type.byteSize());
    }

    /// Checks that `segment` can be sorted as elements of `type`, and returns it in a form that all threads may read.
    static MemorySegment check(String what, MemorySegment segment, ElementType type) {
        Objects.requireNonNull(segment, what);
        if (segment.isReadOnly()) {
            throw new IllegalArgumentException(
                    "the segment of the " + what + " is read-only and cannot be sorted in place");
        }
        checkSize(what, segment.byteSize(), type);
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException("the segment of the " + what + " belongs to a closed arena");
        }
        boolean aligned = segment.heapBase().isPresent()
                ? segment.maxByteAlignment() >= type.byteSize()
                : segment.address() % type.byteSize() == 0;
        if (!aligned && segment.byteSize() > 0) {
            throw new IllegalArgumentException("the segment of the " + what + " is not aligned to " + type.byteSize()
                    + " bytes, the size of a " + type
                    + (segment.heapBase().isPresent() ? ": use an array of that type or a native segment" : ""));
        }
        if (!segment.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException("the segment of the " + what + " is confined to another thread");
        }
        if (segment.isNative() && !segment.isAccessibleBy(ANY_OTHER_THREAD)) {
            // Confined to this thread, which waits inside the sort and so cannot close it while others work on it.
            return MemorySegment.ofAddress(segment.address()).reinterpret(segment.byteSize());
        }
        return segment;
    }

    static void checkSize(String what, long bytes, ElementType type) {
        if (bytes % type.byteSize() != 0) {
            throw new IllegalArgumentException("the " + what + " have " + bytes + " bytes, which is no multiple of "
                    + type.byteSize() + ", the size of a " + type);
        }
    }

    static void checkPair(MemorySegment keys, ElementType key, MemorySegment payloads, ElementType payload) {
        long keyCount = keys.byteSize() / key.byteSize();
        long payloadCount = payloads.byteSize() / payload.byteSize();
        if (keyCount != payloadCount) {
            throw new IllegalArgumentException(
                    keyCount + " keys and " + payloadCount + " payloads: there must be as many");
        }
        if (keys.asOverlappingSlice(payloads).isPresent() && keyCount > 0) {
            throw new IllegalArgumentException("keys and payloads overlap in memory");
        }
    }

    private static final Thread ANY_OTHER_THREAD = Thread.ofPlatform().unstarted(() -> {});
}
