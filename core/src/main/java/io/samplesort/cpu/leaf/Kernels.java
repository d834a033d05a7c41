package io.samplesort.cpu.leaf;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// The kernels of this engine (`core/src/main/cpp`). They work on keys of 4 or 8 bytes where these lie, on the heap or
/// not. The virtual machine cannot collect garbage during a call.
///
/// @param function the library's function, which does it all: linking one takes the first sort some milliseconds
/// @param longs    the number of the kernels for keys of 8 bytes that are fastest on this processor
record Kernels(MemorySegment function, int longs) {
    /// The numbers by which the kernels know the types of keys.
    static final int INTS = 0;

    static final int LONGS = 1;
    static final int COMPARED_LONGS = 2;

    /// The library's function.
    static final String FUNCTION = "samplesort_work";

    private static final class Binding {
        private static final MethodHandle WORK = Linker.nativeLinker()
                .downcallHandle(
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_LONG,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG),
                        Linker.Option.critical(true));
    }

    /// What the kernels can do, by the numbers that they have for it.
    enum Operation {
        SORT,
        PIVOT,
        SPLIT_LESS,
        SPLIT_NOT_GREATER,
        SPLIT_NOT_LESS,
        SWAP,
        MIRROR,
        ASCENDING,
        DESCENDING
    }

    /// Does something with the keys `from..to` of a segment, see the function in C++.
    ///
    /// @param keyBytes 4 or 8
    long call(Operation operation, MemorySegment keys, int keyBytes, long from, long to, long argument) {
        int type = keyBytes == Integer.BYTES ? INTS : longs;
        try {
            return (long) Binding.WORK.invokeExact(function, keys, type, operation.ordinal(), from, to, argument);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("a native function throws no checked exception", e);
        }
    }

    /// Sorts `values[from..to)` in signed order.
    void sort(int[] values, int from, int to) {
        call(Operation.SORT, MemorySegment.ofArray(values), Integer.BYTES, from, to, 0);
    }

    /// Sorts `values[from..to)` in signed order.
    void sort(long[] values, int from, int to) {
        call(Operation.SORT, MemorySegment.ofArray(values), Long.BYTES, from, to, 0);
    }
}
