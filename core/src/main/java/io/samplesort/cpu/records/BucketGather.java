package io.samplesort.cpu.records;

import io.samplesort.cpu.leaf.RecordBuckets;
import io.samplesort.cpu.leaf.SimdRecords;
import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.PhaseTimes;
import io.samplesort.cpu.threads.Crew;
import io.samplesort.cpu.threads.Loops.RangeBody;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/// One stable sort, by a number, of records of which a cache line holds several. They are first divided among buckets
/// in a copy; then each bucket is sorted by the places of its records and written back.
///
/// A [GatherSort] reads each record at a random place of the whole copy, with all of its cache line. Here the random
/// places are within a bucket, which fits a core's second cache.
final class BucketGather {
    /// With fewer records a share would have too few for each bucket to fill lines.
    private static final int LEAST_COUNT = 1 << 18;

    private static final int LEAST_SHARE = 1 << 14;

    /// The greatest bucket has at most the records divided by this, which is four times the average.
    private static final int GREATEST_PART = 64;

    /// There are several shares, so that a thread that is late does not hold up others.
    private static final int SHARES_PER_THREAD = 4;

    private final MemorySegment records;
    private final RecordLayout layout;
    private final int bytes;
    private final int count;
    private final GatherMemory memory;
    private final Crew crew;
    private final PhaseTimes times;
    private final int shares;
    private final RecordBuckets buckets;
    private int largest;

    private BucketGather(
            MemorySegment records,
            RecordLayout layout,
            int count,
            GatherMemory memory,
            SimdRecords kernels,
            SimdRecords.Packing key,
            Crew crew,
            PhaseTimes times) {
        this.records = records;
        this.layout = layout;
        this.bytes = layout.recordBytes();
        this.count = count;
        this.memory = memory;
        this.crew = crew;
        this.times = times;
        this.shares = Math.min(SHARES_PER_THREAD * crew.size(), count / LEAST_SHARE);
        this.buckets = kernels.buckets(bytes, key, shares);
    }

    /// Sorts all records if they and their keys suit this sort and few keys repeat; returns a report.
    ///
    /// @return null, with no record moved, otherwise
    static SortReport trySort(
            MemorySegment records,
            RecordLayout layout,
            int count,
            SortKey key,
            GatherMemory memory,
            SimdRecords kernels,
            Crew crew,
            PhaseTimes times) {
        SimdRecords.Packing whole = key.whole();
        if (whole == null || count < LEAST_COUNT || !RecordBuckets.fit(layout.recordBytes())) {
            return null;
        }
        return new BucketGather(records, layout, count, memory, kernels, whole, crew, times).sort();
    }

    private SortReport sort() {
        if (buckets.chooseSplitters(records.asSlice(0, (long) count * bytes)) < RecordBuckets.COUNT - 1) {
            return null;
        }
        times.lap(PhaseTimes.Phase.SELECT_SPLITTERS);
        memory.reserve(layout, 0, count);
        // When all records are in the copy, the longs of the buckets take the place of these numbers.
        MemorySegment numbers = memory.packed(count).asSlice(0, count);
        byShares((share, from, to) -> buckets.find(share, recordsOf(records, from, to), bytesOf(numbers, from, to, 1)));
        int[] starts = buckets.place();
        for (int i = 0; i < RecordBuckets.COUNT; i++) {
            largest = Math.max(largest, starts[i + 1] - starts[i]);
        }
        if (largest > count / GREATEST_PART) {
            return null;
        }
        times.lap(PhaseTimes.Phase.COUNT_KEYS);
        byShares((share, from, to) ->
                buckets.scatter(share, recordsOf(records, from, to), bytesOf(numbers, from, to, 1), memory.copy()));
        times.lap(PhaseTimes.Phase.SCATTER);
        crew.watch().mayStop();
        crew.watch().moves();
        sortBuckets(starts);
        times.lap(PhaseTimes.Phase.SORT_BUCKETS);
        return report();
    }

    /// Work on a share of the records, `from..to`.
    private interface ShareWork {
        void accept(int share, long from, long to);
    }

    private void byShares(ShareWork work) {
        crew.forRanges(
                shares, 1, (share, end) -> work.accept((int) share, count * share / shares, count * end / shares));
    }

    private void sortBuckets(int[] starts) {
        AtomicInteger next = new AtomicInteger();
        RangeBody sortSome = (thread, end) -> {
            MemorySegment longs = bytesOf(memory.packed(count), thread * largest, end * largest, Long.BYTES);
            for (int i = next.getAndIncrement(); i < RecordBuckets.COUNT; i = next.getAndIncrement()) {
                buckets.sort(
                        recordsOf(memory.copy(), starts[i], starts[i + 1]),
                        longs,
                        recordsOf(records, starts[i], starts[i + 1]));
            }
        };
        // No more threads than there is room for the longs of the largest bucket.
        crew.forRanges(Math.min(crew.size(), count / largest), 1, sortSome);
    }

    private MemorySegment recordsOf(MemorySegment all, long from, long to) {
        return bytesOf(all, from, to, bytes);
    }

    private static MemorySegment bytesOf(MemorySegment all, long from, long to, int each) {
        return all.asSlice(from * each, (to - from) * each);
    }

    private SortReport report() {
        return new SortReportBuilder(CpuSorter.deviceName(crew.size()))
                .elementCount(count)
                .passes(1)
                .phases(times.phases())
                .total(times.total())
                .bytesMoved(4L * bytes * count)
                .extraBytes(memory.bytes() + memory.copy().byteSize())
                .largestBucket(largest)
                .build();
    }
}
