package io.samplesort.cpu;

import io.samplesort.ElementType;
import io.samplesort.Order;
import io.samplesort.SortReport;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// The CPU engine: sample sort on all cores of the common pool. One distribution pass puts the elements into buckets
/// that
/// fit a second-level cache; the JDK's own sort finishes each, with SIMD instructions where it has them. Buckets that
/// turn out too large are distributed again.
///
/// Extra memory, off the heap: as much as the input (keys of 8 and 16 bits are held in 32), and a byte an element. It
/// is
/// kept for the next sort until [#release] or [#close], and all of it is there before the first element moves. Keys of
/// 8
/// and 16 bits without payload need only counters.
public final class CpuSorter implements AutoCloseable {
    private final CpuTuning tuning;
    private final Column keyColumn;
    private final Column payloadColumn;
    private final int parallelism;
    private final Scratch scratch = new Scratch();

    /// @param payload null where elements have no payload
    public CpuSorter(ElementType key, ElementType payload, Order order) {
        this(key, payload, order, CpuTuning.DEFAULT);
    }

    CpuSorter(ElementType key, ElementType payload, Order order, CpuTuning tuning) {
        boolean isUnsigned = key == ElementType.CHAR || (order instanceof Order.BuiltIn b && b.isUnsigned());
        this.tuning = tuning;
        this.keyColumn = new Column(key, isUnsigned, KeyCodec.of(key, order));
        this.payloadColumn = payload == null ? null : new Column(payload, false, KeyCodec.RAW);
        this.parallelism = ForkJoinPool.getCommonPoolParallelism() + 1;
    }

    /// Sorts keys, and moves their payloads along. Not stable.
    ///
    /// @param keys     aligned, writable memory that all threads may use
    /// @param payloads as many, or null
    public SortReport sort(MemorySegment keys, MemorySegment payloads) {
        long start = System.nanoTime();
        long count = keys.byteSize() / keyColumn.type().byteSize();
        Elements elements = new Elements(keys, payloads, true);
        Run run = new Run(elements);
        if (keyColumn.type().byteSize() < Integer.BYTES && payloads == null && count > tuning.sequentialLimit()) {
            CountingSort.sort(keys, keyColumn, parallelism);
        } else if (count <= tuning.sequentialLimit()) {
            run.sortLeaf(elements, 0, count, 0);
        } else if (!run.isSorted(count)) {
            run.sort(elements, 0, count, 0, scratch);
        }
        return new SortReport(
                "cpu, " + parallelism + (parallelism == 1 ? " thread" : " threads"),
                count,
                run.passes,
                List.of(),
                Duration.ofNanos(System.nanoTime() - start),
                0,
                run.extraBytes,
                run.largestBucket.get(),
                Optional.empty());
    }

    /// Gives back the extra memory if it is more than `keptBytes`.
    public void release(long keptBytes) {
        if (scratch.byteSize() > keptBytes) {
            scratch.close();
        }
    }

    @Override
    public void close() {
        scratch.close();
    }

    /// One sort.
    private final class Run {
        private final Elements output;
        private final Worker.Pool workers = new Worker.Pool(keyColumn, payloadColumn);
        private final AtomicLong largestBucket = new AtomicLong();
        private int passes;
        private long extraBytes;

        Run(Elements output) {
            this.output = output;
        }

        /// Sorts elements `begin` … of `from` to the places from `target` on of the output.
        void sort(Elements from, long begin, long count, long target, Scratch scratch) {
            passes++;
            extraBytes += scratch.reserve(keyColumn, payloadColumn, count);
            Elements buckets = scratch.elements();
            Distribution distribution = new Distribution(tuning, workers, parallelism, from, begin, count);
            long[] offsets = distribution.run(buckets, scratch.oracle());
            IntStream.range(0, distribution.bucketCount()).parallel().forEach(bucket -> {
                long size = offsets[bucket + 1] - offsets[bucket];
                if (distribution.isEqualityBucket(bucket)) {
                    writeEqualityBucket(distribution, bucket, buckets, offsets[bucket], size, target + offsets[bucket]);
                    return;
                }
                largestBucket.accumulateAndGet(size, Math::max);
                if (size <= tuning.leafLimit()) {
                    sortLeaf(buckets, offsets[bucket], size, target + offsets[bucket]);
                }
            });
            for (int bucket = 0; bucket < distribution.bucketCount(); bucket++) {
                long size = offsets[bucket + 1] - offsets[bucket];
                if (size > tuning.leafLimit() && !distribution.isEqualityBucket(bucket)) {
                    // With all cores again, after the others: such buckets are few and large.
                    try (Scratch inner = new Scratch()) {
                        sort(buckets, offsets[bucket], size, target + offsets[bucket], inner);
                    }
                }
            }
        }

        void sortLeaf(Elements from, long begin, long size, long target) {
            if (size == 0) {
                return;
            }
            int count = Math.toIntExact(size);
            Worker worker = workers.take();
            worker.ensureCapacity(count);
            worker.keys.load(from.keys(), begin, count, from.encoded());
            if (worker.payloads == null) {
                worker.keys.sort(count);
            } else {
                worker.payloads.load(from.payloads(), begin, count, from.encoded());
                worker.keys.sortWithIndex(count, worker.positions);
                worker.payloads.gather(worker.positions, count);
                worker.payloads.store(output.payloads(), target, 0, count, true);
            }
            worker.keys.store(output.keys(), target, 0, count, true);
            workers.give(worker);
        }

        /// Equality buckets may be as large as the input. Their keys are known; only payloads have to be read.
        private void writeEqualityBucket(
                Distribution distribution, int bucket, Elements from, long begin, long size, long target) {
            long pieces = (size + tuning.tileSize() - 1) / tuning.tileSize();
            LongStream.range(0, pieces).parallel().forEach(piece -> {
                long offset = piece * tuning.tileSize();
                int count = (int) Math.min(tuning.tileSize(), size - offset);
                Worker worker = workers.take();
                worker.ensureCapacity(count);
                distribution.fillFromEqualityBucket(bucket, worker.keys, count);
                worker.keys.store(output.keys(), target + offset, 0, count, true);
                if (worker.payloads != null) {
                    worker.payloads.load(from.payloads(), begin + offset, count, false);
                    worker.payloads.store(output.payloads(), target + offset, 0, count, true);
                }
                workers.give(worker);
            });
        }

        /// Whether there is nothing to do. Each tile, with the first element of the next, ends at the first pair out of
        /// order, and all end at the first such tile, so it costs next to nothing on most inputs.
        boolean isSorted(long count) {
            long tiles = (count + tuning.tileSize() - 1) / tuning.tileSize();
            return LongStream.range(0, tiles).parallel().allMatch(tile -> {
                long begin = tile * tuning.tileSize();
                int tileCount = (int) Math.min(tuning.tileSize() + 1L, count - begin);
                Worker worker = workers.take();
                worker.ensureCapacity(tileCount);
                worker.keys.load(output.keys(), begin, tileCount, true);
                boolean isSorted = worker.keys.isSorted(tileCount);
                workers.give(worker);
                return isSorted;
            });
        }
    }
}
