package io.samplesort.types;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The order of structs by named fields, one after the other. [Order#by] makes one. It is immutable; every method
/// returns a new order.
///
/// @param terms the fields, in the order in which they are compared
public record FieldOrder(List<Term> terms) implements Order {
    /// One field of an order.
    ///
    /// @param field      its name
    /// @param isUnsigned whether an integer is compared as unsigned; strings of bytes always are
    /// @param isReversed whether it runs from the last to the first
    /// @param validity   the name of the field that is 0 where this one is null; Java's null if this one never is
    /// @param nullsFirst whether nulls come before all values, or after them
    public record Term(
            String field,
            boolean isUnsigned,
            boolean isReversed,
            @Nullable String validity,
            boolean nullsFirst) {
        public Term {
            Objects.requireNonNull(field, "field");
        }

        private Term reversed() {
            return new Term(field, isUnsigned, !isReversed, validity, validity != null && !nullsFirst);
        }

        @Override
        public String toString() {
            return field
                    + (isUnsigned ? " unsigned" : "")
                    + (isReversed ? " desc" : "")
                    + (validity == null ? "" : (nullsFirst ? " nulls first by " : " nulls last by ") + validity);
        }
    }

    /// @throws IllegalArgumentException if there is no term, or one field is named twice
    public FieldOrder {
        terms = List.copyOf(terms);
        if (terms.isEmpty()) {
            throw new IllegalArgumentException("an order by fields must name at least one field");
        }
        Set<String> names = new HashSet<>();
        for (Term term : terms) {
            if (!names.add(term.field)) {
                throw new IllegalArgumentException("the order names field '" + term.field + "' twice");
            }
        }
    }

    static FieldOrder by(String field) {
        return new FieldOrder(List.of(new Term(field, false, false, null, false)));
    }

    /// Returns this order with one more field: if all fields so far are equal, the natural order of `field` decides.
    ///
    /// @throws IllegalArgumentException if the order names the field already
    public FieldOrder thenBy(String field) {
        List<Term> longer = new ArrayList<>(terms);
        longer.add(new Term(field, false, false, null, false));
        return new FieldOrder(longer);
    }

    /// Returns the order so far, last to first. As with [Comparator#reversed], this reverses all its fields, and where
    /// nulls come, too.
    @Override
    public FieldOrder reversed() {
        return new FieldOrder(terms.stream().map(Term::reversed).toList());
    }

    /// Returns this order with the last field compared as an unsigned integer. This changes nothing for a string of
    /// bytes, whose bytes are unsigned already.
    public FieldOrder unsigned() {
        return withLast(t -> new Term(t.field, true, t.isReversed, t.validity, t.nullsFirst));
    }

    /// Returns this order with nulls in the last field, which is null where `validity`, a field of one byte, is 0.
    /// Nulls come before all values and are equal to each other, whatever the field holds there.
    public FieldOrder nullsFirst(String validity) {
        Objects.requireNonNull(validity, "validity");
        return withLast(t -> new Term(t.field, t.isUnsigned, t.isReversed, validity, true));
    }

    /// Returns this order with nulls in the last field, which is null where `validity`, a field of one byte, is 0.
    /// Nulls come after all values and are equal to each other, whatever the field holds there.
    public FieldOrder nullsLast(String validity) {
        Objects.requireNonNull(validity, "validity");
        return withLast(t -> new Term(t.field, t.isUnsigned, t.isReversed, validity, false));
    }

    private FieldOrder withLast(UnaryOperator<Term> change) {
        List<Term> changed = new ArrayList<>(terms);
        changed.set(changed.size() - 1, change.apply(changed.getLast()));
        return new FieldOrder(changed);
    }

    @Override
    public void checkApplicableTo(ElementType type) {
        for (Term term : terms) {
            ElementType.Field field = field(type, term.field);
            Class<?> carrier = field.layout().carrier();
            if (field.count() != 1 && !field.isByteString()) {
                throw new IllegalArgumentException("field '" + term.field + "' is an array of " + carrier
                        + " and cannot be compared: arrays of bytes can");
            }
            if (!carrier.isPrimitive()) {
                throw new IllegalArgumentException("field '" + term.field + "' is an address and cannot be compared");
            }
            if (term.isUnsigned && (carrier == float.class || carrier == double.class)) {
                throw new IllegalArgumentException("field '" + term.field + "' is a " + carrier
                        + " and cannot be compared as unsigned: that is for integers");
            }
            if (term.validity != null) {
                ElementType.Field validity = field(type, term.validity);
                if (validity.byteSize() != 1) {
                    throw new IllegalArgumentException("field '" + term.validity + "', which says where field '"
                            + term.field + "' is null, has " + validity.byteSize()
                            + " bytes: use a boolean or a byte");
                }
            }
        }
    }

    private static ElementType.Field field(ElementType type, String name) {
        return type.field(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        type.fields().isEmpty()
                                ? "the order names field '" + name + "' and " + type + " elements have no named fields"
                                : "the order names field '" + name + "', which " + type + " does not have"));
    }

    @Override
    public Comparator<MemorySegment> toComparator(ElementType type) {
        checkApplicableTo(type);
        Comparator<MemorySegment> all = comparator(type, terms.getFirst());
        for (Term term : terms.subList(1, terms.size())) {
            all = all.thenComparing(comparator(type, term));
        }
        return all;
    }

    private static Comparator<MemorySegment> comparator(ElementType type, Term term) {
        ElementType.Field field = field(type, term.field);
        Comparator<MemorySegment> values = at(field.offset(), field.byteSize(), comparator(field, term.isUnsigned));
        Comparator<MemorySegment> directed = term.isReversed ? values.reversed() : values;
        if (term.validity == null) {
            return directed;
        }
        long validity = field(type, term.validity).offset();
        int nullFirst = term.nullsFirst ? -1 : 1;
        return (a, b) -> {
            boolean isNullA = a.get(ValueLayout.JAVA_BYTE, validity) == 0;
            boolean isNullB = b.get(ValueLayout.JAVA_BYTE, validity) == 0;
            if (isNullA || isNullB) {
                return isNullA == isNullB ? 0 : isNullA ? nullFirst : -nullFirst;
            }
            return directed.compare(a, b);
        };
    }

    private static Comparator<MemorySegment> comparator(ElementType.Field field, boolean isUnsigned) {
        if (field.isByteString()) {
            return FieldOrder::compareBytes;
        }
        if (field.layout().carrier() == boolean.class) {
            return (a, b) ->
                    Boolean.compare(a.get(ValueLayout.JAVA_BYTE, 0) != 0, b.get(ValueLayout.JAVA_BYTE, 0) != 0);
        }
        return NaturalOrder.comparator(field.layout(), isUnsigned);
    }

    private static int compareBytes(MemorySegment a, MemorySegment b) {
        long mismatch = a.mismatch(b);
        return mismatch < 0
                ? 0
                : Byte.compareUnsigned(a.get(ValueLayout.JAVA_BYTE, mismatch), b.get(ValueLayout.JAVA_BYTE, mismatch));
    }

    private static Comparator<MemorySegment> at(long offset, long bytes, Comparator<MemorySegment> comparator) {
        return (a, b) -> comparator.compare(a.asSlice(offset, bytes), b.asSlice(offset, bytes));
    }

    @Override
    public String toString() {
        return terms.stream().map(Term::toString).collect(Collectors.joining(", ", "by ", ""));
    }
}
