package io.samplesort.bench.workload;

import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.bench.baselines.Baselines;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.util.ArrayList;
import java.util.List;

/// What is sorted: keys of a type, pairs such as `u32+u32`, or structs of two words.
///
/// @param key      type of the keys
/// @param payload  type of the payloads, null where there are none
/// @param isStruct whether there are no payloads, but keys are structs of two fields of type `key`, the first compared
///                 first
public record Subject(KeyType key, KeyType payload, boolean isStruct) implements Baselines.Input {
    /// 16 bytes, both words compared: [RecordElements#TWO_WORDS].
    static final Subject STRUCT16 = new Subject(KeyType.U64, null, true);

    private static final String STRUCT16_NAME = "struct16";

    /// What the baselines sort as well, in the order of the numbers that baselines.cu knows them by.
    public static final List<Subject> WITH_BASELINE = withBaseline();

    /// Keys or pairs.
    public Subject(KeyType key, KeyType payload) {
        this(key, payload, false);
    }

    private static List<Subject> withBaseline() {
        List<Subject> subjects = new ArrayList<>();
        for (KeyType type : KeyType.values()) {
            subjects.add(new Subject(type, null));
        }
        subjects.add(new Subject(KeyType.U32, KeyType.U32));
        subjects.add(new Subject(KeyType.U64, KeyType.U64));
        subjects.add(STRUCT16);
        return List.copyOf(subjects);
    }

    /// @param text a type, two with a plus between, or `struct16`
    /// @throws IllegalArgumentException if it is none of these; the message names the types
    public static Subject parse(String text) {
        if (text.equals(STRUCT16_NAME)) {
            return STRUCT16;
        }
        String[] parts = text.split("\\+", 2);
        return new Subject(KeyType.parse(parts[0]), parts.length == 1 ? null : KeyType.parse(parts[1]));
    }

    int keyBytes() {
        return isStruct ? RecordElements.TWO_WORDS.type().byteSize() : key.byteSize();
    }

    /// 0 where there are no payloads.
    int payloadBytes() {
        return payload == null ? 0 : payload.byteSize();
    }

    /// Our sorter of these.
    ///
    /// @param builder says where, and what else there is to say
    public Sorter sorter(SorterBuilder builder) {
        if (isStruct) {
            return builder.order(Order.by("a").unsigned().thenBy("b").unsigned())
                    .build(RecordElements.TWO_WORDS.type());
        }
        builder.order(key.isUnsigned() ? Order.unsigned() : Order.natural());
        if (payload != null) {
            builder.payload(ElementType.of(payload.layout()));
        }
        return builder.build(ElementType.of(key.layout()));
    }

    public boolean hasBaseline() {
        return WITH_BASELINE.contains(this);
    }

    @Override
    public int code() {
        return WITH_BASELINE.indexOf(this);
    }

    @Override
    public String toString() {
        if (isStruct) {
            return STRUCT16_NAME;
        }
        return payload == null ? key.toString() : key + "+" + payload;
    }
}
