package io.samplesort.cli.options;

/// Reads sizes in bytes, such as `512M`, `4G` and `2^30`.
public final class SizeConverter extends TextConverter<Long> {
    public SizeConverter() {
        super(SizeConverter::parse);
    }

    private static long parse(String text) {
        long bytes = WholeNumber.parse("size", text);
        if (bytes == 0) {
            throw new IllegalArgumentException("size '" + text + "' must be positive");
        }
        return bytes;
    }
}
