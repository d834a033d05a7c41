package io.samplesort.cli.data;

import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/// What a file is made of, and the order it is to have: numbers of one type, or records. The text of one names the type
/// or the layout, as the user does.
public sealed interface Elements permits Numbers, Records {
    /// What an element is to the library.
    ElementType type();

    Order order();

    /// The word for several of them, such as `u64 keys`.
    String plural();

    /// The words for one of them, such as `a u64`.
    String singular();

    /// The option that says what they are, where a size shows that they cannot be that.
    String option();

    /// The first index whose element should come after the next; empty if all are in order.
    OptionalLong firstViolation(MemorySegment elements);
}
