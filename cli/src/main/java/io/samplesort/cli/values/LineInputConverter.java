package io.samplesort.cli.values;

import io.samplesort.testkit.StringInput;
import java.util.Arrays;
import java.util.Iterator;

/// Reads the name of an input of lines of text.
public final class LineInputConverter extends TextConverter<StringInput> {
    public LineInputConverter() {
        super(StringInput::parse);
    }

    /// The names of all inputs, for the help.
    public static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(StringInput.values())
                    .map(StringInput::toString)
                    .iterator();
        }
    }
}
