package io.samplesort.cpu.leaf;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// The sort of ints with AVX2 that the JDK brings along for its own use.
///
/// It takes up to five times as long where some keys occur far more often than those around them, so such a range is
/// partitioned first. The functions work on heap memory, and the virtual machine cannot collect garbage during a call.
final class JdkSort {
    /// In a shorter range nobody looks for keys that repeat.
    private static final int LEAST_SAMPLED = 1 << 12;

    /// The number by which the functions know ints, which is that of the virtual machine.
    private static final int INTEGER = 10;

    private static final long LOW_HALF = 0xffff_ffffL;

    private final MemorySegment sort;
    private final MemorySegment partition;

    /// @param sort      the library's function that sorts
    /// @param partition the library's function that partitions
    JdkSort(MemorySegment sort, MemorySegment partition) {
        this.sort = sort;
        this.partition = partition;
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

    /// @param depth after so many partitions the rest is left to one call, which takes n log n steps at worst
    private void sort(int[] values, int from, int to, int depth) {
        KeySample sample = to - from < LEAST_SAMPLED || depth == 0 ? null : KeySample.draw(i -> values[i], from, to);
        if (sample == null || !sample.isUneven()) {
            call(values, from, to);
            return;
        }
        // The pivots are the thirds of the sample, or a key that is frequent there, which is done then.
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

    private void call(int[] values, int from, int to) {
        try {
            Functions.SORT.invokeExact(sort, MemorySegment.ofArray(values), INTEGER, from, to);
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }

    /// Moves the elements of `values[from..to)` that are less than the one at `first` before all others, and those that
    /// are greater than the one at `second` behind.
    ///
    /// @param first  the index of an element that is not greater than the one at `second`; neither is the first or the
    ///     last of the range
    /// @param second the index of a greater element, or `first`
    /// @return in the lower half where the lesser elements end, and in the upper half where the greater ones begin,
    ///     among which there may be some that equal the element at `second`. If `first == second`, all between are
    ///     equal.
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
}
