package io.samplesort.lines.keys;

import io.samplesort.files.types.LineKey;
import io.samplesort.files.types.LineOrder;
import io.samplesort.types.StringOrder;
import java.io.IOException;
import java.util.List;

/// Keys of lines that are parts of them: each part becomes bytes whose order is that of the part, and none of these is
/// the beginning of another one. So the bytes of all parts, one after another, have the order of the lines. The whole
/// line follows if lines with equal keys are compared as a whole.
///
/// The bytes of a part that runs in the opposite direction to the others are complemented.
public final class LineFieldKeys implements LineKeys {
    /// Most parts are fields, of which a line has several.
    private static final double USUAL_SHARE = 0.5;

    private static final double VERSION_SHARE = 2;

    private final LineOrder order;
    private final boolean endInLine;
    private final boolean isReversed;
    private final List<LineKey> parts;
    private final LineKeyPart[] encoders;
    /// The window that long lines pass through; null until there is one.
    private byte[] window;

    private final KeyBuffer made = new KeyBuffer();

    /// @param order an order that has keys
    public LineFieldKeys(LineOrder order) {
        this(order, order.comparesWholeLines());
    }

    private LineFieldKeys(LineOrder order, boolean endInLine) {
        this.order = order;
        this.endInLine = endInLine;
        this.parts = order.keys();
        // The last part needs no end, because nothing follows, unless it is complemented.
        this.isReversed = order.comparesWholeLines()
                ? order.isLastResortReversed()
                : parts.getLast().isReversed();
        this.encoders = new LineKeyPart[parts.size()];
        for (int i = 0; i < encoders.length; i++) {
            boolean isLast = i == encoders.length - 1 && !order.comparesWholeLines();
            encoders[i] = LineKeyPart.of(parts.get(i), isLast);
        }
    }

    @Override
    public boolean areLines() {
        return false;
    }

    @Override
    public StringOrder order() {
        return new StringOrder(false, isReversed);
    }

    @Override
    public void encode(byte[] text, int from, int to, KeyBuffer key) {
        int separator = order.separator();
        for (int i = 0; i < encoders.length; i++) {
            LineKey part = parts.get(i);
            int first = Fields.skip(text, from, to, part.startField() - 1, separator);
            int begin = Fields.begin(text, first, to, part);
            int end = part.endField() < part.startField()
                    ? Fields.end(text, from, to, 1, part, separator)
                    : Fields.end(text, first, to, part.startField(), part, separator);
            int encoded = key.length();
            encoders[i].encode(text, begin, Math.max(begin, end), key);
            if (part.isReversed() != isReversed) {
                key.complement(encoded);
            }
        }
        if (endInLine) {
            key.add(text, from, to);
        }
    }

    @Override
    public void encode(ByteRange line, KeySink sink) throws IOException {
        window = window == null ? new byte[LongText.WINDOW_BYTES] : window;
        LongText text = new LongText(line, window);
        for (int i = 0; i < encoders.length; i++) {
            LineKey part = parts.get(i);
            long begin = text.begin(part, order.separator());
            long end = Math.max(begin, text.end(part, order.separator()));
            encode(text, begin, end, part, encoders[i], sink);
        }
        if (endInLine) {
            text.forEachPiece(0, line.byteSize(), sink);
        }
    }

    private void encode(LongText text, long begin, long end, LineKey part, LineKeyPart encoder, KeySink sink)
            throws IOException {
        if (encoder.takesPieces()) {
            text.forEachPiece(begin, end, (bytes, from, to) -> {
                encoder.encodePiece(bytes, from, to, made);
                handOn(part, sink);
            });
            encoder.end(made);
        } else {
            long last = part.kind() == LineKey.Kind.VERSION ? end : text.numberEnd(begin, end);
            byte[] whole = text.part(begin, last);
            encoder.encode(whole, 0, whole.length, made);
        }
        handOn(part, sink);
    }

    private void handOn(LineKey part, KeySink sink) throws IOException {
        if (part.isReversed() != isReversed) {
            made.complement(0);
        }
        sink.add(made.bytes(), 0, made.length());
        made.clear();
    }

    @Override
    public double keyShare() {
        double share = endInLine ? 1 : 0;
        for (LineKey part : parts) {
            share += part.kind() == LineKey.Kind.VERSION ? VERSION_SHARE : USUAL_SHARE;
        }
        return share;
    }

    @Override
    public LineKeys withoutLine() {
        return endInLine ? new LineFieldKeys(order, false) : null;
    }

    @Override
    public LineKeys copy() {
        return new LineFieldKeys(order, endInLine);
    }
}
