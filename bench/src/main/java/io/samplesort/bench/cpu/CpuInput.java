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
import java.util.Arrays;
import java.util.stream.Collectors;

/// What is sorted. The numbers of the constants are those of the types in `cpu_baselines.cpp`.
enum CpuInput {
    I32("i32", KeyType.I32, 0, 0),
    I64("i64", KeyType.I64, 0, 0),
    F64("f64", KeyType.F64, 0, 0),
    /// Keys of 8 bytes and payloads of 4, in two columns.
    PAIRS("i64+i32", KeyType.I64, 0, Integer.BYTES),
    /// Records of 16 bytes with a `double` as their key.
    RECORDS("records", KeyType.F64, Long.BYTES, 0);

    private final String text;
    private final KeyType key;
    private final int restBytes;
    private final int payloadBytes;

    CpuInput(String text, KeyType key, int restBytes, int payloadBytes) {
        this.text = text;
        this.key = key;
        this.restBytes = restBytes;
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

    int elementBytes() {
        return key.byteSize() + restBytes;
    }

    int payloadBytes() {
        return payloadBytes;
    }

    boolean isPrimitive() {
        return restBytes == 0 && payloadBytes == 0;
    }

    ElementType elementType() {
        return restBytes == 0
                ? ElementType.of(key.layout())
                : ElementType.of(MemoryLayout.structLayout(
                        ValueLayout.JAVA_DOUBLE.withName("key"), ValueLayout.JAVA_LONG.withName("value")));
    }

    Order order() {
        return restBytes == 0 ? Order.natural() : Order.by("key");
    }

    /// Fills elements, and payloads if there are any, which number the elements.
    void fill(MemorySegment elements, MemorySegment payloads, InputDistribution distribution, long seed) {
        if (restBytes == 0) {
            distribution.fill(elements, key, seed);
        } else {
            distribution.fillField(elements, key, elementBytes(), seed);
            for (long i = 0; i < elements.byteSize() / elementBytes(); i++) {
                elements.set(ValueLayout.JAVA_LONG_UNALIGNED, i * elementBytes() + key.byteSize(), i);
            }
        }
        if (payloadBytes > 0) {
            for (int i = 0; i < payloads.byteSize() / payloadBytes; i++) {
                payloads.set(ValueLayout.JAVA_INT_UNALIGNED, (long) i * payloadBytes, i);
            }
        }
    }

    /// Returns whether elements are in order.
    boolean isSorted(MemorySegment elements) {
        return restBytes == 0
                ? ResultCheck.firstViolation(elements, key, false).isEmpty()
                : ResultCheck.firstViolation(elements, elementBytes(), order().toComparator(elementType()))
                        .isEmpty();
    }

    /// Returns a summary of elements and payloads that sorting does not change.
    Fingerprint fingerprint(MemorySegment elements, MemorySegment payloads) {
        return payloadBytes == 0
                ? Fingerprint.of(elements, elementBytes())
                : Fingerprint.of(elements, elementBytes(), payloads, payloadBytes);
    }

    @Override
    public String toString() {
        return text;
    }
}
