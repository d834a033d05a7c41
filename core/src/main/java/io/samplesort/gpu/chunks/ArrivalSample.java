package io.samplesort.gpu.chunks;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/// A random sample of elements in host memory.
final class ArrivalSample {
    /// Any constant will do, as samples are stratified.
    private static final long SEED = 0x5eed5a3713500L;

    private ArrivalSample() {}

    /// Copies a sample.
    ///
    /// @param elements     in host memory
    /// @param elementBytes bytes of each
    /// @param drawn        memory for the sample, and as large
    static void draw(MemorySegment elements, long elementBytes, MemorySegment drawn) {
        long[] places = places(elements.byteSize() / elementBytes, (int) (drawn.byteSize() / elementBytes));
        for (int i = 0; i < places.length; i++) {
            MemorySegment.copy(elements, places[i] * elementBytes, drawn, i * elementBytes, elementBytes);
        }
    }

    /// Returns a random place in each of so many strata.
    static long[] places(long count, int sampleCount) {
        SplittableRandom random = new SplittableRandom(SEED);
        long[] places = new long[sampleCount];
        long begin = 0;
        for (int stratum = 0; stratum < sampleCount; stratum++) {
            long end = (stratum + 1) * count / sampleCount;
            places[stratum] = random.nextLong(begin, end);
            begin = end;
        }
        return places;
    }
}
