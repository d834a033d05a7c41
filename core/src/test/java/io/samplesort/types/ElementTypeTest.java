package io.samplesort.types;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemoryLayout;
import java.nio.ByteOrder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ElementTypeTest {
    private static final ElementType POINT = struct(
            JAVA_LONG.withName("id"),
            MemoryLayout.structLayout(JAVA_INT.withName("x"), JAVA_INT.withName("y"))
                    .withName("at"),
            MemoryLayout.sequenceLayout(6, JAVA_BYTE).withName("name"),
            JAVA_BYTE.withName("hasX"),
            MemoryLayout.paddingLayout(1),
            MemoryLayout.sequenceLayout(2, JAVA_INT).withName("pair"));

    private static ElementType struct(MemoryLayout... members) {
        return ElementType.of(MemoryLayout.structLayout(members));
    }

    @Test
    void namesTheFieldsOfNestedStructs() {
        assertThat(POINT.fields())
                .extracting(ElementType.Field::name)
                .containsExactly("id", "at.x", "at.y", "name", "hasX", "pair");
        assertThat(POINT.fields()).extracting(ElementType.Field::offset).containsExactly(0, 8, 12, 16, 22, 24);
        assertThat(POINT.byteSize()).isEqualTo(32);
        assertThat(POINT.byteAlignment()).isEqualTo(8);
        assertThat(POINT.field("name").orElseThrow().isByteString()).isTrue();
        assertThat(POINT).hasToString("struct {id:long, at.x:int, at.y:int, name:byte[6], hasX:byte, pair:int[2]}");
        assertThat(ElementType.of(JAVA_DOUBLE)).isSameAs(ElementType.DOUBLE);
    }

    @Test
    void fieldsMayBeBigEndian() {
        ElementType type = struct(
                JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN).withName("big"),
                JAVA_INT.withName("little"),
                JAVA_BYTE.withOrder(ByteOrder.BIG_ENDIAN).withName("byte"),
                MemoryLayout.paddingLayout(3));
        assertThat(type.fields()).extracting(ElementType.Field::isBigEndian).containsExactly(true, false, false);
        assertThat(type).hasToString("struct {big:int big-endian, little:int, byte:byte}");
        assertThat(type)
                .isNotEqualTo(struct(
                        JAVA_INT_UNALIGNED.withName("big"),
                        JAVA_INT.withName("little"),
                        JAVA_BYTE.withName("byte"),
                        MemoryLayout.paddingLayout(3)));
    }

    @Test
    void refusesLayoutsAndNamesTheField() {
        refuses(
                () -> struct(JAVA_SHORT.withName("a"), JAVA_INT_UNALIGNED.withName("b"), JAVA_SHORT),
                "field 'b'",
                "byte 2");
        refuses(
                () -> ElementType.of(JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN)),
                "byte order BIG_ENDIAN",
                "make it the one field of a struct");
        refuses(
                () -> struct(
                        JAVA_INT.withName("a"),
                        MemoryLayout.unionLayout(JAVA_INT, JAVA_INT).withName("either")),
                "field 'either'");
        refuses(() -> struct(JAVA_INT.withName("a"), JAVA_INT.withName("a")), "two fields are named 'a'");
        refuses(
                () -> struct(JAVA_LONG.withName("a"), JAVA_INT.withName("b")),
                "12 bytes",
                "end it with a padding of 4 bytes");
        refuses(
                () -> struct(MemoryLayout.sequenceLayout(ElementType.MAX_BYTES + 1L, JAVA_BYTE)
                        .withName("huge")),
                "a struct of 65537 bytes");
        refuses(() -> ElementType.of(MemoryLayout.sequenceLayout(3, JAVA_INT)), "use a struct layout");
    }

    @Test
    void refusesOrdersAndNamesTheField() {
        refuses(() -> Order.by("size").checkApplicableTo(POINT), "'size'", "does not have");
        refuses(() -> Order.by("pair").checkApplicableTo(POINT), "field 'pair' is an array of int");
        refuses(() -> Order.by("id").thenBy("id"), "names field 'id' twice");
        refuses(() -> Order.by("id").checkApplicableTo(ElementType.INT), "int elements have no named fields");
        refuses(() -> Order.natural().checkApplicableTo(POINT), "Order.by(\"id\")");
        refuses(() -> Order.by("at.x").nullsFirst("id").checkApplicableTo(POINT), "field 'id'", "has 8 bytes");
        refuses(() -> Order.by("at.x").nullsFirst("none").checkApplicableTo(POINT), "'none'");
        refuses(
                () -> Order.by("d").unsigned().checkApplicableTo(struct(JAVA_DOUBLE.withName("d"))),
                "field 'd' is a double");
        refuses(() -> Order.custom(" ", (a, b) -> 0), "the CUDA expression of the order is empty");
        Order.by("at.x").nullsLast("hasX").thenBy("name").reversed().checkApplicableTo(POINT);
    }

    private static void refuses(ThrowingCallable call, String... words) {
        assertThatIllegalArgumentException()
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.getMessage()).contains(words));
    }
}
