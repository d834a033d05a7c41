package io.samplesort.cli.values;

import java.util.Locale;
import java.util.Map;

/// What other systems call the types of numbers.
final class TypeNames {
    private static final Map<String, String> OTHERS = Map.ofEntries(
            Map.entry("byte", "i8"),
            Map.entry("int8", "i8"),
            Map.entry("uint8", "u8"),
            Map.entry("short", "i16"),
            Map.entry("int16", "i16"),
            Map.entry("uint16", "u16"),
            Map.entry("int", "i32"),
            Map.entry("int32", "i32"),
            Map.entry("uint", "u32"),
            Map.entry("uint32", "u32"),
            Map.entry("long", "i64"),
            Map.entry("int64", "i64"),
            Map.entry("ulong", "u64"),
            Map.entry("uint64", "u64"),
            Map.entry("float", "f32"),
            Map.entry("single", "f32"),
            Map.entry("float32", "f32"),
            Map.entry("double", "f64"),
            Map.entry("float64", "f64"));

    private TypeNames() {}

    /// Returns the end of a message that refuses a type: its name here, or an empty text.
    static String hint(String type) {
        String known = OTHERS.get(type.toLowerCase(Locale.ROOT));
        return known == null ? "" : "; " + type + " is called " + known + " here";
    }
}
