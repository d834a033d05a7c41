package io.samplesort.cpu.leaf;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The kernels of this engine for sorted numbers (`samplesort_sorted.cpp`). They need AVX2. Several
/// threads may call them at once. All segments have to be aligned to the size of their numbers.
public final class SortedKernels {
    /// The first call of a process takes 50 ms. In that time plain Java works on this much.
    private static final long LEAST_BYTES = 1L << 25;

    private static final int CHECKED_COUNT = 1000;

    /// Queries in no order are looked for together where there are at least this many keys.
    public static final int FEWEST_KEYS = 1 << 11;

    /// The results of a set operation are written in this many parts (`CHAINS` in `sorted_merge.hpp`).
    public static final int PARTS = 4;

    /// The kinds of keys, in the order of the numbers that stand for them in the kernels.
    public enum Kind {
        INT(Integer.BYTES),
        LONG(Long.BYTES),
        FLOAT(Integer.BYTES),
        DOUBLE(Long.BYTES),
        /// Of the last two, kernels find only runs.
        BYTE(Byte.BYTES),
        SHORT(Short.BYTES);

        private final int bytes;

        Kind(int bytes) {
            this.bytes = bytes;
        }
    }

    /// Whether the functions have been called in this process.
    private static volatile boolean areLinked;

    private final int kind;
    private final int bytes;
    private final long flip;

    private SortedKernels(Kind kind, long flip) {
        this.kind = kind.ordinal();
        this.bytes = kind.bytes;
        this.flip = flip;
    }

    /// The functions, which are linked when they are first needed.
    private static final class Functions {
        private static final MethodHandle MERGE = NativeFunctions.link(
                "samplesort_merge",
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS));
        private static final MethodHandle COMBINE = NativeFunctions.link(
                "samplesort_combine",
                FunctionDescriptor.of(
                        JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS,
                        ADDRESS));
        private static final MethodHandle BOUNDS = NativeFunctions.link(
                "samplesort_bounds",
                FunctionDescriptor.ofVoid(
                        JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_INT, JAVA_INT,
                        ADDRESS));
        private static final MethodHandle OUT_OF_ORDER = NativeFunctions.link(
                "samplesort_out_of_order", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG));
        private static final MethodHandle HEADS = NativeFunctions.link(
                "samplesort_heads", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS));
        private static final MethodHandle GATHER = NativeFunctions.link(
                "samplesort_pick", FunctionDescriptor.ofVoid(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
        private static final MethodHandle OFFSETS = NativeFunctions.link(
                "samplesort_offsets", FunctionDescriptor.ofVoid(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
        private static final MethodHandle LENGTHS = NativeFunctions.link(
                "samplesort_lengths", FunctionDescriptor.ofVoid(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
    }

    /// What is known about the kernels in this process.
    private static final class Found {
        private static final boolean ARE_THERE = find();

        private static boolean find() {
            if (!SimdLibrary.hasAvx2() || KernelLibrary.problem() != null) {
                return false;
            }
            KernelLeftovers.remove();
            try {
                boolean isRight = mergesRightly();
                areLinked = isRight;
                return isRight;
            } catch (LinkageError | RuntimeException e) {
                // The library is of another version.
                return false;
            }
        }

        /// Returns whether they merge some numbers.
        private static boolean mergesRightly() {
            int[] even = new int[CHECKED_COUNT];
            int[] odd = new int[CHECKED_COUNT];
            for (int i = 0; i < CHECKED_COUNT; i++) {
                even[i] = 2 * i;
                odd[i] = 2 * i + 1;
            }
            int[] merged = new int[2 * CHECKED_COUNT];
            new SortedKernels(Kind.INT, 0)
                    .merge(MemorySegment.ofArray(even), MemorySegment.ofArray(odd), MemorySegment.ofArray(merged));
            boolean isRight = true;
            for (int i = 0; i < merged.length; i++) {
                isRight &= merged[i] == i;
            }
            return isRight;
        }
    }

    /// Returns the kernels for these keys; null if they cannot be called in this process, or would take longer than
    /// plain Java.
    ///
    /// @param flip  bits of each key to invert, so that keys compare as signed integers
    /// @param bytes how much memory they will read
    public static SortedKernels of(Kind kind, long flip, long bytes) {
        return (areLinked || bytes >= LEAST_BYTES) && Found.ARE_THERE ? new SortedKernels(kind, flip) : null;
    }

    /// Links the functions now, so that few keys are worked on by them, too.
    ///
    /// @return whether they can be called in this process
    public static boolean link() {
        return Found.ARE_THERE;
    }

    /// Merges two sorted inputs, of which equal keys of the first come first. The target has room for both.
    public void merge(MemorySegment first, MemorySegment second, MemorySegment target) {
        try {
            long count = (long) Functions.MERGE.invokeExact(
                    kind, flip, first, first.byteSize() / bytes, second, second.byteSize() / bytes, target);
            assert count * bytes <= target.byteSize();
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }

    /// Writes what a set operation leaves of two sorted inputs, in several parts.
    ///
    /// @param operation the number of the operation
    /// @param target    room for both inputs
    /// @param parts     gets for each of [#PARTS] parts where it begins in `target`, and how many keys it has
    /// @return how many keys there are
    public int combine(int operation, MemorySegment first, MemorySegment second, MemorySegment target, long[] parts) {
        try {
            return Math.toIntExact((long) Functions.COMBINE.invokeExact(
                    kind,
                    flip,
                    operation,
                    first,
                    first.byteSize() / bytes,
                    second,
                    second.byteSize() / bytes,
                    target,
                    MemorySegment.ofArray(parts)));
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }

    /// Writes the bounds of queries: for each the number of keys that come before it, or with `isUpper` of those that
    /// do not come after it.
    ///
    /// @param bounds  room for a bound for each query
    /// @param width   bytes of a bound, 4 or 8
    /// @param scratch for queries in no order, at most 2^30 of them, among at least [#FEWEST_KEYS]: room for one and a
    ///     half ints for each query; else null
    public void bounds(
            MemorySegment keys,
            MemorySegment queries,
            MemorySegment bounds,
            int width,
            boolean isUpper,
            int[] scratch) {
        MemorySegment order = scratch == null ? MemorySegment.NULL : MemorySegment.ofArray(scratch);
        try {
            Functions.BOUNDS.invokeExact(
                    kind,
                    flip,
                    keys,
                    keys.byteSize() / bytes,
                    queries,
                    queries.byteSize() / bytes,
                    bounds,
                    width,
                    isUpper ? 1 : 0,
                    order);
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }

    /// Returns the first index whose key comes before the one before it; 0 if there is none.
    public long outOfOrder(MemorySegment keys) {
        try {
            return (long) Functions.OUT_OF_ORDER.invokeExact(kind, flip, keys, keys.byteSize() / bytes);
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }

    /// Writes the places of the keys that differ from the one before them; the first key is not looked at.
    ///
    /// @param places room for as many as there are keys
    /// @return how many there are
    public int heads(MemorySegment keys, int[] places) {
        try {
            return (int) (long)
                    Functions.HEADS.invokeExact(bytes, keys, keys.byteSize() / bytes, MemorySegment.ofArray(places));
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }

    /// Copies the values at the first `count` places to the begin of `target`.
    ///
    /// @param width bytes of a value: 1, 2, 4 or 8
    public static void gather(int width, MemorySegment values, int[] places, int count, MemorySegment target) {
        try {
            Functions.GATHER.invokeExact(width, values, MemorySegment.ofArray(places), (long) count, target);
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }

    /// Writes the first `count` places, counted from `base`, to the begin of `target`.
    ///
    /// @param width bytes of an offset, 4 or 8
    public static void offsets(int width, int[] places, int count, long base, MemorySegment target) {
        try {
            Functions.OFFSETS.invokeExact(width, MemorySegment.ofArray(places), (long) count, base, target);
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }

    /// Writes how far each of the first `count` places is from the one before it to the begin of `target`; the first is
    /// `first` far.
    ///
    /// @param width bytes of a length, 4 or 8
    public static void lengths(int width, int[] places, int count, long first, MemorySegment target) {
        try {
            Functions.LENGTHS.invokeExact(width, MemorySegment.ofArray(places), (long) count, first, target);
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }
}
