package io.samplesort.cli.values;

/// Reads numbers of elements, such as `1000000`, `16M` and `2^24`.
public final class CountConverter extends TextConverter<Long> {
    public CountConverter() {
        super(WholeNumber::count);
    }
}
