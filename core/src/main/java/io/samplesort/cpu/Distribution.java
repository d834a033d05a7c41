package io.samplesort.cpu;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/// One distribution pass (paper, Section 4): sample, count, prefix sum, scatter. The input is cut into stripes, one or
/// more
/// a thread, and stripes into tiles; what the paper does for a thread block is done here for a stripe. Bucket indexes
/// are
/// kept from counting to scattering in an array of bytes, the oracle.
final class Distribution {
    /// More stripes than threads even out what the threads are interrupted by.
    private static final int STRIPES_PER_THREAD = 4;

    private final CpuTuning tuning;
    private final Worker.Pool workers;
    private final Elements from;
    private final long begin;
    private final long count;
    private final int bucketCount;
    private final int stripeCount;
    private final Worker splitters;

    /// Distributes elements `begin` … `begin + count - 1` of `from`.
    Distribution(CpuTuning tuning, Worker.Pool workers, int parallelism, Elements from, long begin, long count) {
        this.tuning = tuning;
        this.workers = workers;
        this.from = from;
        this.begin = begin;
        this.count = count;
        long wanted = Math.max(4, count / tuning.bucketTarget());
        this.bucketCount = (int) Math.min(tuning.maxBucketCount(), Long.highestOneBit(wanted));
        long tiles = (count + tuning.tileSize() - 1) / tuning.tileSize();
        this.stripeCount = (int) Math.min(tiles, (long) parallelism * STRIPES_PER_THREAD);
        this.splitters = workers.take();
    }

    int bucketCount() {
        return bucketCount;
    }

    boolean isEqualityBucket(int bucket) {
        return splitters.keys.isEqualityBucket(bucket);
    }

    /// Moves all elements to `to`, from index 0 on, and returns the offsets of the buckets there.
    ///
    /// @param oracle a byte an element
    long[] run(Elements to, MemorySegment oracle) {
        selectSplitters();
        long[][] positions = new long[stripeCount][];
        forEachStripe(stripe -> positions[stripe] = countBuckets(stripe, oracle));
        long[] offsets = scanCounts(positions);
        if (from.payloads() == null && allInEqualityBuckets(offsets)) {
            // Their keys are known from the splitters: nothing has to move.
            return offsets;
        }
        forEachStripe(stripe -> scatter(stripe, oracle, positions[stripe], to));
        return offsets;
    }

    private boolean allInEqualityBuckets(long[] offsets) {
        for (int bucket = 0; bucket < bucketCount; bucket++) {
            if (offsets[bucket] != offsets[bucket + 1] && !isEqualityBucket(bucket)) {
                return false;
            }
        }
        return true;
    }

    /// Writes the one key of an equality bucket to `count` places of `lane`.
    void fillFromEqualityBucket(int bucket, Lane lane, int count) {
        lane.fillFromEqualityBucket(splitters.keys, bucket, count);
    }

    private void selectSplitters() {
        int sampleCount = (int) Math.min(count, (long) tuning.oversampling() * bucketCount);
        splitters.ensureCapacity(sampleCount);
        SplittableRandom random = new SplittableRandom(count);
        for (int i = 0; i < sampleCount; i++) {
            // One key out of each of as many equal strata.
            long low = stratum(i, sampleCount);
            long position = random.nextLong(low, stratum(i + 1, sampleCount));
            splitters.keys.loadOne(from.keys(), begin + position, i, from.encoded());
        }
        splitters.keys.sort(sampleCount);
        splitters.keys.buildTree(sampleCount, bucketCount);
    }

    private long stratum(int index, int strata) {
        return Math.multiplyHigh(count, (long) index) != 0 ? count / strata * index : count * index / strata;
    }

    private long[] countBuckets(int stripe, MemorySegment oracle) {
        Worker worker = workers.take();
        worker.ensureTileCapacity(tuning.tileSize());
        int[] tileCounts = new int[bucketCount];
        long[] counts = new long[bucketCount];
        forEachTile(stripe, (tileBegin, tileCount) -> {
            worker.keys.load(from.keys(), begin + tileBegin, tileCount, from.encoded());
            worker.keys.findBuckets(splitters.keys, tileCount, worker.buckets, tileCounts);
            MemorySegment.copy(worker.buckets, 0, oracle, ValueLayout.JAVA_BYTE, tileBegin, tileCount);
            for (int bucket = 0; bucket < bucketCount; bucket++) {
                counts[bucket] += tileCounts[bucket];
                tileCounts[bucket] = 0;
            }
        });
        workers.give(worker);
        return counts;
    }

    /// Turns counts into write positions, bucket by bucket and within a bucket stripe by stripe.
    private long[] scanCounts(long[][] counts) {
        long[] offsets = new long[bucketCount + 1];
        long offset = 0;
        for (int bucket = 0; bucket < bucketCount; bucket++) {
            offsets[bucket] = offset;
            for (long[] stripe : counts) {
                long stripeCount = stripe[bucket];
                stripe[bucket] = offset;
                offset += stripeCount;
            }
        }
        offsets[bucketCount] = offset;
        if (offset != count) {
            throw new AssertionError("the counts of the buckets add up to " + offset + ", not to " + count);
        }
        return offsets;
    }

    private void scatter(int stripe, MemorySegment oracle, long[] positions, Elements to) {
        Worker worker = workers.take();
        worker.ensureTileCapacity(tuning.tileSize());
        int[] starts = new int[bucketCount + 1];
        int[] next = new int[bucketCount];
        forEachTile(stripe, (tileBegin, tileCount) -> {
            MemorySegment.copy(oracle, ValueLayout.JAVA_BYTE, tileBegin, worker.buckets, 0, tileCount);
            tilePositions(worker, tileCount, starts, next);
            move(
                    worker.keys,
                    from.keys(),
                    to.keys(),
                    begin + tileBegin,
                    tileCount,
                    worker.positions,
                    starts,
                    positions);
            if (worker.payloads != null) {
                move(
                        worker.payloads,
                        from.payloads(),
                        to.payloads(),
                        begin + tileBegin,
                        tileCount,
                        worker.positions,
                        starts,
                        positions);
            }
            for (int bucket = 0; bucket < bucketCount; bucket++) {
                positions[bucket] += starts[bucket + 1] - starts[bucket];
            }
        });
        workers.give(worker);
    }

    /// Where each element of the tile goes when the tile is put in bucket order.
    private void tilePositions(Worker worker, int tileCount, int[] starts, int[] next) {
        byte[] buckets = worker.buckets;
        Arrays.fill(next, 0);
        for (int i = 0; i < tileCount; i++) {
            next[buckets[i] & 0xff]++;
        }
        int start = 0;
        for (int bucket = 0; bucket < bucketCount; bucket++) {
            starts[bucket] = start;
            start += next[bucket];
            next[bucket] = starts[bucket];
        }
        starts[bucketCount] = start;
        int[] positions = worker.positions;
        for (int i = 0; i < tileCount; i++) {
            positions[i] = next[buckets[i] & 0xff]++;
        }
    }

    private void move(
            Lane lane,
            MemorySegment source,
            MemorySegment target,
            long index,
            int tileCount,
            int[] tilePositions,
            int[] starts,
            long[] positions) {
        lane.load(source, index, tileCount, from.encoded());
        lane.permute(tilePositions, tileCount);
        for (int bucket = 0; bucket < bucketCount; bucket++) {
            int length = starts[bucket + 1] - starts[bucket];
            if (length != 0) {
                lane.store(target, positions[bucket], starts[bucket], length, false);
            }
        }
    }

    private interface TileTask {
        void run(long tileBegin, int tileCount);
    }

    private void forEachTile(int stripe, TileTask task) {
        long stripeBegin = count / stripeCount * stripe + Math.min(stripe, count % stripeCount);
        long stripeEnd = count / stripeCount * (stripe + 1) + Math.min(stripe + 1, count % stripeCount);
        for (long tile = stripeBegin; tile < stripeEnd; tile += tuning.tileSize()) {
            task.run(tile, (int) Math.min(tuning.tileSize(), stripeEnd - tile));
        }
    }

    private void forEachStripe(IntConsumer task) {
        IntStream.range(0, stripeCount).parallel().forEach(task);
    }
}
