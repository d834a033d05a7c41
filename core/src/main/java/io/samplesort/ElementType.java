package io.samplesort;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;

/// What is moved by a sort: the layout of one key or of one payload.
///
/// The layout says how many bytes an element has and how a key is read; signed or unsigned, ascending or
/// descending is a matter of the [Order]. `CHAR` is the one type whose natural order is unsigned, as in Java.
public final class ElementType {
    public static final ElementType BYTE = new ElementType("byte", ValueLayout.JAVA_BYTE);
    public static final ElementType SHORT = new ElementType("short", ValueLayout.JAVA_SHORT);
    public static final ElementType CHAR = new ElementType("char", ValueLayout.JAVA_CHAR);
    public static final ElementType INT = new ElementType("int", ValueLayout.JAVA_INT);
    public static final ElementType LONG = new ElementType("long", ValueLayout.JAVA_LONG);
    public static final ElementType FLOAT = new ElementType("float", ValueLayout.JAVA_FLOAT);
    public static final ElementType DOUBLE = new ElementType("double", ValueLayout.JAVA_DOUBLE);

    private static final List<ElementType> VALUES = List.of(BYTE, SHORT, CHAR, INT, LONG, FLOAT, DOUBLE);

    private final String name;
    private final ValueLayout layout;

    private ElementType(String name, ValueLayout layout) {
        this.name = name;
        this.layout = layout;
    }

    /// The element type with the carrier and byte size of `layout`.
    ///
    /// @param layout a layout in native byte order
    /// @throws IllegalArgumentException if no element type has that carrier, or the byte order is not the native one
    public static ElementType of(ValueLayout layout) {
        Objects.requireNonNull(layout, "layout");
        for (ElementType type : VALUES) {
            if (type.layout.carrier() == layout.carrier()) {
                if (layout.byteSize() > 1 && layout.order() != type.layout.order()) {
                    throw new IllegalArgumentException("layout " + layout + " has byte order " + layout.order()
                            + "; elements are sorted in native order (" + type.layout.order()
                            + "): swap the bytes first");
                }
                return type;
            }
        }
        throw new IllegalArgumentException("no element type for layout " + layout + "; use one of " + VALUES);
    }

    /// All element types, in order of size.
    public static List<ElementType> values() {
        return VALUES;
    }

    /// The Java name of the type, such as `long`.
    public String name() {
        return name;
    }

    /// The layout of one element, in native byte order and with natural alignment.
    public ValueLayout layout() {
        return layout;
    }

    /// The size of one element in bytes.
    public int byteSize() {
        return (int) layout.byteSize();
    }

    @Override
    public String toString() {
        return name;
    }
}
