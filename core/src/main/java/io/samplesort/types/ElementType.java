package io.samplesort.types;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
    private final @Nullable Class<?> carrier;

    private final int byteSize;
    private final List<Field> fields;
    /// Null for a primitive type: a process takes 10 ms for its first layout, and not all sorts need one.
    private final @Nullable MemoryLayout structLayout;

    /// A named part of a struct: a primitive value, or an array such as a string of bytes.
    ///
    /// @param name   its name; for a field of a nested struct, the whole path joined by dots
    /// @param offset where it begins, in bytes from the beginning of the element
    /// @param layout the layout of its value, or of one of its values
    /// @param count  how many values it has: 1, or the length of an array, such as a string of bytes
    public record Field(String name, int offset, ValueLayout layout, int count) {
        /// Returns whether this is a string of bytes of fixed length: an array of two bytes or more. An array of one
        /// byte is a number.
        public boolean isByteString() {
            return count != 1 && layout.carrier() == byte.class;
        }

        /// Returns whether the first byte of a value is its most significant one. False for values of one byte.
        public boolean isBigEndian() {
            return layout.byteSize() > 1 && layout.order() == ByteOrder.BIG_ENDIAN;
        }

        /// Returns the size of the whole field in bytes.
        public int byteSize() {
            return (int) layout.byteSize() * count;
        }
    }

    ElementType(
            String name,
            @Nullable Class<?> carrier,
            int byteSize,
            List<Field> fields,
            @Nullable MemoryLayout structLayout) {
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
    /// a struct it has the named fields: primitives, arrays of them, and nested structs. Arrays of two or more bytes
    /// are strings of bytes, which have an order; other arrays have none. An array of one value counts as that value.
    /// Members without a name are moved with the struct, but no order can use them. Fields may be big-endian or
    /// little-endian, each as its layout says.
    ///
    /// @param layout a primitive value in native byte order, or a struct; every field must begin at a multiple of its
    ///     size, and the size of a struct must be a multiple of the size of its largest field and at most [#MAX_BYTES]
    /// @throws IllegalArgumentException if the layout is anything else; the message names the field
    public static ElementType of(MemoryLayout layout) {
        Objects.requireNonNull(layout, "layout");
        return StructElements.typeOf(layout);
    }

    /// Returns all primitive types.
    public static List<ElementType> values() {
        return PRIMITIVES;
    }

    /// Returns the Java name of the type, such as `long`; for a struct, the name of its layout, or `struct`.
    public String name() {
        return name;
    }

    /// Returns the layout of one element: that of a struct as it was given, and that of a primitive value in native
    /// byte order.
    public MemoryLayout layout() {
        return isPrimitive() ? PrimitiveLayouts.ALL.get(PRIMITIVES.indexOf(this)) : struct();
    }

    /// Returns whether this is one primitive value, and not a struct.
    public boolean isPrimitive() {
        return carrier != null;
    }

    /// Returns the Java type of a primitive value; null for a struct.
    @Nullable
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
        return isPrimitive() ? byteSize : StructElements.alignment(struct());
    }

    private MemoryLayout struct() {
        return Objects.requireNonNull(structLayout, "no struct");
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
        return isPrimitive() ? name.hashCode() : Objects.hashCode(structLayout);
    }

    /// Returns the name of a primitive type, or the fields of a struct.
    @Override
    public String toString() {
        return isPrimitive()
                ? name
                : fields.stream()
                        .map(field -> field.name + ":" + field.layout.carrier().getSimpleName()
                                + (field.count == 1 ? "" : "[" + field.count + "]")
                                + (field.isBigEndian() ? " big-endian" : ""))
                        .collect(Collectors.joining(", ", name + " {", "}"));
    }
}
