package io.samplesort.types;

import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.Objects;

/// An order of the user's own, given both in CUDA C++ and in Java; see [Order#custom].
///
/// @param expression a CUDA C++ expression over elements `a` and `b`, true where `a` comes before `b`
/// @param comparator the same order in Java
/// @param isReversed whether the order runs last to first
public record CustomOrder(String expression, Comparator<MemorySegment> comparator, boolean isReversed)
        implements Order {
    /// @throws IllegalArgumentException if the text is not one expression
    public CustomOrder {
        Objects.requireNonNull(expression, "expression");
        Objects.requireNonNull(comparator, "comparator");
        CudaExpression.check(expression);
    }

    @Override
    public CustomOrder reversed() {
        return new CustomOrder(expression, comparator, !isReversed);
    }

    @Override
    public void checkApplicableTo(ElementType type) {
        // The CUDA compiler checks whether the expression fits the type.
    }

    @Override
    public Comparator<MemorySegment> toComparator(ElementType type) {
        return isReversed ? comparator.reversed() : comparator;
    }

    @Override
    public String toString() {
        return "custom" + (isReversed ? " reversed" : "") + " (" + expression.strip() + ")";
    }
}
