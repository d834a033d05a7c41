package io.samplesort.bench;

import io.samplesort.ElementType;
import io.samplesort.Order;
import io.samplesort.Sorter;
import io.samplesort.testkit.KeyType;
import java.util.ArrayList;
import java.util.List;

/// What is sorted: keys of a type, or pairs such as `u32+u32`.
///
/// @param key     type of the keys
/// @param payload type of the payloads, null where there are none
record Subject(KeyType key, KeyType payload) implements Baselines.Input {
    /// What the baselines sort as well, in the order of the numbers that baselines.cu knows them by.
    static final List<Subject> WITH_BASELINE = withBaseline();

    private static List<Subject> withBaseline() {
        List<Subject> subjects = new ArrayList<>();
        for (KeyType type : KeyType.values()) {
            subjects.add(new Subject(type, null));
        }
        subjects.add(new Subject(KeyType.U32, KeyType.U32));
        subjects.add(new Subject(KeyType.U64, KeyType.U64));
        return List.copyOf(subjects);
    }

    /// @param text a type, or two with a plus between
    /// @throws IllegalArgumentException if it is neither
    static Subject parse(String text) {
        String[] parts = text.split("\\+", 2);
        return new Subject(KeyType.parse(parts[0]), parts.length == 1 ? null : KeyType.parse(parts[1]));
    }

    /// Our sorter of these.
    ///
    /// @param builder says where, and what else there is to say
    Sorter sorter(Sorter.Builder builder) {
        builder.order(key.isUnsigned() ? Order.unsigned() : Order.natural());
        if (payload != null) {
            builder.payload(ElementType.of(payload.layout()));
        }
        return builder.build(ElementType.of(key.layout()));
    }

    boolean hasBaseline() {
        return WITH_BASELINE.contains(this);
    }

    @Override
    public int code() {
        return WITH_BASELINE.indexOf(this);
    }

    @Override
    public String toString() {
        return payload == null ? key.toString() : key + "+" + payload;
    }
}
