package io.samplesort.lines.keys;

import io.samplesort.files.types.LineKey;

/// A key of which only some bytes count, or whose letters count without their case.
final class FilteredKey implements LineKeyPart {
    private static final int BYTES = 256;

    private final LineKeyPart key;
    private final boolean[] counts = new boolean[BYTES];
    private final byte[] meaning = new byte[BYTES];
    private byte[] filtered = new byte[BYTES];

    FilteredKey(LineKey.Bytes bytes, boolean ignoresAsciiCase, LineKeyPart key) {
        this.key = key;
        for (int value = 0; value < BYTES; value++) {
            counts[value] = switch (bytes) {
                case ALL -> true;
                case PRINTABLE -> value >= ' ' && value <= '~';
                case DICTIONARY -> isAlphanumeric(value) || Fields.isBlank((byte) value);
            };
            boolean isSmall = value >= 'a' && value <= 'z';
            meaning[value] = (byte) (ignoresAsciiCase && isSmall ? value - ('a' - 'A') : value);
        }
    }

    private static boolean isAlphanumeric(int value) {
        return (value >= '0' && value <= '9') || (value >= 'A' && value <= 'Z') || (value >= 'a' && value <= 'z');
    }

    @Override
    public void encode(byte[] text, int from, int to, KeyBuffer bytes) {
        int length = filter(text, from, to);
        key.encode(filtered, 0, length, bytes);
    }

    @Override
    public boolean takesPieces() {
        return key.takesPieces();
    }

    @Override
    public void encodePiece(byte[] text, int from, int to, KeyBuffer bytes) {
        int length = filter(text, from, to);
        key.encodePiece(filtered, 0, length, bytes);
    }

    @Override
    public void end(KeyBuffer bytes) {
        key.end(bytes);
    }

    /// Writes what counts to [#filtered].
    ///
    /// @return how many bytes count
    private int filter(byte[] text, int from, int to) {
        if (filtered.length < to - from) {
            filtered = new byte[Math.max(to - from, (int) Math.min(2L * filtered.length, 1 << 30))];
        }
        int length = 0;
        for (int i = from; i < to; i++) {
            int value = Byte.toUnsignedInt(text[i]);
            if (counts[value]) {
                filtered[length++] = meaning[value];
            }
        }
        return length;
    }
}
