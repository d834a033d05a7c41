package io.samplesort.cli.values;

import io.samplesort.cli.tune.TunedElements;
import java.util.Locale;

/// Reads elements that a tuning is measured with, such as `u64` and `u32+u32`.
public final class TunedElementsConverter extends TextConverter<TunedElements> {
    public TunedElementsConverter() {
        super(text -> TunedElements.parse(text.toLowerCase(Locale.ROOT)));
    }
}
