package io.samplesort.cli.options;

import io.samplesort.LineSort;
import java.nio.file.Path;

/// Reads where lines come from: a path, or `-` for the standard input.
public final class LineInputConverter extends TextConverter<Path> {
    public LineInputConverter() {
        super(name -> name.equals("-") ? LineSort.STANDARD_INPUT : Path.of(name));
    }
}
