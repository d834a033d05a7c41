package io.samplesort.cli.options;

import io.samplesort.cli.data.RecordLayout;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads the value of `--layout`.
public final class LayoutConverter implements ITypeConverter<RecordLayout> {
    @Override
    public RecordLayout convert(String text) {
        try {
            return LayoutParser.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
