package io.samplesort.gpu.sort;

import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelStructs.PageStore;
import io.samplesort.gpu.code.StructValues;

/// How the first pass of a sort in place takes an array in chunks, and what memory it needs for its bookkeeping.
///
/// Each chunk has pages from all over the array. So it has as many elements of each bucket as any other chunk, more or
/// less, and leaves as many pages free where each bucket belongs as the next chunk has elements for it. Where equal
/// elements keep their order, a chunk has pages that follow each other.
///
/// @param besidePages pages beside the array
/// @param chunks      how many there are
/// @param isInOrder   whether equal elements keep their order
public record ChunkPlan(PageShape shape, int logBuckets, int besidePages, int chunks, boolean isInOrder) {
    /// A chunk is counted with 30 bits.
    private static final long MOST_OF_A_CHUNK = 1L << 29;

    /// Each bucket has a page that is not full, and the array may end with part of a page.
    private static final int MORE_PAGES = 2;

    /// The highest turn of a slot for which it has bits (`slot_turn` in pages.cuh).
    private static final int MOST_TURNS = (1 << Integer.SIZE - KernelConstants.PAGE_BITS) - 1;

    private static final int ALIGNMENT = 256;

    /// Returns the plan with the fewest chunks; null if there are too few pages for any.
    public static ChunkPlan of(DeviceSort sort, PageShape shape, int logBuckets, long besidePages) {
        long most = Math.min(
                besidePages - (1 << logBuckets) - MORE_PAGES, Math.max(1, MOST_OF_A_CHUNK / shape.pageSize() - 1));
        if (most <= 0 || shape.wholePages() == 0) {
            return null;
        }
        int chunks = Math.toIntExact(Math.ceilDiv(shape.wholePages(), most));
        boolean isInOrder = sort.element().keepsOrder();
        return new ChunkPlan(shape, logBuckets, Math.toIntExact(besidePages), chunks, isInOrder);
    }

    int bucketCount() {
        return 1 << logBuckets;
    }

    /// Returns all pages, those beside the array included.
    public int pageCount() {
        return shape.arrayPages() + besidePages;
    }

    /// Returns the whole pages that a chunk has at most.
    private int pagesAChunk() {
        return Math.ceilDiv(shape.wholePages(), chunks);
    }

    /// Returns the elements that a chunk has at most.
    long mostOfAChunk() {
        return Math.min(shape.count(), (pagesAChunk() + 1) * shape.pageSize());
    }

    /// Returns the whole pages of a chunk, of which each has one.
    int pages(int chunk) {
        int whole = shape.wholePages();
        return isInOrder
                ? Math.clamp(whole - (long) chunk * pagesAChunk(), 0, pagesAChunk())
                : whole / chunks + (chunk < whole % chunks ? 1 : 0);
    }

    /// Returns how many elements a chunk has: the last one also what is behind the whole pages.
    long count(int chunk) {
        long rest = chunk == chunks - 1 ? shape.count() - shape.wholePages() * shape.pageSize() : 0;
        return pages(chunk) * shape.pageSize() + rest;
    }

    /// Returns log2 of the slots of a bucket: as many as it can take pages of a chunk, and enough for a slot to say how
    /// often it has been used.
    private int logSlotCount() {
        int log = Integer.SIZE - Integer.numberOfLeadingZeros(pagesAChunk() + MORE_PAGES);
        while (pageCount() >> log >= MOST_TURNS) {
            log++;
        }
        return log;
    }

    private static long aligned(long bytes) {
        return Math.ceilDiv(bytes, (long) ALIGNMENT) * ALIGNMENT;
    }

    private long slotBytes() {
        return aligned((long) Integer.BYTES << logBuckets + logSlotCount());
    }

    private long ownerBytes() {
        return aligned((long) pageCount() * Integer.BYTES);
    }

    private long listBytes() {
        return aligned((pageCount() + 1L) * Integer.BYTES);
    }

    private long rangeBytes() {
        return aligned((bucketCount() + 2L) * Integer.BYTES);
    }

    /// Returns the device memory of the bookkeeping.
    long storeBytes() {
        return ownerBytes() + slotBytes() + 2 * listBytes() + 2 * rangeBytes();
    }

    /// Returns where it says who owns which page: an int for each.
    static long owners(long store) {
        return store;
    }

    long slots(long store) {
        return store + ownerBytes();
    }

    long slotBytesInUse() {
        return slotBytes();
    }

    /// Returns where the pages stand in the order in which they are read, chunk by chunk.
    long list(long store) {
        return slots(store) + slotBytes();
    }

    /// Returns the struct `PageStore` of pages.cuh.
    long[] fields(long store) {
        long free = list(store) + listBytes();
        long ranges = free + listBytes();
        return new StructValues<>(PageStore.values())
                .set(PageStore.SLOTS, slots(store))
                .set(PageStore.LOG_SLOT_COUNT, logSlotCount())
                .set(PageStore.OWNERS, owners(store))
                .set(PageStore.FREE_PAGES, free)
                .set(PageStore.RANGE_BEGINS, ranges)
                .set(PageStore.TAKEN, ranges + rangeBytes())
                .set(PageStore.PAGE_COUNT, pageCount())
                .set(PageStore.WHOLE_PAGES, shape.wholePages())
                .set(PageStore.CHUNK_COUNT, chunks)
                .set(PageStore.PAGES_A_CHUNK, isInOrder ? pagesAChunk() : 0)
                .toArray();
    }
}
