package io.samplesort.cli.data;

import io.samplesort.testkit.ResultCheck;
import io.samplesort.types.ElementType;
import io.samplesort.types.FieldOrder;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/// Records with named fields.
///
/// @param layout their fields
/// @param order  how they compare
public record Records(RecordLayout layout, FieldOrder order) implements Elements {
    @Override
    public ElementType type() {
        return layout.type();
    }

    @Override
    public String plural() {
        return "records";
    }

    @Override
    public String singular() {
        return "a record";
    }

    @Override
    public OptionalLong firstViolation(MemorySegment elements) {
        return ResultCheck.firstViolation(elements, layout.byteSize(), order.toComparator(layout.type()));
    }

    @Override
    public String toString() {
        return layout.toString();
    }
}
