package io.samplesort.lines.keys;

import io.samplesort.files.types.LineKey;

/// Turns the part of a line that a key names into bytes whose order is that of the key, so that none is the beginning
/// of another. Two threads must not use it at once.
interface LineKeyPart {
    void encode(byte[] text, int from, int to, KeyBuffer key);

    /// Returns whether a part can come in pieces, one after another: [#encodePiece] for each, and [#end].
    default boolean takesPieces() {
        return false;
    }

    /// Encodes a piece of a part.
    default void encodePiece(byte[] text, int from, int to, KeyBuffer key) {
        throw new UnsupportedOperationException("this kind of key needs its whole part");
    }

    /// Encodes the end of a part that came in pieces.
    default void end(KeyBuffer key) {
        throw new UnsupportedOperationException("this kind of key needs its whole part");
    }

    /// @param isLast whether nothing follows, so that the bytes may be the beginning of others
    static LineKeyPart of(LineKey key, boolean isLast) {
        LineKeyPart plain = switch (key.kind()) {
            case TEXT -> new TextKey(!isLast);
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
