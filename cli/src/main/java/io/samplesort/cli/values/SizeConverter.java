package io.samplesort.cli.values;

/// Reads sizes in bytes, such as `512M`, `4GB` and `2^30`.
public final class SizeConverter extends TextConverter<Long> {
    public SizeConverter() {
        super(WholeNumber::size);
    }
}
