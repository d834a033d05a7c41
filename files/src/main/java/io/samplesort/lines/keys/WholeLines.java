package io.samplesort.lines.keys;

import io.samplesort.types.StringOrder;
import java.io.IOException;

/// Lines that are compared as they are.
public record WholeLines(boolean isReversed) implements LineKeys {
    @Override
    public boolean areLines() {
        return true;
    }

    @Override
    public StringOrder order() {
        return new StringOrder(false, isReversed);
    }

    @Override
    public void encode(byte[] text, int from, int to, KeyBuffer key) {
        key.add(text, from, to);
    }

    @Override
    public void encode(ByteRange line, KeySink sink) throws IOException {
        new LongText(line, new byte[LongText.WINDOW_BYTES]).forEachPiece(0, line.byteSize(), sink);
    }

    @Override
    public double keyShare() {
        return 0;
    }

    @Override
    public LineKeys withoutLine() {
        return null;
    }

    @Override
    public LineKeys copy() {
        return this;
    }
}
