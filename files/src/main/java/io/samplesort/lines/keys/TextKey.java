package io.samplesort.lines.keys;

/// Text as it is, or with an end: a 0, which comes before all bytes that text is written with. To make this so, the
/// bytes 0 and 1 of the text are written as two bytes.
record TextKey(boolean hasEnd) implements LineKeyPart {
    private static final int END = 0;
    private static final int ESCAPE = 1;

    @Override
    public void encode(byte[] text, int from, int to, KeyBuffer key) {
        encodePiece(text, from, to, key);
        end(key);
    }

    @Override
    public boolean takesPieces() {
        return true;
    }

    @Override
    public void encodePiece(byte[] text, int from, int to, KeyBuffer key) {
        int plain = from;
        if (hasEnd) {
            for (int i = from; i < to; i++) {
                int value = Byte.toUnsignedInt(text[i]);
                if (value <= ESCAPE) {
                    key.add(text, plain, i);
                    key.add(ESCAPE);
                    key.add(value + 1);
                    plain = i + 1;
                }
            }
        }
        key.add(text, plain, to);
    }

    @Override
    public void end(KeyBuffer key) {
        if (hasEnd) {
            key.add(END);
        }
    }
}
