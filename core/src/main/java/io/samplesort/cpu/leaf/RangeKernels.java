package io.samplesort.cpu.leaf;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// The kernels of this engine that keep the keys between two bounds (`samplesort_select.cpp`). They need AVX2. Several
/// threads may call them at once. As in [Kernels], arrays go through Java's native interface, and native memory through
/// the foreign function interface.
public final class RangeKernels {
    /// The first call with native memory takes 50 ms, and in that time Java itself looks at some ten million keys.
    private static final long LEAST_NATIVE_BYTES = 1L << 25;

    private static final int CHECKED_COUNT = 1000;

    /// The kinds of keys, in the order of the numbers that stand for them in the kernels.
    public enum Kind {
        BYTE,
        SHORT,
        INT,
        LONG,
        FLOAT,
        DOUBLE
    }

    private final Place keys;
    private final int kind;

    private RangeKernels(Place keys, Kind kind) {
        this.keys = keys;
        this.kind = kind.ordinal();
    }

    /// What is known about the kernels in this process.
    private static final class Found {
        private static final boolean IS_THERE = find();

        private static boolean find() {
            if (!SimdLibrary.hasAvx2() || KernelLibrary.problem() != null) {
                return false;
            }
            KernelLeftovers.remove();
            try {
                return keepsRightly();
            } catch (UnsatisfiedLinkError e) {
                // The library is of another version.
                return false;
            }
        }

        /// Returns whether they keep some numbers of ascending ones.
        private static boolean keepsRightly() {
            int[] numbers = new int[CHECKED_COUNT];
            for (int i = 0; i < CHECKED_COUNT; i++) {
                numbers[i] = i;
            }
            int[] kept = new int[CHECKED_COUNT];
            int low = CHECKED_COUNT / 3;
            int high = CHECKED_COUNT / 2;
            long found = keepInArray(numbers, 0, Kind.INT.ordinal(), 0, CHECKED_COUNT, 1, low, high, 0, kept, 0);
            boolean isRight = found == ((long) low << Integer.SIZE | high - low + 1);
            for (int i = 0; i <= high - low; i++) {
                isRight &= kept[i] == low + i;
            }
            return isRight;
        }
    }

    /// The function for native memory, which is linked when it is first needed.
    private static final class Functions {
        private static final MethodHandle KEEP = NativeFunctions.link(
                "samplesort_keep",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG));
    }

    /// Returns the kernels for these keys; null if they cannot be called in this process, or would take longer than
    /// plain loops.
    public static RangeKernels of(MemorySegment keys, Kind kind) {
        boolean isWorthwhile = !keys.isNative() || keys.byteSize() >= LEAST_NATIVE_BYTES;
        return isWorthwhile && Found.IS_THERE ? new RangeKernels(Place.of(keys), kind) : null;
    }

    /// Keeps the places of the keys from `low` to `high`, as signed integers in the order of the selection.
    ///
    /// @param base   the index of place 0
    /// @param begin  the first place
    /// @param end    the place after the last one
    /// @param hasLow whether there is a lower bound
    /// @param flip   bits of each key to invert
    /// @param kept   takes the places, behind `count` others
    /// @return the number of keys less than `low` times 2^32, plus how many places are kept now
    public long keep(
            long base, int begin, int end, boolean hasLow, long low, long high, long flip, int[] kept, int count) {
        int has = hasLow ? 1 : 0;
        if (keys.array() != null) {
            return keepInArray(
                    keys.array(), keys.at() + base * bytes(), kind, begin, end, has, low, high, flip, kept, count);
        }
        try {
            return (long) Functions.KEEP.invokeExact(
                    keys.segment().asSlice(base * bytes()),
                    kind,
                    (long) begin,
                    (long) end,
                    has,
                    low,
                    high,
                    flip,
                    MemorySegment.ofArray(kept),
                    (long) count);
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }

    private int bytes() {
        return switch (kind) {
            case 0 -> Byte.BYTES;
            case 1 -> Short.BYTES;
            case 2, 4 -> Integer.BYTES;
            default -> Long.BYTES;
        };
    }

    private static native long keepInArray(
            Object keys,
            long at,
            int kind,
            long begin,
            long end,
            int hasLow,
            long low,
            long high,
            long flip,
            int[] kept,
            long count);
}
