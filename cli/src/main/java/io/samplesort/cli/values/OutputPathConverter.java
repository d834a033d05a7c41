package io.samplesort.cli.values;

import io.samplesort.cli.data.ResultFile;
import java.nio.file.Path;

/// Reads where a result goes: a path, or `-` for the standard output.
public final class OutputPathConverter extends TextConverter<Path> {
    public OutputPathConverter() {
        super(ResultFile::path);
    }
}
