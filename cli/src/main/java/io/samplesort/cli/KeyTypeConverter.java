package io.samplesort.cli;

import io.samplesort.testkit.KeyType;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads types such as `u64`.
final class KeyTypeConverter implements ITypeConverter<KeyType> {
    @Override
    public KeyType convert(String text) {
        try {
            return KeyType.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
