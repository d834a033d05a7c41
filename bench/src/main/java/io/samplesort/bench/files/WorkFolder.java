package io.samplesort.bench.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A new folder for the files of one measurement, which is removed with them.
record WorkFolder(Path path) implements AutoCloseable {
    static WorkFolder in(Path parent) throws IOException {
        return new WorkFolder(Files.createTempDirectory(parent, "samplesort-bench"));
    }

    /// Returns the path of a file in this folder.
    Path file(String name) {
        return path.resolve(name);
    }

    @Override
    public void close() throws IOException {
        List<Path> files;
        try (Stream<Path> entries = Files.list(path)) {
            files = entries.toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
        Files.delete(path);
    }
}
