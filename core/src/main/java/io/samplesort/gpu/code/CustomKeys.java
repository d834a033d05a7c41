package io.samplesort.gpu.code;

import io.samplesort.types.CustomOrder;
import io.samplesort.types.ElementType;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Orders given by the user's CUDA expression. The expression sees elements as structs `a` and `b` with the fields it
/// names, or as numbers. It may contradict itself, so the kernels do not rely on its being an order (kOrderIsTrusted).
final class CustomKeys {
    /// The name of the expression in messages of the compiler.
    static final String EXPRESSION_FILE = "order";

    private static final Pattern FIELD = Pattern.compile("\\b[ab]\\s*\\.\\s*(\\w+(?:\\s*\\.\\s*\\w+)*)");
    private static final Pattern BARE = Pattern.compile("\\b[ab]\\b(?!\\s*\\.)");
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)*");

    private CustomKeys() {}

    /// A field and where it lies in the words of a key.
    private record Placed(ElementType.Field field, int offset) {}

    static KernelElement element(ElementType type, CustomOrder order, boolean isMoved) {
        List<ElementType.Field> used = usedFields(type, order.expression());
        List<Placed> placed = new ArrayList<>();
        int end = Integer.BYTES;
        for (ElementType.Field field : used) {
            int unit = Math.min(Integer.BYTES, (int) field.layout().byteSize());
            int packed = (end + unit - 1) / unit * unit;
            placed.add(new Placed(field, isMoved ? field.offset() : packed));
            end = packed + field.byteSize();
        }
        int words = isMoved ? type.byteSize() / Integer.BYTES : (end + Integer.BYTES - 1) / Integer.BYTES;
        String first = order.isReversed() ? "b" : "a";
        String second = order.isReversed() ? "a" : "b";
        String comparison = !isMoved
                ? "is_before(%s, %s) || (!is_before(%s, %s) && a.words[0] < b.words[0])"
                        .formatted(first, second, second, first)
                : "is_before(%s, %s)".formatted(first, second);
        String text = """
                // %s, %s.
                #include "parts/struct_keys.cuh"
                typedef WordKey<%d> Key;
                typedef Key OrderedKey;
                #define HAS_PAYLOAD 0
                #define SORTS_INDEXES %d
                constexpr unsigned kIndexedBytes = %d;
                typedef unsigned char Payload;
                struct Element {
                    Key key;
                };
                typedef Key KeySlot;

                %s
                __device__ __forceinline__ Record record_of(const Key& key) {
                    Record record;
                %s    return record;
                }

                __device__ __forceinline__ bool is_before(const Key& a_key, const Key& b_key) {
                    const Record a = record_of(a_key);
                    const Record b = record_of(b_key);
                    return (
                #line 1 "%s"
                %s
                #line 1 "config.cuh"
                    );
                }

                __device__ __forceinline__ bool less(const Key& a, const Key& b) {
                    return %s;
                }

                #if SORTS_INDEXES
                __device__ __forceinline__ Key make_sort_key(const unsigned char* element, unsigned index) {
                    Key key = {};
                    key.words[0] = index;
                %s    return key;
                }

                __device__ __forceinline__ unsigned index_of(const Key& key) {
                    return key.words[0];
                }

                __device__ __forceinline__ void restore_element(const Key&, unsigned char*) {}
                #endif

                constexpr bool kKeysAreMapped = false;
                constexpr bool kEqualElementsAreIdentical = false;
                constexpr bool kOrderIsTrusted = false;
                // A user's order may contradict itself and has no numbers, so these are never called.
                constexpr bool kKeysAreNumbers = false;
                constexpr bool kNumbersAreWholeKeys = false;
                constexpr unsigned kNumberOfZero = 0;
                __device__ unsigned number_of(const Key& key);
                __device__ unsigned long long second_number_of(const Key& key);
                // Such an order has no known greatest key, so this is never called.
                __device__ OrderedKey greatest_key();
                """.formatted(
                        KernelElement.inComment(type),
                        KernelElement.inComment(order),
                        words,
                        isMoved ? 0 : 1,
                        type.byteSize(),
                        recordText(type, used),
                        assignments(type, placed),
                        EXPRESSION_FILE,
                        order.expression(),
                        comparison,
                        isMoved ? "" : packing(placed));
        int bytes = words * Integer.BYTES;
        return (isMoved ? KernelElement.moved(bytes, text) : KernelElement.byIndex(bytes, text)).untrusted();
    }

    /// Returns the fields that the expression names, or all fields if it uses an element as a whole.
    private static List<ElementType.Field> usedFields(ElementType type, String expression) {
        if (type.isPrimitive()) {
            return List.of(new ElementType.Field("value", 0, (ValueLayout) type.layout(), 1));
        }
        List<ElementType.Field> expressible = type.fields().stream()
                .filter(field -> IDENTIFIER.matcher(field.name()).matches()
                        && field.layout().carrier().isPrimitive())
                .toList();
        if (BARE.matcher(expression).find()) {
            return expressible;
        }
        Set<String> named = new TreeSet<>();
        for (Matcher matcher = FIELD.matcher(expression); matcher.find(); ) {
            named.add(matcher.group(1).replaceAll("\\s", ""));
        }
        List<ElementType.Field> used = expressible.stream()
                .filter(field -> named.stream()
                        .anyMatch(name ->
                                name.equals(field.name()) || field.name().startsWith(name + ".")))
                .toList();
        return used.isEmpty() ? expressible : used;
    }

    /// Returns the definition of `Record`, with nested structs for fields that have paths.
    private static String recordText(ElementType type, List<ElementType.Field> fields) {
        if (type.isPrimitive()) {
            return "typedef " + typeName(fields.getFirst()) + " Record;\n";
        }
        Map<String, ElementType.Field> byPath = new LinkedHashMap<>();
        fields.forEach(field -> byPath.put(field.name(), field));
        return "struct Record {\n" + members(byPath) + "};\n";
    }

    private static String members(Map<String, ElementType.Field> byPath) {
        StringBuilder text = new StringBuilder();
        Map<String, Map<String, ElementType.Field>> structs = new LinkedHashMap<>();
        byPath.forEach((path, field) -> {
            int dot = path.indexOf('.');
            if (dot < 0) {
                text.append("    %s %s%s;\n"
                        .formatted(typeName(field), path, field.count() == 1 ? "" : "[" + field.count() + "]"));
            } else {
                structs.computeIfAbsent(path.substring(0, dot), name -> new LinkedHashMap<>())
                        .put(path.substring(dot + 1), field);
            }
        });
        structs.forEach((name, inner) ->
                text.append("    struct {\n").append(members(inner)).append("    } %s;\n".formatted(name)));
        return text.toString();
    }

    private static String assignments(ElementType type, List<Placed> placed) {
        StringBuilder text = new StringBuilder();
        for (Placed each : placed) {
            String target = type.isPrimitive() ? "record" : "record." + each.field.name();
            int size = (int) each.field.layout().byteSize();
            for (int i = 0; i < each.field.count(); i++) {
                text.append("    %s%s = %s<%s>(key, %d);\n"
                        .formatted(
                                target,
                                each.field.count() == 1 ? "" : "[" + i + "]",
                                each.field.isBigEndian() ? "swapped_value_at" : "value_at",
                                typeName(each.field),
                                each.offset + i * size));
            }
        }
        return text.toString();
    }

    private static String packing(List<Placed> placed) {
        StringBuilder text = new StringBuilder();
        for (Placed each : placed) {
            int size = (int) each.field.layout().byteSize();
            for (int i = 0; i < each.field.count(); i++) {
                text.append("    add_bits(key, %d, load_bits%d(element + %d));\n"
                        .formatted(
                                (each.offset + i * size) * Byte.SIZE,
                                size * Byte.SIZE,
                                each.field.offset() + i * size));
            }
        }
        return text.toString();
    }

    private static String typeName(ElementType.Field field) {
        Class<?> carrier = field.layout().carrier();
        if (carrier == byte.class) {
            return field.count() == 1 ? "signed char" : "unsigned char";
        }
        if (carrier == boolean.class) {
            return "bool";
        }
        if (carrier == char.class) {
            return "unsigned short";
        }
        return carrier == long.class ? "long long" : carrier.getSimpleName();
    }
}
