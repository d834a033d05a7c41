package io.samplesort.bench.workload;

import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.baselines.Contender;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.util.ArrayList;
import java.util.List;

/// The elements that are sorted: keys of a type, pairs such as `u32+u32`, or structs: of two words, or of 100
/// bytes with a key of 10.
///
/// @param key      the type of the keys, or of the words that a struct's key is drawn from
/// @param payload  the type of the payloads; null if there are none
/// @param struct   the structs, which have no payloads; null if the elements are numbers
public record Subject(KeyType key, KeyType payload, RecordElements struct) implements Baselines.Input {
    /// Structs of 16 bytes whose two words are both compared.
    static final Subject STRUCT16 = new Subject(KeyType.U64, null, RecordElements.TWO_WORDS);

    private static final Subject RECORD100 = new Subject(KeyType.U64, null, RecordElements.RECORD_100);

    private static final String STRUCT16_NAME = "struct16";
    private static final String RECORD100_NAME = "record100";

    /// The elements that the baselines can sort, too, in the order of their numbers in baselines.cu.
    public static final List<Subject> WITH_BASELINE = withBaseline();

    /// Returns keys without payloads.
    public static Subject ofKeys(KeyType key) {
        return new Subject(key, null, null);
    }

    /// Returns keys with payloads.
    public static Subject ofPairs(KeyType key, KeyType payload) {
        return new Subject(key, payload, null);
    }

    private static List<Subject> withBaseline() {
        List<Subject> subjects = new ArrayList<>();
        for (KeyType type : KeyType.values()) {
            subjects.add(ofKeys(type));
        }
        subjects.add(ofPairs(KeyType.U32, KeyType.U32));
        subjects.add(ofPairs(KeyType.U64, KeyType.U64));
        subjects.add(STRUCT16);
        subjects.add(ofPairs(KeyType.U8, KeyType.U32));
        subjects.add(ofPairs(KeyType.U16, KeyType.U32));
        return List.copyOf(subjects);
    }

    /// Reads a type, two types with a plus between them, `struct16` or `record100`.
    ///
    /// @throws IllegalArgumentException if the text is none of these; the message names the types
    public static Subject parse(String text) {
        if (text.equals(STRUCT16_NAME)) {
            return STRUCT16;
        }
        if (text.equals(RECORD100_NAME)) {
            return RECORD100;
        }
        String[] parts = text.split("\\+", 2);
        KeyType key = KeyType.parse(parts[0]);
        return parts.length == 1 ? ofKeys(key) : ofPairs(key, KeyType.parse(parts[1]));
    }

    public boolean isStruct() {
        return struct != null;
    }

    /// Returns the bytes of a key or struct.
    public int keyBytes() {
        return isStruct() ? struct.type().byteSize() : key.byteSize();
    }

    /// Returns the bytes of a payload; 0 if there are none.
    public int payloadBytes() {
        return payload == null ? 0 : payload.byteSize();
    }

    /// Builds our sorter of these elements.
    ///
    /// @param builder names the device and all other options
    public Sorter sorter(SorterBuilder builder) {
        if (isStruct()) {
            Order order = equals(RECORD100)
                    ? Order.by("key")
                    : Order.by("a").unsigned().thenBy("b").unsigned();
            return builder.order(order).build(struct.type());
        }
        builder.order(key.isUnsigned() ? Order.unsigned() : Order.natural());
        if (payload != null) {
            builder.payload(ElementType.of(payload.layout()));
        }
        return builder.build(ElementType.of(key.layout()));
    }

    @Override
    public int code() {
        return WITH_BASELINE.indexOf(this);
    }

    @Override
    public List<Contender> contenders() {
        return WITH_BASELINE.contains(this) ? List.of(Contender.CUB_RADIX, Contender.CUB_MERGE) : List.of();
    }

    @Override
    public String toString() {
        if (isStruct()) {
            return equals(RECORD100) ? RECORD100_NAME : STRUCT16_NAME;
        }
        return payload == null ? key.toString() : key + "+" + payload;
    }
}
