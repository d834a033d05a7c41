package io.samplesort.cpu.records;

import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;

/// Compares two elements, given by their indexes. So elements may be anything that has an index, and no slices of
/// memory are made unless the order needs them.
@FunctionalInterface
public interface ElementComparator {
    /// Compares elements `a` and `b` as a [Comparator] does.
    int compare(long a, long b);

    /// Returns the comparator of `elements` by the comparator of an order, which may be the user's own.
    static ElementComparator of(MemorySegment elements, ElementType type, Order order) {
        Comparator<MemorySegment> comparator = order.toComparator(type);
        int bytes = type.byteSize();
        // A comparator must not write to the elements.
        MemorySegment readOnly = elements.asReadOnly();
        return (a, b) -> comparator.compare(readOnly.asSlice(a * bytes, bytes), readOnly.asSlice(b * bytes, bytes));
    }
}
