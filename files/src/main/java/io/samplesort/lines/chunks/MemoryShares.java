package io.samplesort.lines.chunks;

/// How the memory of a sort is divided.
///
/// @param chunkBytes  for lines that are sorted at a time, their offsets and keys, and what sorting them takes
/// @param readBytes   how much a thread reads at a time
/// @param blockBytes  the size of the blocks in which lines are gathered and written
/// @param threads     how many threads work at once
/// @param keyShare    how many bytes of keys are expected for each byte of text; 0 if lines are their own keys
public record MemoryShares(long chunkBytes, int readBytes, int blockBytes, int threads, double keyShare) {
    /// A sort that is told to take less takes so much all the same: the process around it is a thousand times larger.
    public static final long LEAST_BYTES = 64 << 10;

    private static final int SMALLEST_BLOCK = 4 << 10;

    /// Fewer threads work if the memory has less than this for each of them. Its smallest blocks take most of it.
    private static final int LEAST_OF_A_THREAD = 32 << 10;

    /// More threads than [#FEW_THREADS] work only if the memory has this for each of them: what Java itself takes for a
    /// thread would be more than the thread's share, and the disk bounds a sort in so many parts.
    private static final long ROOM_OF_A_THREAD = 24 << 20;

    private static final int FEW_THREADS = 2;

    /// A thread that sorts takes so much of the heap for itself, and keeps it while runs are merged.
    private static final long SORTING_THREAD_BYTES = 6 << 20;

    /// One part in so many of the memory may go to threads that sort.
    private static final int SORTING_SHARE = 2;

    /// One part in so many of the memory is for what Java's compilers and its heap take beyond their usual share.
    private static final int SPARE_SHARE = 8;

    private static final long MOST_SPARE_BYTES = 16 << 20;

    /// What is read is new memory, and this is a huge page of it. Threads that touch the same one first would each
    /// write zeros to all of it.
    private static final int LARGEST_READ = 2 << 20;

    /// What is gathered stays in the caches of one core.
    private static final int LARGEST_BLOCK = 256 << 10;

    /// A thread that reads has a place of 4 bytes for each byte of a block, where all lines are empty. One that gathers
    /// has a block.
    private static final int BLOCKS_OF_A_THREAD = 5;

    /// For its own work, the sort takes 8 bytes for each line and a little more.
    private static final int SORT_BYTES = 12;

    /// The sort also takes the index of each line.
    private static final int SORTED_BYTES = SORT_BYTES + Integer.BYTES;

    /// Keys that are much longer than expected may take so many times as much, as far as the memory allows.
    private static final int LONG_KEYS = 4;

    /// Returns how many threads may work at once within so much memory, at least [#LEAST_BYTES].
    public static int mostThreads(long memoryBytes, int threads) {
        long roomy = Math.max(FEW_THREADS, memoryBytes / ROOM_OF_A_THREAD);
        return (int) Math.min(Math.min(threads, roomy), memoryBytes / LEAST_OF_A_THREAD);
    }

    /// Returns how many of these threads may sort at once. They are fewer where the memory is small, because each of
    /// them works in arrays of its own.
    public static int sortingThreads(long memoryBytes, int threads) {
        return Math.clamp(memoryBytes / SORTING_SHARE / SORTING_THREAD_BYTES, 1, threads);
    }

    /// Returns how many bytes of the memory the sorting threads take. Each process has memory for one of them.
    public static long sortingBytes(long memoryBytes, int threads) {
        return (sortingThreads(memoryBytes, threads) - 1) * SORTING_THREAD_BYTES;
    }

    /// Divides the memory of a sort.
    ///
    /// @param threads at most [#mostThreads]
    public static MemoryShares of(long memoryBytes, int threads, double keyShare) {
        int read = Math.clamp(memoryBytes / (16L * BLOCKS_OF_A_THREAD * threads), SMALLEST_BLOCK, LARGEST_READ);
        long blocks = (long) read * threads * BLOCKS_OF_A_THREAD;
        long sorting = sortingBytes(memoryBytes, threads);
        long spare = Math.min(memoryBytes / SPARE_SHARE, MOST_SPARE_BYTES);
        return new MemoryShares(
                memoryBytes - blocks - sorting - spare, read, Math.min(read, LARGEST_BLOCK), threads, keyShare);
    }

    /// Returns how many bytes each byte of text takes.
    public double bytesForByte() {
        return 1 + keyShare;
    }

    /// Returns how many bytes each line takes beside its text.
    int bytesForLine(int offsetBytes) {
        return SORTED_BYTES + offsetBytes + (keyShare > 0 ? 2 * Long.BYTES : 0);
    }

    /// Returns how many bytes the keys of lines may take, if these have so many bytes themselves.
    ///
    /// @param offsetBytes the size of an offset of a line
    long keyBytes(long textBytes, long lines, int offsetBytes) {
        double left = chunkBytes - textBytes - (double) lines * (SORTED_BYTES + offsetBytes + Long.BYTES);
        return (long) Math.max(keyShare * textBytes + (double) lines * Long.BYTES, left);
    }

    /// Returns how many bytes to reserve for the keys of any chunk.
    long mostKeyBytes(long textRoom, long lineRoom) {
        double most = LONG_KEYS * (keyShare * textRoom + (double) lineRoom * 2 * Long.BYTES) + LARGEST_BLOCK;
        return (long) Math.min(most, chunkBytes);
    }
}
