package io.samplesort.lines.keys;

import io.samplesort.types.LineKey;
import io.samplesort.types.LineOrder;
import io.samplesort.types.StringOrder;
import java.util.List;

/// Keys of lines that are parts of them: each part becomes bytes whose order is that of the part, and none of these is
/// the beginning of another one. So the bytes of all parts, one behind another, have the order of the lines. The whole
/// line follows where equal keys do not end the comparison.
///
/// Bytes of a part that runs the other way than all others are complemented.
public final class LineFieldKeys implements LineKeys {
    /// Most parts are fields, of which a line has several.
    private static final double USUAL_SHARE = 0.5;

    private static final double VERSION_SHARE = 2;

    private final LineOrder order;
    private final boolean isReversed;
    private final List<LineKey> parts;
    private final LineKeyPart[] encoders;

    /// @param order has keys
    public LineFieldKeys(LineOrder order) {
        this.order = order;
        this.parts = order.keys();
        // The last part needs no end, because nothing follows, unless it is complemented.
        this.isReversed = order.comparesWholeLines()
                ? order.isReversed()
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
        for (int i = 0; i < encoders.length; i++) {
            LineKey part = parts.get(i);
            int begin = Fields.begin(text, from, to, part, order.separator());
            int end = Math.max(begin, Fields.end(text, from, to, part, order.separator()));
            int encoded = key.length();
            encoders[i].encode(text, begin, end, key);
            if (part.isReversed() != isReversed) {
                key.complement(encoded);
            }
        }
        if (order.comparesWholeLines()) {
            key.add(text, from, to);
        }
    }

    @Override
    public double keyShare() {
        double share = order.comparesWholeLines() ? 1 : 0;
        for (LineKey part : parts) {
            share += part.kind() == LineKey.Kind.VERSION ? VERSION_SHARE : USUAL_SHARE;
        }
        return share;
    }

    @Override
    public LineKeys copy() {
        return new LineFieldKeys(order);
    }
}
