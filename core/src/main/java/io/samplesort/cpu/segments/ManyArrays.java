package io.samplesort.cpu.segments;

import io.samplesort.cpu.leaf.ArrayKernel;
import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.RangeSort;
import io.samplesort.cpu.threads.Crew;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.memory.ArrayRange;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.SortReport;
import java.lang.reflect.Array;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Sorts many arrays of numbers in natural order, each by itself. Threads share them by their elements, and all threads
/// sort a long array together.
public final class ManyArrays {
    /// Short arrays with about this many elements are sorted before a thread takes more.
    private static final int GRAIN = 1 << 15;

    /// An array that has more elements is sorted by a sorter of its own.
    private static final int MOST_SHORT = 1 << 17;

    /// Arrays longer than a thread's share divided by this are sorted by all threads, one after the other.
    private static final int SHARES = 4;

    /// A call of the kernel takes longer than sorting fewer numbers.
    private static final int LEAST_BY_KERNEL = 24;

    /// With this many elements it pays to wait until the kernels are loaded.
    private static final int LEAST_AWAITING = 1 << 20;

    private static final NaturalOrder NATURAL = new NaturalOrder(false, false);

    private final ElementType type;
    private final Object[] arrays;
    private final int[] lengths;
    private long count;
    /// The arrays from which on threads take work, one after the other, and the number of arrays.
    private final List<Integer> starts = new ArrayList<>();

    private final List<Integer> large = new ArrayList<>();

    /// @param type   the type of the elements: ints, longs, floats or doubles
    /// @param arrays arrays of that type
    /// @throws NullPointerException if one of them is null
    private ManyArrays(ElementType type, Object[] arrays) {
        this.type = type;
        this.arrays = arrays;
        this.lengths = new int[arrays.length];
        long begun = GRAIN;
        for (int i = 0; i < arrays.length; i++) {
            if (arrays[i] == null) {
                throw new NullPointerException("array " + i + " is null: leave it out, or give an empty array");
            }
            int length = Array.getLength(arrays[i]);
            lengths[i] = length;
            count += length;
            if (length > MOST_SHORT) {
                large.add(i);
                continue;
            }
            if (begun >= GRAIN) {
                starts.add(i);
                begun = 0;
            }
            begun += length;
        }
        starts.add(arrays.length);
    }

    /// Sorts each array by itself. If one appears twice, two threads may sort it at once and lose elements of it.
    ///
    /// @param type        the type of the elements: ints, longs, floats or doubles
    /// @param arrays      arrays of that type
    /// @param parallelism how many threads work at once; 1 for the calling thread alone
    /// @throws NullPointerException if one of them is null; all are unchanged in that case
    public static SortReport sort(ElementType type, Object[] arrays, int parallelism) {
        long start = System.nanoTime();
        ManyArrays many = new ManyArrays(type, arrays);
        int threads = many.count <= GRAIN ? 1 : parallelism;
        many.sort(threads);
        return new SortReportBuilder(CpuSorter.deviceName(threads))
                .elementCount(many.count)
                .total(Duration.ofNanos(System.nanoTime() - start))
                .build();
    }

    private void sort(int threads) {
        long share = count / ((long) SHARES * threads);
        NumberSorting sorting = new NumberSorting(type, null, NATURAL, threads);
        List<Integer> single = new ArrayList<>();
        for (int i : large) {
            if (threads > 1 && lengths[i] > share) {
                sorting.byAll().sort(new ArrayRange(arrays[i], 0, lengths[i]));
            } else {
                single.add(i);
            }
        }
        try (Crew crew = new Parallel(threads).crew()) {
            crew.forRanges(single.size() + starts.size() - 1L, 1, (from, to) -> {
                int i = (int) from;
                if (i < single.size()) {
                    CpuSorter sorter = sorting.takeByOne();
                    sorter.sort(new ArrayRange(arrays[single.get(i)], 0, lengths[single.get(i)]));
                    sorting.giveBack(sorter);
                } else {
                    int range = i - single.size();
                    sortShort(sorting, starts.get(range), starts.get(range + 1));
                }
            });
        }
    }

    private void sortShort(NumberSorting sorting, int first, int end) {
        ArrayKernel kernel = ArrayKernel.of(CpuSorter.simdType(type, NATURAL), count >= LEAST_AWAITING);
        RangeSort leaf = sorting.takeLeaf();
        for (int i = first; i < end; i++) {
            int length = lengths[i];
            if (length > MOST_SHORT || length < 2) {
                continue;
            }
            if (kernel != null && length >= LEAST_BY_KERNEL) {
                kernel.sort(arrays[i], length);
            } else {
                leaf.sort(arrays[i], length);
            }
        }
        sorting.giveBack(leaf);
    }
}
