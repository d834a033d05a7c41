package io.samplesort.cpu.sorted;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Gathers picked values of a tile in an array, and copies many of them to their target at once. A loop over arrays is
/// equally fast whatever memory the target is; one that writes each value to a segment takes several times as long in a
/// process that has seen more than one kind of segment. For one thread.
final class PickedValues {
    /// The bytes that are gathered at a time, unless a value is wider: they stay in the first-level cache.
    private static final int BLOCK_BYTES = 1 << 13;

    private static final VarHandle SHORT = view(short[].class);
    private static final VarHandle INT = view(int[].class);
    private static final VarHandle LONG = view(long[].class);

    private final byte[] gathered;
    private final MemorySegment segment;

    /// @param widest bytes of the widest value
    PickedValues(int widest) {
        gathered = new byte[Math.max(BLOCK_BYTES, widest)];
        segment = MemorySegment.ofArray(gathered);
    }

    private static VarHandle view(Class<?> type) {
        return MethodHandles.byteArrayViewVarHandle(type, ByteOrder.nativeOrder());
    }

    /// Writes the values at the first `count` places to a target, from byte `at` on.
    ///
    /// @param width bytes of a value
    void write(byte[] values, int width, int[] places, int count, MemorySegment target, long at) {
        int block = gathered.length / width;
        for (int from = 0; from < count; from += block) {
            int some = Math.min(block, count - from);
            gather(values, width, places, from, some);
            MemorySegment.copy(segment, 0, target, at + (long) from * width, (long) some * width);
        }
    }

    private void gather(byte[] values, int width, int[] places, int from, int count) {
        byte[] to = gathered;
        switch (width) {
            case Byte.BYTES -> {
                for (int i = 0; i < count; i++) {
                    to[i] = values[places[from + i]];
                }
            }
            case Short.BYTES -> {
                for (int i = 0; i < count; i++) {
                    SHORT.set(to, i * Short.BYTES, (short) SHORT.get(values, places[from + i] * Short.BYTES));
                }
            }
            case Integer.BYTES -> {
                for (int i = 0; i < count; i++) {
                    INT.set(to, i * Integer.BYTES, (int) INT.get(values, places[from + i] * Integer.BYTES));
                }
            }
            case Long.BYTES -> {
                for (int i = 0; i < count; i++) {
                    LONG.set(to, i * Long.BYTES, (long) LONG.get(values, places[from + i] * Long.BYTES));
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    System.arraycopy(values, places[from + i] * width, to, i * width, width);
                }
            }
        }
    }
}
