package io.samplesort.cli.npy;

import io.samplesort.cli.report.UsageFailure;
import io.samplesort.files.types.FileConversion;
import io.samplesort.types.ElementType;
import io.samplesort.types.FieldOrder;
import io.samplesort.types.Order;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// How the elements of a NumPy array are sorted. The library sorts numbers in the byte order of this machine, and
/// aligned fields in either byte order. Everything else that is compared becomes an unsigned number or a string of
/// bytes with the same order.
///
/// @param type       the type that is sorted
/// @param order      how elements of this type compare
/// @param conversion how stored elements are converted to this type
public record NpyKeys(ElementType type, Order order, FileConversion conversion) {
    /// Returns how a sort moves elements that it does not compare.
    public static NpyKeys moved(NpyType type) {
        MemoryLayout bytes = MemoryLayout.sequenceLayout(type.byteSize(), ValueLayout.JAVA_BYTE);
        return switch (type.byteSize()) {
            case 1, 2, 4, 8 -> new NpyKeys(integer(type.byteSize()), Order.unsigned(), FileConversion.NONE);
            default ->
                new NpyKeys(
                        ElementType.of(MemoryLayout.structLayout(bytes.withName("bytes"))),
                        Order.by("bytes"),
                        FileConversion.NONE);
        };
    }

    /// Returns how plain elements are sorted.
    ///
    /// @throws HeaderException if they have no order
    public static NpyKeys plain(NpyType type, boolean isDescending) throws HeaderException {
        NpyField field = type.fields().getFirst();
        if (field.kind() == NpyField.Kind.UNORDERED) {
            throw new HeaderException("it holds " + NpyType.quoted(field.text())
                    + ", which cannot be compared: save complex numbers as records, as in a.view([('real', '<f8'),"
                    + " ('imag', '<f8')]), and long floating-point numbers as a.astype('<f8')");
        }
        NpyKeys ascending = field.count() > 1
                ? records(type, List.of(new FieldOrder.Term(field.name(), false, false, null, false)))
                : new NpyKeys(integer(field.pieceBytes()), Order.unsigned(), conversion(type, List.of(field), false));
        Order order = isDescending ? ascending.order.reversed() : ascending.order;
        return new NpyKeys(ascending.type, order, ascending.conversion);
    }

    /// Returns how records are sorted.
    ///
    /// @param by the fields that decide; null for all, in their order, as in NumPy
    /// @throws HeaderException if all fields should decide and one has no order
    public static NpyKeys records(NpyType type, FieldOrder by) throws HeaderException {
        if (by == null) {
            for (NpyField field : type.fields()) {
                if (field.kind() == NpyField.Kind.UNORDERED) {
                    throw new HeaderException("its field " + NpyType.quoted(field.name()) + " (" + field.text()
                            + ") cannot be compared: name the fields that decide with --by");
                }
            }
            return records(
                    type,
                    type.fields().stream()
                            .map(field -> new FieldOrder.Term(field.name(), false, false, null, false))
                            .toList());
        }
        try {
            return records(type, by.terms());
        } catch (IllegalArgumentException e) {
            throw new UsageFailure("--by: " + e.getMessage());
        }
    }

    private static NpyKeys records(NpyType type, List<FieldOrder.Term> terms) {
        Set<NpyField> named = new LinkedHashSet<>();
        List<FieldOrder.Term> typed = new ArrayList<>();
        for (FieldOrder.Term term : terms) {
            NpyField field = field(type, term.field());
            if (field.kind() == NpyField.Kind.UNORDERED) {
                throw new UsageFailure("--by names field " + NpyType.quoted(field.name()) + ", but values of type "
                        + field.text() + " cannot be compared: name another");
            }
            named.add(field);
            if (term.validity() != null) {
                named.add(field(type, term.validity()));
            }
            boolean isUnsigned = field.kind() == NpyField.Kind.UNSIGNED || field.kind() == NpyField.Kind.TRUTH;
            typed.add(new FieldOrder.Term(
                    term.field(),
                    isUnsigned && isStoredAsSorted(type, field),
                    term.isReversed(),
                    term.validity(),
                    term.nullsFirst()));
        }
        List<NpyField> fields =
                named.stream().sorted(Comparator.comparingInt(NpyField::offset)).toList();
        FieldOrder order = new FieldOrder(typed);
        ElementType element = ElementType.of(layout(type, fields));
        order.checkApplicableTo(element);
        List<NpyField> strings =
                fields.stream().filter(f -> !isStoredAsSorted(type, f)).toList();
        return new NpyKeys(element, order, conversion(type, strings, true));
    }

    private static NpyField field(NpyType type, String name) {
        return type.fields().stream()
                .filter(field -> field.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageFailure("--by names field '" + name + "', but the file has only '"
                        + String.join("', '", type.shownNames())
                        + (type.fields().size() > type.shownNames().size() ? "' and others" : "'")
                        + " (case matters)"));
    }

    /// Returns the layout of records with these fields. The bytes between them are moved but never read.
    private static MemoryLayout layout(NpyType type, List<NpyField> fields) {
        List<MemoryLayout> members = new ArrayList<>();
        int end = 0;
        for (NpyField field : fields) {
            addGap(members, field.offset() - end);
            MemoryLayout member = isStoredAsSorted(type, field)
                    ? number(field)
                    : MemoryLayout.sequenceLayout(field.byteSize(), ValueLayout.JAVA_BYTE);
            members.add(member.withName(field.name()));
            end = field.offset() + field.byteSize();
        }
        addGap(members, type.byteSize() - end);
        return MemoryLayout.structLayout(members.toArray(MemoryLayout[]::new));
    }

    private static void addGap(List<MemoryLayout> members, int bytes) {
        if (bytes > 0) {
            members.add(MemoryLayout.paddingLayout(bytes));
        }
    }

    /// Returns whether a field is stored as one number that the library can compare.
    private static boolean isStoredAsSorted(NpyType type, NpyField field) {
        int bytes = field.pieceBytes();
        boolean isAligned = field.offset() % bytes == 0 && type.byteSize() % bytes == 0;
        boolean isNumber = switch (field.kind()) {
            case SIGNED, UNSIGNED, TRUTH -> true;
            case FLOAT -> bytes >= Float.BYTES;
            case TIME, UNORDERED -> false;
        };
        return field.count() == 1 && isNumber && isAligned;
    }

    private static ValueLayout number(NpyField field) {
        ValueLayout number = field.kind() != NpyField.Kind.FLOAT
                ? (ValueLayout) integer(field.byteSize()).layout()
                : field.byteSize() == Float.BYTES ? ValueLayout.JAVA_FLOAT : ValueLayout.JAVA_DOUBLE;
        return number.withOrder(field.isBigEndian() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    }

    private static ElementType integer(int bytes) {
        return switch (bytes) {
            case 1 -> ElementType.BYTE;
            case 2 -> ElementType.SHORT;
            case 4 -> ElementType.INT;
            default -> ElementType.LONG;
        };
    }

    private static FileConversion conversion(NpyType type, List<NpyField> fields, boolean isForStrings) {
        List<NpyField> converted = fields.stream()
                .filter(field -> OrderedBits.isNeeded(field, isForStrings))
                .toList();
        return converted.isEmpty() ? FileConversion.NONE : new OrderedBits(type.byteSize(), converted, isForStrings);
    }
}
