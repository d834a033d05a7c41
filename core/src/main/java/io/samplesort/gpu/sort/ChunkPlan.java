package io.samplesort.gpu.sort;

import io.samplesort.gpu.code.KernelStructs.PageStore;
import io.samplesort.gpu.code.StructValues;

/// How the first pass of a sort in place takes an array in chunks, and what memory it needs for its bookkeeping.
///
/// The array is read in rounds, each of which has pages from all over it. So pages become free everywhere at the same
/// rate. They are taken at the same rate, too, as each round has more or less the same number of elements of each
/// bucket. The first chunk is one round, which tells where buckets belong; the second chunk is all other rounds. If
/// equal elements keep their order, pages are read in the order of the array, and there are more chunks, since the
/// counts of tiles take memory.
///
/// @param besidePages  pages outside the array
/// @param strides      the number of rounds
/// @param firstPages   whole pages of the first chunk
/// @param pagesAChunk  whole pages of each other chunk; the last one may have fewer
/// @param isInOrder    whether equal elements keep their order
public record ChunkPlan(
        PageShape shape,
        int logBuckets,
        int besidePages,
        int strides,
        int firstPages,
        int pagesAChunk,
        boolean isInOrder) {
    /// The counts of a chunk whose elements keep their order have 30 bits.
    private static final long MOST_OF_A_CHUNK = 1L << 29;

    private static final int MOST_STRIDES = 64;

    /// There are at least this many chunks, which limits the memory for the counts of tiles.
    private static final int LEAST_CHUNKS_IN_ORDER = 14;

    /// The array may end with part of a page, one page may have tiles that are not taken yet, and one page is free.
    static final int MORE_PAGES = 3;

    /// A bucket has a page that is not full, and the next one.
    static final int PAGES_A_BUCKET = 2;

    /// A block has at most this many tiles whose pages are not free yet: the current one, the next one, and one for
    /// which it has a ticket.
    static final int TILES_A_BLOCK = 3;

    private static final int LOG_MOST_TOLD_PAGES = 9;

    private static final int ALIGNMENT = 256;

    /// Returns the plan; null if there are too few pages for any.
    public static ChunkPlan of(DeviceSort sort, PageShape shape, int logBuckets, long besidePages) {
        int whole = shape.wholePages();
        if (besidePages < ((long) PAGES_A_BUCKET << logBuckets) + MORE_PAGES + TILES_A_BLOCK || whole == 0) {
            return null;
        }
        boolean isInOrder = sort.element().keepsOrder();
        int strides = isInOrder ? 1 : Math.min(MOST_STRIDES, whole);
        long most = Math.min(
                Math.ceilDiv(whole, LEAST_CHUNKS_IN_ORDER), Math.max(1, MOST_OF_A_CHUNK / shape.pageSize() - 1));
        int first = isInOrder ? (int) most : whole / strides;
        return new ChunkPlan(
                shape, logBuckets, Math.toIntExact(besidePages), strides, first, isInOrder ? first : whole, isInOrder);
    }

    int bucketCount() {
        return 1 << logBuckets;
    }

    /// Returns the number of all pages, including those outside the array.
    public int pageCount() {
        return shape.arrayPages() + besidePages;
    }

    /// Returns how many chunks there are.
    int chunks() {
        return 1 + Math.ceilDiv(shape.wholePages() - firstPages, pagesAChunk);
    }

    /// Returns the first page of a chunk, in the order of reading; for the end after the last chunk, the number of
    /// whole pages.
    int firstPage(int chunk) {
        long first = chunk == 0 ? 0 : firstPages + (chunk - 1L) * pagesAChunk;
        return (int) Math.min(first, shape.wholePages());
    }

    /// Returns how many elements a chunk has: the last one includes what follows the whole pages.
    long count(int chunk) {
        long end = chunk == chunks() - 1 ? shape.count() : firstPage(chunk + 1) * shape.pageSize();
        return end - firstPage(chunk) * shape.pageSize();
    }

    /// Returns the most elements of a chunk, for which the counts of tiles need memory.
    long mostOfAChunk() {
        return Math.min(shape.count(), (firstPages + 1L) * shape.pageSize());
    }

    /// Returns the most blocks with which the memory outside the array has a free page whenever one is needed
    /// (page_store.cuh). Of the tiles of a block, the elements of the current one may already lie in pages of buckets;
    /// those of the other two do not yet.
    public int mostBlocks() {
        int tilesABlock = (TILES_A_BLOCK << shape.logTiles()) - (TILES_A_BLOCK - 1);
        return (besidePages - PAGES_A_BUCKET * bucketCount() - MORE_PAGES << shape.logTiles()) / tilesABlock;
    }

    private static long aligned(long bytes) {
        return Math.ceilDiv(bytes, (long) ALIGNMENT) * ALIGNMENT;
    }

    /// Returns the bytes of the owners.
    long ownerBytes() {
        return aligned((long) pageCount() * Integer.BYTES);
    }

    /// Returns log2 of how many pages of a bucket are announced at a time: twice as many as a bucket of average size
    /// has, but no more than a block ever lags behind.
    private int logToldPages() {
        int pages = Math.ceilDiv(2 * pageCount(), bucketCount());
        return Math.min(LOG_MOST_TOLD_PAGES, Integer.SIZE - Integer.numberOfLeadingZeros(pages));
    }

    private long toldBytes() {
        return (long) Long.BYTES << logBuckets + logToldPages();
    }

    private long latestBytes() {
        return aligned((long) Long.BYTES << logBuckets);
    }

    private long loadedBytes() {
        return aligned(shape.logTiles() == 0 ? 0 : (long) pageCount() * Integer.BYTES);
    }

    private long freeBytes() {
        return aligned(freeWords() * (long) Long.BYTES);
    }

    /// Returns how many words of 64 bits have a bit for each page.
    int freeWords() {
        return Math.ceilDiv(pageCount(), Long.SIZE);
    }

    private long bucketBytes() {
        return aligned((bucketCount() + 1L) * Integer.BYTES);
    }

    /// Returns the device memory of the bookkeeping.
    long storeBytes() {
        return ownerBytes() + zeroedBytes() + freeBytes() + latestBytes() + bucketBytes() + ALIGNMENT;
    }

    /// Returns the address of an int for each page: its owner, and in the end its place in the list.
    static long owners(long store) {
        return store;
    }

    /// Returns how many pages each round has.
    int pagesARound() {
        return shape.wholePages() / strides;
    }

    /// Returns the factor for a place in the order of reading: the upper bits of the product, above the lowest 32, are
    /// its round (`page_read` in page_store.cuh). A place times the pages of a round is less than 2^32, so the rounding
    /// makes no difference.
    long roundFactor() {
        return Math.ceilDiv(1L << Integer.SIZE, (long) pagesARound());
    }

    /// Returns where the bytes begin that must be 0 before the pass.
    long zeroed(long store) {
        return store + ownerBytes();
    }

    long zeroedBytes() {
        return toldBytes() + loadedBytes();
    }

    /// Returns the address of the bits of the pages, which are set for free pages.
    long free(long store) {
        return zeroed(store) + zeroedBytes();
    }

    /// Returns the struct `PageStore` of page_store.cuh.
    long[] fields(long store) {
        long told = zeroed(store);
        long free = free(store);
        long latest = free + freeBytes();
        long homes = latest + latestBytes();
        long cursor = homes + bucketBytes();
        return new StructValues<>(PageStore.values())
                .set(PageStore.TOLD, told)
                .set(PageStore.LOG_TOLD_PAGES, logToldPages())
                .set(PageStore.LATEST, latest)
                .set(PageStore.OWNERS, owners(store))
                .set(PageStore.FREE_PAGES, free)
                .set(PageStore.HOMES, homes)
                .set(PageStore.CURSOR, cursor)
                .set(PageStore.LOADED_TILES, told + toldBytes())
                .set(PageStore.TICKETS, cursor + Integer.BYTES)
                .set(PageStore.PAGE_COUNT, pageCount())
                .set(PageStore.WHOLE_PAGES, shape.wholePages())
                .set(PageStore.STRIDES, strides)
                .set(PageStore.PAGES_A_STRIDE, pagesARound())
                .set(PageStore.STRIDE_FACTOR, roundFactor())
                .toArray();
    }
}
