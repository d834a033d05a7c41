package io.samplesort.cli.values;

import java.nio.file.Path;

/// Reads the names of files.
public final class PathConverter extends TextConverter<Path> {
    public PathConverter() {
        super(Path::of);
    }
}
