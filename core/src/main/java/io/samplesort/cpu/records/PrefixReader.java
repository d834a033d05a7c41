package io.samplesort.cpu.records;

import io.samplesort.keys.OrderedBits;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Reads one part of the sort keys of many records that lie in an array of bytes: there is a loop for each frequent
/// kind of part.
final class PrefixReader {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle BIG_INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle BIG_LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private PrefixReader() {}

    /// Writes the bits of `part` of the first `count` records to `bits`.
    static void read(KeyBits part, byte[] records, int recordBytes, int count, long[] bits) {
        int offset = (int) part.offset();
        long flip = part.flip();
        long least = part.least();
        if (part.validity() >= 0) {
            readAny(part, records, recordBytes, count, bits);
            return;
        }
        switch (part.kind()) {
            case INTEGER_64 -> {
                for (int i = 0; i < count; i++) {
                    bits[i] = (flip ^ (long) LONG.get(records, i * recordBytes + offset)) - least;
                }
            }
            case DOUBLE -> {
                for (int i = 0; i < count; i++) {
                    long value = (long) LONG.get(records, i * recordBytes + offset);
                    bits[i] = (flip ^ OrderedBits.ofDouble(value)) - least;
                }
            }
            case BYTES_64 -> {
                for (int i = 0; i < count; i++) {
                    bits[i] = (flip ^ (long) BIG_LONG.get(records, i * recordBytes + offset)) - least;
                }
            }
            case INTEGER_32 -> {
                for (int i = 0; i < count; i++) {
                    bits[i] = (flip ^ (int) INT.get(records, i * recordBytes + offset) & 0xffff_ffffL) - least;
                }
            }
            case BYTES_32 -> {
                for (int i = 0; i < count; i++) {
                    bits[i] = (flip ^ (int) BIG_INT.get(records, i * recordBytes + offset) & 0xffff_ffffL) - least;
                }
            }
            case INTEGER_8 -> {
                for (int i = 0; i < count; i++) {
                    bits[i] = (flip ^ records[i * recordBytes + offset] & 0xffL) - least;
                }
            }
            case INTEGER_16 -> {
                for (int i = 0; i < count; i++) {
                    bits[i] = (flip ^ (short) SHORT.get(records, i * recordBytes + offset) & 0xffffL) - least;
                }
            }
            case FLOAT -> {
                for (int i = 0; i < count; i++) {
                    int value = (int) INT.get(records, i * recordBytes + offset);
                    bits[i] = (flip ^ OrderedBits.ofFloat(value) & 0xffff_ffffL) - least;
                }
            }
            default -> readAny(part, records, recordBytes, count, bits);
        }
    }

    private static void readAny(KeyBits part, byte[] records, int recordBytes, int count, long[] bits) {
        MemorySegment segment = MemorySegment.ofArray(records);
        for (int i = 0; i < count; i++) {
            bits[i] = part.bits(segment, (long) i * recordBytes);
        }
    }
}
