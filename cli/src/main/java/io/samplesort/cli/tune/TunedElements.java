package io.samplesort.cli.tune;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.gpu.cubins.KeptTunings;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;

/// The elements that a tuning is measured with: numbers, alone or with payloads. The tuning serves all elements of the
/// same sizes.
///
/// @param payload null if there is none
public record TunedElements(KeyType key, KeyType payload) {
    /// Reads elements such as `u64`, or `u32+u32` for keys with payloads.
    ///
    /// @throws IllegalArgumentException if there are no such elements; the message says what to write
    public static TunedElements parse(String text) {
        String[] parts = text.split("\\+", -1);
        if (parts.length > 2) {
            throw new IllegalArgumentException(
                    "elements '" + text + "': write a type such as u64, or two such as u32+u32 for key and payload");
        }
        return new TunedElements(KeyType.parse(parts[0]), parts.length == 1 ? null : KeyType.parse(parts[1]));
    }

    /// Returns the kind of elements for which the tuning is kept.
    public String kind() {
        return KeptTunings.kind(key.byteSize(), payload == null ? 0 : payload.byteSize(), false);
    }

    /// Builds a sorter of these elements.
    ///
    /// @param tuning null for the default
    /// @throws IllegalArgumentException if the tuning does not fit the GPU
    Sorter sorter(int gpu, Tuning tuning) {
        SorterBuilder builder = SampleSort.onGpu(gpu);
        if (payload != null) {
            builder.payload(ElementType.of(payload.layout()));
        }
        if (key.isUnsigned()) {
            builder.order(Order.unsigned());
        }
        if (tuning != null) {
            builder.tuning(tuning);
        }
        return builder.build(ElementType.of(key.layout()));
    }

    @Override
    public String toString() {
        return payload == null ? key.toString() : key + "+" + payload;
    }
}
