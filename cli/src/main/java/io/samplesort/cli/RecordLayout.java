package io.samplesort.cli;

import io.samplesort.types.ElementType;
import io.samplesort.types.FieldOrder;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// What `--layout` says: the fields of a record.
///
/// @param text           as the user wrote it
/// @param type           what a record is to the library
/// @param unsignedFields the fields that compare as unsigned numbers, which the type does not say
/// @param key            the field that decides where the user names no order; null where one has to be named
/// @param isPrintable    whether strings of bytes hold printable ASCII alone
record RecordLayout(String text, ElementType type, Set<String> unsignedFields, String key, boolean isPrintable) {
    /// The records of the sort benchmark (sortbenchmark.org) and of its generator, gensort.
    private static final String GENSORT = "gensort";

    /// Reads a layout.
    ///
    /// @throws IllegalArgumentException if it is none; the message names the field and says what to do
    static RecordLayout parse(String text) {
        if (text.strip().equals(GENSORT)) {
            ElementType record = new LayoutParser("key:bytes[10],value:bytes[90]").type();
            return new RecordLayout(GENSORT, record, Set.of(), "key", true);
        }
        LayoutParser parser = new LayoutParser(text);
        return new RecordLayout(text, parser.type(), parser.unsignedFields(), null, false);
    }

    /// Reads the value of an option `--layout`.
    static final class Converter implements ITypeConverter<RecordLayout> {
        @Override
        public RecordLayout convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    int byteSize() {
        return type.byteSize();
    }

    /// The order that `--by` names, its unsigned fields compared as such.
    ///
    /// @param by null where the user named none
    /// @throws IllegalArgumentException if records of this layout have no such order
    FieldOrder order(FieldOrder by) {
        if (by == null && key == null) {
            throw new IllegalArgumentException(
                    "--layout says what a record is, and not how records compare: name the fields with --by, as in --by "
                            + names().getFirst());
        }
        if (by == null) {
            return new FieldOrder(List.of(term(new FieldOrder.Term(key, false, false, null, false))));
        }
        for (FieldOrder.Term term : by.terms()) {
            checkHas(term.field());
            if (term.validity() != null) {
                checkHas(term.validity());
            }
        }
        FieldOrder order = new FieldOrder(by.terms().stream().map(this::term).toList());
        order.checkApplicableTo(type);
        return order;
    }

    private FieldOrder.Term term(FieldOrder.Term term) {
        return new FieldOrder.Term(
                term.field(),
                unsignedFields.contains(term.field()),
                term.isReversed(),
                term.validity(),
                term.nullsFirst());
    }

    private void checkHas(String field) {
        if (type.field(field).isEmpty()) {
            throw new IllegalArgumentException("--by names field '" + field + "', which --layout does not have: it has "
                    + names().stream().collect(Collectors.joining("', '", "'", "'")) + " (case matters)");
        }
    }

    private List<String> names() {
        return type.fields().stream().map(ElementType.Field::name).toList();
    }

    @Override
    public String toString() {
        return text;
    }
}
