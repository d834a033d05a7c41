package io.samplesort.types;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Reads layouts of elements. It is apart from [ElementType], since loading the layouts that it names takes a process a
/// millisecond, and a sort of an array needs none of them.
final class StructElements {
    private StructElements() {}

    /// Returns the element type of a layout; see [ElementType#of].
    static ElementType typeOf(MemoryLayout layout) {
        return switch (layout) {
            case ValueLayout value -> ofValue(value);
            case StructLayout struct -> ofStruct(struct);
            default ->
                throw new IllegalArgumentException("no element type for layout " + layout
                        + ": use a struct layout, or the layout of one of " + ElementType.values());
        };
    }

    private static ElementType ofValue(ValueLayout layout) {
        for (ElementType type : ElementType.values()) {
            if (type.carrier() == layout.carrier()) {
                if (layout.byteSize() > 1 && layout.order() != ByteOrder.nativeOrder()) {
                    throw new IllegalArgumentException("layout " + layout + " has byte order " + layout.order()
                            + ", and single values are sorted in native byte order (" + ByteOrder.nativeOrder()
                            + "): make it the one field of a struct, as in MemoryLayout.structLayout("
                            + "layout.withName(\"value\")), and sort by that field");
                }
                return type;
            }
        }
        throw new IllegalArgumentException(
                "no element type for layout " + layout + "; use one of " + ElementType.values());
    }

    private static ElementType ofStruct(StructLayout layout) {
        List<ElementType.Field> fields = new ArrayList<>();
        int alignment = addFields(layout, "", 0, fields);
        if (layout.byteSize() == 0 || layout.byteSize() > ElementType.MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a struct of " + layout.byteSize() + " bytes: elements have from 1 to " + ElementType.MAX_BYTES);
        }
        if (layout.byteSize() % alignment != 0) {
            throw new IllegalArgumentException("the struct has " + layout.byteSize()
                    + " bytes, which is not a multiple of its alignment, " + alignment
                    + ", so that fields of the next element would not be aligned: end it with a padding of "
                    + (alignment - layout.byteSize() % alignment) + " bytes");
        }
        Set<String> names = new HashSet<>();
        for (ElementType.Field field : fields) {
            if (!names.add(field.name())) {
                throw new IllegalArgumentException("two fields are named '" + field.name() + "'");
            }
        }
        return new ElementType(
                layout.name().orElse("struct"), null, (int) layout.byteSize(), List.copyOf(fields), layout);
    }

    /// Adds the named fields of `group`, which itself has the path `prefix`, and returns the largest alignment within
    /// it.
    private static int addFields(GroupLayout group, String prefix, long offset, List<ElementType.Field> fields) {
        int alignment = 1;
        for (MemoryLayout member : group.memberLayouts()) {
            String path = prefix + member.name().orElse("?");
            if (member instanceof StructLayout struct) {
                String inner = struct.name().isPresent() ? path + "." : prefix;
                alignment = Math.max(alignment, addFields(struct, inner, offset, fields));
            } else if (member instanceof SequenceLayout sequence
                    && sequence.elementLayout() instanceof ValueLayout value) {
                boolean isNamed = sequence.name().isPresent();
                alignment =
                        Math.max(alignment, addField(path, isNamed, offset, value, sequence.elementCount(), fields));
            } else if (member instanceof ValueLayout value) {
                alignment = Math.max(alignment, addField(path, value.name().isPresent(), offset, value, 1, fields));
            } else if (!(member instanceof PaddingLayout)) {
                throw new IllegalArgumentException("field '" + path + "' is " + member
                        + ": use primitive values, arrays of them, nested structs and padding");
            }
            offset += member.byteSize();
        }
        return alignment;
    }

    private static int addField(
            String path, boolean isNamed, long offset, ValueLayout value, long count, List<ElementType.Field> fields) {
        int size = (int) value.byteSize();
        if (offset % size != 0) {
            throw new IllegalArgumentException("field '" + path + "' has " + size + " bytes and begins at byte "
                    + offset + ", where it is not aligned: pad the struct, or declare the field as an array of bytes");
        }
        if (isNamed && count > 0) {
            fields.add(
                    new ElementType.Field(path, Math.toIntExact(offset), value.withoutName(), Math.toIntExact(count)));
        }
        return size;
    }

    /// Returns the number of bytes that the address of such an element must be a multiple of.
    static int alignment(MemoryLayout layout) {
        return switch (layout) {
            case ValueLayout value -> (int) value.byteSize();
            case SequenceLayout sequence -> alignment(sequence.elementLayout());
            case GroupLayout group ->
                group.memberLayouts().stream()
                        .mapToInt(StructElements::alignment)
                        .max()
                        .orElse(1);
            case PaddingLayout padding -> 1;
        };
    }
}
