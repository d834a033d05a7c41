package io.samplesort;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Comparator;

/// How keys compare. An order has two faces that always agree: a Java [Comparator] and a CUDA C++ expression, from
/// which the GPU engine makes the function `less(a, b)`, the only thing its kernels ever ask about a key.
public sealed interface Order {
    /// Java's own order: signed for integers (unsigned for `char`), [Double#compare] for floating point, so that -0.0
    /// comes before 0.0 and NaN last.
    static Order natural() {
        return new BuiltIn(false, false);
    }

    /// Integers compared as unsigned, as by [Long#compareUnsigned].
    static Order unsigned() {
        return new BuiltIn(true, false);
    }

    /// The same order, last to first.
    Order reversed();

    /// Checks that keys of type `type` can be compared by this order.
    ///
    /// @throws IllegalArgumentException if they cannot; the message says what to use instead
    void checkApplicableTo(ElementType type);

    /// The Java face: compares two keys, each a segment of exactly `type.byteSize()` bytes.
    Comparator<MemorySegment> toComparator(ElementType type);

    /// The CUDA face: an expression over two keys `a` and `b` that is true where `a` comes before `b`. The kernels hold
    /// floating-point numbers as integers that are in Java's order already.
    String toCuda(ElementType type);

    /// The orders that need no text of the user's.
    ///
    /// @param isUnsigned whether integers are compared as unsigned
    /// @param isReversed whether the order runs last to first
    record BuiltIn(boolean isUnsigned, boolean isReversed) implements Order {
        @Override
        public Order reversed() {
            return new BuiltIn(isUnsigned, !isReversed);
        }

        @Override
        public void checkApplicableTo(ElementType type) {
            if (isUnsigned && (type == ElementType.FLOAT || type == ElementType.DOUBLE)) {
                throw new IllegalArgumentException(
                        "the unsigned order is for integers, not for " + type + " keys: use Order.natural()");
            }
        }

        @Override
        public Comparator<MemorySegment> toComparator(ElementType type) {
            checkApplicableTo(type);
            Comparator<MemorySegment> ascending = isUnsigned ? unsignedComparator(type) : naturalComparator(type);
            return isReversed ? ascending.reversed() : ascending;
        }

        private static Comparator<MemorySegment> naturalComparator(ElementType type) {
            if (type.layout() instanceof ValueLayout.OfByte l) {
                return (a, b) -> Byte.compare(a.get(l, 0), b.get(l, 0));
            }
            if (type.layout() instanceof ValueLayout.OfShort l) {
                return (a, b) -> Short.compare(a.get(l, 0), b.get(l, 0));
            }
            if (type.layout() instanceof ValueLayout.OfChar l) {
                return (a, b) -> Character.compare(a.get(l, 0), b.get(l, 0));
            }
            if (type.layout() instanceof ValueLayout.OfInt l) {
                return (a, b) -> Integer.compare(a.get(l, 0), b.get(l, 0));
            }
            if (type.layout() instanceof ValueLayout.OfLong l) {
                return (a, b) -> Long.compare(a.get(l, 0), b.get(l, 0));
            }
            if (type.layout() instanceof ValueLayout.OfFloat l) {
                return (a, b) -> Float.compare(a.get(l, 0), b.get(l, 0));
            }
            if (type.layout() instanceof ValueLayout.OfDouble l) {
                return (a, b) -> Double.compare(a.get(l, 0), b.get(l, 0));
            }
            throw new IllegalArgumentException("no order for keys of type " + type);
        }

        private static Comparator<MemorySegment> unsignedComparator(ElementType type) {
            if (type.layout() instanceof ValueLayout.OfByte l) {
                return (a, b) -> Byte.compareUnsigned(a.get(l, 0), b.get(l, 0));
            }
            if (type.layout() instanceof ValueLayout.OfShort l) {
                return (a, b) -> Short.compareUnsigned(a.get(l, 0), b.get(l, 0));
            }
            if (type.layout() instanceof ValueLayout.OfInt l) {
                return (a, b) -> Integer.compareUnsigned(a.get(l, 0), b.get(l, 0));
            }
            if (type.layout() instanceof ValueLayout.OfLong l) {
                return (a, b) -> Long.compareUnsigned(a.get(l, 0), b.get(l, 0));
            }
            return naturalComparator(type);
        }

        @Override
        public String toCuda(ElementType type) {
            checkApplicableTo(type);
            String first = isReversed ? "b" : "a";
            String second = isReversed ? "a" : "b";
            return first + " < " + second;
        }

        @Override
        public String toString() {
            return (isUnsigned ? "unsigned" : "natural") + (isReversed ? " reversed" : "");
        }
    }
}
