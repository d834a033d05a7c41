package io.samplesort.cpu.leaf;

import java.io.File;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// The kernels of this engine (`core/src/main/cpp`). They work in place on keys of 4 or 8 bytes, in arrays or in native
/// memory.
///
/// Arrays go through Java's native interface: the foreign function interface takes 50 ms for the first call of a
/// process, and holds up every garbage collection during a call. Native memory goes through the foreign function
/// interface, which keeps it from being freed meanwhile.
final class Kernels {
    /// How many longs of scratch memory a sort of pairs needs.
    static final int SCRATCH = 3 << 14;

    /// Is added to the order in which segments are sorted if it descends.
    static final int DESCENDING_SEGMENTS = 1 << 8;

    /// The numbers that stand for the types of keys in the kernels.
    private static final int INTS = 0;

    private static final int LONGS = 1;

    /// The ways to find the lesser of two longs: by minima, or by comparing and choosing. Their numbers are added to
    /// that of the type.
    static final int MINIMA = 0;

    static final int COMPARING = 2;

    private final int way;

    /// @param way the one of [#MINIMA] and [#COMPARING] that is faster on this processor
    Kernels(int way) {
        this.way = way;
    }

    /// Returns whether longs are compared on this processor because minima take longer.
    boolean comparesLongs() {
        return way == COMPARING;
    }

    /// Loads the kernels from this class, whose native methods they define.
    static final class Loader implements KernelFile.Loader {
        @Override
        public void load(File file) {
            System.load(file.getAbsolutePath());
        }
    }

    /// The operations of the kernels, in the order of the numbers that stand for them there.
    enum Operation {
        SORT,
        SORT_DESCENDING,
        PIVOT,
        PIVOT_IS_FIRST,
        SPLIT_LESS,
        SPLIT_NOT_GREATER,
        SPLIT_GREATER,
        SPLIT_NOT_LESS,
        NARROW_LESS,
        NARROW_NOT_GREATER,
        NARROW_GREATER,
        NARROW_NOT_LESS,
        SWAP,
        MIRROR,
        ASCENDING,
        DESCENDING,
        SAMPLE,
        CHECK,
        COUNT,
        ADD_COUNTS,
        ORDER_COUNTED,
        WRITE_COUNTED,
        CHOOSE_SPLITTERS,
        DIVIDE,
        COLLECT,
        PUT_BACK,
        SORT_SEGMENTS
    }

    /// The function for native memory, which is linked when it is first needed.
    private static final class Functions {
        private static final MethodHandle WORK = NativeFunctions.link(
                "samplesort_work",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG));

        /// Works on segments if at least one of them lies in native memory.
        ///
        /// @param payload null if there is none
        /// @param scratch null if the operation needs none
        static long work(
                Place keys,
                Place payload,
                long[] scratch,
                int type,
                int payloadBytes,
                int operation,
                long from,
                long to,
                long argument) {
            MemorySegment carried = payload == null ? MemorySegment.NULL : payload.segment();
            MemorySegment spare = scratch == null ? MemorySegment.NULL : MemorySegment.ofArray(scratch);
            try {
                return (long) WORK.invokeExact(
                        keys.segment(), carried, spare, type, payloadBytes, operation, from, to, argument);
            } catch (Throwable e) {
                throw NativeFunctions.unchecked(e);
            }
        }
    }

    /// @param keysAt    where in the array the segment of the keys begins, in bytes
    /// @param payload   null if there is none
    /// @param payloadAt where in the array the segment of the payload begins, in bytes
    /// @param scratch   null if the operation needs none
    private static native long workOnArrays(
            Object keys,
            long keysAt,
            Object payload,
            long payloadAt,
            long[] scratch,
            int type,
            int payloadBytes,
            int operation,
            long from,
            long to,
            long argument);

    /// Does something with the keys `from..to` of a column, and what moves along with them; `samplesort_cpu.cpp` has
    /// the function.
    ///
    /// @param keyBytes     4 or 8
    /// @param payload      null if there is none; the copy if keys are divided among buckets
    /// @param payloadBytes 4 or 8; 0 for none
    /// @param scratch      [#SCRATCH] longs if pairs are sorted, the ends if a range is narrowed, a table or a list if
    ///     keys are counted or divided among buckets, the offsets of segments; null otherwise
    long call(
            Operation operation,
            Place keys,
            int keyBytes,
            Place payload,
            int payloadBytes,
            long[] scratch,
            long from,
            long to,
            long argument) {
        int type = (keyBytes == Integer.BYTES ? INTS : LONGS) + way;
        int number = operation.ordinal();
        if (payload == null && keys.array() != null) {
            return workOnArrays(keys.array(), keys.at(), null, 0, scratch, type, 0, number, from, to, argument);
        }
        if (payload != null && keys.array() != null && payload.array() != null) {
            return workOnArrays(
                    keys.array(),
                    keys.at(),
                    payload.array(),
                    payload.at(),
                    scratch,
                    type,
                    payloadBytes,
                    number,
                    from,
                    to,
                    argument);
        }
        return Functions.work(keys, payload, scratch, type, payloadBytes, number, from, to, argument);
    }

    /// Sorts segments of an array in natural order.
    ///
    /// @param offsets where the segments begin, and where the last one ends
    void sortSegments(Object array, SimdKeys.Type type, long[] offsets, int segments) {
        int number = (type.bytes() == Integer.BYTES ? INTS : LONGS) + way;
        int operation = Operation.SORT_SEGMENTS.ordinal();
        workOnArrays(array, 0, null, 0, offsets, number, 0, operation, 0, segments, type.order());
    }

    /// Returns whether they sort this many numbers of each size correctly.
    boolean sortRightly(int count) {
        return check(new int[count], INTS, count) && check(new long[count], LONGS, count);
    }

    private boolean check(Object array, int type, int count) {
        return workOnArrays(array, 0, null, 0, null, type + way, 0, Operation.CHECK.ordinal(), 0, count, 0) == 1;
    }

    /// Returns the system's number of this thread.
    static native int threadNumber();

    /// Keeps another thread away from the processor on which this thread runs.
    ///
    /// @return the processor; -1 if the other thread may run nowhere else, or if the system does not say
    static native int keepAway(int thread);

    /// Lets this thread run on a processor from which it was kept away.
    static native void allow(int processor);

    /// Sorts `values[from..to)` in signed order.
    void sort(int[] values, int from, int to) {
        workOnArrays(values, 0, null, 0, null, INTS + way, 0, Operation.SORT.ordinal(), from, to, 0);
    }

    /// Sorts `values[from..to)` in signed order.
    void sort(long[] values, int from, int to) {
        workOnArrays(values, 0, null, 0, null, LONGS + way, 0, Operation.SORT.ordinal(), from, to, 0);
    }
}
