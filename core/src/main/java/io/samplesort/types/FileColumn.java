package io.samplesort.types;

import java.nio.file.Path;
import java.util.Objects;

/// A file of keys, or of the payloads that move along with them, and where it goes when it is sorted. Files hold
/// elements in the byte order of this machine, one after the other; what stands before them is copied as it is.
///
/// @param input       the file
/// @param headerBytes bytes before the first element
/// @param output      where the result goes; may be the input, which it then replaces
public record FileColumn(Path input, long headerBytes, Path output) {
    /// @throws IllegalArgumentException if `headerBytes` is negative
    public FileColumn {
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(output, "output");
        if (headerBytes < 0) {
            throw new IllegalArgumentException("a header of " + headerBytes + " bytes: must not be negative");
        }
    }

    /// A file of elements alone, to be replaced.
    public static FileColumn of(Path input) {
        return new FileColumn(input, 0, input);
    }

    /// The same with so many bytes before the first element.
    public FileColumn after(long headerBytes) {
        return new FileColumn(input, headerBytes, output);
    }

    /// The same with the result in another file.
    public FileColumn to(Path output) {
        return new FileColumn(input, headerBytes, output);
    }
}
