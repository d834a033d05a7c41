package io.samplesort.gpu.code;

import static io.samplesort.gpu.code.KernelConstants.WARP_SIZE;

/// How many bytes of shared memory the blocks take that plan a sort in place. They are the same for all elements.
/// [HostAgreement] has the compiler compare them, as those of [SharedMemory].
public final class PageMemory {
    private PageMemory() {}

    /// Returns what a block of `list_pages` takes for so many buckets.
    public static int listPages(int bucketCount) {
        return WARP_SIZE * Long.BYTES + (bucketCount + 1) * Integer.BYTES;
    }

    /// Returns what the block of `plan_regions` takes.
    public static int planRegions() {
        return WARP_SIZE * Long.BYTES;
    }

    /// Returns what the block of `plan_moves` takes for so many buckets, regions and pages.
    public static int planMoves(int bucketCount, int regions, int pages) {
        int bitWords = Math.ceilDiv(pages, WARP_SIZE);
        int words = bitWords + Math.ceilDiv(bitWords, WARP_SIZE) + 2 * bucketCount + 1 + 2 * regions + 1;
        return (WARP_SIZE + 2) * Long.BYTES + (4 + words) * Integer.BYTES;
    }

    /// Returns what the block of `begin_chunk` takes.
    public static int beginChunk() {
        return WARP_SIZE * Long.BYTES;
    }
}
