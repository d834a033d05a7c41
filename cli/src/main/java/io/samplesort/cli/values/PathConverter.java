package io.samplesort.cli.values;

import io.samplesort.cli.data.RawText;
import java.nio.file.Path;

/// Reads the names of files.
public final class PathConverter extends TextConverter<Path> {
    public PathConverter() {
        super(RawText::path);
    }
}
