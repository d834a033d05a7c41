package io.samplesort.cli.values;

import io.samplesort.testkit.KeyType;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/// Reads `i32` and `i64`: `numpy.take` and most other readers want signed indexes.
public final class IndexTypeConverter extends TextConverter<KeyType> {
    public IndexTypeConverter() {
        super(IndexTypeConverter::parse);
    }

    /// The names of both types.
    public static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("i32", "i64").iterator();
        }
    }

    private static KeyType parse(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "i32" -> KeyType.I32;
            case "i64" -> KeyType.I64;
            default -> throw new IllegalArgumentException("index type '" + text + "': use i32 or i64");
        };
    }
}
