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

/// A file of results, one line of JSON for each measurement, together with the environment that it was made in. Each
/// line is written at once, so that an interrupted run loses nothing that it has measured.
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

    /// Reads all results of a file, in their order.
    ///
    /// @throws UncheckedIOException if the file cannot be read
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

    /// Returns a number of a result.
    public static double number(Map<String, Object> result, String key) {
        return ((Number) result.get(key)).doubleValue();
    }

    /// Returns how many elements were sorted.
    public static long count(Map<String, Object> result) {
        return ((Number) result.get("count")).longValue();
    }

    /// Returns whether the result has this key with the value `true`.
    public static boolean isTrue(Map<String, Object> result, String key) {
        return Boolean.TRUE.equals(result.get(key));
    }
}
