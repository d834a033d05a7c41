package io.samplesort.cpu.select;

import io.samplesort.cpu.threads.Crew;
import io.samplesort.memory.RankBounds;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/// The elements that a filter has kept, in the order of their indexes.
final class Candidates {
    /// Where the kept elements of each block of [Filter#GRAIN] elements lie, counted from its begin.
    private final int[][] blocks;
    /// How many elements are kept before each block, and in all blocks.
    private final long[] begins;

    private final long below;

    private Candidates(int[][] blocks, long less, RankBounds bounds) {
        this.blocks = blocks;
        begins = new long[blocks.length + 1];
        for (int block = 0; block < blocks.length; block++) {
            begins[block + 1] = begins[block] + blocks[block].length;
        }
        below = bounds.hasHigh() ? less : bounds.hasLow() ? bounds.count() - count() : 0;
    }

    /// Filters all elements that these bounds are for.
    static Candidates of(Filter filter, RankBounds bounds, Crew crew) {
        long count = bounds.count();
        int[][] blocks = new int[(int) Math.ceilDiv(count, Filter.GRAIN)][];
        AtomicLong less = new AtomicLong();
        // Each thread takes one of these for each block.
        ConcurrentLinkedQueue<int[]> buffers = new ConcurrentLinkedQueue<>();
        crew.forRanges(count, Filter.GRAIN, (from, to) -> {
            int[] free = buffers.poll();
            int[] buffer = free == null ? new int[Filter.GRAIN] : free;
            long found = filter.filter(from, to, buffer);
            blocks[(int) (from / Filter.GRAIN)] = Arrays.copyOf(buffer, (int) found);
            less.addAndGet(found >>> Integer.SIZE);
            buffers.add(buffer);
        });
        return new Candidates(blocks, less.get(), bounds);
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
    void copy(MemorySegment elements, int elementBytes, MemorySegment target, Crew crew) {
        crew.forRanges(blocks.length, Math.max(1, blocks.length / (4L * crew.size())), (from, to) -> {
            for (int block = (int) from; block < to; block++) {
                long base = (long) block * Filter.GRAIN;
                long at = begins[block] * elementBytes;
                for (int place : blocks[block]) {
                    ElementCopy.copy(elements, (base + place) * elementBytes, target, at, elementBytes);
                    at += elementBytes;
                }
            }
        });
    }
}
