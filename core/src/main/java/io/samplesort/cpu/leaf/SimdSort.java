package io.samplesort.cpu.leaf;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/// Sorts with the SIMD quicksort that is part of the JDK, called without the detour through [Arrays#sort(long[])],
/// which uses it for short ranges alone and takes twice the time.
///
/// The functions work on heap memory, and the virtual machine cannot collect garbage during a call.
final class SimdSort {
    /// For fewer elements a call costs more than it saves.
    private static final int LEAST_COUNT = 96;

    /// The numbers by which the virtual machine, and with it the function, knows the types.
    private static final int FLOATING_64 = 7;

    private static final int INTEGER_32 = 10;
    private static final int INTEGER_64 = 11;

    private static final long LOW_HALF = 0xffff_ffffL;

    /// The bits of the smallest and the greatest positive double whose exponent is neither zero nor that of infinity.
    private static final long LEAST_NORMAL = Double.doubleToRawLongBits(Double.MIN_NORMAL);
    private static final long GREATEST_NORMAL = Double.doubleToRawLongBits(Double.MAX_VALUE);

    private static final long INFINITY = Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);

    private final MemorySegment sort;
    private final MemorySegment partition;
    /// Whether the functions take numbers of 8 bytes; all take numbers of 4.
    private final boolean sortsLongs;
    /// Whether this is an AMD processor. It compares longs as fast as doubles, and partitions twice as fast as Intel's.
    private final boolean isAmd;

    /// @param sort      the library's function that sorts
    /// @param partition the library's function that partitions
    SimdSort(MemorySegment sort, MemorySegment partition, boolean sortsLongs, boolean isAmd) {
        this.sort = sort;
        this.partition = partition;
        this.sortsLongs = sortsLongs;
        this.isAmd = isAmd;
    }

    /// Returns the sort for this processor; null if there is none, if it is not loaded yet, or if this process may not
    /// call native functions.
    static SimdSort find() {
        return isAllowed() ? Loading.begun() : null;
    }

    /// Returns what [#find] will return when the sort is loaded, which takes some 70 ms.
    static SimdSort awaitLoaded() {
        return isAllowed() ? Loading.SORT.join() : null;
    }

    /// Returns whether this process may call native functions. Otherwise the virtual machine would print a warning, or
    /// throw, when they are linked.
    static boolean isAllowed() {
        return SimdSort.class.getModule().isNativeAccessEnabled();
    }

    /// Loads the sort once, when it is first asked for.
    private static final class Loading {
        private static final CompletableFuture<SimdSort> SORT = start();

        private static CompletableFuture<SimdSort> start() {
            CompletableFuture<SimdSort> sort = new CompletableFuture<>();
            Thread thread = Thread.ofPlatform()
                    .daemon()
                    .name("samplesort-load")
                    .inheritInheritableThreadLocals(false)
                    .unstarted(() -> {
                        try {
                            sort.complete(SimdLibrary.load());
                        } finally {
                            // After an error sorts go on without. Nothing happens if the future is complete.
                            sort.complete(null);
                        }
                    });
            try {
                thread.start();
            } catch (OutOfMemoryError e) {
                // The system refuses another thread, so sorts go on without.
                sort.complete(null);
            }
            return sort;
        }

        static SimdSort begun() {
            return SORT.getNow(null);
        }
    }

    private static final class Binding {
        private static final MethodHandle SORT = Linker.nativeLinker()
                .downcallHandle(
                        FunctionDescriptor.ofVoid(
                                ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
                        Linker.Option.critical(true));
    }

    /// Only large sorts partition, so the others need not wait until this is linked.
    private static final class PartitionBinding {
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
        if (isAmd) {
            call(MemorySegment.ofArray(values), INTEGER_64, from, to);
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

    /// Sorts `values[from..to)` by their bits, as signed longs, which takes [#sortsLongs]. [DoubleOrder] does the rest.
    ///
    /// As doubles they could be sorted only without NaNs and negative zeros, whose bits the functions lose: they take
    /// both zeros for equal and know no order of NaNs.
    void sort(double[] values, int from, int to) {
        if (to - from > 1) {
            boolean areBetterAsDoubles = !isAmd && arePositive(values, from, to);
            call(MemorySegment.ofArray(values), areBetterAsDoubles ? FLOATING_64 : INTEGER_64, from, to);
        }
    }

    /// Returns whether all are positive numbers or positive zeros, which have the order of their bits.
    private static boolean arePositive(double[] values, int from, int to) {
        for (int i = from; i < to; i++) {
            if (Long.compareUnsigned(Double.doubleToRawLongBits(values[i]), INFINITY) > 0) {
                return false;
            }
        }
        return true;
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
        return partition(MemorySegment.ofArray(values), INTEGER_32, from, to, first, second);
    }

    /// Partitions longs, as ints.
    long partition(long[] values, int from, int to, int first, int second) {
        return partition(MemorySegment.ofArray(values), INTEGER_64, from, to, first, second);
    }

    /// Partitions doubles by their bits, as signed longs.
    long partition(double[] values, int from, int to, int first, int second) {
        return partition(MemorySegment.ofArray(values), INTEGER_64, from, to, first, second);
    }

    private long partition(MemorySegment values, int type, int from, int to, int first, int second) {
        int[] bounds = new int[2];
        try {
            PartitionBinding.PARTITION.invokeExact(
                    partition, values, type, from, to, MemorySegment.ofArray(bounds), first, second);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("a native function throws no checked exception", e);
        }
        return bounds[0] & LOW_HALF | (long) bounds[1] << Integer.SIZE;
    }

    private void call(MemorySegment values, int type, int from, int to) {
        try {
            Binding.SORT.invokeExact(sort, values, type, from, to);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("a native function throws no checked exception", e);
        }
    }
}
