package io.samplesort.cli.values;

import io.samplesort.cli.tune.TunedParameter;
import java.util.Arrays;
import java.util.Iterator;

/// Reads the names of parameters that are tuned.
public final class TunedParameterConverter extends TextConverter<TunedParameter> {
    public TunedParameterConverter() {
        super(TunedParameter::parse);
    }

    /// Names for shells to propose.
    public static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(TunedParameter.values())
                    .map(TunedParameter::toString)
                    .iterator();
        }
    }
}
