package io.samplesort.bench;

import io.samplesort.testkit.KeyType;
import java.util.ArrayList;
import java.util.List;

/// What is sorted: keys of a type, or pairs such as `u32+u32`.
///
/// @param key     type of the keys
/// @param payload type of the payloads, null where there are none
record Subject(KeyType key, KeyType payload) {
    static final List<Subject> ALL = all();

    private static List<Subject> all() {
        List<Subject> subjects = new ArrayList<>();
        for (KeyType type : KeyType.values()) {
            subjects.add(new Subject(type, null));
        }
        subjects.add(new Subject(KeyType.U32, KeyType.U32));
        subjects.add(new Subject(KeyType.U64, KeyType.U64));
        return List.copyOf(subjects);
    }

    /// @throws IllegalArgumentException if it is none of [#ALL]
    static Subject parse(String text) {
        return ALL.stream()
                .filter(subject -> subject.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("type '" + text + "': use one of " + ALL));
    }

    /// The number baselines.cu knows it by.
    int code() {
        return ALL.indexOf(this);
    }

    @Override
    public String toString() {
        return payload == null ? key.toString() : key + "+" + payload;
    }
}
