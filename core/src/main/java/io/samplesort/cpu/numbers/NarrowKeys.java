package io.samplesort.cpu.numbers;

import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Counts keys of 1 or 2 bytes, and writes runs of them: the part of one thread in a sort that moves nothing. A key is
/// identified by its rank, which is its place among all possible keys in the order of the sort.
public final class NarrowKeys {
    private static final int TILE = 1 << 12;

    /// Counters are emptied after this many keys, before one could overflow.
    private static final long MOST_UNCOUNTED = 1 << 30;

    /// This many tables take turns if they all fit the first cache, since a processor has to wait when it counts the
    /// same key twice in a row.
    private static final int BYTE_TABLES = 4;

    private final int keyBytes;
    private final int rankMask;
    private final int[] counters;
    private final byte[] bytes;
    private final short[] shorts;
    private long uncounted;

    public NarrowKeys(ElementType type, NaturalOrder order) {
        this.keyBytes = type.byteSize();
        int keyCount = keyCount(keyBytes);
        boolean isSigned = !order.isUnsigned() && !type.equals(ElementType.CHAR);
        this.rankMask = (isSigned ? keyCount / 2 : 0) ^ (order.isReversed() ? keyCount - 1 : 0);
        this.counters = new int[keyBytes == 1 ? BYTE_TABLES * keyCount : keyCount];
        this.bytes = new byte[keyBytes == 1 ? TILE : 0];
        this.shorts = new short[keyBytes == 1 ? 0 : TILE];
    }

    /// Returns how many different keys there could be.
    public static int keyCount(int keyBytes) {
        return 1 << Byte.SIZE * keyBytes;
    }

    /// Returns about how many bytes of heap an instance takes.
    public static long heapBytes(int keyBytes) {
        return (long) Integer.BYTES * (keyBytes == 1 ? BYTE_TABLES : 1) * keyCount(keyBytes) + (long) keyBytes * TILE;
    }

    /// Counts the keys `from..to`.
    ///
    /// @param counts takes the counts by rank when the counters are full; [#addTo] adds the rest
    public void count(Elements source, long from, long to, long[] counts) {
        for (long at = from; at < to; at += TILE) {
            int size = (int) Math.min(TILE, to - at);
            if (uncounted > MOST_UNCOUNTED - TILE) {
                addTo(counts);
            }
            uncounted += size;
            if (keyBytes == 1) {
                MemorySegment.copy(source.keys(), ValueLayout.JAVA_BYTE, at, bytes, 0, size);
                countBytes(size);
            } else {
                MemorySegment.copy(source.keys(), ValueLayout.JAVA_SHORT_UNALIGNED, at * Short.BYTES, shorts, 0, size);
                countShorts(size);
            }
        }
    }

    private void countBytes(int size) {
        int i = 0;
        for (; i <= size - BYTE_TABLES; i += BYTE_TABLES) {
            counters[bytes[i] & 0xff]++;
            counters[0x100 | bytes[i + 1] & 0xff]++;
            counters[0x200 | bytes[i + 2] & 0xff]++;
            counters[0x300 | bytes[i + 3] & 0xff]++;
        }
        for (; i < size; i++) {
            counters[bytes[i] & 0xff]++;
        }
    }

    private void countShorts(int size) {
        for (int i = 0; i < size; i++) {
            counters[counterOf(shorts[i] & 0xffff)]++;
        }
    }

    /// Returns the counter of a key of 2 bytes. Keys that are multiples of a power of two would have counters so far
    /// apart that the first cache has room for only a few of them, so the high bits of a key choose the line within a
    /// page.
    static int counterOf(int key) {
        return key ^ key >>> 10 << 4;
    }

    /// Adds what was counted to the counts of each rank, and starts again from zero.
    public void addTo(long[] counts) {
        int keyCount = keyCount(keyBytes);
        for (int key = 0; key < keyCount; key++) {
            int counter = keyBytes == 1 ? key : counterOf(key);
            for (int table = counter; table < counters.length; table += keyCount) {
                counts[key ^ rankMask] += counters[table];
            }
        }
        Arrays.fill(counters, 0);
        uncounted = 0;
    }

    /// Writes the sorted keys `from..to`.
    ///
    /// @param offsets where the keys of each rank begin, and at the end how many keys there are
    public void write(Elements target, long from, long to, long[] offsets) {
        int rank = rankAt(offsets, from);
        for (long at = from; at < to; at += TILE) {
            int size = (int) Math.min(TILE, to - at);
            int filled = 0;
            while (filled < size) {
                int end = (int) Math.min(size, offsets[rank + 1] - at);
                // Most ranks have no keys if there are few keys.
                if (end > filled) {
                    fill(filled, end, rank ^ rankMask);
                    filled = end;
                }
                if (filled < size) {
                    rank++;
                }
            }
            if (keyBytes == 1) {
                MemorySegment.copy(bytes, 0, target.keys(), ValueLayout.JAVA_BYTE, at, size);
            } else {
                MemorySegment.copy(shorts, 0, target.keys(), ValueLayout.JAVA_SHORT_UNALIGNED, at * Short.BYTES, size);
            }
        }
    }

    private void fill(int from, int to, int key) {
        if (keyBytes == 1) {
            Arrays.fill(bytes, from, to, (byte) key);
        } else {
            Arrays.fill(shorts, from, to, (short) key);
        }
    }

    /// Returns the rank whose keys cover position `at`.
    private static int rankAt(long[] offsets, long at) {
        int low = 0;
        int high = offsets.length - 2;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (offsets[middle] <= at) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
