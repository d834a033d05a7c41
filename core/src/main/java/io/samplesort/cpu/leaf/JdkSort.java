package io.samplesort.cpu.leaf;

import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Set;

/// The sort of ints with AVX2 that the JDK brings along for its own use. Its function may change at any time, so it is
/// called only in versions of Java with which it was tested.
///
/// It takes up to five times as long if some keys occur far more often than those around them, so such a range is
/// partitioned first. The functions work on heap memory, and the virtual machine cannot collect garbage during a call.
final class JdkSort {
    /// Shorter ranges are not searched for keys that repeat.
    private static final int LEAST_SAMPLED = 1 << 12;

    /// How many keys of a shorter range are compared with each other.
    private static final int FEW_SAMPLED = 10;

    /// The number that stands for ints in these functions, which is that of the virtual machine.
    private static final int INTEGER = 10;

    private static final long LOW_HALF = 0xffff_ffffL;

    /// The versions of Java whose library was tested.
    private static final Set<Integer> TESTED_VERSIONS = Set.of(25);

    static final File LIBRARY = new File(System.getProperty("java.home"), "lib/libsimdsort.so");

    private static final int CHECKED_COUNT = 1000;

    private final MemorySegment sort;
    private final MemorySegment partition;

    /// @param sort      the library's function that sorts
    /// @param partition the library's function that partitions
    JdkSort(MemorySegment sort, MemorySegment partition) {
        this.sort = sort;
        this.partition = partition;
    }

    /// Returns the JDK's sort of ints for AVX2; null if it is not available.
    static JdkSort find() {
        if (!TESTED_VERSIONS.contains(Runtime.version().feature()) || !LIBRARY.isFile()) {
            return null;
        }
        SymbolLookup library = SymbolLookup.libraryLookup(LIBRARY.toPath(), Arena.global());
        return library.find("avx2_sort")
                .flatMap(sort -> library.find("avx2_partition").map(partition -> new JdkSort(sort, partition)))
                .orElse(null);
    }

    private static final class Functions {
        private static final MethodHandle SORT = Linker.nativeLinker()
                .downcallHandle(
                        FunctionDescriptor.ofVoid(
                                ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
                        Linker.Option.critical(true));

        private static final MethodHandle PARTITION = Linker.nativeLinker()
                .downcallHandle(
                        FunctionDescriptor.ofVoid(
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT),
                        Linker.Option.critical(true));
    }

    /// Sorts `values[from..to)` in signed order.
    void sort(int[] values, int from, int to) {
        sort(values, from, to, 2 * (Integer.SIZE - Integer.numberOfLeadingZeros((to - from) / LEAST_SAMPLED)));
    }

    /// @param depth after this many partitions the rest is left to one call, which takes n log n steps at worst
    private void sort(int[] values, int from, int to, int depth) {
        KeySample sample = to - from < LEAST_SAMPLED || depth == 0 ? null : KeySample.draw(i -> values[i], from, to);
        if (sample == null ? repeatKeys(values, from, to) : sample.isOfFew()) {
            // The JDK's own code around these functions sorts no pivot again.
            Arrays.sort(values, from, to);
            return;
        }
        if (sample == null || !sample.isUneven()) {
            call(values, from, to);
            return;
        }
        // The pivots are the thirds of the sample, or a key that is frequent there, which is then in its final places.
        int first = sample.frequentPlace();
        int second = first;
        if (first < 0) {
            first = sample.places()[KeySample.SIZE / 3];
            second = sample.places()[2 * KeySample.SIZE / 3];
            second = values[first] == values[second] ? first : second;
        }
        long bounds = partition(values, from, to, first, second);
        int firstEnd = (int) bounds;
        int lastStart = (int) (bounds >>> Integer.SIZE);
        sort(values, from, firstEnd, depth - 1);
        if (first != second) {
            sort(values, firstEnd, lastStart, depth - 1);
        }
        sort(values, lastStart, to, depth - 1);
    }

    /// Returns whether two of a few keys are equal.
    private static boolean repeatKeys(int[] values, int from, int to) {
        int step = Math.max(1, (to - from) / FEW_SAMPLED);
        int last = from + Math.min(to - from, FEW_SAMPLED * step);
        for (int i = from; i < last; i += step) {
            for (int j = i + step; j < last; j += step) {
                if (values[i] == values[j]) {
                    return true;
                }
            }
        }
        return false;
    }

    private void call(int[] values, int from, int to) {
        try {
            Functions.SORT.invokeExact(sort, MemorySegment.ofArray(values), INTEGER, from, to);
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }

    /// Moves the elements of `values[from..to)` that are less than the one at `first` before all others, and those that
    /// are greater than the one at `second` after all others.
    ///
    /// @param first  the index of an element that is not greater than the one at `second`; neither is the first or the
    ///     last of the range
    /// @param second the index of a greater element, or `first`
    /// @return in the lower half where the lesser elements end, and in the upper half where the greater ones begin,
    ///     among which there may be some that equal the element at `second`. If `first == second`, all elements in
    ///     between are equal.
    long partition(int[] values, int from, int to, int first, int second) {
        int[] bounds = new int[2];
        try {
            Functions.PARTITION.invokeExact(
                    partition,
                    MemorySegment.ofArray(values),
                    INTEGER,
                    from,
                    to,
                    MemorySegment.ofArray(bounds),
                    first,
                    second);
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
        return bounds[0] & LOW_HALF | (long) bounds[1] << Integer.SIZE;
    }

    /// Returns whether it sorts and partitions a few numbers correctly.
    boolean sortsRightly() {
        int[] ints = ints();
        int[] values = ints.clone();
        int[] sorted = ints.clone();
        Arrays.sort(sorted);
        sort(ints, 0, CHECKED_COUNT);
        return Arrays.equals(ints, sorted) && partitionsRightly(values, sorted);
    }

    private static int[] ints() {
        int[] ints = new int[CHECKED_COUNT];
        long number = 1;
        for (int i = 0; i < CHECKED_COUNT; i++) {
            number = next(number);
            // The lowest bits of these numbers repeat soon.
            ints[i] = (int) (number >> Integer.SIZE);
        }
        return ints;
    }

    /// Returns the number that follows in a sequence of 2^64 numbers (D. E. Knuth's MMIX). A generator of the JDK would
    /// load some twenty classes.
    private static long next(long number) {
        return number * 6364136223846793005L + 1442695040888963407L;
    }

    private boolean partitionsRightly(int[] values, int[] sorted) {
        int first = values[1] < values[2] ? 1 : 2;
        int second = 3 - first;
        int least = values[first];
        int greatest = values[second];
        long bounds = partition(values, 0, CHECKED_COUNT, first, second);
        int firstEnd = (int) bounds;
        int lastStart = (int) (bounds >>> Integer.SIZE);
        if (firstEnd < 0 || lastStart < firstEnd || lastStart > CHECKED_COUNT) {
            return false;
        }
        for (int i = 0; i < CHECKED_COUNT; i++) {
            int value = values[i];
            boolean isRight = i < firstEnd
                    ? value < least
                    : value >= (i < lastStart ? least : greatest) && (i >= lastStart || value <= greatest);
            if (!isRight) {
                return false;
            }
        }
        Arrays.sort(values);
        return Arrays.equals(values, sorted);
    }
}
