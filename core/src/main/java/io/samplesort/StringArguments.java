package io.samplesort;

import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/// Checks of the strings that a user hands over and of where results go, all made before anything is changed.
final class StringArguments {
    private StringArguments() {}

    /// Checks the memory of strings.
    static void check(Strings strings) {
        Segments.checkReadable(
                "bytes", Objects.requireNonNull(strings, "strings").bytes(), ElementType.BYTE);
        Segments.checkReadable("offsets", strings.offsets(), ElementType.BYTE);
    }

    /// Returns strings as the CPU engine takes them, inside of the sort as by [Segments#forCpu].
    static Strings forCpu(Strings strings) {
        Order none = Order.natural();
        return strings.in(
                Segments.forCpu(strings.bytes(), strings.count(), none),
                Segments.forCpu(strings.offsets(), strings.count(), none));
    }

    static void checkTarget(Strings source, MemorySegment bytes, MemorySegment offsets) {
        Segments.check("target's bytes", bytes, ElementType.BYTE);
        Segments.check("target's offsets", offsets, source.offsetType());
        if (bytes.byteSize() < source.byteSize()) {
            throw new IllegalArgumentException("the target has room for " + bytes.byteSize() + " bytes, and the strings"
                    + " have " + source.byteSize());
        }
        long needed = (source.count() + 1) * source.offsetType().byteSize();
        if (offsets.byteSize() != needed) {
            throw new IllegalArgumentException("the target's offsets have " + offsets.byteSize()
                    + " bytes, and those of " + source.count() + " strings have " + needed);
        }
        checkApart(source, "target's bytes", bytes);
        checkApart(source, "target's offsets", offsets);
        Segments.checkApart("target's bytes", bytes, "target's offsets", offsets);
    }

    static void checkApart(Strings strings, String what, MemorySegment target) {
        Segments.checkApart("bytes", strings.bytes(), what, target);
        Segments.checkApart("offsets", strings.offsets(), what, target);
    }

    static void checkTarget(DeviceStrings source, DeviceStrings target) {
        if (source.count() != target.count()) {
            throw new IllegalArgumentException("the source has " + source.count() + " strings and the target "
                    + target.count() + ": both must have the same number of strings");
        }
        for (DeviceMemory memory : List.of(target.bytes(), target.offsets())) {
            DeviceChecks.checkApart("target", memory, "source", source.bytes());
            DeviceChecks.checkApart("target", memory, "source", source.offsets());
        }
    }
}
