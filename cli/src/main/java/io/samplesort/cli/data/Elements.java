package io.samplesort.cli.data;

import io.samplesort.files.types.FileConversion;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.OptionalLong;

/// The elements of a file, numbers of one type or records, and the order that they should have. As text this is the
/// type or the layout, as the user or NumPy writes it.
public sealed interface Elements permits Numbers, Records, ArrayElements {
    /// Returns the type of an element in the library.
    ElementType type();

    /// Returns how elements compare.
    Order order();

    /// Returns how a file stores the elements, if not as they are sorted.
    default FileConversion conversion() {
        return FileConversion.NONE;
    }

    /// Returns a comparator of elements in the form in which a file stores them.
    default Comparator<MemorySegment> comparator() {
        return order().toComparator(type());
    }

    /// Returns the words for several of them, such as `u64 keys`.
    String plural();

    /// Returns the words for one of them, such as `a u64`.
    String singular();

    /// Returns the first index whose element should come after the next; empty if all are in order.
    OptionalLong firstViolation(MemorySegment elements);
}
