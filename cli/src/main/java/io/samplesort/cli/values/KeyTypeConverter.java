package io.samplesort.cli.values;

import io.samplesort.testkit.KeyType;
import java.util.Locale;

/// Reads types of numbers such as `u64`, or `U64`.
public final class KeyTypeConverter extends TextConverter<KeyType> {
    public KeyTypeConverter() {
        super(KeyTypeConverter::parse);
    }

    private static KeyType parse(String text) {
        try {
            return KeyType.parse(text.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + TypeNames.hint(text), e);
        }
    }
}
