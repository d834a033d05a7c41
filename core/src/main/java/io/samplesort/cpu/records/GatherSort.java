package io.samplesort.cpu.records;

import io.samplesort.cpu.leaf.SimdRecords;
import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.PhaseTimes;
import io.samplesort.cpu.threads.Crew;
import io.samplesort.types.SortReport;
import io.samplesort.types.SortReportBuilder;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/// One stable sort of records by their places. All records are copied, and as many leading bits of each key as fit are
/// packed with the place of the record into one long. The longs are sorted as numbers, and each record goes from the
/// copy to where its long is. So a record is read at a random place once, and kernels keep many such reads on their
/// way.
///
/// The place makes the order stable. Where leading bits are equal, [PlaceTies] goes on with the rest of the key.
public final class GatherSort {
    /// With fewer records a process that is young would be held up by linking native functions.
    private static final int LEAST_GRAINS = 4;

    /// With fewer records it does not pay to wait until the kernels are loaded.
    private static final int LEAST_AWAITING = 1 << 20;

    /// Records that a thread moves at a time.
    private static final int MOVED_AT_A_TIME = 1 << 14;

    /// A sample has so many times the square root of all keys. If each key had m copies, about twice m keys of the
    /// sample would then equal another one.
    private static final int SAMPLE_FACTOR = 2;

    /// With fewer that are equal in a sample it is likely that few keys repeat. Otherwise equality buckets are faster
    /// than reading records at random places to compare the rest of their keys.
    private static final int MANY_EQUAL = 8;

    private final List<MemorySegment> columns;
    private final int count;
    private final int placeBits;
    private final RecordLayout layout;
    private final GatherMemory memory;
    private final NumberSorters sorters;
    private final SimdRecords kernels;
    private final PhaseTimes times;
    private final int grain;
    private final Crew crew;

    /// @param columns the keys are in the first
    /// @param kernels what [#kernels] returned
    /// @param grain   the calling thread sorts at most so many records alone
    /// @param crew    does all of the work
    public GatherSort(
            List<MemorySegment> columns,
            int count,
            RecordLayout layout,
            GatherMemory memory,
            NumberSorters sorters,
            SimdRecords kernels,
            PhaseTimes times,
            int grain,
            Crew crew) {
        this.columns = columns;
        this.count = count;
        this.placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
        this.layout = layout;
        this.memory = memory;
        this.sorters = sorters;
        this.kernels = kernels;
        this.times = times;
        this.grain = Math.max(2, grain);
        this.crew = crew;
    }

    /// Returns the kernels that such a sort takes; null if they cannot be used for these records.
    public static SimdRecords kernels(List<MemorySegment> columns, int count, int grain) {
        // A file that another process shortens would end this one in the middle of a kernel.
        boolean isMapped = columns.stream().anyMatch(MemorySegment::isMapped);
        return isMapped || count < (long) LEAST_GRAINS * grain ? null : SimdRecords.find(count >= LEAST_AWAITING);
    }

    /// Sorts all records.
    ///
    /// @return what it did; null if too many keys repeat, and nothing was done
    public SortReport sort(SortKey wholeKey) {
        // Helpers are on their way while this thread looks at a few keys.
        crew.gather();
        SortReport report = columns.size() == 1
                ? BucketGather.trySort(columns.getFirst(), layout, count, wholeKey, memory, kernels, crew, times)
                : null;
        return report == null ? sortWhereTheyLie(wholeKey) : report;
    }

    private SortReport sortWhereTheyLie(SortKey wholeKey) {
        SortKey key = wholeKey;
        if (!key.isPackable(placeBits)) {
            key = key.narrowedForPlaces(columns.getFirst(), count, placeBits, crew, grain);
            if (!key.isPackable(placeBits) && repeats(key)) {
                return null;
            }
        }
        memory.reserve(layout, crew.size(), count);
        SortKey keyOfRecords = key.ofElements(layout.recordBytes());
        MemorySegment packed = memory.packed(count);
        byRanges((worker, from, to) ->
                worker.copy(columns, from, to, keyOfRecords, placeBits, kernels, memory.copy(), packed));
        times.lap(PhaseTimes.Phase.MAKE_SORT_KEYS);
        SortReport numbersReport = sorters.packed().sortWith(crew, packed);
        times.add(numbersReport.phases());
        if (!key.isPackable(placeBits)) {
            new PlaceTies(kernels, packed, placeBits, memory.copy(), crew, grain, sorters).finish(keyOfRecords, count);
            times.lap(PhaseTimes.Phase.SORT_TIES);
        }
        byRanges((worker, from, to) -> worker.write(columns, from, to, placeBits, kernels, memory.copy(), packed));
        times.lap(PhaseTimes.Phase.GATHER);
        return report(numbersReport);
    }

    /// What a worker does with the records `from..to`.
    private interface RangeWork {
        void accept(GatherWorker worker, int from, int to);
    }

    private void byRanges(RangeWork work) {
        AtomicLong next = new AtomicLong();
        crew.forRanges(crew.size(), 1, (w, end) -> {
            GatherWorker worker = memory.worker((int) w);
            for (long from = next.getAndAdd(MOVED_AT_A_TIME); from < count; from = next.getAndAdd(MOVED_AT_A_TIME)) {
                work.accept(worker, (int) from, (int) Math.min(from + MOVED_AT_A_TIME, count));
            }
        });
    }

    /// Returns whether it seems that many keys begin alike, for as many bits as are packed.
    private boolean repeats(SortKey key) {
        long[] sample = new long[SAMPLE_FACTOR * (int) Math.sqrt(count)];
        SplittableRandom random = new SplittableRandom(count);
        for (int i = 0; i < sample.length; i++) {
            sample[i] = key.packed(columns.getFirst(), random.nextInt(count), 0, placeBits);
        }
        Arrays.sort(sample);
        int equal = 0;
        for (int i = 1; i < sample.length; i++) {
            equal += sample[i] == sample[i - 1] ? 1 : 0;
        }
        return equal >= MANY_EQUAL;
    }

    private SortReport report(SortReport numbersReport) {
        return new SortReportBuilder(CpuSorter.deviceName(crew.size()))
                .elementCount(count)
                .passes(numbersReport.passes())
                .phases(times.phases())
                .total(times.total())
                .bytesMoved(numbersReport.bytesMoved() + (4L * layout.recordBytes() + Long.BYTES) * count)
                .extraBytes(numbersReport.extraBytes()
                        + memory.bytes()
                        + memory.copy().byteSize())
                .largestBucket(numbersReport.largestBucket())
                .build();
    }
}
