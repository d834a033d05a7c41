package io.samplesort.cli.options;

import java.nio.file.Path;

/// Reads where an input is: a path, or `-` for the standard input, which must be a regular file.
public final class InputPathConverter extends TextConverter<Path> {
    public InputPathConverter() {
        super(name -> Path.of(name.equals("-") ? "/dev/stdin" : name));
    }
}
