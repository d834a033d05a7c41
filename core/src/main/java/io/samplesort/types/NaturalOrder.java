package io.samplesort.types;

import io.samplesort.keys.OrderedBits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Comparator;

/// The orders of primitive elements that the library knows.
///
/// @param isUnsigned whether integers are compared as unsigned
/// @param isReversed whether the order runs last to first
public record NaturalOrder(boolean isUnsigned, boolean isReversed) implements Order {
    @Override
    public NaturalOrder reversed() {
        return new NaturalOrder(isUnsigned, !isReversed);
    }

    @Override
    public void checkApplicableTo(ElementType type) {
        if (!type.isPrimitive()) {
            throw new IllegalArgumentException("the " + this + " order is for primitive elements, not for " + type
                    + ": name the fields to compare, as in Order.by(\"" + firstField(type) + "\")");
        }
        if (isUnsigned && (type.equals(ElementType.FLOAT) || type.equals(ElementType.DOUBLE))) {
            throw new IllegalArgumentException(
                    "the unsigned order is for integers, not for " + type + " keys: use Order.natural()");
        }
    }

    private static String firstField(ElementType type) {
        return type.fields().isEmpty() ? "name" : type.fields().getFirst().name();
    }

    @Override
    public Comparator<MemorySegment> toComparator(ElementType type) {
        checkApplicableTo(type);
        Comparator<MemorySegment> ascending = comparator((ValueLayout) type.layout(), isUnsigned);
        return isReversed ? ascending.reversed() : ascending;
    }

    /// Returns a comparator of the values at the beginning of two segments. The values need not be aligned, since a
    /// struct may lie in an array of bytes.
    static Comparator<MemorySegment> comparator(ValueLayout layout, boolean isUnsigned) {
        return switch (layout.withByteAlignment(1)) {
            case ValueLayout.OfByte l ->
                isUnsigned
                        ? (a, b) -> Byte.compareUnsigned(a.get(l, 0), b.get(l, 0))
                        : (a, b) -> Byte.compare(a.get(l, 0), b.get(l, 0));
            case ValueLayout.OfShort l ->
                isUnsigned
                        ? (a, b) -> Short.compareUnsigned(a.get(l, 0), b.get(l, 0))
                        : (a, b) -> Short.compare(a.get(l, 0), b.get(l, 0));
            case ValueLayout.OfChar l -> (a, b) -> Character.compare(a.get(l, 0), b.get(l, 0));
            case ValueLayout.OfInt l ->
                isUnsigned
                        ? (a, b) -> Integer.compareUnsigned(a.get(l, 0), b.get(l, 0))
                        : (a, b) -> Integer.compare(a.get(l, 0), b.get(l, 0));
            case ValueLayout.OfLong l ->
                isUnsigned
                        ? (a, b) -> Long.compareUnsigned(a.get(l, 0), b.get(l, 0))
                        : (a, b) -> Long.compare(a.get(l, 0), b.get(l, 0));
            case ValueLayout.OfFloat l ->
                (a, b) -> Integer.compare(OrderedBits.of(a.get(l, 0)), OrderedBits.of(b.get(l, 0)));
            case ValueLayout.OfDouble l ->
                (a, b) -> Long.compare(OrderedBits.of(a.get(l, 0)), OrderedBits.of(b.get(l, 0)));
            default -> throw new IllegalArgumentException("no order for values of layout " + layout);
        };
    }

    @Override
    public String toString() {
        return (isUnsigned ? "unsigned" : "natural") + (isReversed ? " reversed" : "");
    }
}
