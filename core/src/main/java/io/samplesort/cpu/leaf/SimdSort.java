package io.samplesort.cpu.leaf;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/// Sorts with the SIMD quicksort that is part of the JDK, called without the detour through [Arrays#sort(long[])],
/// which uses it for short ranges alone and takes twice the time.
///
/// The function works on heap memory, and the virtual machine cannot collect garbage meanwhile. A call takes about a
/// millisecond, as a leaf has at most a few hundred thousand elements.
final class SimdSort {
    /// For fewer elements a call costs more than it saves.
    private static final int LEAST_COUNT = 96;

    /// The numbers by which the virtual machine, and with it the function, knows the types.
    private static final int FLOATING_64 = 7;

    private static final int INTEGER_32 = 10;
    private static final int INTEGER_64 = 11;

    /// The bits of the smallest and the greatest positive double whose exponent is neither zero nor that of infinity.
    private static final long LEAST_NORMAL = Double.doubleToRawLongBits(Double.MIN_NORMAL);
    private static final long GREATEST_NORMAL = Double.doubleToRawLongBits(Double.MAX_VALUE);

    private static final long INFINITY = Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);
    private static final long NEGATIVE_INFINITY = Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY);

    private final MemorySegment function;
    /// Whether the function sorts numbers of 8 bytes; all sort numbers of 4.
    private final boolean sortsLongs;

    SimdSort(MemorySegment function, boolean sortsLongs) {
        this.function = function;
        this.sortsLongs = sortsLongs;
    }

    /// Returns the sort for this processor; null if there is none, if it is not loaded yet, or if this process may not
    /// call native functions.
    static SimdSort find() {
        // The virtual machine would otherwise print a warning, or throw, when the function is linked.
        return SimdSort.class.getModule().isNativeAccessEnabled() ? Loading.begun() : null;
    }

    /// Waits until [#find] gives its last answer.
    static void awaitLoading() throws InterruptedException {
        if (find() == null && SimdSort.class.getModule().isNativeAccessEnabled()) {
            Loading.THREAD.join();
        }
    }

    /// Loads the sort once, when it is first asked for.
    private static final class Loading {
        private static volatile SimdSort sort;
        private static final Thread THREAD = start();

        private static Thread start() {
            Thread thread = Thread.ofPlatform()
                    .daemon()
                    .name("samplesort-load")
                    .inheritInheritableThreadLocals(false)
                    .unstarted(() -> sort = SimdLibrary.load());
            try {
                thread.start();
            } catch (OutOfMemoryError e) {
                // The system refuses another thread, so sorts go on without.
            }
            return thread;
        }

        static SimdSort begun() {
            return sort;
        }
    }

    private static final class Binding {
        private static final MethodHandle SORT = Linker.nativeLinker()
                .downcallHandle(
                        FunctionDescriptor.ofVoid(
                                ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
                        Linker.Option.critical(true));
    }

    /// Returns whether it sorts numbers of 8 bytes.
    boolean sortsLongs() {
        return sortsLongs;
    }

    /// Sorts `values[from..to)` in signed order.
    void sort(int[] values, int from, int to) {
        if (to - from < LEAST_COUNT) {
            Arrays.sort(values, from, to);
        } else {
            call(MemorySegment.ofArray(values), INTEGER_32, from, to);
        }
    }

    /// Sorts `values[from..to)` in signed order, which takes [#sortsLongs]. It is fastest if they span less than 2^62.
    void sort(long[] values, int from, int to) {
        if (to - from < LEAST_COUNT) {
            Arrays.sort(values, from, to);
            return;
        }
        long least = Long.MAX_VALUE;
        long greatest = Long.MIN_VALUE;
        for (int i = from; i < to; i++) {
            least = Math.min(least, values[i]);
            greatest = Math.max(greatest, values[i]);
        }
        long span = greatest - least;
        if (span < 0 || span > GREATEST_NORMAL - LEAST_NORMAL) {
            call(MemorySegment.ofArray(values), INTEGER_64, from, to);
        } else if (span > 0) {
            sortAsDoubles(values, from, to, LEAST_NORMAL - least);
        }
    }

    /// Sorts longs as the doubles that have the bits `long + shift`. Processors compare doubles faster than longs, and
    /// positive doubles have the order of their bits. None is zero, subnormal or NaN.
    private void sortAsDoubles(long[] values, int from, int to, long shift) {
        for (int i = from; i < to; i++) {
            values[i] += shift;
        }
        call(MemorySegment.ofArray(values), FLOATING_64, from, to);
        for (int i = from; i < to; i++) {
            values[i] -= shift;
        }
    }

    /// Sorts `values[from..to)`, which takes [#sortsLongs], if all have one sign and none is zero or NaN.
    ///
    /// Zeros and NaNs cannot be left to the function, since it loses their bits: it takes both zeros for equal and
    /// knows no order of NaNs. Where all numbers have one sign, the least and the greatest bits tell that there are
    /// none.
    ///
    /// @return whether they are sorted; otherwise nothing has moved
    boolean trySort(double[] values, int from, int to) {
        if (to - from < LEAST_COUNT) {
            return false;
        }
        long least = Long.MAX_VALUE;
        long greatest = Long.MIN_VALUE;
        for (int i = from; i < to; i++) {
            long bits = Double.doubleToRawLongBits(values[i]);
            least = Math.min(least, bits);
            greatest = Math.max(greatest, bits);
        }
        boolean isPositive = least > 0 && greatest <= INFINITY;
        boolean isNegative = least > Long.MIN_VALUE && greatest <= NEGATIVE_INFINITY;
        if (isPositive || isNegative) {
            if (least != greatest) {
                call(MemorySegment.ofArray(values), FLOATING_64, from, to);
            }
            return true;
        }
        return false;
    }

    private void call(MemorySegment values, int type, int from, int to) {
        try {
            Binding.SORT.invokeExact(function, values, type, from, to);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("a native function throws no checked exception", e);
        }
    }
}
