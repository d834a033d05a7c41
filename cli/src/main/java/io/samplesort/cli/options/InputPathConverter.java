package io.samplesort.cli.options;

import java.nio.file.Files;
import java.nio.file.Path;

/// Reads where an input is: a path, or `-` for the standard input, which must be a regular file.
public final class InputPathConverter extends TextConverter<Path> {
    private static final Path STANDARD_INPUT = Path.of("/dev/stdin");

    public InputPathConverter() {
        super(name -> name.equals("-") ? standardInput(STANDARD_INPUT) : Path.of(name));
    }

    /// Returns the path of the standard input.
    ///
    /// @throws IllegalArgumentException if it is not there, as on Windows
    static Path standardInput(Path path) {
        if (!Files.exists(path)) {
            throw new IllegalArgumentException(
                    "this system has no file that stands for the standard input: name the file itself");
        }
        return path;
    }
}
