package io.samplesort.study.historic;

import io.samplesort.testkit.KeyType;

/// The elements of a historic sort: keys of the types that the paper measures, alone or with a payload of 32 bits.
///
/// @param key     `u32`, `u64` or `f32`
/// @param payload `u32`; null if there is none
public record HistoricElement(KeyType key, KeyType payload) {
    /// @throws IllegalArgumentException if the paper has no such elements
    public HistoricElement {
        if (!isKnown(key, payload)) {
            throw new IllegalArgumentException("the sorts of 2009 take keys of u32, u64 or f32, alone or with a payload"
                    + " of u32, not " + key + (payload == null ? "" : "+" + payload));
        }
    }

    /// Returns whether the paper has such elements.
    public static boolean isKnown(KeyType key, KeyType payload) {
        return (key == KeyType.U32 || key == KeyType.U64 || key == KeyType.F32)
                && (payload == null || payload == KeyType.U32);
    }

    boolean hasPayload() {
        return payload != null;
    }

    int keyBytes() {
        return key.byteSize();
    }

    /// Returns the bytes of an element in shared memory, where pairs have no padding.
    int elementBytes() {
        return keyBytes() + (hasPayload() ? keyBytes() : 0);
    }

    /// Returns the CUDA text that declares the element.
    String declarations() {
        return """
                typedef %s Key;
                #define HAS_PAYLOAD %d
                typedef unsigned int Payload;
                """.formatted(
                        switch (key) {
                            case F32 -> "float";
                            case U32 -> "unsigned int";
                            default -> "unsigned long long";
                        },
                        hasPayload() ? 1 : 0);
    }

    /// Returns the mean of two keys that differ. If rounding makes the mean equal to the greater key, returns the
    /// smaller one.
    ///
    /// @param lowest   the ordered bits (key_range.cuh) of the smaller key
    /// @param greatest the ordered bits of the greater key
    long meanBits(long lowest, long greatest) {
        if (key != KeyType.F32) {
            return lowest + ((greatest - lowest) >>> 1);
        }
        float upper = toFloat(greatest);
        float mean = (float) (((double) toFloat(lowest) + upper) / 2);
        return mean < upper ? toBits(mean) : lowest;
    }

    /// Returns the key at a place between two keys, as the bits of the key itself.
    ///
    /// @param place from 0 for the lowest key to 1 for the greatest
    long interpolatedKey(long lowest, long greatest, double place) {
        if (key == KeyType.F32) {
            double begin = toFloat(lowest);
            return Float.floatToRawIntBits((float) (begin + place * (toFloat(greatest) - begin)));
        }
        return lowest + (long) (place * (greatest - lowest));
    }

    /// Returns the ordered bits of the greatest key there is.
    long greatestBits() {
        return key == KeyType.F32 ? toBits(Float.POSITIVE_INFINITY) : -1L >>> (Long.SIZE - Byte.SIZE * keyBytes());
    }

    private static float toFloat(long ordered) {
        int bits = (int) ordered;
        return Float.intBitsToFloat(bits < 0 ? bits & Integer.MAX_VALUE : ~bits);
    }

    private static long toBits(float number) {
        int bits = Float.floatToRawIntBits(number);
        return Integer.toUnsignedLong(bits < 0 ? ~bits : bits | Integer.MIN_VALUE);
    }
}
