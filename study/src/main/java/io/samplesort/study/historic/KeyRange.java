package io.samplesort.study.historic;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;

/// The smallest and the greatest key of an input, as ordered bits (key_range.cuh).
///
/// @param address  the address of both in device memory
/// @param lowest   the smallest key
/// @param greatest the greatest key
record KeyRange(long address, long lowest, long greatest) {
    private static final int BLOCKS_PER_MULTIPROCESSOR = 8;

    static KeyRange find(
            Context context,
            Stream stream,
            HistoricProgram program,
            int threads,
            PinnedMail mail,
            DeviceArrays arrays,
            long keys,
            long count) {
        long address = arrays.allocate(2 * Long.BYTES);
        mail.upload(stream, address, new long[] {-1, 0});
        program.launch(stream, "find_range", blocks(context, threads, count), threads, 0, keys, count, address);
        long[] range = mail.downloadLongs(stream, address, 2);
        return new KeyRange(address, range[0], range[1]);
    }

    /// Returns the number of blocks for a kernel whose threads look at one key after the other.
    static long blocks(Context context, int threads, long count) {
        long needed = (count + threads - 1) / threads;
        return Math.min(
                needed, (long) BLOCKS_PER_MULTIPROCESSOR * context.device().multiprocessorCount());
    }

    boolean isOneKey() {
        return lowest == greatest;
    }
}
