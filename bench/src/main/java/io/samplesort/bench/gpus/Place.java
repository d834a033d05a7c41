package io.samplesort.bench.gpus;

import java.util.Arrays;
import java.util.Locale;

/// Where elements lie before a sort and after it.
enum Place {
    /// In the memory of the GPUs, the same number on each.
    DEVICE,
    /// In host memory, transfers counted.
    HOST;

    /// Reads `device` or `host`.
    ///
    /// @throws IllegalArgumentException if the text is neither
    static Place parse(String text) {
        return Arrays.stream(values())
                .filter(place -> place.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("place '" + text + "': use device or host"));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
