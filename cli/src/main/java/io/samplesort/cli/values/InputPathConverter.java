package io.samplesort.cli.values;

import io.samplesort.cli.data.RawText;
import io.samplesort.files.LineSort;
import java.nio.file.Path;

/// Reads where an input is: a path, or `-` for the standard input.
public final class InputPathConverter extends TextConverter<Path> {
    public InputPathConverter() {
        super(name -> name.equals("-") ? LineSort.STANDARD_INPUT : RawText.path(name));
    }
}
