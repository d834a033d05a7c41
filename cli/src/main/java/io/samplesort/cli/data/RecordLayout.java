package io.samplesort.cli.data;

import io.samplesort.types.ElementType;
import io.samplesort.types.FieldOrder;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The fields of a record, as `--layout` names them.
///
/// @param text           as the user wrote it
/// @param type           what a record is to the library
/// @param unsignedFields the fields that compare as unsigned numbers, which the type does not say
/// @param key            the field that decides where the user names no order; null where one has to be named
/// @param isPrintable    whether strings of bytes hold printable ASCII alone
public record RecordLayout(String text, ElementType type, Set<String> unsignedFields, String key, boolean isPrintable) {
    public int byteSize() {
        return type.byteSize();
    }

    /// The order that `--by` names, its unsigned fields compared as such.
    ///
    /// @param by null where the user named none
    /// @throws IllegalArgumentException if records of this layout have no such order
    public FieldOrder order(FieldOrder by) {
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
