package io.samplesort;

import io.samplesort.gpu.rows.DeviceText;
import io.samplesort.types.ElementType;
import java.util.Objects;

/// Strings of any length in the memory of one GPU, in the layout of [io.samplesort.types.Strings]: all their bytes one
/// after another, and offsets that say where each begins. String i has the bytes from `offsets[i]` to
/// `offsets[i + 1]`, so there is one more offset than there are strings. The first offset need not be 0.
///
/// Device strings are a view: they copy nothing, own nothing and see what is written to their memory later. The offsets
/// are checked when the strings are sorted: they must not decrease or lie beyond the bytes.
///
/// @param bytes      the bytes of all strings
/// @param offsets    where each string begins, and where the last one ends
/// @param offsetType the type of the offsets: [ElementType#INT] or [ElementType#LONG]
/// @param count      how many strings there are; the memory of the offsets may be larger
public record DeviceStrings(DeviceMemory bytes, DeviceMemory offsets, ElementType offsetType, long count) {
    /// @throws IllegalArgumentException if the offsets are of another type or too few, the count is negative, the bytes
    ///     do not lie at a multiple of 8, or the memory overlaps or is of two GPUs
    /// @throws IllegalStateException if memory is closed
    public DeviceStrings {
        Objects.requireNonNull(offsetType, "offsetType");
        if (!offsetType.equals(ElementType.INT) && !offsetType.equals(ElementType.LONG)) {
            throw new IllegalArgumentException("offsets of type " + offsetType + ": they must be ints or longs");
        }
        if (count < 0) {
            throw new IllegalArgumentException("string count " + count + ": must not be negative");
        }
        DeviceChecks.count("bytes", bytes, ElementType.BYTE);
        DeviceChecks.checkAlignment("bytes", bytes.address(), Long.BYTES);
        long room = DeviceChecks.count("offsets", offsets, offsetType);
        if (room - 1 < count) {
            throw new IllegalArgumentException(
                    count + " strings have " + (count + 1) + " offsets, and there is room for " + room);
        }
        DeviceChecks.checkApart("bytes", bytes, "offsets", offsets);
        if (!bytes.device().equals(offsets.device())) {
            throw new IllegalArgumentException("the bytes are on " + bytes.device() + " and the offsets on "
                    + offsets.device() + ": both must be on one GPU");
        }
    }

    /// Returns the form that the engine takes.
    ///
    /// @throws IllegalStateException if memory is closed
    DeviceText text() {
        return new DeviceText(
                bytes.address(),
                reachableBytes(bytes.byteSize(), offsetType),
                offsets.address(),
                offsetType.byteSize(),
                count,
                0);
    }

    /// Returns how many of the bytes offsets of this type can reach. The kernels read negative ints as large unsigned
    /// numbers, and so find that they lie beyond the bytes.
    static long reachableBytes(long bytes, ElementType offsetType) {
        return offsetType.equals(ElementType.INT) ? Math.min(bytes, Integer.MAX_VALUE) : bytes;
    }
}
