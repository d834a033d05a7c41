package io.samplesort.study.historic;

import io.samplesort.cuda.Stream;

/// Prefix sums over tables of 32-bit counts in device memory (scan.cuh).
final class TableScan {
    private static final int THREADS = 256;
    /// How many values one block sums up.
    private static final long CHUNK = 2048;

    /// The largest sum.
    private static final long MAX_COUNT = (1L << 32) - 1;

    private final HistoricProgram program;

    TableScan(HistoricProgram program) {
        this.program = program;
    }

    /// Checks that all elements of a sort can be counted.
    ///
    /// @throws IllegalArgumentException if there are too many elements
    static void check(long count) {
        if (count > MAX_COUNT) {
            throw new IllegalArgumentException(
                    "this sort of 2009 counts in 32 bits: " + count + " elements are more than " + MAX_COUNT);
        }
    }

    /// Returns the bytes of device memory that a scan of this many values needs in addition to them.
    static long scratchBytes(long count) {
        long chunks = chunks(count);
        return chunks * Integer.BYTES + (chunks > 1 ? scratchBytes(chunks) : 0);
    }

    /// Turns each value into the sum of those before it.
    void enqueue(Stream stream, long values, long count, long scratch) {
        long chunks = chunks(count);
        program.launch(stream, "scan_chunks", chunks, THREADS, 0, values, count, scratch);
        if (chunks > 1) {
            enqueue(stream, scratch, chunks, scratch + chunks * Integer.BYTES);
            program.launch(stream, "add_chunk_sums", chunks, THREADS, 0, values, count, scratch);
        }
    }

    private static long chunks(long count) {
        return (count + CHUNK - 1) / CHUNK;
    }
}
