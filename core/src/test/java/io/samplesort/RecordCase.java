package io.samplesort;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Element types with an order of every kind, and elements of them with many ties and special values.
///
/// @param isOrder whether the order is one, and does not contradict itself
public record RecordCase(String name, ElementType type, Order order, boolean isOrder) {
    public RecordCase(String name, ElementType type, Order order) {
        this(name, type, order, true);
    }

    public RecordCase(ElementType type, Order order) {
        this(type + " " + order, type, order);
    }

    private static final ElementType TWO_LONGS =
            ElementType.of(MemoryLayout.structLayout(JAVA_LONG.withName("a"), JAVA_LONG.withName("b")));

    private static final ElementType TRADE = ElementType.of(MemoryLayout.structLayout(
            JAVA_DOUBLE.withName("price"), JAVA_INT.withName("id"), MemoryLayout.paddingLayout(4)));

    private static final ElementType MIXED = ElementType.of(MemoryLayout.structLayout(
            JAVA_FLOAT.withName("ratio"),
            JAVA_SHORT.withName("rank"),
            JAVA_BYTE.withName("grade"),
            JAVA_BOOLEAN.withName("valid"),
            MemoryLayout.sequenceLayout(7, JAVA_BYTE).withName("name"),
            JAVA_BYTE.withName("flag")));

    private static final ElementType NESTED = ElementType.of(MemoryLayout.structLayout(
            JAVA_LONG.withName("id"),
            MemoryLayout.structLayout(JAVA_INT.withName("width"), JAVA_INT.withName("height"))
                    .withName("size"),
            JAVA_CHAR.withName("code"),
            MemoryLayout.paddingLayout(6),
            JAVA_DOUBLE.withName("weight")));

    private static final ElementType SORT_BENCHMARK = ElementType.of(MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(10, JAVA_BYTE).withName("key"),
            MemoryLayout.sequenceLayout(90, JAVA_BYTE).withName("value")));

    private static final ElementType THREE_SHORTS = ElementType.of(
            MemoryLayout.structLayout(JAVA_SHORT.withName("x"), JAVA_SHORT.withName("y"), JAVA_CHAR.withName("z")));

    /// One case for each kind of order and form of sorting.
    public static List<RecordCase> all() {
        return List.of(
                new RecordCase("two longs", TWO_LONGS, Order.by("a").thenBy("b")),
                new RecordCase(
                        "unsigned, reversed",
                        TWO_LONGS,
                        Order.by("b").unsigned().reversed().thenBy("a").unsigned()),
                new RecordCase(
                        "price, then id", TRADE, Order.by("price").reversed().thenBy("id")),
                new RecordCase(
                        "all kinds of narrow fields",
                        MIXED,
                        Order.by("ratio")
                                .nullsLast("valid")
                                .thenBy("rank")
                                .reversed()
                                .thenBy("name")
                                .thenBy("grade")),
                new RecordCase(
                        "nulls first, strings reversed",
                        MIXED,
                        Order.by("name").reversed().thenBy("rank").unsigned().nullsFirst("flag")),
                new RecordCase(
                        "one byte decides about two fields",
                        MIXED,
                        Order.by("rank").nullsFirst("valid").thenBy("valid").thenBy("grade")),
                new RecordCase(
                        "nested", NESTED, Order.by("size.height").thenBy("code").thenBy("weight")),
                new RecordCase(
                        "three shorts", THREE_SHORTS, Order.by("z").thenBy("x").reversed()),
                new RecordCase("sort benchmark", SORT_BENCHMARK, Order.by("key")),
                new RecordCase(
                        "custom, moved",
                        NESTED,
                        Order.custom(
                                "a.size.width * (long long)a.size.height < b.size.width * (long long)b.size.height",
                                Comparator.comparingLong(RecordCase::area))),
                new RecordCase(
                        "custom, by index",
                        SORT_BENCHMARK,
                        Order.custom(
                                        "a.key[0] % 16 < b.key[0] % 16",
                                        Comparator.comparingInt(element -> element.get(JAVA_BYTE, 0) & 15))
                                .reversed()),
                new RecordCase(
                        "custom numbers",
                        ElementType.INT,
                        Order.custom(
                                "(a & 255) < (b & 255)",
                                Comparator.comparingInt(element -> element.get(JAVA_INT, 0) & 255))));
    }

    /// Returns the cases of these names.
    public static List<RecordCase> named(String... names) {
        List<String> wanted = List.of(names);
        return all().stream().filter(records -> wanted.contains(records.name)).toList();
    }

    /// Returns the cases of all but these.
    public static List<RecordCase> allBut(List<RecordCase> cases) {
        List<String> unwanted = cases.stream().map(RecordCase::name).toList();
        return all().stream()
                .filter(records -> !unwanted.contains(records.name))
                .toList();
    }

    private static long area(MemorySegment element) {
        return element.get(JAVA_INT, 8) * (long) element.get(JAVA_INT, 12);
    }

    /// Elements with random fields of few values, some of them special.
    public void fill(MemorySegment elements, Random random) {
        byte[] bytes = new byte[Math.toIntExact(elements.byteSize())];
        random.nextBytes(bytes);
        elements.copyFrom(MemorySegment.ofArray(bytes));
        for (long at = 0; at < elements.byteSize(); at += type.byteSize()) {
            if (type.isPrimitive() || random.nextInt(4) == 0) {
                continue;
            }
            for (ElementType.Field field : type.fields()) {
                for (int i = 0; i < field.count(); i++) {
                    long offset = at + field.offset() + i * field.layout().byteSize();
                    fillField(elements, offset, field, random);
                }
            }
        }
    }

    private static void fillField(MemorySegment elements, long offset, ElementType.Field field, Random random) {
        int few = random.nextInt(3) - 1;
        Class<?> carrier = field.layout().carrier();
        if (carrier == double.class) {
            double[] specials = {0.0, -0.0, 1, Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY};
            elements.set(JAVA_DOUBLE.withByteAlignment(1), offset, specials[random.nextInt(specials.length)]);
        } else if (carrier == float.class) {
            float[] specials = {0f, -0f, 1, Float.NaN, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY};
            elements.set(JAVA_FLOAT.withByteAlignment(1), offset, specials[random.nextInt(specials.length)]);
        } else if (carrier == long.class) {
            elements.set(JAVA_LONG.withByteAlignment(1), offset, few);
        } else if (carrier == int.class) {
            elements.set(JAVA_INT.withByteAlignment(1), offset, few);
        } else if (carrier == short.class || carrier == char.class) {
            elements.set(JAVA_SHORT.withByteAlignment(1), offset, (short) few);
        } else {
            elements.set(JAVA_BYTE, offset, (byte) few);
        }
    }

    /// The stable order of the elements by the comparator, by the JDK's own sort.
    public int[] stableOrder(MemorySegment elements) {
        int bytes = type.byteSize();
        List<MemorySegment> slices =
                elements.elements(MemoryLayout.sequenceLayout(bytes, JAVA_BYTE)).toList();
        return IntStream.range(0, slices.size())
                .boxed()
                .sorted(Comparator.comparing(slices::get, order.toComparator(type)))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /// `column` in the order of the indexes.
    public static byte[] gathered(MemorySegment column, int elementBytes, int[] indexes) {
        byte[] result = new byte[Math.toIntExact(column.byteSize())];
        MemorySegment target = MemorySegment.ofArray(result);
        for (int i = 0; i < indexes.length; i++) {
            MemorySegment.copy(column, (long) indexes[i] * elementBytes, target, (long) i * elementBytes, elementBytes);
        }
        return result;
    }

    @Override
    public String toString() {
        return name;
    }
}
