package io.samplesort.cpu.numbers;

import java.lang.foreign.MemorySegment;

/// Elements outside the workers' buffers: the input of a sort, or pages that were set aside. There is a column of keys
/// and, for pairs, one of payload; element `i` is entry `i` of both.
///
/// @param keys         the key column
/// @param keyBytes     bytes of a key
/// @param payload      the payload column; null if there is none
/// @param payloadBytes bytes of a payload; 0 if there is none
public record Elements(MemorySegment keys, int keyBytes, MemorySegment payload, int payloadBytes) {
    /// Allocates room for `count` elements on the heap.
    public static Elements allocate(long count, int keyBytes, int payloadBytes) {
        MemorySegment payload = payloadBytes == 0 ? null : allocateColumn(count * payloadBytes);
        return new Elements(allocateColumn(count * keyBytes), keyBytes, payload, payloadBytes);
    }

    private static MemorySegment allocateColumn(long bytes) {
        return MemorySegment.ofArray(new long[Math.toIntExact((bytes + 7) / 8)]);
    }

    public long count() {
        return keys.byteSize() / keyBytes;
    }

    /// Returns the bytes of one element, payload included.
    public int elementBytes() {
        return keyBytes + payloadBytes;
    }

    /// Returns the index of element `i` of a column in the array that the column lies in, whose elements have the
    /// column's size. Returns -1 if there is no such array, or the column does not begin at one of its elements.
    ///
    /// @param array the class of the array, such as `long[].class`
    int arrayIndex(Column column, long i, Class<?> array) {
        MemorySegment segment = column(column);
        int bytes = column == Column.KEYS ? keyBytes : payloadBytes;
        Object base = segment.heapBase().orElse(null);
        return array.isInstance(base) && segment.address() % bytes == 0 ? (int) (segment.address() / bytes + i) : -1;
    }

    /// Returns whether all keys and payloads lie at multiples of their sizes.
    boolean areAligned() {
        return keys.maxByteAlignment() >= keyBytes && (payload == null || payload.maxByteAlignment() >= payloadBytes);
    }

    MemorySegment column(Column column) {
        return column == Column.KEYS ? keys : payload;
    }

    /// Copies `count` elements from index `from` to index `to` of `target`, bit for bit.
    public void copyTo(long from, Elements target, long to, long count) {
        MemorySegment.copy(keys, from * keyBytes, target.keys, to * keyBytes, count * keyBytes);
        if (payload != null) {
            MemorySegment.copy(payload, from * payloadBytes, target.payload, to * payloadBytes, count * payloadBytes);
        }
    }

    /// The columns of [Elements].
    enum Column {
        KEYS,
        PAYLOAD
    }
}
