package io.samplesort.lines.chunks;

/// How the memory of a sort is divided.
///
/// @param chunkBytes  for lines that are sorted at a time, their offsets and keys, and what sorting them takes
/// @param readBytes   how much a thread reads at a time
/// @param blockBytes  the size of the blocks in which lines are gathered and written
/// @param threads     how many threads work at once
/// @param keyShare    how many bytes of keys are expected for each byte of text; 0 if lines are their own keys
public record MemoryShares(long chunkBytes, int readBytes, int blockBytes, int threads, double keyShare) {
    /// A sort that is told to take less takes this much even so: the process around it is a thousand times larger.
    public static final long LEAST_BYTES = 64 << 10;

    private static final int SMALLEST_BLOCK = 4 << 10;

    /// Fewer threads work if the memory has less than this for each of them. The smallest blocks of a thread take most
    /// of it.
    private static final int LEAST_OF_A_THREAD = 32 << 10;

    /// More threads than [#FEW_THREADS] work only if the memory has this for each of them: otherwise Java itself would
    /// take more for a thread than the thread's share, and a sort in so many parts is bounded by the disk.
    private static final long ROOM_OF_A_THREAD = 24 << 20;

    private static final int FEW_THREADS = 2;

    /// A thread that sorts takes this much of the heap for itself, and keeps it while runs are merged.
    private static final long SORTING_THREAD_BYTES = 6 << 20;

    /// The memory divided by this may go to threads that sort.
    private static final int SORTING_SHARE = 2;

    /// The memory divided by this is for what Java's compilers and its heap take beyond their usual share.
    private static final int SPARE_SHARE = 8;

    private static final long MOST_SPARE_BYTES = 16 << 20;

    /// Text is read to new memory, of which this is one huge page. Threads that touch the same page first would each
    /// write zeros to all of it.
    private static final int LARGEST_READ = 2 << 20;

    /// Blocks of this size stay in the caches of one core.
    private static final int LARGEST_BLOCK = 256 << 10;

    /// A thread that reads has room for a place of 4 bytes for each byte of a block, since all lines may be empty. One
    /// that gathers has a block.
    private static final int BLOCKS_OF_A_THREAD = 5;

    /// For its own work, the sort takes 8 bytes for each line and a little more.
    private static final int SORT_BYTES = 12;

    /// The sort also takes the index of each line.
    private static final int SORTED_BYTES = SORT_BYTES + Integer.BYTES;

    /// Keys that are much longer than expected may take this many times as much, as far as the memory allows.
    private static final int LONG_KEYS = 4;

    /// Returns how many threads may work at once within this much memory, which is at least [#LEAST_BYTES].
    public static int mostThreads(long memoryBytes, int threads) {
        long roomy = Math.max(FEW_THREADS, memoryBytes / ROOM_OF_A_THREAD);
        return (int) Math.min(Math.min(threads, roomy), memoryBytes / LEAST_OF_A_THREAD);
    }

    /// Returns how many of these threads may sort at once. They are fewer if the memory is small, because each of them
    /// works in arrays of its own.
    public static int sortingThreads(long memoryBytes, int threads) {
        return Math.clamp(memoryBytes / SORTING_SHARE / SORTING_THREAD_BYTES, 1, threads);
    }

    /// Returns how many bytes of the memory the sorting threads take. One of them is not counted: each process has
    /// memory for it.
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

    /// Returns how many bytes each byte of text takes in all.
    public double bytesForByte() {
        return 1 + keyShare;
    }

    /// Returns how many bytes each line takes in addition to its text.
    int bytesForLine(int offsetBytes) {
        return SORTED_BYTES + offsetBytes + (keyShare > 0 ? 2 * Long.BYTES : 0);
    }

    /// Returns how many bytes the keys of lines may take, given how many bytes the lines have.
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
