package io.samplesort.cli.data;

import io.samplesort.types.ElementType;
import io.samplesort.types.FieldOrder;
import io.samplesort.types.Order;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The fields of a record, as `--layout` names them.
///
/// @param text           as the user wrote it
/// @param type           the type of the record in the library
/// @param unsignedFields the fields that compare as unsigned numbers, which the type does not say
public record RecordLayout(String text, ElementType type, Set<String> unsignedFields) {
    /// The name of the records of the sort benchmark (sortbenchmark.org), after their generator.
    public static final String GENSORT = "gensort";

    /// What the records of the sort benchmark hold.
    public static final String GENSORT_FIELDS = "key:bytes[10],value:bytes[90]";

    /// Returns whether strings of bytes hold only printable ASCII.
    boolean isPrintable() {
        return isGensort();
    }

    private boolean isGensort() {
        return text.equals(GENSORT);
    }

    public int byteSize() {
        return type.byteSize();
    }

    /// Returns the order that `--by` names, in which unsigned fields compare as unsigned.
    ///
    /// @param by null if the user named none
    /// @throws IllegalArgumentException if records of this layout have no such order
    public FieldOrder order(FieldOrder by) {
        if (by == null && isGensort()) {
            return Order.by("key");
        }
        if (by == null) {
            throw new IllegalArgumentException(
                    "--layout says what a record holds, but not how records compare: name the"
                            + " fields with --by, as in --by " + names().getFirst());
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
            throw new IllegalArgumentException("--by names field '" + field + "', but --layout has only "
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
