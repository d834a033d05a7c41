package io.samplesort.cli.options;

import io.samplesort.testkit.KeyType;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads types such as `u64`, or `U64`.
public final class KeyTypeConverter implements ITypeConverter<KeyType> {
    @Override
    public KeyType convert(String text) {
        try {
            return KeyType.parse(text.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
