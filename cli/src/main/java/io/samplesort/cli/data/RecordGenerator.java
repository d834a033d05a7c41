package io.samplesort.cli.data;

import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.LongStream;

/// Random records: every field is uniform over the values of its type, and padding is 0. The same seed gives the same
/// records, however many threads make them.
public final class RecordGenerator {
    /// How many bytes of records are made together. The values of one field are drawn at once, and stay in the cache.
    private static final int PIECE_BYTES = 1 << 20;

    private static final int PRINTABLE_FIRST = ' ';
    private static final int PRINTABLE_COUNT = '~' - ' ' + 1;

    private RecordGenerator() {}

    /// Returns how many records are made together. A part of a file begins at a multiple of this number.
    public static int recordsEach(RecordLayout layout) {
        return Math.max(1, PIECE_BYTES / layout.byteSize());
    }

    /// Fills all of `target` with the records of a seed, from number `first` on. The bytes between the fields stay as
    /// they are.
    ///
    /// @param first a multiple of [#recordsEach]
    public static void fill(MemorySegment target, RecordLayout layout, long seed, long first) {
        long count = target.byteSize() / layout.byteSize();
        List<ElementType.Field> fields = layout.type().fields();
        int recordsEach = recordsEach(layout);
        long firstPiece = first / recordsEach;
        LongStream.range(0, Math.ceilDiv(count, recordsEach)).parallel().forEach(part -> {
            long begin = part * recordsEach;
            long piece = firstPiece + part;
            int length = (int) Math.min(count - begin, recordsEach);
            MemorySegment records = target.asSlice(begin * layout.byteSize(), (long) length * layout.byteSize());
            for (int i = 0; i < fields.size(); i++) {
                ElementType.Field field = fields.get(i);
                MemorySegment values = values(
                        field,
                        length,
                        seed * 0xbf58476d1ce4e5b9L + piece * fields.size() + i,
                        layout.isPrintable() && field.isByteString());
                ValueLayout stored = field.layout().withByteAlignment(1);
                if (field.isBigEndian()) {
                    // Other integers would be as uniform, but not other floating-point numbers.
                    MemorySegment.copy(values, stored.withOrder(ByteOrder.LITTLE_ENDIAN), 0, values, stored, 0, length);
                }
                for (int record = 0; record < length; record++) {
                    MemorySegment.copy(
                            values,
                            (long) record * field.byteSize(),
                            records,
                            (long) record * layout.byteSize() + field.offset(),
                            field.byteSize());
                }
            }
        });
    }

    private static MemorySegment values(ElementType.Field field, int length, long seed, boolean isPrintable) {
        MemorySegment values = MemorySegment.ofArray(new byte[length * field.byteSize()]);
        InputDistribution.UNIFORM.fill(values, keyType(field), seed);
        boolean isBoolean = field.layout().carrier() == boolean.class;
        if (isBoolean || isPrintable) {
            for (long i = 0; i < values.byteSize(); i++) {
                int drawn = values.get(ValueLayout.JAVA_BYTE, i) & 0xff;
                int value = isBoolean ? drawn & 1 : PRINTABLE_FIRST + drawn * PRINTABLE_COUNT / 256;
                values.set(ValueLayout.JAVA_BYTE, i, (byte) value);
            }
        }
        return values;
    }

    /// Returns a type of the field's size that has the same uniform values; for integers, signs do not matter.
    private static KeyType keyType(ElementType.Field field) {
        Class<?> carrier = field.layout().carrier();
        if (carrier == float.class) {
            return KeyType.F32;
        }
        if (carrier == double.class) {
            return KeyType.F64;
        }
        return switch ((int) field.layout().byteSize()) {
            case 1 -> KeyType.U8;
            case 2 -> KeyType.U16;
            case 4 -> KeyType.U32;
            default -> KeyType.U64;
        };
    }
}
