package io.samplesort.rows;

import io.samplesort.cpu.threads.Parallel;

/// Moves references to the places that a permutation gives them.
public final class References {
    /// A thread moves this many references at a time.
    private static final int GRAIN = 1 << 14;

    /// This many references are gathered in a small array and copied from there: the garbage collector must be told of
    /// each reference that is written to an old array, but of copied ones only once.
    private static final int BUFFER_SIZE = 512;

    private References() {}

    /// Puts `source[permutation[i]]` at place `from + i` of `target`, for all i.
    ///
    /// If this fails, the target holds the source in its own order again.
    ///
    /// @param source references that `target` can hold, in another array
    public static void permute(Object[] source, int[] permutation, Object[] target, int from, int threads) {
        try {
            gather(source, permutation, target, from, threads);
        } catch (RuntimeException | Error e) {
            System.arraycopy(source, 0, target, from, source.length);
            throw e;
        }
    }

    private static void gather(Object[] source, int[] permutation, Object[] target, int from, int threads) {
        int count = permutation.length;
        new Parallel(count <= GRAIN ? 1 : threads).forRanges(count, GRAIN, (first, last) -> {
            // Writing references to an array of objects needs no check of their types, so no object is touched.
            Object[] buffer = new Object[(int) Math.min(BUFFER_SIZE, last - first)];
            for (int at = (int) first; at < last; at += buffer.length) {
                int n = (int) Math.min(buffer.length, last - at);
                for (int i = 0; i < n; i++) {
                    buffer[i] = source[permutation[at + i]];
                }
                System.arraycopy(buffer, 0, target, from + at, n);
            }
        });
    }
}
