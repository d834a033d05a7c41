package io.samplesort.cpu.numbers;

import io.samplesort.cpu.leaf.SampledKeys;
import io.samplesort.cpu.leaf.SimdKeys;
import io.samplesort.cpu.threads.Crew;
import io.samplesort.memory.ArrayRange;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;

/// Sorts keys by the kernels of this engine alone: looks whether they are in order, counts them if few are distinct,
/// and otherwise takes a quicksort.
///
/// A sort of a million keys takes a millisecond, and what Java does beside the kernels is then neither compiled nor in
/// the caches: each method that is called costs a microsecond. So this makes few steps, and helpers are woken first.
final class KernelSort {
    /// Fewer elements are distributed, among buckets that a core's caches hold.
    private static final int LEAST_COUNT = 1 << 17;

    /// With fewer elements it does not pay to wait until the kernels are loaded.
    private static final int LEAST_AWAITING = 1 << 20;

    /// If so many keys at the beginning are in order, all are looked at.
    private static final int PROBED = 1024;

    /// Stretches of keys that are looked at all over the input.
    private static final int STRETCHES = 64;

    private static final int STRETCH = 16;

    /// Keys that a thread compares or reverses at a time.
    private static final int MOST_AT_A_TIME = 1 << 17;

    private static final int LEAST_AT_A_TIME = 1 << 15;

    /// Each thread takes a few parts, since some come later than others.
    private static final int PARTS_PER_THREAD = 4;

    /// Where somebody takes the beginning while the rest is sorted, all threads sort such a part of the elements before
    /// the next.
    private static final int TURNS = 8;

    private final SimdKeys keys;
    private final Crew crew;
    private final long count;

    /// @param count how many keys there are, from the first on
    KernelSort(SimdKeys keys, Crew crew, long count) {
        this.keys = keys;
        this.crew = crew;
        this.count = count;
    }

    /// Returns the keys of `elements`, with their payload, if the kernels can sort them; null if not.
    ///
    /// @param type         the type of the keys; null if the kernels do not know it
    /// @param isDescending whether the greatest key goes first
    static SimdKeys keys(Elements elements, SimdKeys.Type type, boolean isDescending) {
        MemorySegment payload = elements.payload();
        long count = elements.count();
        // A file that another process shortens would end this one in the middle of a kernel.
        boolean isMapped = elements.keys().isMapped() || payload != null && payload.isMapped();
        if (type == null || count < LEAST_COUNT || isMapped) {
            return null;
        }
        SimdKeys ascending = SimdKeys.of(elements.keys(), type, count >= LEAST_AWAITING);
        if (ascending == null) {
            return null;
        }
        SimdKeys keys = isDescending ? ascending.descending() : ascending;
        return payload == null ? keys : keys.withPayload(payload, elements.payloadBytes());
    }

    /// Returns the keys of an array, if the kernels can sort them; null if not.
    ///
    /// @param type         the type of the keys; null if the kernels do not know it
    /// @param isDescending whether the greatest key goes first
    static SimdKeys keys(ArrayRange array, SimdKeys.Type type, boolean isDescending) {
        int count = array.count();
        if (type == null || count < LEAST_COUNT) {
            return null;
        }
        SimdKeys keys = SimdKeys.of(array.array(), array.from(), type, count >= LEAST_AWAITING);
        return keys != null && isDescending ? keys.descending() : keys;
    }

    /// Returns how all of the keys run.
    OrderCheck.Run run() {
        if (keys.isInOrder(0, PROBED) && all(true)) {
            return OrderCheck.Run.ASCENDING;
        }
        return keys.isInReverseOrder(0, PROBED) && all(false) ? OrderCheck.Run.DESCENDING : OrderCheck.Run.NEITHER;
    }

    private boolean all(boolean ascending) {
        AtomicBoolean isBroken = new AtomicBoolean();
        crew.forRanges(count, partSize(count), (from, to) -> {
            if (!isBroken.get()) {
                // Ranges overlap by one key, so that every pair of neighbours is compared.
                long end = Math.min(to + 1, count);
                if (ascending ? !keys.isInOrder(from, end) : !keys.isInReverseOrder(from, end)) {
                    isBroken.set(true);
                }
            }
        });
        return !isBroken.get();
    }

    private long partSize(long size) {
        return crew.size() == 1
                ? MOST_AT_A_TIME
                : Math.clamp(size / ((long) PARTS_PER_THREAD * crew.size()), LEAST_AT_A_TIME, MOST_AT_A_TIME);
    }

    void reverse() {
        long half = count / 2;
        crew.forRanges(half, partSize(half), (from, to) -> keys.mirror(from, count - from, to - from));
    }

    /// Looks at a few neighbours all over the input. Hardly any input gets past that unless it has long runs.
    boolean mayBeFewRuns() {
        long step = (count - STRETCH) / STRETCHES;
        int broken = 0;
        for (int i = 0; i < STRETCHES; i++) {
            long from = i * step;
            boolean isInOrder = keys.isInOrder(from, from + STRETCH) || keys.isInReverseOrder(from, from + STRETCH);
            broken += isInOrder ? 0 : 1;
            // An end of a run may lie there.
            if (broken > 1) {
                return false;
            }
        }
        return true;
    }

    /// Sorts all of the keys.
    ///
    /// @param listener is told how many elements are final, from the first on; null if not needed
    /// @param spare    memory for a copy of few keys
    /// @return the bytes of heap that it took
    long sort(LongConsumer listener, SpareMemory spare) {
        long bytes = keys.reserve(crew.size());
        long turn = listener == null ? count : Math.ceilDiv(count, TURNS);
        FinalRanges finished = listener == null ? null : new FinalRanges(listener);
        SampledKeys sample = keys.sample(0, count);
        long countingBytes = RepeatedKeys.trySort(keys, crew, count, sample, finished);
        if (countingBytes >= 0) {
            return countingBytes;
        }
        // A class that few threads need is not loaded for them.
        boolean mayCopy = listener == null && crew.size() >= BucketSplit.LEAST_THREADS;
        long copyBytes = mayCopy ? BucketSplit.copyBytes(keys, crew, count) : 0;
        MemorySegment copy = copyBytes == 0 ? null : spare.tryReserve(copyBytes);
        new QuickSort(keys, crew, SimdKeys.CALL_LIMIT, turn, finished, copy).sort(0, count, sample);
        return bytes + (copy == null ? 0 : copyBytes);
    }
}
