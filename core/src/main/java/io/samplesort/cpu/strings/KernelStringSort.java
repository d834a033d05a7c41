package io.samplesort.cpu.strings;

import io.samplesort.cpu.leaf.TextKernels;
import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.PhaseTimes;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// One stable sort of the indexes of strings in native memory by kernels, for which Java has to compile nothing first.
///
/// All threads read the first words of the strings, and check whether the strings are in order already. Long ranges are
/// split, several at a time, until there are some for each thread. Each thread then sorts one range after the other.
final class KernelStringSort {
    /// The first words of fewer strings are read by one thread.
    private static final int BLOCK = 1 << 15;

    /// Fewer strings are sorted by one thread.
    private static final int LEAST_SHARE = 1 << 13;

    /// This many ranges for each thread let all threads end at about the same time.
    private static final int SHARES = 8;

    private final Strings strings;
    private final TextKernels.Sort kernels;
    private final Parallel parallel;
    private final long extraBytes;
    private final PhaseTimes times = new PhaseTimes();

    /// Places `from..to` of strings that have `depth` bytes in common.
    private record Range(long from, long to, long depth) {
        long count() {
            return to - from;
        }
    }

    /// More threads than this divide many strings faster by the passes of [StringIndexSort], since the first splits
    /// here are the work of one thread, then of two. Java has compiled those passes long before the end of such a sort.
    private static final int FEW_THREADS = 4;

    private static final long MANY_STRINGS = 1 << 21;

    /// Returns whether kernels are the faster way for this many strings.
    static boolean isFaster(long count, int parallelism) {
        return parallelism <= FEW_THREADS || count <= MANY_STRINGS;
    }

    /// Returns whether kernels can sort these strings. They cannot sort a mapped file: if another process shortened it,
    /// this process would crash.
    static boolean canSort(Strings strings, MemorySegment permutation) {
        return areNative(strings.bytes(), strings.offsets(), permutation) && TextKernels.areThere();
    }

    private static boolean areNative(MemorySegment... segments) {
        for (MemorySegment segment : segments) {
            if (!segment.isNative() || segment.isMapped()) {
                return false;
            }
        }
        return true;
    }

    /// @param words       room for a long for each string
    /// @param permutation room for an int for each string
    KernelStringSort(
            Strings strings, StringOrder order, MemorySegment words, MemorySegment permutation, int parallelism) {
        this.strings = strings;
        this.extraBytes = words.byteSize();
        TextKernels.Text text = new TextKernels.Text(
                strings.bytes(),
                strings.offsets(),
                strings.offsetType().byteSize(),
                strings.terminatorBytes(),
                order.ignoresAsciiCase(),
                order.isReversed());
        this.kernels = TextKernels.sort(text, words, permutation);
        this.parallel = new Parallel(strings.count() <= LEAST_SHARE ? 1 : parallelism);
    }

    SortReport sort() {
        long count = strings.count();
        parallel.forRanges(count, BLOCK, kernels::begin);
        times.lap(PhaseTimes.Phase.MAKE_SORT_KEYS);
        boolean isSorted = isSorted();
        times.lap(PhaseTimes.Phase.CHECK_ORDER);
        if (!isSorted) {
            List<Range> ranges = split(new Range(0, count, 0));
            times.lap(PhaseTimes.Phase.SCATTER);
            parallel.forRanges(ranges.size(), 1, (i, ignored) -> {
                Range range = ranges.get((int) i);
                kernels.sort(range.from, range.to, range.depth);
            });
            times.lap(PhaseTimes.Phase.SMALL_SORT);
        }
        return new SortReportBuilder(CpuSorter.deviceName(parallel.parallelism()))
                .elementCount(count)
                .phases(times.phases())
                .total(times.total())
                .bytesMoved((long) (Long.BYTES + Integer.BYTES) * count)
                .extraBytes(extraBytes)
                .largestBucket(count)
                .build();
    }

    private boolean isSorted() {
        // The first block of most inputs shows that they are not in order.
        if (!kernels.isSorted(0, Math.min(BLOCK, strings.count()))) {
            return false;
        }
        AtomicBoolean isSorted = new AtomicBoolean(true);
        parallel.forRanges(strings.count(), BLOCK, (from, to) -> {
            if (isSorted.get() && !kernels.isSorted(from, to)) {
                isSorted.set(false);
            }
        });
        return isSorted.get();
    }

    /// Splits a range until no part is longer than one thread's share.
    ///
    /// @return all parts that are left to sort, the longest first
    private List<Range> split(Range whole) {
        long share = parallel.parallelism() == 1
                ? Long.MAX_VALUE
                : Math.max(LEAST_SHARE, whole.count() / ((long) SHARES * parallel.parallelism()));
        List<Range> done = new ArrayList<>();
        List<Range> left = List.of(whole);
        while (!left.isEmpty()) {
            List<Range> splitting = new ArrayList<>();
            for (Range range : left) {
                (range.count() > share ? splitting : done).add(range);
            }
            left = parts(splitting);
        }
        done.sort((a, b) -> Long.compare(b.count(), a.count()));
        return done;
    }

    private List<Range> parts(List<Range> ranges) {
        List<Range> all = new ArrayList<>();
        parallel.forRanges(ranges.size(), 1, (i, ignored) -> {
            Range range = ranges.get((int) i);
            long[] parts = new long[TextKernels.MOST_PARTS * TextKernels.PART_FIELDS];
            int count = kernels.split(range.from, range.to, range.depth, parts);
            synchronized (all) {
                for (int part = 0; part < count * TextKernels.PART_FIELDS; part += TextKernels.PART_FIELDS) {
                    all.add(new Range(parts[part], parts[part + 1], parts[part + 2]));
                }
            }
        });
        return all;
    }
}
