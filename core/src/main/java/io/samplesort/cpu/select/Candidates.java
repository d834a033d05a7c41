package io.samplesort.cpu.select;

import io.samplesort.cpu.threads.Crew;
import io.samplesort.memory.RankBounds;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/// The elements that a filter has kept, in the order of their indexes.
final class Candidates {
    /// A thread takes this many blocks at a time, since taking some costs about as much as reading a block.
    private static final int BLOCKS_AT_ONCE = 8;

    /// Where the kept elements of each block of [Filter#GRAIN] elements lie, counted from its begin.
    private final int[][] blocks;
    /// The kept elements of each block.
    private final byte[][] elements;
    /// How many elements are kept before each block, and in all blocks.
    private final long[] begins;

    private final long below;

    private Candidates(int[][] blocks, byte[][] elements, long less, RankBounds bounds) {
        this.blocks = blocks;
        this.elements = elements;
        begins = new long[blocks.length + 1];
        for (int block = 0; block < blocks.length; block++) {
            begins[block + 1] = begins[block] + blocks[block].length;
        }
        below = bounds.hasHigh() ? less : bounds.hasLow() ? bounds.count() - count() : 0;
    }

    /// Filters all elements that these bounds are for.
    static Candidates of(MemorySegment elements, int elementBytes, Filter filter, RankBounds bounds, Crew crew) {
        long count = bounds.count();
        int[][] blocks = new int[(int) Math.ceilDiv(count, Filter.GRAIN)][];
        byte[][] copies = new byte[blocks.length][];
        AtomicLong less = new AtomicLong();
        // Each thread takes one of these for some blocks.
        ConcurrentLinkedQueue<int[]> buffers = new ConcurrentLinkedQueue<>();
        crew.forRanges(count, (long) Filter.GRAIN * BLOCKS_AT_ONCE, (from, to) -> {
            int[] free = buffers.poll();
            int[] kept = free == null ? new int[Filter.GRAIN] : free;
            long lessHere = 0;
            for (long at = from; at < to; at += Filter.GRAIN) {
                long found = filter.filter(at, Math.min(at + Filter.GRAIN, to), kept);
                lessHere += found >>> Integer.SIZE;
                int block = (int) (at / Filter.GRAIN);
                blocks[block] = Arrays.copyOf(kept, (int) found);
                copies[block] = copy(elements, elementBytes, at, blocks[block]);
            }
            less.addAndGet(lessHere);
            buffers.add(kept);
        });
        return new Candidates(blocks, copies, less.get(), bounds);
    }

    /// Copies elements of a block at once, while they are in the cache.
    private static byte[] copy(MemorySegment elements, int bytes, long base, int[] places) {
        byte[] copy = new byte[Math.multiplyExact(places.length, bytes)];
        MemorySegment target = MemorySegment.ofArray(copy);
        long at = 0;
        for (int place : places) {
            ElementCopy.copy(elements, (base + place) * bytes, target, at, bytes);
            at += bytes;
        }
        return copy;
    }

    /// Returns how many elements lie below the lower bound.
    long below() {
        return below;
    }

    /// Returns how many elements were kept.
    long count() {
        return begins[blocks.length];
    }

    /// Returns whether the elements of the ranks `from..to` are among the kept ones.
    boolean have(long from, long to) {
        return below <= from && to <= below + count();
    }

    /// Returns the index of the kept element with this number.
    long index(long number) {
        int found = Arrays.binarySearch(begins, number);
        if (found < 0) {
            found = -found - 2;
        }
        while (blocks[found].length == 0) {
            found++;
        }
        return (long) found * Filter.GRAIN + blocks[found][(int) (number - begins[found])];
    }

    /// Copies the kept elements to the begin of `target`.
    void copyTo(MemorySegment target) {
        long at = 0;
        for (byte[] block : elements) {
            MemorySegment.copy(MemorySegment.ofArray(block), 0, target, at, block.length);
            at += block.length;
        }
    }
}
