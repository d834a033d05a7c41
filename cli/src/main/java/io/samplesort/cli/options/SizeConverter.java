package io.samplesort.cli.options;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads sizes in bytes, such as `512M`, `4G` and `2^30`.
public final class SizeConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        long bytes = CountConverter.parse("size", text);
        if (bytes == 0) {
            throw new TypeConversionException("size '" + text + "': must be positive");
        }
        return bytes;
    }
}
