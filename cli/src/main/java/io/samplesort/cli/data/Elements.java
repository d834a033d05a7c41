package io.samplesort.cli.data;

import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/// What a file is made of, and the order that it should have: numbers of one type, or records. As text it is the type
/// or
/// the layout, as the user writes it.
public sealed interface Elements permits Numbers, Records {
    /// Returns an element as the library knows it.
    ElementType type();

    /// Returns how elements compare.
    Order order();

    /// Returns the words for several of them, such as `u64 keys`.
    String plural();

    /// Returns the words for one of them, such as `a u64`.
    String singular();

    /// Returns the first index whose element should come after the next; empty if all are in order.
    OptionalLong firstViolation(MemorySegment elements);
}
