package io.samplesort.cli.report;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/// Results for programs: one JSON object in each line.
final class Json {
    private Json() {}

    static String line(Map<String, ?> object) {
        try {
            return JSON.std.asString(object);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write JSON", e);
        }
    }
}
