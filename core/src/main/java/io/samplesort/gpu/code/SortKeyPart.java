package io.samplesort.gpu.code;

import io.samplesort.types.ElementType;
import io.samplesort.types.FieldOrder;
import java.util.ArrayList;
import java.util.List;

/// A part of a sort key: an unsigned number. Elements compare part by part.
///
/// @param bits  how many bits its values have, up to 64
/// @param value a CUDA expression for its value, in which `%s` stands for the element
record SortKeyPart(int bits, String value) {
    /// Returns the part of a validity byte, which is 0 for what comes first and 1 for what comes last.
    static SortKeyPart ofValidity(FieldOrder.Term term, String isValid) {
        return new SortKeyPart(Byte.SIZE, term.nullsFirst() ? "(" + isValid + ")" : "!(" + isValid + ")");
    }

    static String masked(String isValid, String value) {
        return isValid.isEmpty() ? value : "(" + isValid + " ? " + value + " : 0)";
    }

    /// Returns the value of a number whose bytes lie in memory as those of the unsigned integer `bits`; or the other
    /// way round, since swapping the bytes twice changes nothing.
    static String swapped(ElementType.Field field, String bits) {
        if (!field.isBigEndian()) {
            return bits;
        }
        return (field.layout().byteSize() == Short.BYTES ? "swap_bytes16(" : "swap_bytes(") + bits + ")";
    }

    /// Returns the suffix of the map in struct_keys.cuh for numbers of four or eight bytes.
    static String mapping(ElementType.Field field, boolean isUnsigned, boolean isReversed) {
        Class<?> carrier = field.layout().carrier();
        String base = carrier == float.class || carrier == double.class
                ? carrier.getSimpleName()
                : isUnsigned ? "unsigned" : "signed";
        return isReversed ? base + "_reversed" : base;
    }

    static String narrow(String read, ElementType.Field field, int bits, boolean isUnsigned, boolean isReversed) {
        String value = bits == 1 ? "(" + read + " != 0)" : read;
        return isSignedNarrow(field, isUnsigned)
                ? reversed("(" + value + " ^ " + (1 << bits - 1) + "u)", bits, isReversed)
                : reversed(value, bits, isReversed);
    }

    static long greatestNarrow(ElementType.Field field, int bits, boolean isUnsigned, boolean isReversed) {
        long ones = (1L << bits) - 1;
        long ordered = isReversed ? 0 : ones;
        return isSignedNarrow(field, isUnsigned) ? ordered ^ 1L << bits - 1 : ordered;
    }

    private static boolean isSignedNarrow(ElementType.Field field, boolean isUnsigned) {
        Class<?> carrier = field.layout().carrier();
        return !isUnsigned && (carrier == byte.class || carrier == short.class);
    }

    static String reversed(String value, int bits, boolean isReversed) {
        return isReversed ? "(" + value + " ^ " + ((1L << bits) - 1) + "u)" : value;
    }

    /// Returns the lexicographic comparison of the parts of `a` and `b`, which compares as many parts at a time as fit
    /// 64 bits.
    static String comparison(List<SortKeyPart> parts) {
        String comparison = "";
        for (SortKeyPart group : groups(parts).reversed()) {
            String a = group.value.replace("%s", "a");
            String b = group.value.replace("%s", "b");
            comparison = comparison.isEmpty()
                    ? "%s < %s".formatted(a, b)
                    : "(%s < %s) | ((%s == %s) & (%s))".formatted(a, b, a, b, comparison);
        }
        return comparison;
    }

    /// Returns the CUDA functions that make a number from the first parts of a key, as many as fit 64 bits, and a
    /// second number from those that follow. A key with a smaller number comes first; if these are equal, a key with a
    /// smaller second number does.
    static String numberFunctions(List<SortKeyPart> parts) {
        List<SortKeyPart> groups = groups(parts);
        SortKeyPart first = groups.getFirst();
        boolean isWord = first.bits <= Integer.SIZE;
        SortKeyPart second = groups.size() > 1 ? groups.get(1) : new SortKeyPart(Long.SIZE, "0ull");
        return """
                // A key with a smaller number comes first (cell_sort.cuh).
                constexpr bool kKeysAreNumbers = true;
                constexpr bool kNumbersAreWholeKeys = %b;
                constexpr unsigned kNumberOfZero = 0;
                __device__ __forceinline__ %s number_of(const Key& key) {
                    return %s << %d;
                }
                __device__ __forceinline__ unsigned long long second_number_of(const Key& key) {
                    return %s << %d;
                }
                """.formatted(
                        fitNumber(parts),
                        isWord ? "unsigned" : "unsigned long long",
                        (isWord ? "(unsigned)" : "") + first.value.replace("%s", "key"),
                        (isWord ? Integer.SIZE : Long.SIZE) - first.bits,
                        second.value.replace("%s", "key"),
                        Long.SIZE - second.bits);
    }

    /// Returns whether all parts together fit one number.
    static boolean fitNumber(List<SortKeyPart> parts) {
        return groups(parts).size() == 1;
    }

    /// Returns the parts joined into parts of up to 64 bits.
    private static List<SortKeyPart> groups(List<SortKeyPart> parts) {
        List<SortKeyPart> groups = new ArrayList<>();
        for (int i = 0; i < parts.size(); ) {
            String group = "(unsigned long long)" + parts.get(i).value;
            int bits = parts.get(i).bits;
            for (i++; i < parts.size() && bits + parts.get(i).bits <= Long.SIZE; i++) {
                bits += parts.get(i).bits;
                group = "(%s) << %d | %s".formatted(group, parts.get(i).bits, parts.get(i).value);
            }
            groups.add(new SortKeyPart(bits, "(" + group + ")"));
        }
        return groups;
    }
}
