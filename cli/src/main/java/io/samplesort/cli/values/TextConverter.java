package io.samplesort.cli.values;

import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads the value of an option with a parser whose messages are for users.
public abstract class TextConverter<T> implements ITypeConverter<T> {
    private final Function<String, T> parser;

    /// @param parser throws an IllegalArgumentException that says what was wrong and what to write
    protected TextConverter(Function<String, T> parser) {
        this.parser = parser;
    }

    @Override
    public final T convert(String text) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
