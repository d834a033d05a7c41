package io.samplesort.cpu.records;

import io.samplesort.cpu.leaf.LeafSort;
import io.samplesort.cpu.numbers.PairSort;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Sorts records that fit the caches of one core: it sorts their prefixes along with their places, then records with
/// equal prefixes by the rest of their keys, and writes each record where it belongs. Meanwhile it allocates nothing
/// large: if that failed, records that are not written yet would be lost.
final class RecordLeaf {
    /// Runs of up to this many equal prefixes are sorted by comparing records.
    private static final int COMPARING_LIMIT = 12;

    private static final int OUTPUT_BYTES = 1 << 14;

    private final int recordBytes;
    private final RecordTransfer transfer;
    private final LeafSort leafSort = new LeafSort();
    private final PairSort pairSort = new PairSort(leafSort);
    private byte[] records = {};
    private long[] prefixes = {};
    private long[] spare = {};
    /// The place in `records` of the record that comes first, second, …
    private long[] places = {};
    private byte[] output = {};

    RecordLeaf(RecordLayout layout, RecordTransfer transfer) {
        this.recordBytes = layout.recordBytes();
        this.transfer = transfer;
    }

    /// Makes room for `count` records.
    void reserve(int count) {
        if (prefixes.length < count) {
            records = new byte[count * recordBytes];
            prefixes = new long[count];
            spare = new long[count];
            places = new long[count];
            output = new byte[Math.max(OUTPUT_BYTES / recordBytes, 1) * recordBytes];
            pairSort.reserve(count);
        }
    }

    long heapBytes() {
        return 0L
                + records.length
                + output.length
                + (long) Long.BYTES * (prefixes.length + spare.length + places.length)
                + pairSort.heapBytes()
                + leafSort.heapBytes();
    }

    /// Returns the array whose first records are sorted.
    byte[] records() {
        return records;
    }

    /// Sorts the first `count` records by `key`, and writes them to record `to` of `target`.
    void sort(int count, SortKey key, List<MemorySegment> target, long to) {
        key.prefixes(records, count, prefixes, spare);
        if (!pairSort.sortPlaces(prefixes, places, count, key.isWholeInPrefix())) {
            sortTies(0, count, key);
        }
        int room = output.length / recordBytes;
        for (int done = 0; done < count; done += room) {
            int size = Math.min(room, count - done);
            gather(done, size);
            transfer.write(output, size, target, to + done);
        }
    }

    /// Sorts the runs of equal prefixes of `key` by the rest of the key.
    private void sortTies(int from, int to, SortKey key) {
        if (key.isWholeInPrefix()) {
            return;
        }
        SortKey rest = key.rest();
        MemorySegment segment = MemorySegment.ofArray(records);
        ElementComparator comparator = rest.comparator(segment);
        int start = from;
        for (int i = from + 1; i <= to; i++) {
            if (i < to && prefixes[i] == prefixes[start]) {
                continue;
            }
            if (i - start > COMPARING_LIMIT) {
                sortByPrefix(start, i, rest, segment);
            } else if (i - start > 1) {
                sortByComparing(start, i, comparator);
            }
            start = i;
        }
    }

    private void sortByPrefix(int from, int to, SortKey key, MemorySegment segment) {
        for (int i = from; i < to; i++) {
            // The inverted sign bit turns the unsigned prefix into a signed one.
            prefixes[i] = key.prefix(segment, places[i]) ^ Long.MIN_VALUE;
        }
        pairSort.sort(prefixes, places, from, to);
        sortTies(from, to, key);
    }

    private void sortByComparing(int from, int to, ElementComparator comparator) {
        for (int i = from + 1; i < to; i++) {
            long place = places[i];
            int at = i;
            while (at > from && comparator.compare(place, places[at - 1]) < 0) {
                places[at] = places[at - 1];
                at--;
            }
            places[at] = place;
        }
    }

    private void gather(int from, int count) {
        byte[] source = records;
        byte[] target = output;
        long[] order = places;
        int bytes = recordBytes;
        for (int i = 0; i < count; i++) {
            RecordTransfer.move(source, (int) order[from + i] * bytes, target, i * bytes, bytes);
        }
    }
}
