package io.samplesort.cli.data;

import io.samplesort.files.types.FileConversion;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.OptionalLong;

/// What a file is made of, and the order that it should have: numbers of one type, or records. As text it is the type
/// or the layout, as the user or NumPy writes it.
public sealed interface Elements permits Numbers, Records, ArrayElements {
    /// Returns an element as the library knows it.
    ElementType type();

    /// Returns how elements compare.
    Order order();

    /// Returns how a file stores the elements, if not as they are sorted.
    default FileConversion conversion() {
        return FileConversion.NONE;
    }

    /// Returns how elements compare as a file stores them.
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
