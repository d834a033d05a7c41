package io.samplesort.cpu.records;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.samplesort.RecordCase;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Element types with orders of them, for tests of all that [IndexedCpuSorter] sorts.
public final class IndexedCases {
    public static final ElementType SCORED = struct(JAVA_LONG.withName("id"), JAVA_DOUBLE.withName("score"));

    public static final ElementType SMALL = struct(
            JAVA_BOOLEAN.withName("flag"),
            JAVA_BYTE.withName("tag"),
            JAVA_SHORT.withName("grade"),
            JAVA_FLOAT.withName("weight"),
            MemoryLayout.paddingLayout(4));

    public static final ElementType NESTED = struct(
            JAVA_INT.withName("id"),
            MemoryLayout.structLayout(JAVA_FLOAT.withName("x"), JAVA_FLOAT.withName("y"))
                    .withName("at"),
            MemoryLayout.paddingLayout(4),
            JAVA_LONG.withName("time"),
            JAVA_CHAR.withName("letter"),
            JAVA_BOOLEAN.withName("hasTime"),
            JAVA_BYTE.withName("hasX"),
            MemoryLayout.paddingLayout(4));

    /// Numbers of every size with their most significant byte first, and one that is not.
    public static final ElementType BIG_ENDIAN = struct(
            bigEndian(JAVA_LONG).withName("id"),
            bigEndian(JAVA_DOUBLE).withName("score"),
            bigEndian(JAVA_FLOAT).withName("weight"),
            bigEndian(JAVA_INT).withName("count"),
            bigEndian(JAVA_SHORT).withName("grade"),
            bigEndian(JAVA_CHAR).withName("letter"),
            JAVA_SHORT.withName("rank"),
            JAVA_BOOLEAN.withName("hasScore"),
            JAVA_BYTE.withName("hasCount"));

    public static final ElementType TERASORT =
            struct(bytes(10).withName("key"), bytes(90).withName("value"));

    public static final ElementType NAMED = struct(bytes(21).withName("name"), bytes(3).withName("code"));

    private static final Order BIG_ENDIAN_ORDER = Order.by("score")
            .nullsLast("hasScore")
            .thenBy("grade")
            .reversed()
            .thenBy("weight")
            .thenBy("count")
            .unsigned()
            .thenBy("letter")
            .thenBy("id");

    private IndexedCases() {}

    public static ElementType struct(MemoryLayout... members) {
        return ElementType.of(MemoryLayout.structLayout(members));
    }

    private static ValueLayout bigEndian(ValueLayout layout) {
        return layout.withOrder(ByteOrder.BIG_ENDIAN);
    }

    private static MemoryLayout bytes(int count) {
        return MemoryLayout.sequenceLayout(count, JAVA_BYTE);
    }

    /// Structs by fields, primitives in natural order, and comparators.
    public static List<RecordCase> all() {
        List<RecordCase> cases = new ArrayList<>();
        Stream.of(
                        Order.by("id"),
                        Order.by("score").reversed(),
                        Order.by("id").unsigned().thenBy("score"),
                        Order.by("score").thenBy("id").reversed())
                .forEach(order -> cases.add(new RecordCase(SCORED, order)));
        Stream.of(
                        Order.by("weight").thenBy("grade"),
                        Order.by("flag").reversed().thenBy("tag").thenBy("weight"),
                        Order.by("weight")
                                .nullsFirst("flag")
                                .thenBy("grade")
                                .unsigned()
                                .reversed()
                                .thenBy("tag"),
                        Order.by("grade").nullsLast("tag"))
                .forEach(order -> cases.add(new RecordCase(SMALL, order)));
        Stream.of(
                        Order.by("at.x").nullsLast("hasX").thenBy("at.y").thenBy("time"),
                        Order.by("letter")
                                .thenBy("time")
                                .nullsFirst("hasTime")
                                .reversed()
                                .thenBy("id"),
                        Order.by("time").unsigned().nullsLast("hasTime").thenBy("letter"))
                .forEach(order -> cases.add(new RecordCase(NESTED, order)));
        Stream.of(
                        BIG_ENDIAN_ORDER,
                        Order.by("id"),
                        Order.by("id").unsigned().reversed().thenBy("rank"),
                        Order.by("count"),
                        Order.by("count").unsigned().reversed().thenBy("grade"),
                        Order.by("weight").thenBy("letter").reversed().thenBy("id"),
                        Order.by("grade").unsigned().thenBy("count").nullsFirst("hasCount"))
                .forEach(order -> cases.add(new RecordCase(BIG_ENDIAN, order)));
        cases.add(new RecordCase(TERASORT, Order.by("key")));
        cases.add(new RecordCase(TERASORT, Order.by("key").reversed()));
        cases.add(new RecordCase(NAMED, Order.by("name").thenBy("code").reversed()));
        cases.add(new RecordCase(NAMED, Order.by("code").reversed().thenBy("name")));
        for (ElementType type : ElementType.values()) {
            boolean isFloating = type.equals(ElementType.FLOAT) || type.equals(ElementType.DOUBLE);
            for (boolean isReversed : new boolean[] {false, true}) {
                cases.add(new RecordCase(type, new NaturalOrder(false, isReversed)));
                if (!isFloating) {
                    cases.add(new RecordCase(type, new NaturalOrder(true, isReversed)));
                }
            }
        }
        cases.add(custom(SCORED, Order.by("score").toComparator(SCORED)));
        cases.add(custom(TERASORT, Order.by("key").reversed().toComparator(TERASORT)));
        cases.add(new RecordCase(
                ElementType.INT,
                Order.custom("abs(a) < abs(b)", Comparator.comparingInt(s -> Math.abs(s.get(JAVA_INT_UNALIGNED, 0))))
                        .reversed()));
        return cases;
    }

    /// One of each kind: fields of one size and of several, nulls, bytes that do not fit a word, numbers that have no
    /// sign or are reversed, and an order that only Java knows.
    public static List<RecordCase> few() {
        return List.of(
                new RecordCase(SCORED, Order.by("score").thenBy("id").reversed()),
                new RecordCase(
                        SMALL,
                        Order.by("weight")
                                .nullsFirst("flag")
                                .thenBy("grade")
                                .unsigned()
                                .reversed()
                                .thenBy("tag")),
                new RecordCase(BIG_ENDIAN, BIG_ENDIAN_ORDER),
                new RecordCase(NAMED, Order.by("name").thenBy("code").reversed()),
                new RecordCase(ElementType.INT, new NaturalOrder(true, false)),
                new RecordCase(ElementType.DOUBLE, new NaturalOrder(false, true)),
                custom(TERASORT, Order.by("key").reversed().toComparator(TERASORT)));
    }

    /// All others.
    public static List<RecordCase> others() {
        List<String> few = few().stream().map(RecordCase::name).toList();
        return all().stream().filter(records -> !few.contains(records.name())).toList();
    }

    private static RecordCase custom(ElementType type, Comparator<MemorySegment> comparator) {
        return new RecordCase(type, Order.custom("the same in CUDA", comparator));
    }
}
