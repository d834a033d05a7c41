package io.samplesort.cpu.records;

import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;

/// Compares two elements by their indexes. So elements may be anything that has an index, and of elements in memory no
/// slices are made unless the order asks for them.
@FunctionalInterface
public interface ElementComparator {
    /// Compares elements `a` and `b` as a [Comparator] does.
    int compare(long a, long b);

    /// Returns the comparator of `elements` by an order that is a comparator of the user's own, or has one.
    static ElementComparator of(MemorySegment elements, ElementType type, Order order) {
        Comparator<MemorySegment> comparator = order.toComparator(type);
        int bytes = type.byteSize();
        // A comparator must not write to the elements.
        MemorySegment readOnly = elements.asReadOnly();
        return (a, b) -> comparator.compare(readOnly.asSlice(a * bytes, bytes), readOnly.asSlice(b * bytes, bytes));
    }
}
