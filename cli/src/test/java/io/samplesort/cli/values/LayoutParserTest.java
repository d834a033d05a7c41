package io.samplesort.cli.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.samplesort.cli.data.RecordLayout;
import io.samplesort.types.ElementType;
import io.samplesort.types.FieldOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/// The texts of `--layout` and `--by`.
class LayoutParserTest {
    @Test
    void fieldsLieWhereTheTextSays() {
        RecordLayout layout =
                LayoutParser.parse("price:f64, id:I32,_:3,ok:bool ,Name:bytes[16],name:bytes[1],_:1,n:u16,"
                        + "a:i8,b:u8,c:i16,d:u32,e:f32,_:8,f:i64,g:u64");
        assertThat(layout.type().fields())
                .extracting(ElementType.Field::name, ElementType.Field::offset, ElementType.Field::byteSize)
                .containsExactly(
                        tuple("price", 0, 8),
                        tuple("id", 8, 4),
                        tuple("ok", 15, 1),
                        tuple("Name", 16, 16),
                        tuple("name", 32, 1),
                        tuple("n", 34, 2),
                        tuple("a", 36, 1),
                        tuple("b", 37, 1),
                        tuple("c", 38, 2),
                        tuple("d", 40, 4),
                        tuple("e", 44, 4),
                        tuple("f", 56, 8),
                        tuple("g", 64, 8));
        assertThat(layout.byteSize()).isEqualTo(72);
        assertThat(layout.unsignedFields()).containsExactlyInAnyOrder("name", "n", "b", "d", "g");
    }

    @Test
    void numbersMayBeBigEndian() {
        RecordLayout layout = LayoutParser.parse("a:u64be,b:I32BE,c:f32be,d:i16,e:u16be,f:u8,_:3");
        assertThat(layout.type().fields())
                .extracting(ElementType.Field::isBigEndian)
                .containsExactly(true, true, true, false, true, false);
        assertThat(layout.unsignedFields()).containsExactlyInAnyOrder("a", "e", "f");
    }

    @Test
    void gensortIsTheRecordOfTheSortBenchmark() {
        RecordLayout layout = LayoutParser.parse("gensort");
        assertThat(layout.byteSize()).isEqualTo(100);
        assertThat(layout.type().field("key").orElseThrow().byteSize()).isEqualTo(10);
        assertThat(layout.order(null)).hasToString("by key");
        assertThat(layout.order(order("key desc"))).hasToString("by key desc");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "a:int32 | field 'a' has the unknown type 'int32': use i8, u8,",
                "a:u8be | field 'a' has the unknown type 'u8be': use i8, u8,",
                "id:i32,n:u64be | field 'n' (u64be) begins at byte 4, which is not a multiple of its 8 bytes",
                "a:bytes | field 'a' has the unknown type 'bytes': use i8, u8,",
                "a:bytes[0] | field 'a' has 0 bytes: use 1 to 65536",
                "a:bytes[99999999999999999999] | field 'a' has 99999999999999999999 bytes: use 1 to 65536",
                "a:i32,a:u8 | two fields are named 'a': rename one",
                "id:i32,price:f64 | field 'price' (f64) begins at byte 4, which is not a multiple of its 8 bytes: if the"
                        + " file has padding before it, write _:4 there; otherwise declare the field as bytes[8]",
                "id:u8,n:i16 | field 'n' (i16) begins at byte 1, which is not a multiple of its 2 bytes: if the file"
                        + " has padding before it, write _:1 there",
                "price:f64,id:i32 | the record has 12 bytes, which is not a multiple of 8, so the fields of the next record"
                        + " would not be aligned: end it with _:4",
                "price | field 'price' has no type: write price:f64",
                "Gensort | field 'Gensort' has no type: write Gensort:f64 for example; --layout takes name:type,… or gensort",
                "a:i32,,b:i32 | field 2 of 'a:i32,,b:i32' is empty",
                "a:i32, | field 2 of 'a:i32,' is empty",
                "a b:i32 | field name 'a b': use letters, digits and _",
                ":i32 | field name '': use letters, digits and _",
                "1a:i32 | field name '1a': use letters, digits and _, and do not begin with a digit",
                "a:i32,_:i32 | padding '_:i32' at byte 4: write how many bytes it has, as in _:4",
                "a:i32,_:0 | padding '_:0' has 0 bytes: use 1 to 65536",
                "_:8 | '_:8' has nothing but padding: name at least one field",
                "a:bytes[65536],b:u8 | with field 2 the record has 65537 bytes: a record has at most 65536"
            })
    void mistakesInLayoutsNameTheFieldAndTheRemedy(String layout, String message) {
        assertThatThrownBy(() -> LayoutParser.parse(layout))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void ordersAreTermsInTheirOrder() {
        FieldOrder order = order("a desc, b ASC Nulls Last By b_valid ,c, desc nulls first by asc");
        assertThat(order.terms())
                .isEqualTo(List.of(
                        new FieldOrder.Term("a", false, true, null, false),
                        new FieldOrder.Term("b", false, false, "b_valid", false),
                        new FieldOrder.Term("c", false, false, null, false),
                        new FieldOrder.Term("desc", false, false, "asc", true)));
    }

    @Test
    void unsignedTypesMakeTheOrderOfTheirFieldsUnsigned() {
        RecordLayout layout = LayoutParser.parse("a:u32,b:i32,c:u8,d:bytes[3]");
        assertThat(layout.order(order("d, a desc nulls first by c, b, c")))
                .hasToString("by d, a unsigned desc nulls first by c, b, c unsigned");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "a,,b | term 2 of 'a,,b' is empty: write field [asc|desc]",
                "\"\" | term 1 of '' is empty",
                "a down | 'down' cannot follow field 'a': write field [asc|desc]",
                "a desc asc | 'asc' cannot follow field 'a'",
                "a nulls | 'nulls' cannot follow field 'a'",
                "a nulls middle by v | 'nulls middle by v' cannot follow field 'a'",
                "a nulls first | field 'a' has nulls first but no field that says where it is null: end the term with by",
                "a nulls last by | field 'a' has nulls last but no field that says where it is null",
                "a nulls last of v | 'of v' cannot follow field 'a'",
                "a nulls last by v desc | 'by v desc' cannot follow field 'a'",
                "a, a desc | the order names field 'a' twice: leave the second out, because it never decides anything"
            })
    void mistakesInOrdersNameTheFieldAndTheRemedy(String order, String message) {
        assertThatThrownBy(() -> order(order))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "cost | --by names field 'cost', but --layout has only 'price', 'id' (case matters)",
                "Price | --by names field 'Price', but --layout has only 'price', 'id'",
                "price nulls first by valid | --by names field 'valid', but --layout has only 'price', 'id'",
                "price nulls first by id | field 'id', which says where field 'price' is null, has 4 bytes: use a boolean"
            })
    void ordersAreOverFieldsOfTheLayout(String order, String message) {
        RecordLayout layout = LayoutParser.parse("price:f64,id:i32,_:4");
        assertThatThrownBy(() -> layout.order(order(order)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"price:f64", "a:u8,b:u8"})
    void onlyGensortHasAnOrderOfItsOwn(String layout) {
        assertThatThrownBy(() -> LayoutParser.parse(layout).order(null))
                .hasMessageContaining(
                        "name the fields with --by, as in --by " + layout.substring(0, layout.indexOf(':')));
    }

    private static FieldOrder order(String text) {
        return new OrderConverter().convert(text);
    }
}
