package io.samplesort.gpu.code;

import io.samplesort.types.ElementType;
import io.samplesort.types.FieldOrder;
import io.samplesort.types.NaturalOrder;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// Orders over fields, and stable orders of numbers, as comparisons of unsigned integers: everything that is compared
/// becomes one or more parts. This class has the elements that are sorted by index; [MovedFields] has those that are
/// moved.
final class FieldKeys {
    private FieldKeys() {}

    /// Returns structs that are sorted by their fields.
    static KernelElement element(ElementType type, FieldOrder order, boolean isMoved) {
        return isMoved
                ? MovedFields.element(type, order)
                : byIndex(type, order.toString(), memoryParts(type, order), "");
    }

    /// Returns primitive elements that are sorted by index.
    static KernelElement element(ElementType type, NaturalOrder order) {
        ElementType.Field field = new ElementType.Field("value", 0, (ValueLayout) type.layout(), 1);
        List<SortKeyPart> parts = new ArrayList<>();
        addScalar(parts, field, order.isUnsigned(), order.isReversed(), "");
        return byIndex(type, type + ", " + order + " order", parts, restoring(field, order));
    }

    /// Returns the statement that makes a primitive element from the sort key whose uppermost bits hold it.
    private static String restoring(ElementType.Field field, NaturalOrder order) {
        int bits = field.byteSize() * Byte.SIZE;
        if (bits >= Integer.SIZE) {
            return "store_bits%d(element, restore_%s(bits%d(key, 1)));"
                    .formatted(bits, SortKeyPart.mapping(field, order.isUnsigned(), order.isReversed()), bits);
        }
        // The mapping of a narrow number is its own inverse, since it only inverts a few bits.
        String value = SortKeyPart.narrow(
                "(key.words[1] >> %d)".formatted(Integer.SIZE - bits),
                field,
                bits,
                order.isUnsigned(),
                order.isReversed());
        return "store_bits%d(element, %s);".formatted(bits, value);
    }

    /// Returns sort keys of as few words as possible, with the index in the lowest word.
    ///
    /// @param restore a statement that makes the element from `key`; empty if that is impossible
    private static KernelElement byIndex(ElementType type, String what, List<SortKeyPart> parts, String restore) {
        int bits = parts.stream().mapToInt(SortKeyPart::bits).sum();
        int words = 1 + (bits + Integer.SIZE - 1) / Integer.SIZE;
        StringBuilder make = new StringBuilder();
        int position = words * Integer.SIZE;
        for (SortKeyPart part : parts) {
            position -= part.bits();
            make.append("    add_bits(key, %d, %s);\n"
                    .formatted(position, part.value().replace("%s", "element")));
        }
        List<SortKeyPart> wordParts = new ArrayList<>();
        for (int word = words - 1; word >= 0; word--) {
            wordParts.add(new SortKeyPart(Integer.SIZE, "%s.words[" + word + "]"));
        }
        boolean isLong = words == 2;
        List<SortKeyPart> numberParts = isLong ? List.of(new SortKeyPart(Long.SIZE, "%s")) : wordParts;
        String text = """
                // Indexes, %s.
                #include "parts/struct_keys.cuh"
                // The index is the first word, and the most significant word is the last.
                typedef WordKey<%d> SortKey;
                typedef %s Key;
                typedef Key OrderedKey;
                #define HAS_PAYLOAD 0
                #define SORTS_INDEXES 1
                // Bytes of an element from which a sort key is made.
                constexpr unsigned kIndexedBytes = %d;
                typedef unsigned char Payload;
                struct Element {
                    Key key;
                };
                typedef Key KeySlot;

                __device__ __forceinline__ bool less(const Key& a, const Key& b) {
                    return %s;
                }

                __device__ __forceinline__ Key make_sort_key(const unsigned char* element, unsigned index) {
                    SortKey key = {};
                    key.words[0] = index;
                %s    return __builtin_bit_cast(Key, key);
                }

                __device__ __forceinline__ unsigned index_of(const Key& key) {
                    return __builtin_bit_cast(SortKey, key).words[0];
                }

                __device__ __forceinline__ void restore_element(const Key& sort_key, unsigned char* element) {
                    const SortKey key = __builtin_bit_cast(SortKey, sort_key);
                    %s
                }

                constexpr bool kKeysAreMapped = false;
                constexpr bool kEqualElementsAreIdentical = true;
                constexpr bool kOrderIsTrusted = true;
                %s
                __device__ __forceinline__ OrderedKey greatest_key() {
                    SortKey key;
                    for (int i = 0; i < %d; ++i) {
                        key.words[i] = ~0u;
                    }
                    return __builtin_bit_cast(Key, key);
                }
                """.formatted(
                        KernelElement.inComment(what),
                        words,
                        isLong ? "unsigned long long" : "SortKey",
                        type.byteSize(),
                        isLong ? "a < b" : SortKeyPart.comparison(wordParts),
                        make,
                        restore,
                        SortKeyPart.numberFunctions(numberParts),
                        words);
        KernelElement element =
                KernelElement.byIndex(words * Integer.BYTES, text).withParts(numberParts);
        return restore.isEmpty() ? element : element.holdingElement();
    }

    /// Returns the parts of elements in device memory.
    private static List<SortKeyPart> memoryParts(ElementType type, FieldOrder order) {
        List<SortKeyPart> parts = new ArrayList<>();
        for (FieldOrder.Term term : order.terms()) {
            ElementType.Field field = type.field(term.field()).orElseThrow();
            String isValid = "";
            if (term.validity() != null) {
                isValid = "%%s[%d] != 0"
                        .formatted(type.field(term.validity()).orElseThrow().offset());
                parts.add(SortKeyPart.ofValidity(term, isValid));
            }
            if (field.isByteString()) {
                for (int i = 0; i < field.count(); i++) {
                    String value =
                            SortKeyPart.reversed("%%s[%d]".formatted(field.offset() + i), Byte.SIZE, term.isReversed());
                    parts.add(new SortKeyPart(Byte.SIZE, SortKeyPart.masked(isValid, value)));
                }
            } else {
                addScalar(parts, field, term.isUnsigned(), term.isReversed(), isValid);
            }
        }
        return parts;
    }

    private static void addScalar(
            List<SortKeyPart> parts, ElementType.Field field, boolean isUnsigned, boolean isReversed, String isValid) {
        int bits = field.byteSize() * Byte.SIZE;
        String read = SortKeyPart.swapped(field, "load_bits%d(%%s + %d)".formatted(bits, field.offset()));
        String value = bits >= Integer.SIZE
                ? "map_%s(%s)".formatted(SortKeyPart.mapping(field, isUnsigned, isReversed), read)
                : SortKeyPart.narrow(
                        read, field, field.layout().carrier() == boolean.class ? 1 : bits, isUnsigned, isReversed);
        parts.add(new SortKeyPart(bits, SortKeyPart.masked(isValid, value)));
    }
}
