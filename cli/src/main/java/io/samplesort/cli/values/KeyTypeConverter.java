package io.samplesort.cli.values;

import io.samplesort.testkit.KeyType;
import java.util.Locale;

/// Reads types of numbers such as `u64`, or `U64`.
public final class KeyTypeConverter extends TextConverter<KeyType> {
    public KeyTypeConverter() {
        super(text -> KeyType.parse(text.toLowerCase(Locale.ROOT)));
    }
}
