package io.samplesort;

import io.samplesort.cpu.records.Permutation;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Strings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Brings columns into the order of a permutation, in new memory.
final class ColumnGather {
    private static final int MOST_IN_ARRAY = Integer.MAX_VALUE - 8;

    /// How many bytes of a bitmap a thread gathers at a time.
    private static final int GRAIN = 1 << 11;

    private final Permutation permutation;
    private final int[] indexes;

    /// @param permutation the same as `indexes`, and valid
    ColumnGather(Permutation permutation, int[] indexes) {
        this.permutation = permutation;
        this.indexes = indexes;
    }

    KeyColumn gather(KeyColumn column) {
        MemorySegment validity = column.hasValidity() ? bits(column.validity()) : null;
        if (column.hasStrings()) {
            return column.withStrings(strings(column.strings()), validity);
        }
        MemorySegment values = values(column);
        permutation.apply(column.values(), values, column.valueBytes());
        return column.withValues(values, validity);
    }

    private MemorySegment values(KeyColumn column) {
        int count = indexes.length;
        ElementType type = column.type();
        long bytes = (long) count * column.valueBytes();
        if (type == null || type.byteSize() == Byte.BYTES) {
            return room(bytes);
        }
        // The layout of exactly this type, so that elements of any array are aligned.
        return switch ((ValueLayout) type.layout()) {
            case ValueLayout.OfShort layout -> MemorySegment.ofArray(new short[count]);
            case ValueLayout.OfChar layout -> MemorySegment.ofArray(new char[count]);
            case ValueLayout.OfInt layout -> MemorySegment.ofArray(new int[count]);
            case ValueLayout.OfLong layout -> MemorySegment.ofArray(new long[count]);
            case ValueLayout.OfFloat layout -> MemorySegment.ofArray(new float[count]);
            case ValueLayout.OfDouble layout -> MemorySegment.ofArray(new double[count]);
            default -> room(bytes);
        };
    }

    private static MemorySegment room(long bytes) {
        return bytes <= MOST_IN_ARRAY
                ? MemorySegment.ofArray(new byte[(int) bytes])
                : Arena.ofAuto().allocate(bytes, Long.BYTES);
    }

    private Strings strings(Strings source) {
        MemorySegment bytes = room(source.byteSize());
        MemorySegment offsets = source.offsetType().equals(ElementType.LONG)
                ? MemorySegment.ofArray(new long[indexes.length + 1])
                : MemorySegment.ofArray(new int[indexes.length + 1]);
        StringSorter.applyPermutation(MemorySegment.ofArray(indexes), source, bytes, offsets);
        return source.in(bytes, offsets);
    }

    private MemorySegment bits(MemorySegment source) {
        byte[] bits = new byte[Math.ceilDiv(indexes.length, Byte.SIZE)];
        boolean isAlone = bits.length <= GRAIN || !Parallel.isShared(source);
        new Parallel(isAlone ? 1 : Parallel.commonParallelism()).forRanges(bits.length, GRAIN, (from, to) -> {
            for (int i = (int) from * Byte.SIZE; i < Math.min(to * Byte.SIZE, indexes.length); i++) {
                int index = indexes[i];
                int bit = source.get(ValueLayout.JAVA_BYTE, index >>> 3) >>> (index & 7) & 1;
                bits[i >>> 3] |= (byte) (bit << (i & 7));
            }
        });
        return MemorySegment.ofArray(bits);
    }
}
