package io.samplesort.gpu;

import io.samplesort.ElementType;
import io.samplesort.FieldOrder;
import io.samplesort.NaturalOrder;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// Orders over fields, as comparisons of unsigned integers: every field that is compared becomes one or more
/// **pieces**,
/// unsigned numbers of up to 64 bits whose order, one after the other, is the order of the elements.
final class FieldKeys {
    /// A part of a sort key.
    ///
    /// @param bits  how many bits its values have
    /// @param value a CUDA expression of its value; `%s` stands for the element
    private record Piece(int bits, String value) {}

    private FieldKeys() {}

    /// Structs by their fields.
    static KernelElement element(ElementType type, FieldOrder order, boolean isMoved) {
        return isMoved ? moved(type, order) : byIndex(order.toString(), memoryPieces(type, order), "");
    }

    /// Primitive elements by index.
    static KernelElement element(ElementType type, NaturalOrder order) {
        ElementType.Field field = new ElementType.Field("value", 0, (ValueLayout) type.layout(), 1);
        List<Piece> pieces = new ArrayList<>();
        addScalar(pieces, field, order.isUnsigned(), order.isReversed(), "");
        return byIndex(type + ", " + order + " order", pieces, restoring(field, order));
    }

    /// The statement that makes a primitive element from the sort key that holds it in its uppermost bits.
    private static String restoring(ElementType.Field field, NaturalOrder order) {
        int bits = field.byteSize() * Byte.SIZE;
        if (bits >= Integer.SIZE) {
            return "store_bits%d(element, restore_%s(bits%d(key, 1)));"
                    .formatted(bits, mapping(field, order.isUnsigned(), order.isReversed()), bits);
        }
        // What maps a narrow number maps it back: a few bits are inverted.
        String value = narrow(
                "(key.words[1] >> %d)".formatted(Integer.SIZE - bits),
                field,
                bits,
                order.isUnsigned(),
                order.isReversed());
        return "store_bits%d(element, %s);".formatted(bits, value);
    }

    /// Elements that are moved as words. Numbers of four or eight bytes that are compared are mapped in place, when an
    /// element is first loaded, to unsigned integers of the same order; the rest is picked out at each comparison.
    private static KernelElement moved(ElementType type, FieldOrder order) {
        int words = type.byteSize() / Integer.BYTES;
        StringBuilder map = new StringBuilder();
        StringBuilder restore = new StringBuilder();
        StringBuilder greatest = new StringBuilder();
        List<Piece> pieces = new ArrayList<>();
        for (FieldOrder.Term term : order.terms()) {
            ElementType.Field field = type.field(term.field()).orElseThrow();
            boolean isMapped = !field.isByteString() && field.byteSize() >= Integer.BYTES;
            String isValid = term.validity() == null
                    ? ""
                    : "byte_at(%s, " + type.field(term.validity()).orElseThrow().offset() + ") != 0";
            if (term.validity() != null) {
                pieces.add(nullPiece(term, isValid));
                int validity = type.field(term.validity()).orElseThrow().offset();
                greatest.append("    put_byte(key, %d, %d);\n".formatted(validity, term.nullsFirst() ? 1 : 0));
            }
            if (isMapped) {
                String mapping = mapping(field, term.isUnsigned(), term.isReversed());
                int bits = field.byteSize() * Byte.SIZE;
                int word = field.offset() / Integer.BYTES;
                map.append("    put_bits%d(key, %d, map_%s(bits%d(key, %d)));\n"
                        .formatted(bits, word, mapping, bits, word));
                restore.append("    put_bits%d(key, %d, restore_%s(bits%d(key, %d)));\n"
                        .formatted(bits, word, mapping, bits, word));
                greatest.append("    put_bits%d(key, %d, ~0ull);\n".formatted(bits, word));
                pieces.add(new Piece(bits, masked(isValid, "bits%d(%%s, %d)".formatted(bits, word))));
            } else if (field.isByteString()) {
                for (int i = 0; i < field.count(); i++) {
                    int offset = field.offset() + i;
                    boolean isWord = offset % Integer.BYTES == 0 && i + Integer.BYTES <= field.count();
                    String value = isWord
                            ? "swap_bytes(%%s.words[%d])".formatted(offset / Integer.BYTES)
                            : "byte_at(%%s, %d)".formatted(offset);
                    int bits = isWord ? Integer.SIZE : Byte.SIZE;
                    pieces.add(new Piece(bits, masked(isValid, reversed(value, bits, term.isReversed()))));
                    for (int b = 0; b < bits / Byte.SIZE; b++) {
                        greatest.append(
                                "    put_byte(key, %d, %d);\n".formatted(offset + b, term.isReversed() ? 0 : 0xff));
                    }
                    i += bits / Byte.SIZE - 1;
                }
            } else {
                int bits = field.layout().carrier() == boolean.class ? 1 : field.byteSize() * Byte.SIZE;
                String read = field.byteSize() == 1
                        ? "byte_at(%%s, %d)".formatted(field.offset())
                        : "short_at(%%s, %d)".formatted(field.offset());
                pieces.add(new Piece(
                        field.byteSize() * Byte.SIZE,
                        masked(isValid, narrow(read, field, bits, term.isUnsigned(), term.isReversed()))));
                long greatestBits = greatestNarrow(field, bits, term.isUnsigned(), term.isReversed());
                for (int b = 0; b < field.byteSize(); b++) {
                    greatest.append("    put_byte(key, %d, %d);\n"
                            .formatted(field.offset() + b, greatestBits >> b * Byte.SIZE & 0xff));
                }
            }
        }
        String text = """
                // Structs of %d words, %s.
                #include "struct_keys.cuh"
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

                __device__ __forceinline__ OrderedKey greatest_key() {
                    Key key = {};
                %s    return key;
                }
                """.formatted(
                        words,
                        order,
                        words,
                        comparison(pieces),
                        map,
                        restore,
                        !map.isEmpty(),
                        comparesAll(type, order),
                        greatest);
        return new KernelElement(type.byteSize(), 0, type.byteSize(), false, false, true, text);
    }

    /// Sort keys of as few words as will do, the index below them.
    ///
    /// @param restore a statement that makes the element from `key`; empty where that cannot be done
    private static KernelElement byIndex(String what, List<Piece> pieces, String restore) {
        int bits = pieces.stream().mapToInt(Piece::bits).sum();
        int words = 1 + (bits + Integer.SIZE - 1) / Integer.SIZE;
        StringBuilder make = new StringBuilder();
        int position = words * Integer.SIZE;
        for (Piece piece : pieces) {
            position -= piece.bits;
            make.append("    add_bits(key, %d, %s);\n".formatted(position, piece.value.replace("%s", "element")));
        }
        List<Piece> wordPieces = new ArrayList<>();
        for (int word = words - 1; word >= 0; word--) {
            wordPieces.add(new Piece(Integer.SIZE, "%s.words[" + word + "]"));
        }
        boolean isLong = words == 2;
        String text = """
                // Indexes, %s.
                #include "struct_keys.cuh"
                // The most significant word last, the index first.
                typedef WordKey<%d> SortKey;
                typedef %s Key;
                typedef Key OrderedKey;
                #define HAS_PAYLOAD 0
                #define SORTS_INDEXES 1
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

                __device__ __forceinline__ OrderedKey greatest_key() {
                    SortKey key;
                    for (int i = 0; i < %d; ++i) {
                        key.words[i] = ~0u;
                    }
                    return __builtin_bit_cast(Key, key);
                }
                """.formatted(
                        what,
                        words,
                        isLong ? "unsigned long long" : "SortKey",
                        isLong ? "a < b" : comparison(wordPieces),
                        make,
                        restore,
                        words);
        int bytes = words * Integer.BYTES;
        return new KernelElement(bytes, 0, bytes, true, !restore.isEmpty(), true, text);
    }

    /// The pieces of elements in device memory.
    private static List<Piece> memoryPieces(ElementType type, FieldOrder order) {
        List<Piece> pieces = new ArrayList<>();
        for (FieldOrder.Term term : order.terms()) {
            ElementType.Field field = type.field(term.field()).orElseThrow();
            String isValid = "";
            if (term.validity() != null) {
                isValid = "%%s[%d] != 0"
                        .formatted(type.field(term.validity()).orElseThrow().offset());
                pieces.add(nullPiece(term, isValid));
            }
            if (field.isByteString()) {
                for (int i = 0; i < field.count(); i++) {
                    String value = reversed("%%s[%d]".formatted(field.offset() + i), Byte.SIZE, term.isReversed());
                    pieces.add(new Piece(Byte.SIZE, masked(isValid, value)));
                }
            } else {
                addScalar(pieces, field, term.isUnsigned(), term.isReversed(), isValid);
            }
        }
        return pieces;
    }

    private static void addScalar(
            List<Piece> pieces, ElementType.Field field, boolean isUnsigned, boolean isReversed, String isValid) {
        int bits = field.byteSize() * Byte.SIZE;
        String read = "load_bits%d(%%s + %d)".formatted(bits, field.offset());
        String value = bits >= Integer.SIZE
                ? "map_%s(%s)".formatted(mapping(field, isUnsigned, isReversed), read)
                : narrow(read, field, field.layout().carrier() == boolean.class ? 1 : bits, isUnsigned, isReversed);
        pieces.add(new Piece(bits, masked(isValid, value)));
    }

    /// 0 or 1 for what comes first or last.
    private static Piece nullPiece(FieldOrder.Term term, String isValid) {
        return new Piece(Byte.SIZE, term.nullsFirst() ? "(" + isValid + ")" : "!(" + isValid + ")");
    }

    private static String masked(String isValid, String value) {
        return isValid.isEmpty() ? value : "(" + isValid + " ? " + value + " : 0)";
    }

    /// The suffix of the map of struct_keys.cuh for numbers of four or eight bytes.
    private static String mapping(ElementType.Field field, boolean isUnsigned, boolean isReversed) {
        Class<?> carrier = field.layout().carrier();
        String base = carrier == float.class || carrier == double.class
                ? carrier.getSimpleName()
                : isUnsigned ? "unsigned" : "signed";
        return isReversed ? base + "_reversed" : base;
    }

    private static String narrow(
            String read, ElementType.Field field, int bits, boolean isUnsigned, boolean isReversed) {
        String value = bits == 1 ? "(" + read + " != 0)" : read;
        return isSignedNarrow(field, isUnsigned)
                ? reversed("(" + value + " ^ " + (1 << bits - 1) + "u)", bits, isReversed)
                : reversed(value, bits, isReversed);
    }

    private static long greatestNarrow(ElementType.Field field, int bits, boolean isUnsigned, boolean isReversed) {
        long ones = (1L << bits) - 1;
        long ordered = isReversed ? 0 : ones;
        return isSignedNarrow(field, isUnsigned) ? ordered ^ 1L << bits - 1 : ordered;
    }

    private static boolean isSignedNarrow(ElementType.Field field, boolean isUnsigned) {
        Class<?> carrier = field.layout().carrier();
        return !isUnsigned && (carrier == byte.class || carrier == short.class);
    }

    private static String reversed(String value, int bits, boolean isReversed) {
        return isReversed ? "(" + value + " ^ " + ((1L << bits) - 1) + "u)" : value;
    }

    /// The lexicographic comparison of the pieces of `a` and `b`, as many of them at a time as fit 64 bits.
    private static String comparison(List<Piece> pieces) {
        List<String> groups = new ArrayList<>();
        for (int i = 0; i < pieces.size(); ) {
            String group = "(unsigned long long)" + pieces.get(i).value;
            int bits = pieces.get(i).bits;
            for (i++; i < pieces.size() && bits + pieces.get(i).bits <= Long.SIZE; i++) {
                bits += pieces.get(i).bits;
                group = "(%s) << %d | %s".formatted(group, pieces.get(i).bits, pieces.get(i).value);
            }
            groups.add("(" + group + ")");
        }
        String comparison = "";
        for (String group : groups.reversed()) {
            String a = group.replace("%s", "a");
            String b = group.replace("%s", "b");
            comparison = comparison.isEmpty()
                    ? "%s < %s".formatted(a, b)
                    : "(%s < %s) | ((%s == %s) & (%s))".formatted(a, b, a, b, comparison);
        }
        return comparison;
    }

    /// Whether elements that compare equal are equal in every bit.
    private static boolean comparesAll(ElementType type, FieldOrder order) {
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
