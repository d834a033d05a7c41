package io.samplesort.cpu.numbers;

import io.samplesort.cpu.leaf.KeyBuckets;
import io.samplesort.cpu.leaf.SimdKeys;
import io.samplesort.cpu.threads.Crew;
import java.lang.foreign.MemorySegment;

/// Divides a range of keys among a few buckets for each thread, through a copy.
///
/// A core takes far longer to fetch what another one has just written than to split what it has: 30 µs for 128 KiB with
/// 16 cores, ten times as long. When all threads split ranges in two, level by level ([ParallelSplit]), all keys change
/// cores at each level. Here they do so only twice: each thread divides its share of the keys by all splitters at once,
/// and then collects the parts of a bucket in the copy.
final class BucketSplit {
    /// The greatest share of a thread. A copy takes as much memory for each thread.
    private static final long MOST_BYTES_PER_THREAD = 2 << 20;

    /// Fewer threads than this split the keys in one or two levels, which takes no longer than the copy does.
    static final int LEAST_THREADS = 4;

    /// Threads take the largest buckets first, so the last ones end at about the same time.
    private static final int BUCKETS_PER_THREAD = 4;

    /// One key in this many is sampled, but not fewer than the least and not more than the most.
    private static final int SAMPLED_FROM = 1024;

    private static final int LEAST_SAMPLED = 256;
    private static final int MOST_SAMPLED = 4096;

    /// The fewest keys of a thread's share, so that each bucket gets some hundred of them.
    private static final int LEAST_SHARE = 1 << 15;

    private static final int MOST_THREADS = 256;

    /// There are several, so that a thread that is late does not hold up others.
    private static final int SHARES_PER_THREAD = 2;

    private final Crew crew;
    private final KeyBuckets buckets;
    private final long from;
    private final long to;
    private final long[] starts;
    /// Which buckets have been put back.
    private final boolean[] areBack;

    private BucketSplit(Crew crew, KeyBuckets buckets, long from, long to) {
        this.crew = crew;
        this.buckets = buckets;
        this.from = from;
        this.to = to;
        this.starts = new long[buckets.count() + 1];
        this.areBack = new boolean[buckets.count()];
    }

    /// Returns how many bytes a copy takes; 0 if the keys are not divided in this way.
    static long copyBytes(SimdKeys keys, Crew crew, long count) {
        long bytes = count * keys.bytes();
        boolean isShort = bytes <= MOST_BYTES_PER_THREAD * crew.size();
        return isShort && !keys.hasPayload() && threads(crew, count) >= LEAST_THREADS ? bytes : 0;
    }

    /// Returns among how many threads this many keys are divided.
    private static int threads(Crew crew, long count) {
        return (int) Math.min(count / LEAST_SHARE, Math.min(crew.size(), MOST_THREADS));
    }

    /// Divides the keys `from..to`, and leaves them in the copy, if there are enough keys and enough distinct
    /// splitters.
    ///
    /// @param copy       has room for these keys
    /// @param descending whether the greatest keys go to the first bucket
    /// @return null if they were not divided
    static BucketSplit tryRun(SimdKeys keys, Crew crew, MemorySegment copy, long from, long to, boolean descending) {
        int threads = threads(crew, to - from);
        if (threads < LEAST_THREADS) {
            return null;
        }
        int count = BUCKETS_PER_THREAD * threads;
        int shares = SHARES_PER_THREAD * threads;
        KeyBuckets buckets = keys.buckets(copy, count, shares, descending);
        int distinct = buckets.chooseSplitters(from, to, sampled(to - from));
        if (distinct < count / 4 * 3) {
            return null;
        }
        BucketSplit split = new BucketSplit(crew, buckets, from, to);
        split.divide(shares);
        split.collect();
        return split;
    }

    private static int sampled(long count) {
        return Math.clamp(count / SAMPLED_FROM, LEAST_SAMPLED, MOST_SAMPLED);
    }

    private void divide(int shares) {
        crew.forRanges(
                shares,
                1,
                (share, end) -> buckets.divide((int) share, shareStart(share, shares), shareStart(end, shares)));
    }

    private long shareStart(long share, int shares) {
        return from + (to - from) * share / shares;
    }

    private void collect() {
        starts[buckets.count()] = to;
        crew.forRanges(
                buckets.count(), 1, (bucket, end) -> starts[(int) bucket] = from + buckets.collect((int) bucket));
    }

    int count() {
        return buckets.count();
    }

    /// Returns where a bucket begins, or the last one ends.
    long start(int bucket) {
        return starts[bucket];
    }

    /// Returns the key before which no key of a bucket belongs. The bucket must not be the first.
    long splitterBefore(int bucket) {
        return buckets.splitterBefore(bucket);
    }

    /// Moves the keys of a bucket from the copy to where they belong.
    void putBack(int bucket) {
        buckets.putBack(starts[bucket], starts[bucket + 1], from);
        areBack[bucket] = true;
    }

    /// Moves all buckets back that are still only in the copy, so that no key is lost if a sort fails.
    void putRestBack() {
        for (int bucket = 0; bucket < areBack.length; bucket++) {
            if (!areBack[bucket]) {
                putBack(bucket);
            }
        }
    }
}
