package io.samplesort.types;

import java.lang.foreign.MemorySegment;
import java.util.Comparator;

/// How elements compare. An order has two forms that always agree: a Java [Comparator], and a CUDA function `less` of
/// two elements. Sorts by an order of your own ([#custom]) only ever compare elements. Other sorts may also place keys
/// that are numbers by their values.
///
/// ```java
/// Order.natural().reversed()                     // primitive elements, last to first
/// Order.by("price").reversed().thenBy("id")      // fields of a struct: by price from the highest, then by id
/// Order.custom("a.width * a.height < b.width * b.height", comparator)
/// ```
public sealed interface Order permits NaturalOrder, FieldOrder, CustomOrder {
    /// Returns Java's own order of primitive elements: signed for integers (unsigned for `char`), and [Double#compare]
    /// for floating point, so that -0.0 comes before 0.0 and NaN last. Java takes NaNs of different bits for equal;
    /// here their bits decide, so that the result is the same on every device. NaNs whose sign bit is 0 come first, in
    /// ascending order of their bits. NaNs whose sign bit is 1 follow in descending order of their bits, as all
    /// negative numbers do.
    static Order natural() {
        return new NaturalOrder(false, false);
    }

    /// Returns the order of integers compared as unsigned, as by [Long#compareUnsigned].
    static Order unsigned() {
        return new NaturalOrder(true, false);
    }

    /// Returns the order of structs by the natural order of one of their fields; [FieldOrder#thenBy] names the next
    /// field. Strings of bytes, which are arrays of two bytes or more, compare as unsigned bytes, first to last. A
    /// single byte is a number, which only [FieldOrder#unsigned] compares as unsigned. Of `boolean` values, false comes
    /// before true.
    ///
    /// @param field the name of the field; for a field of a nested struct, the path joined by dots
    static FieldOrder by(String field) {
        return FieldOrder.by(field);
    }

    /// Returns an order of the user's own, for structs or primitive elements.
    ///
    /// The two forms must agree, or the engines give different results. An order that contradicts itself may give any
    /// permutation of the elements, on both engines.
    ///
    /// @param cudaExpression a CUDA C++ expression over two elements `a` and `b`, which is true where `a` comes before
    ///     `b`; for structs, over the values of their fields, as in `a.price < b.price`, whatever their byte order
    /// @param comparator     the same order over segments of exactly one element, as it lies in memory and aligned as
    ///     its layout says
    /// @throws IllegalArgumentException if the text is not one expression: it is empty, a bracket has no partner, or
    ///     there are several statements, a comment, a string or a directive. The message names the place.
    static Order custom(String cudaExpression, Comparator<MemorySegment> comparator) {
        return new CustomOrder(cudaExpression, comparator, false);
    }

    /// Returns the same order, last to first.
    Order reversed();

    /// Checks that elements of type `type` can be compared by this order.
    ///
    /// @throws IllegalArgumentException if they cannot; the message names the field and says what to use instead
    void checkApplicableTo(ElementType type);

    /// Returns the Java form: a comparator of two elements, each a segment of exactly `type.byteSize()` bytes.
    ///
    /// @throws IllegalArgumentException if elements of that type cannot be compared by this order
    Comparator<MemorySegment> toComparator(ElementType type);
}
