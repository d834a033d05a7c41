package io.samplesort.cli.values;

import io.samplesort.files.types.LineKey;
import java.util.stream.Collectors;

/// Letters that say how lines or their keys compare, as GNU's sort has them.
///
/// @param letters each of them at most once
public record LineLetters(String letters) {
    private static final String KNOWN = "bdfgiMhnrV";

    /// Only one of these may be given. The letters for dictionary order and printable bytes may be given together, and
    /// with versions.
    private static final String KINDS = "gMhn";

    /// @throws IllegalArgumentException if a letter is unknown
    public static LineLetters of(String text) {
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == 'R') {
                throw new IllegalArgumentException(
                        "letter 'R': lines are not put in random order here; shuf does that");
            }
            if (KNOWN.indexOf(letter) < 0) {
                throw new IllegalArgumentException("letter '" + letter + "' of a key: use some of " + KNOWN);
            }
        }
        return new LineLetters(
                text.chars().distinct().mapToObj(Character::toString).collect(Collectors.joining()));
    }

    /// Checks letters that a key uses. Those for all keys may contradict each other as long as none uses them.
    ///
    /// @throws IllegalArgumentException if they ask for two ways of comparing
    void check() {
        String kinds = letters.chars()
                .filter(letter -> KINDS.indexOf(letter) >= 0)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
        String texts = letters.chars()
                .filter(letter -> "diV".indexOf(letter) >= 0)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
        if (kinds.length() > 1 || (kinds.length() == 1 && !texts.isEmpty())) {
            throw new IllegalArgumentException(
                    "options '-" + kinds + texts + "' are incompatible: a key is compared in one way");
        }
    }

    boolean isEmpty() {
        return letters.isEmpty();
    }

    boolean has(char letter) {
        return letters.indexOf(letter) >= 0;
    }

    LineKey.Kind kind() {
        if (has('n')) {
            return LineKey.Kind.NUMERIC;
        }
        if (has('g')) {
            return LineKey.Kind.GENERAL_NUMERIC;
        }
        if (has('h')) {
            return LineKey.Kind.HUMAN_NUMERIC;
        }
        if (has('M')) {
            return LineKey.Kind.MONTH;
        }
        return has('V') ? LineKey.Kind.VERSION : LineKey.Kind.TEXT;
    }

    LineKey.Bytes bytes() {
        if (has('d')) {
            return LineKey.Bytes.DICTIONARY;
        }
        return has('i') ? LineKey.Bytes.PRINTABLE : LineKey.Bytes.ALL;
    }
}
