package io.samplesort.cpu.records;

import io.samplesort.cpu.leaf.SimdRecords;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// What one thread of a [GatherSort] owns, and its inner loops: records pass through an array of bytes that stays in
/// the first cache.
final class GatherWorker {
    private final RecordLayout layout;
    private final RecordTransfer transfer;
    private final byte[] tile;
    private final long[] packed;
    private final long[] spare;

    GatherWorker(RecordLayout layout) {
        this.layout = layout;
        this.transfer = new RecordTransfer(layout);
        int size = layout.tileSize();
        this.tile = new byte[size * layout.recordBytes()];
        this.packed = new long[size];
        this.spare = new long[size];
        transfer.reserve();
    }

    long heapBytes() {
        return tile.length + (long) Long.BYTES * (packed.length + spare.length) + transfer.heapBytes();
    }

    /// Copies the records `from..to`, and packs the leading bits of their keys with their places.
    ///
    /// @param key of records
    void copy(
            List<MemorySegment> columns,
            int from,
            int to,
            SortKey key,
            int placeBits,
            SimdRecords kernels,
            MemorySegment copy,
            MemorySegment allPacked) {
        SimdRecords.Packing packing = key.packing(placeBits);
        if (packing != null && columns.size() == 1) {
            pack(recordsOf(columns.getFirst(), from, to), packing, from, kernels, copy, allPacked);
            return;
        }
        for (int at = from; at < to; at += layout.tileSize()) {
            int size = Math.min(layout.tileSize(), to - at);
            transfer.read(columns, at, size, tile);
            MemorySegment records = recordsOf(MemorySegment.ofArray(tile), 0, size);
            if (packing != null) {
                pack(records, packing, at, kernels, copy, allPacked);
            } else {
                key.pack(tile, size, at, placeBits, packed, spare);
                MemorySegment.copy(packed, 0, allPacked, ValueLayout.JAVA_LONG, (long) at * Long.BYTES, size);
                kernels.stream(records, recordsOf(copy, at, at + size));
            }
        }
    }

    private void pack(
            MemorySegment records,
            SimdRecords.Packing packing,
            int place,
            SimdRecords kernels,
            MemorySegment copy,
            MemorySegment allPacked) {
        int bytes = layout.recordBytes();
        kernels.pack(
                records,
                bytes,
                packing,
                place,
                copy.asSlice((long) place * bytes),
                allPacked.asSlice((long) place * Long.BYTES));
    }

    private MemorySegment recordsOf(MemorySegment records, int from, int to) {
        long bytes = layout.recordBytes();
        return records.asSlice(from * bytes, (to - from) * bytes);
    }

    /// Writes the records at the places `from..to` to their columns.
    void write(
            List<MemorySegment> columns,
            int from,
            int to,
            int placeBits,
            SimdRecords kernels,
            MemorySegment copy,
            MemorySegment allPacked) {
        int bytes = layout.recordBytes();
        if (columns.size() == 1) {
            kernels.gather(copy, allPacked, placeBits, bytes, from, to, recordsOf(columns.getFirst(), from, to));
            return;
        }
        for (int at = from; at < to; at += layout.tileSize()) {
            int size = Math.min(layout.tileSize(), to - at);
            kernels.gather(copy, allPacked, placeBits, bytes, at, at + size, MemorySegment.ofArray(tile));
            transfer.write(tile, size, columns, at);
        }
    }
}
