package io.samplesort.bench.cpu;

import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.Collectors;

/// The elements that are sorted. The numbers of the constants are those of the types in `cpu_baselines.cpp`.
///
/// A record begins with its key and ends with the number of its place in the input.
enum CpuInput {
    I32("i32", KeyType.I32, 4, 0),
    I64("i64", KeyType.I64, 8, 0),
    F64("f64", KeyType.F64, 8, 0),
    /// Keys of 8 bytes and payloads of 4, in two columns.
    PAIRS("i64+i32", KeyType.I64, 8, Integer.BYTES),
    /// Records of 16 bytes with a `double` as their key.
    RECORDS_16("records16", KeyType.F64, 16, 0),
    /// Records of 32 bytes with a `long` as their key.
    RECORDS_32("records32", KeyType.I64, 32, 0),
    /// Records of 100 bytes with a key of ten bytes: eight that follow the input distribution, and two that differ.
    RECORDS_100("records100", KeyType.U64, 100, 0),
    /// Keys of 4 bytes and payloads of 4 or 8, in two columns.
    INT_PAIRS("i32+i32", KeyType.I32, 4, Integer.BYTES),
    INT_LONG_PAIRS("i32+i64", KeyType.I32, 4, Long.BYTES),
    FLOAT_PAIRS("f32+i32", KeyType.F32, 4, Integer.BYTES);

    private static final int STRING_BYTES = 10;

    private static final ValueLayout.OfLong BIG_ENDIAN =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final String text;
    private final KeyType key;
    private final int elementBytes;
    private final int payloadBytes;

    CpuInput(String text, KeyType key, int elementBytes, int payloadBytes) {
        this.text = text;
        this.key = key;
        this.elementBytes = elementBytes;
        this.payloadBytes = payloadBytes;
    }

    /// Returns the input of this name.
    ///
    /// @throws IllegalArgumentException if there is none; the message names them all
    static CpuInput parse(String text) {
        return Arrays.stream(values())
                .filter(input -> input.text.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no type '" + text + "': use "
                        + Arrays.stream(values()).map(CpuInput::toString).collect(Collectors.joining(", "))));
    }

    /// Returns the name that NumPy has for the type of the keys.
    String numPyKey() {
        return switch (this) {
            case I32, INT_PAIRS, INT_LONG_PAIRS -> "<i4";
            case FLOAT_PAIRS -> "<f4";
            case I64, PAIRS, RECORDS_32 -> "<i8";
            case F64, RECORDS_16 -> "<f8";
            case RECORDS_100 -> "S" + STRING_BYTES;
        };
    }

    int elementBytes() {
        return elementBytes;
    }

    int payloadBytes() {
        return payloadBytes;
    }

    boolean isPrimitive() {
        return !isRecord() && payloadBytes == 0;
    }

    private boolean isRecord() {
        return elementBytes > key.byteSize();
    }

    ElementType elementType() {
        if (!isRecord()) {
            return ElementType.of(key.layout());
        }
        MemoryLayout layout =
                this == RECORDS_100 ? MemoryLayout.sequenceLayout(STRING_BYTES, ValueLayout.JAVA_BYTE) : key.layout();
        return ElementType.of(MemoryLayout.structLayout(
                layout.withName("key"),
                MemoryLayout.sequenceLayout(elementBytes - layout.byteSize(), ValueLayout.JAVA_BYTE)
                        .withName("rest")));
    }

    Order order() {
        return isRecord() ? Order.by("key") : Order.natural();
    }

    /// Fills elements, and payloads if there are any; payloads are the numbers of the elements.
    void fill(MemorySegment elements, MemorySegment payloads, InputDistribution distribution, long seed) {
        if (isRecord()) {
            fillRecords(elements, distribution, seed);
        } else {
            distribution.fill(elements, key, seed);
        }
        for (int i = 0; payloadBytes > 0 && i < payloads.byteSize() / payloadBytes; i++) {
            if (payloadBytes == Integer.BYTES) {
                payloads.set(ValueLayout.JAVA_INT_UNALIGNED, (long) i * Integer.BYTES, i);
            } else {
                payloads.set(ValueLayout.JAVA_LONG_UNALIGNED, (long) i * Long.BYTES, i);
            }
        }
    }

    private void fillRecords(MemorySegment elements, InputDistribution distribution, long seed) {
        int count = Math.toIntExact(elements.byteSize() / elementBytes);
        MemorySegment keys = MemorySegment.ofArray(new long[count]);
        distribution.fill(keys, key, seed);
        for (int i = 0; i < count; i++) {
            long at = (long) i * elementBytes;
            long bits = keys.getAtIndex(ValueLayout.JAVA_LONG, i);
            if (this == RECORDS_100) {
                elements.set(BIG_ENDIAN, at, bits);
                // The lowest bits of products with an odd number differ from record to record.
                elements.set(ValueLayout.JAVA_SHORT_UNALIGNED, at + Long.BYTES, (short) (i * 40503));
            } else {
                elements.set(ValueLayout.JAVA_LONG_UNALIGNED, at, bits);
            }
            elements.set(ValueLayout.JAVA_INT_UNALIGNED, at + elementBytes - Integer.BYTES, i);
        }
    }

    /// Returns whether elements are in order and, if the sort is stable, those with equal keys in the order that they
    /// had.
    boolean isSorted(MemorySegment elements, MemorySegment payloads, boolean isStable) {
        boolean isSorted = isRecord()
                ? ResultCheck.firstViolation(elements, elementBytes, order().toComparator(elementType()))
                        .isEmpty()
                : ResultCheck.firstViolation(elements, key, false).isEmpty();
        return isSorted && (!isStable || isPrimitive() || keepsOrder(elements, payloads));
    }

    private boolean keepsOrder(MemorySegment elements, MemorySegment payloads) {
        long keyBytes = this == RECORDS_100 ? STRING_BYTES : key.byteSize();
        long count = elements.byteSize() / elementBytes;
        for (long i = 1; i < count; i++) {
            long before = (i - 1) * elementBytes;
            long at = i * elementBytes;
            boolean isEqual =
                    MemorySegment.mismatch(elements, before, before + keyBytes, elements, at, at + keyBytes) < 0;
            if (isEqual && number(elements, payloads, i - 1) > number(elements, payloads, i)) {
                return false;
            }
        }
        return true;
    }

    private int number(MemorySegment elements, MemorySegment payloads, long i) {
        return payloadBytes > 0
                ? payloads.get(ValueLayout.JAVA_INT_UNALIGNED, i * payloadBytes)
                : elements.get(ValueLayout.JAVA_INT_UNALIGNED, (i + 1) * elementBytes - Integer.BYTES);
    }

    /// Returns a summary of elements and payloads that sorting does not change.
    Fingerprint fingerprint(MemorySegment elements, MemorySegment payloads) {
        return payloadBytes == 0
                ? Fingerprint.of(elements, elementBytes)
                : Fingerprint.of(elements, elementBytes, payloads, payloadBytes);
    }

    @Override
    public String toString() {
        return text;
    }
}
