package io.samplesort.cli.report;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/// Output for machines: one JSON object a line.
public final class Json {
    private Json() {}

    public static String line(Map<String, ?> object) {
        try {
            return JSON.std.asString(object);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write JSON", e);
        }
    }
}
