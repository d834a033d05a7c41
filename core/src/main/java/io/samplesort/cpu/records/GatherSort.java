package io.samplesort.cpu.records;

import io.samplesort.cpu.leaf.SimdRecords;
import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.PhaseTimes;
import io.samplesort.cpu.threads.Crew;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/// One stable sort of records by their places. All records are copied, and as many leading bits of each key as fit are
/// packed with the place of the record into one long. The longs are sorted as numbers, and each record goes from the
/// copy to the place of its long. So a record is read at a random place only once, and kernels do many such reads at
/// once.
///
/// The place makes the order stable. Where leading bits are equal, [PlaceTies] goes on with the rest of the key.
public final class GatherSort {
    /// With fewer records, linking native functions would hold up a young process.
    private static final int LEAST_GRAINS = 4;

    /// With fewer records it does not pay to wait until the kernels are loaded.
    private static final int LEAST_AWAITING = 1 << 20;

    /// How many records a thread moves at a time.
    private static final int MOVED_AT_A_TIME = 1 << 14;

    /// The sample has this factor times √n keys. If each key had m copies, about twice m keys of the sample would then
    /// equal another one.
    private static final int SAMPLE_FACTOR = 2;

    /// If fewer keys of a sample are equal, it is likely that few keys repeat. Otherwise equality buckets are faster
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
    /// @param grain   the calling thread alone sorts up to this many records
    /// @param crew    the threads that do all of the work
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

    /// Returns the kernels that this sort uses; null if they cannot be used for these records.
    public static SimdRecords kernels(List<MemorySegment> columns, int count, int grain) {
        // If another process shortened a mapped file, this process would crash in the middle of a kernel.
        boolean isMapped = columns.stream().anyMatch(MemorySegment::isMapped);
        return isMapped || count < (long) LEAST_GRAINS * grain ? null : SimdRecords.find(count >= LEAST_AWAITING);
    }

    /// Sorts all records.
    ///
    /// @return a report; null, with nothing done, if too many keys repeat
    public SortReport sort(SortKey wholeKey) {
        // Helpers wake up while this thread looks at a few keys.
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
        crew.watch().mayStop();
        crew.watch().moves();
        byRanges((worker, from, to) -> worker.write(columns, from, to, placeBits, kernels, memory.copy(), packed));
        times.lap(PhaseTimes.Phase.GATHER);
        return report(numbersReport);
    }

    /// The work of a worker on the records `from..to`.
    private interface RangeWork {
        void accept(GatherWorker worker, int from, int to);
    }

    private void byRanges(RangeWork work) {
        AtomicLong next = new AtomicLong();
        crew.forRanges(crew.size(), 1, (w, end) -> {
            GatherWorker worker = memory.worker((int) w);
            for (long from = next.getAndAdd(MOVED_AT_A_TIME); from < count; from = next.getAndAdd(MOVED_AT_A_TIME)) {
                crew.watch().mayStopReading();
                work.accept(worker, (int) from, (int) Math.min(from + MOVED_AT_A_TIME, count));
            }
        });
    }

    /// Returns whether many keys seem to be equal in the bits that are packed.
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
