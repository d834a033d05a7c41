package io.samplesort.bench.results;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Results as JSON lines, one a measurement, each with the environment it was made in. Written line by line, so that
/// what an interrupted run measured is not lost.
public final class Results {
    private final Path file;
    private final Map<String, Object> environment;

    public Results(Path file, Map<String, Object> environment) {
        this.file = file;
        this.environment = environment;
    }

    public void add(Map<String, Object> result) {
        Map<String, Object> line = new LinkedHashMap<>(result);
        line.putAll(environment);
        try {
            Files.writeString(
                    file, JSON.std.asString(line) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    public static List<Map<String, Object>> read(Path file) {
        try {
            List<Map<String, Object>> results = new ArrayList<>();
            for (String line : Files.readAllLines(file)) {
                results.add(JSON.std.mapFrom(line));
            }
            return results;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
