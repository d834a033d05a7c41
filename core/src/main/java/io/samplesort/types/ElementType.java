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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The layout of one element that a sort moves, or of one payload: a primitive type, or a struct with named fields.
///
/// The layout says how many bytes an element has and how its parts are read. Whether elements are compared as signed or
/// unsigned, ascending or descending, is a matter of the [Order]. `CHAR` is the one type whose natural order is
/// unsigned, as in Java.
public final class ElementType {
    public static final ElementType BYTE = primitive("byte", byte.class, Byte.BYTES);
    public static final ElementType SHORT = primitive("short", short.class, Short.BYTES);
    public static final ElementType CHAR = primitive("char", char.class, Character.BYTES);
    public static final ElementType INT = primitive("int", int.class, Integer.BYTES);
    public static final ElementType LONG = primitive("long", long.class, Long.BYTES);
    public static final ElementType FLOAT = primitive("float", float.class, Float.BYTES);
    public static final ElementType DOUBLE = primitive("double", double.class, Double.BYTES);

    /// The largest struct, in bytes.
    public static final int MAX_BYTES = 1 << 16;

    private static final List<ElementType> PRIMITIVES = List.of(BYTE, SHORT, CHAR, INT, LONG, FLOAT, DOUBLE);

    private final String name;
    /// Null for a struct.
    private final Class<?> carrier;

    private final int byteSize;
    private final List<Field> fields;
    /// Null for a primitive type: the first layout of a process takes 10 ms, and not all sorts need one.
    private final MemoryLayout structLayout;

    /// A named part of a struct: a primitive value, or a string of bytes.
    ///
    /// @param name   its name; for a field of a nested struct, the whole path joined by dots
    /// @param offset where it begins, in bytes from the beginning of the element
    /// @param layout the layout of its value, or of one of its values
    /// @param count  how many values it has: 1, or the length of an array, such as a string of bytes
    public record Field(String name, int offset, ValueLayout layout, int count) {
        /// Returns whether this is a string of bytes of fixed length.
        public boolean isByteString() {
            return count != 1 && layout.carrier() == byte.class;
        }

        /// Returns the size of the whole field in bytes.
        public int byteSize() {
            return (int) layout.byteSize() * count;
        }
    }

    private ElementType(String name, Class<?> carrier, int byteSize, List<Field> fields, MemoryLayout structLayout) {
        this.name = name;
        this.carrier = carrier;
        this.byteSize = byteSize;
        this.fields = fields;
        this.structLayout = structLayout;
    }

    private static ElementType primitive(String name, Class<?> carrier, int byteSize) {
        return new ElementType(name, carrier, byteSize, List.of(), null);
    }

    private static final class PrimitiveLayouts {
        /// In the order of [#values].
        private static final List<ValueLayout> ALL = List.of(
                ValueLayout.JAVA_BYTE,
                ValueLayout.JAVA_SHORT,
                ValueLayout.JAVA_CHAR,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_FLOAT,
                ValueLayout.JAVA_DOUBLE);
    }

    /// Returns the element type of a layout. For a primitive value this is the type with its carrier and byte size. For
    /// a struct it has the named fields: primitives, arrays of them (arrays of bytes are strings of bytes, which have
    /// an order), and nested structs. Members without a name are moved, but no order can name them.
    ///
    /// @param layout in native byte order; every field must be aligned to its size, and the size of a struct must be a
    ///     multiple of its alignment and at most [#MAX_BYTES]
    /// @throws IllegalArgumentException if the layout is anything else; the message names the field
    public static ElementType of(MemoryLayout layout) {
        Objects.requireNonNull(layout, "layout");
        return switch (layout) {
            case ValueLayout value -> ofValue(value);
            case StructLayout struct -> ofStruct(struct);
            default ->
                throw new IllegalArgumentException("no element type for layout " + layout
                        + ": use a struct layout, or the layout of one of " + PRIMITIVES);
        };
    }

    private static ElementType ofValue(ValueLayout layout) {
        for (ElementType type : PRIMITIVES) {
            if (type.carrier() == layout.carrier()) {
                requireNativeOrder("layout " + layout, layout);
                return type;
            }
        }
        throw new IllegalArgumentException("no element type for layout " + layout + "; use one of " + PRIMITIVES);
    }

    private static ElementType ofStruct(StructLayout layout) {
        List<Field> fields = new ArrayList<>();
        int alignment = addFields(layout, "", 0, fields);
        if (layout.byteSize() == 0 || layout.byteSize() > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a struct of " + layout.byteSize() + " bytes: elements have from 1 to " + MAX_BYTES);
        }
        if (layout.byteSize() % alignment != 0) {
            throw new IllegalArgumentException("the struct has " + layout.byteSize()
                    + " bytes, which is not a multiple of its alignment, " + alignment
                    + ", so that fields of the next element would not be aligned: end it with a padding of "
                    + (alignment - layout.byteSize() % alignment) + " bytes");
        }
        Set<String> names = new HashSet<>();
        for (Field field : fields) {
            if (!names.add(field.name)) {
                throw new IllegalArgumentException("two fields are named '" + field.name + "'");
            }
        }
        return new ElementType(
                layout.name().orElse("struct"), null, (int) layout.byteSize(), List.copyOf(fields), layout);
    }

    /// Adds the named fields of `group`, whose own path is `prefix`, and returns the largest alignment within it.
    private static int addFields(GroupLayout group, String prefix, long offset, List<Field> fields) {
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
            String path, boolean isNamed, long offset, ValueLayout value, long count, List<Field> fields) {
        requireNativeOrder("field '" + path + "'", value);
        int size = (int) value.byteSize();
        if (offset % size != 0) {
            throw new IllegalArgumentException("field '" + path + "' has " + size + " bytes and begins at byte "
                    + offset + ", where it is not aligned: pad the struct, or declare the field as an array of bytes");
        }
        if (isNamed && count > 0) {
            fields.add(new Field(path, Math.toIntExact(offset), value.withoutName(), Math.toIntExact(count)));
        }
        return size;
    }

    private static void requireNativeOrder(String what, ValueLayout layout) {
        if (layout.byteSize() > 1 && layout.order() != ByteOrder.nativeOrder()) {
            throw new IllegalArgumentException(what + " has byte order " + layout.order()
                    + "; elements are sorted in native order (" + ByteOrder.nativeOrder() + "): swap the bytes first");
        }
    }

    /// Returns all primitive types, in order of size.
    public static List<ElementType> values() {
        return PRIMITIVES;
    }

    /// Returns the Java name of the type, such as `long`; for a struct, the name of its layout, or `struct`.
    public String name() {
        return name;
    }

    /// Returns the layout of one element, in native byte order.
    public MemoryLayout layout() {
        return isPrimitive() ? PrimitiveLayouts.ALL.get(PRIMITIVES.indexOf(this)) : structLayout;
    }

    /// Returns whether this is one primitive value, and not a struct.
    public boolean isPrimitive() {
        return carrier != null;
    }

    /// Returns the Java type of a primitive value; null for a struct.
    Class<?> carrier() {
        return carrier;
    }

    /// Returns the named fields of a struct, including those of nested structs, in the order of their offsets; empty
    /// for a primitive type.
    public List<Field> fields() {
        return fields;
    }

    /// Returns the field of that name; empty if there is none.
    public Optional<Field> field(String name) {
        return fields.stream().filter(field -> field.name.equals(name)).findFirst();
    }

    /// Returns the size of one element in bytes.
    public int byteSize() {
        return byteSize;
    }

    /// Returns the number of bytes that the address of an element must be a multiple of.
    public int byteAlignment() {
        return isPrimitive() ? byteSize : alignment(structLayout);
    }

    private static int alignment(MemoryLayout layout) {
        return switch (layout) {
            case ValueLayout value -> (int) value.byteSize();
            case SequenceLayout sequence -> alignment(sequence.elementLayout());
            case GroupLayout group ->
                group.memberLayouts().stream()
                        .mapToInt(ElementType::alignment)
                        .max()
                        .orElse(1);
            case PaddingLayout padding -> 1;
        };
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof ElementType type
                        && Objects.equals(carrier, type.carrier)
                        && Objects.equals(structLayout, type.structLayout);
    }

    @Override
    public int hashCode() {
        return isPrimitive() ? name.hashCode() : structLayout.hashCode();
    }

    /// Returns the name of a primitive type, or the fields of a struct.
    @Override
    public String toString() {
        return isPrimitive()
                ? name
                : fields.stream()
                        .map(field -> field.name + ":" + field.layout.carrier().getSimpleName()
                                + (field.count == 1 ? "" : "[" + field.count + "]"))
                        .collect(Collectors.joining(", ", name + " {", "}"));
    }
}
