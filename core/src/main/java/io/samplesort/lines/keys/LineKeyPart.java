package io.samplesort.lines.keys;

import io.samplesort.types.LineKey;

/// Turns the part of a line that a key names into bytes whose order is that of the key, with none of them the
/// beginning of another. Not for use by two threads at once.
interface LineKeyPart {
    void encode(byte[] text, int from, int to, KeyBuffer key);

    /// @param isLast whether nothing follows, so that the bytes may be the beginning of others
    static LineKeyPart of(LineKey key, boolean isLast) {
        LineKeyPart plain = switch (key.kind()) {
            case TEXT -> isLast ? (text, from, to, bytes) -> bytes.add(text, from, to) : new EndedText();
            case NUMERIC -> new DecimalKey();
            case HUMAN_NUMERIC -> new HumanKey();
            case GENERAL_NUMERIC -> new FloatingKey();
            case MONTH -> new MonthKey();
            case VERSION -> new VersionKey();
        };
        return key.bytes() == LineKey.Bytes.ALL && !key.ignoresAsciiCase()
                ? plain
                : new FilteredKey(key.bytes(), key.ignoresAsciiCase(), plain);
    }
}
