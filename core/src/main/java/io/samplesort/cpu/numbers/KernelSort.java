package io.samplesort.cpu.numbers;

import io.samplesort.cpu.leaf.SampledKeys;
import io.samplesort.cpu.leaf.SimdKeys;
import io.samplesort.cpu.threads.Crew;
import io.samplesort.memory.ArrayRange;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;

/// Sorts keys by the native kernels alone: it checks whether they are in order, counts them if few are distinct, and
/// otherwise uses a quicksort.
///
/// A sort of a million keys takes a millisecond. The Java code around the kernels is then often neither compiled nor in
/// the caches, so that each call of a method costs a microsecond. So this class takes few steps, and wakes helpers
/// first.
final class KernelSort {
    /// Fewer elements are sorted by a distribution pass, whose buckets fit a core's caches.
    private static final int LEAST_COUNT = 1 << 17;

    /// With fewer elements it does not pay to wait until the kernels are loaded.
    private static final int LEAST_AWAITING = 1 << 20;

    /// If this many keys at the beginning are in order, all keys are checked.
    private static final int PROBED = 1024;

    /// How many stretches of keys, spread over the input, are checked.
    private static final int STRETCHES = 64;

    private static final int STRETCH = 16;

    /// How many keys a thread compares or reverses at a time.
    private static final int MOST_AT_A_TIME = 1 << 17;

    private static final int LEAST_AT_A_TIME = 1 << 15;

    /// Each thread takes a few parts, since some threads come later than others.
    private static final int PARTS_PER_THREAD = 4;

    /// If the beginning of the result is used while the rest is sorted, the elements are divided by this, and all
    /// threads sort one part before the next.
    private static final int TURNS = 8;

    private final SimdKeys keys;
    private final Crew crew;
    private final long count;

    /// @param count how many keys to sort, from the first on
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
        return keys(elements, type, isDescending, LEAST_COUNT);
    }

    /// Does the same for any number of elements from `least` on.
    static SimdKeys keys(Elements elements, SimdKeys.Type type, boolean isDescending, int least) {
        MemorySegment payload = elements.payload();
        long count = elements.count();
        // If another process shortened a mapped file, this process would crash in the middle of a kernel.
        boolean isMapped = elements.keys().isMapped() || payload != null && payload.isMapped();
        if (type == null || count < least || isMapped || !elements.areAligned()) {
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

    /// Returns in what order the keys are already, if any.
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

    /// Compares a few neighbours all over the input. Hardly any input without long runs passes this test.
    boolean mayBeFewRuns() {
        long step = (count - STRETCH) / STRETCHES;
        int broken = 0;
        for (int i = 0; i < STRETCHES; i++) {
            long from = i * step;
            boolean isInOrder = keys.isInOrder(from, from + STRETCH) || keys.isInReverseOrder(from, from + STRETCH);
            broken += isInOrder ? 0 : 1;
            // One stretch may contain the end of a run.
            if (broken > 1) {
                return false;
            }
        }
        return true;
    }

    /// Sorts all of the keys.
    ///
    /// @param listener is called with the number of elements at the front that are final; null if not needed
    /// @param spare    memory for a copy of few keys
    /// @return the bytes of heap that this took
    long sort(LongConsumer listener, SpareMemory spare) {
        long bytes = keys.reserve(crew.size());
        long turn = listener == null ? count : Math.ceilDiv(count, TURNS);
        FinalRanges finished = listener == null ? null : new FinalRanges(listener);
        SampledKeys sample = keys.sample(0, count);
        long countingBytes = RepeatedKeys.trySort(keys, crew, count, sample, finished);
        if (countingBytes >= 0) {
            return countingBytes;
        }
        // With few threads, the class BucketSplit is not needed, and so not loaded.
        boolean mayCopy = listener == null && crew.size() >= BucketSplit.LEAST_THREADS;
        long copyBytes = mayCopy ? BucketSplit.copyBytes(keys, crew, count) : 0;
        MemorySegment copy = copyBytes == 0 ? null : spare.tryReserve(copyBytes);
        new QuickSort(keys, crew, SimdKeys.CALL_LIMIT, turn, finished, copy).sort(0, count, sample);
        return bytes + (copy == null ? 0 : copyBytes);
    }
}
