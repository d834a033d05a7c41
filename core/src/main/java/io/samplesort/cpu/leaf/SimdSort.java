package io.samplesort.cpu.leaf;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/// Sorts with a quicksort of SIMD instructions: the kernels of this engine, or where the processor lacks the
/// instructions for them, the one that is part of the JDK and sorts ints alone.
///
/// The functions work on heap memory, and the virtual machine cannot collect garbage during a call.
final class SimdSort {
    /// For fewer elements a call costs more than it saves.
    private static final int LEAST_COUNT = 96;

    /// The numbers by which the functions know the types, which are those of the virtual machine.
    private static final int INTEGER_32 = 10;
    private static final int INTEGER_64 = 11;

    private static final long LOW_HALF = 0xffff_ffffL;

    private final MemorySegment sort;
    private final MemorySegment partition;
    /// Whether they are the kernels of this engine, which take numbers of 8 bytes as well.
    private final boolean sortsLongs;

    /// @param sort      the library's function that sorts
    /// @param partition the library's function that partitions
    SimdSort(MemorySegment sort, MemorySegment partition, boolean sortsLongs) {
        this.sort = sort;
        this.partition = partition;
        this.sortsLongs = sortsLongs;
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

    /// Returns whether it sorts numbers of 8 bytes, as the kernels of this engine do. These also take no longer where
    /// keys repeat.
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

    /// Sorts `values[from..to)` in signed order, which takes [#sortsLongs].
    void sort(long[] values, int from, int to) {
        if (to - from < LEAST_COUNT) {
            Arrays.sort(values, from, to);
        } else {
            call(MemorySegment.ofArray(values), INTEGER_64, from, to);
        }
    }

    /// Sorts `values[from..to)` by their bits, as signed longs, which takes [#sortsLongs]. [DoubleOrder] does the rest.
    void sort(double[] values, int from, int to) {
        if (to - from > 1) {
            call(MemorySegment.ofArray(values), INTEGER_64, from, to);
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
