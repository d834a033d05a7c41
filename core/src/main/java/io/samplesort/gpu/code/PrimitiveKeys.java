package io.samplesort.gpu.code;

import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;

/// Primitive keys, alone or with a primitive payload, in a natural order. They are moved unchanged, except
/// floating-point numbers, which become integers of the same order during the sort (float_order.cuh).
final class PrimitiveKeys {
    private PrimitiveKeys() {}

    /// @param payload null if elements have none
    static KernelElement element(ElementType key, ElementType payload, NaturalOrder order, boolean keepsOrder) {
        int elementBytes = payload == null ? key.byteSize() : 2 * slotBytes(key, payload);
        String text = """
                // %s keys%s, %s order.
                typedef %s Key;
                // A key as it is compared.
                typedef %s OrderedKey;
                #define HAS_PAYLOAD %d
                #define SORTS_INDEXES 0
                typedef %s Payload;
                // A pair is loaded at once. It has no padding, which the compiler would carry along byte by byte.
                struct alignas(%d) Element {
                    %s key;
                #if HAS_PAYLOAD
                    %s payload;
                #endif
                };

                typedef decltype(Element::key) KeySlot;
                __device__ __forceinline__ bool less(KeySlot a, KeySlot b) {
                    return %s;
                }

                // Whether an OrderedKey has other bits than its Key.
                constexpr bool kKeysAreMapped = %s;
                // Whether elements that compare equal are the same bit by bit.
                constexpr bool kEqualElementsAreIdentical = %s;
                // Whether the order is known never to contradict itself (block_sort.cuh).
                constexpr bool kOrderIsTrusted = true;
                // A key with a smaller number comes first (cell_sort.cuh).
                constexpr bool kKeysAreNumbers = true;
                constexpr bool kNumbersAreWholeKeys = true;
                // The number of 0.0; 0 for integer keys (value_map.cuh, value_cells.cuh).
                constexpr auto kNumberOfZero = %s;
                __device__ __forceinline__ %s number_of(KeySlot key) {
                    return %s;
                }
                __device__ __forceinline__ unsigned long long second_number_of(KeySlot) {
                    return 0;
                }
                // No key comes after it.
                __device__ __forceinline__ OrderedKey greatest_key() {
                    return (OrderedKey)%s;
                }
                %s""".formatted(
                key,
                payload == null ? "" : " with " + payload + " payload",
                order,
                typeName(key, order),
                integerTypeName(key.byteSize(), isUnsigned(key, order)),
                payload == null ? 0 : 1,
                payload == null ? "unsigned char" : bitsTypeName(payload.byteSize()),
                elementBytes,
                integerTypeName(payload == null ? key.byteSize() : slotBytes(key, payload), isUnsigned(key, order)),
                bitsTypeName(payload == null ? 1 : slotBytes(key, payload)),
                order.isReversed() ? "b < a" : "a < b",
                isFloatingPoint(key),
                payload == null,
                numberOfZero(key, order),
                bitsTypeName(numberBytes(key)),
                number(key, order),
                greatestKey(key, order),
                keepsOrder ? placedComparison(key, order) : "");
        if (payload == null) {
            return KernelElement.moved(key.byteSize(), text);
        }
        KernelElement pair = KernelElement.movedPair(key.byteSize(), payload.byteSize(), slotBytes(key, payload), text);
        return keepsOrder ? pair.keepingOrder() : pair;
    }

    /// Returns the comparison of keys with positions, which decide between equal keys.
    private static String placedComparison(ElementType key, NaturalOrder order) {
        String first = order.isReversed() ? "b" : "a";
        String second = order.isReversed() ? "a" : "b";
        String text;
        if (key.byteSize() <= Integer.BYTES) {
            // Key and position make one number, so there is one comparison.
            String number = "(" + integerTypeName(Long.BYTES, isUnsigned(key, order)) + ")"
                    + "((unsigned long long)%s << 32 | %s)";
            text = number.formatted(first, "p") + " < " + number.formatted(second, "q");
        } else {
            text = "(%1$s < %2$s) | ((%1$s == %2$s) & (p < q))".formatted(first, second);
        }
        return """

                // The same for keys at positions p and q; of equal keys, the one at the lower position comes first.
                __device__ __forceinline__ bool less(KeySlot a, unsigned p, KeySlot b, unsigned q) {
                    return %s;
                }
                """.formatted(text);
    }

    /// Returns the size of a slot in registers and shared memory, which is the same for key and payload.
    private static int slotBytes(ElementType key, ElementType payload) {
        return Math.max(Integer.BYTES, Math.max(key.byteSize(), payload.byteSize()));
    }

    private static boolean isFloatingPoint(ElementType type) {
        return type.equals(ElementType.FLOAT) || type.equals(ElementType.DOUBLE);
    }

    private static String typeName(ElementType key, NaturalOrder order) {
        return isFloatingPoint(key) ? key.name() : integerTypeName(key.byteSize(), isUnsigned(key, order));
    }

    /// Returns whether keys are compared as unsigned integers, as floating-point numbers are (float_order.cuh).
    private static boolean isUnsigned(ElementType key, NaturalOrder order) {
        return key.equals(ElementType.CHAR) || isFloatingPoint(key) || order.isUnsigned();
    }

    private static int numberBytes(ElementType key) {
        return Math.max(Integer.BYTES, key.byteSize());
    }

    /// Returns the unsigned number of a key.
    private static String number(ElementType key, NaturalOrder order) {
        String bits = "(" + bitsTypeName(numberBytes(key)) + ")key";
        String signed = numberBytes(key) == Long.BYTES ? "0x8000000000000000ull" : "0x80000000u";
        String number = isUnsigned(key, order) ? bits : "(" + bits + " ^ " + signed + ")";
        return order.isReversed() ? "~" + number : number;
    }

    private static String numberOfZero(ElementType key, NaturalOrder order) {
        if (!isFloatingPoint(key)) {
            return "0u";
        }
        String zero = key.equals(ElementType.FLOAT)
                ? "(0x80000000u - kNegativeNaNs)"
                : "(0x8000000000000000ull - kNegativeDoubleNaNs)";
        return (order.isReversed() ? "~" : "") + zero;
    }

    private static String greatestKey(ElementType key, NaturalOrder order) {
        int unusedBits = Long.SIZE - Byte.SIZE * key.byteSize();
        long greatest = isUnsigned(key, order) ? -1L >>> unusedBits : Long.MAX_VALUE >> unusedBits;
        long smallest = isUnsigned(key, order) ? 0 : Long.MIN_VALUE >> unusedBits;
        return Long.toUnsignedString(order.isReversed() ? smallest : greatest) + "ull";
    }

    private static String integerTypeName(int bytes, boolean isUnsigned) {
        return isUnsigned ? bitsTypeName(bytes) : bitsTypeName(bytes).replace("unsigned", "signed");
    }

    private static String bitsTypeName(int bytes) {
        return switch (bytes) {
            case 1 -> "unsigned char";
            case 2 -> "unsigned short";
            case 4 -> "unsigned int";
            case 8 -> "unsigned long long";
            default -> throw new IllegalArgumentException("no CUDA type of " + bytes + " bytes");
        };
    }
}
