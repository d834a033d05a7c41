package io.samplesort.gpu.code;

import io.samplesort.types.ElementType;
import io.samplesort.types.FieldOrder;
import java.util.ArrayList;
import java.util.List;

/// Structs that are moved as words. Compared numbers of four or eight bytes are mapped in place to unsigned integers of
/// the same order when an element is first loaded. Other fields are extracted at each comparison.
final class MovedFields {
    private final ElementType type;
    private final FieldOrder order;
    private final StringBuilder map = new StringBuilder();
    private final StringBuilder restore = new StringBuilder();
    /// The statements that make the greatest key.
    private final StringBuilder greatest = new StringBuilder();

    private final List<SortKeyPart> parts = new ArrayList<>();

    private MovedFields(ElementType type, FieldOrder order) {
        this.type = type;
        this.order = order;
        order.terms().forEach(this::add);
    }

    static KernelElement element(ElementType type, FieldOrder order) {
        return new MovedFields(type, order).element();
    }

    private void add(FieldOrder.Term term) {
        ElementType.Field field = type.field(term.field()).orElseThrow();
        String isValid = "";
        if (term.validity() != null) {
            int validity = type.field(term.validity()).orElseThrow().offset();
            isValid = "byte_at(%%s, %d) != 0".formatted(validity);
            parts.add(SortKeyPart.ofValidity(term, isValid));
            putGreatest(validity, 1, term.nullsFirst() ? 1 : 0);
        }
        if (field.isByteString()) {
            addString(field, term.isReversed(), isValid);
        } else if (field.byteSize() >= Integer.BYTES) {
            addMapped(field, term, isValid);
        } else {
            addNarrow(field, term, isValid);
        }
    }

    private void addMapped(ElementType.Field field, FieldOrder.Term term, String isValid) {
        String mapping = SortKeyPart.mapping(field, term.isUnsigned(), term.isReversed());
        int bits = field.byteSize() * Byte.SIZE;
        int word = field.offset() / Integer.BYTES;
        String put = "    put_bits%d(key, %d, %s);\n";
        String held = "bits%d(key, %d)".formatted(bits, word);
        map.append(put.formatted(bits, word, "map_%s(%s)".formatted(mapping, SortKeyPart.swapped(field, held))));
        restore.append(
                put.formatted(bits, word, SortKeyPart.swapped(field, "restore_%s(%s)".formatted(mapping, held))));
        greatest.append("    put_bits%d(key, %d, ~0ull);\n".formatted(bits, word));
        parts.add(new SortKeyPart(bits, SortKeyPart.masked(isValid, "bits%d(%%s, %d)".formatted(bits, word))));
    }

    /// Adds a string by whole words as far as they are aligned, and by single bytes before and after them.
    private void addString(ElementType.Field field, boolean isReversed, String isValid) {
        int end = field.offset() + field.count();
        for (int offset = field.offset(); offset < end; ) {
            boolean isWord = offset % Integer.BYTES == 0 && offset + Integer.BYTES <= end;
            int bytes = isWord ? Integer.BYTES : 1;
            String value = isWord
                    ? "swap_bytes(%%s.words[%d])".formatted(offset / Integer.BYTES)
                    : "byte_at(%%s, %d)".formatted(offset);
            int bits = bytes * Byte.SIZE;
            parts.add(
                    new SortKeyPart(bits, SortKeyPart.masked(isValid, SortKeyPart.reversed(value, bits, isReversed))));
            putGreatest(offset, bytes, isReversed ? 0 : -1);
            offset += bytes;
        }
    }

    private void addNarrow(ElementType.Field field, FieldOrder.Term term, String isValid) {
        int fieldBits = field.byteSize() * Byte.SIZE;
        int bits = field.layout().carrier() == boolean.class ? 1 : fieldBits;
        String read = (field.byteSize() == 1 ? "byte_at(%%s, %d)" : "short_at(%%s, %d)").formatted(field.offset());
        String value =
                SortKeyPart.narrow(SortKeyPart.swapped(field, read), field, bits, term.isUnsigned(), term.isReversed());
        parts.add(new SortKeyPart(fieldBits, SortKeyPart.masked(isValid, value)));
        long most = SortKeyPart.greatestNarrow(field, bits, term.isUnsigned(), term.isReversed());
        putGreatest(field.offset(), field.byteSize(), field.isBigEndian() ? Short.reverseBytes((short) most) : most);
    }

    private void putGreatest(int offset, int bytes, long bits) {
        for (int b = 0; b < bytes; b++) {
            greatest.append("    put_byte(key, %d, %d);\n".formatted(offset + b, bits >> b * Byte.SIZE & 0xff));
        }
    }

    private KernelElement element() {
        int words = type.byteSize() / Integer.BYTES;
        String text = """
                // Structs of %d words, %s.
                #include "parts/struct_keys.cuh"
                typedef WordKey<%d> Key;
                typedef Key OrderedKey;
                #define HAS_PAYLOAD 0
                #define SORTS_INDEXES 0
                typedef unsigned char Payload;
                struct Element {
                    Key key;
                };
                typedef Key KeySlot;

                __device__ __forceinline__ bool less(const Key& a, const Key& b) {
                    return %s;
                }

                __device__ __forceinline__ OrderedKey order_key(Key key) {
                %s    return key;
                }

                __device__ __forceinline__ void restore_key(OrderedKey key, Key& restored) {
                %s    restored = key;
                }

                constexpr bool kKeysAreMapped = %s;
                constexpr bool kEqualElementsAreIdentical = %s;
                constexpr bool kOrderIsTrusted = true;
                %s
                __device__ __forceinline__ OrderedKey greatest_key() {
                    Key key = {};
                %s    return key;
                }
                """.formatted(
                        words,
                        KernelElement.inComment(order),
                        words,
                        SortKeyPart.comparison(parts),
                        map,
                        restore,
                        !map.isEmpty(),
                        comparesAll(),
                        SortKeyPart.numberFunctions(parts),
                        greatest);
        return KernelElement.moved(type.byteSize(), text).withParts(parts);
    }

    /// Returns whether elements that compare equal are equal in every bit.
    private boolean comparesAll() {
        int bytes = 0;
        for (FieldOrder.Term term : order.terms()) {
            ElementType.Field field = type.field(term.field()).orElseThrow();
            if (term.validity() != null || field.layout().carrier() == boolean.class) {
                return false;
            }
            bytes += field.byteSize();
        }
        return bytes == type.byteSize();
    }
}
