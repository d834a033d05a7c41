package io.samplesort.files.types;

import java.nio.file.Path;
import java.util.Objects;

/// A file of keys, or of the payloads that move along with them, and where the result goes. Files hold elements in the
/// byte order of this machine, one after the other, unless a conversion says otherwise; whatever precedes them is
/// copied as it is.
///
/// @param input       the file
/// @param headerBytes bytes before the first element
/// @param output      where the result goes; if this is the input, the result replaces it; a pipe or a device is
///     written to directly
/// @param conversion  how the file stores elements
public record FileColumn(Path input, long headerBytes, Path output, FileConversion conversion) {
    /// @throws IllegalArgumentException if `headerBytes` is negative
    public FileColumn {
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(output, "output");
        Objects.requireNonNull(conversion, "conversion");
        if (headerBytes < 0) {
            throw new IllegalArgumentException("a header of " + headerBytes + " bytes: must not be negative");
        }
    }

    /// @throws IllegalArgumentException if `headerBytes` is negative
    public FileColumn(Path input, long headerBytes, Path output) {
        this(input, headerBytes, output, FileConversion.NONE);
    }

    /// Returns a column for a file that has only elements, which the result will replace.
    public static FileColumn of(Path input) {
        return new FileColumn(input, 0, input);
    }

    /// Returns the same column with this many bytes before the first element.
    public FileColumn after(long headerBytes) {
        return new FileColumn(input, headerBytes, output, conversion);
    }

    /// Returns the same column with the result in another file.
    public FileColumn to(Path output) {
        return new FileColumn(input, headerBytes, output, conversion);
    }

    /// Returns the same column of files that store elements in another way than they are sorted.
    public FileColumn converted(FileConversion conversion) {
        return new FileColumn(input, headerBytes, output, conversion);
    }
}
