package io.samplesort.rows;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/// Neighbouring columns without strings of any length, as one number of as many bits as they need. A sort takes some of
/// these bits at a time.
final class RowKey implements RowStep {
    private final Deque<ColumnBits> sources = new ArrayDeque<>();
    /// The narrowed source of which bits are left; null if there is none.
    private KeyPart part;

    /// How many bits of this part have been taken.
    private int taken;

    /// Fills up the last word if it has room left; null for nothing.
    private ColumnBits filler;

    void add(ColumnBits source) {
        sources.add(source);
    }

    /// Sets what comes after all other bits. Its upper bits are taken if a word has room for them, so that fewer rows
    /// are tied when the next step sorts by all of it.
    void fillWith(ColumnBits next) {
        filler = next;
    }

    /// Some bits of a part: `bits` of them, above the lowest `shift`.
    record Piece(KeyPart part, int shift, int bits) {}

    /// Returns whether all bits have been taken.
    @Override
    public boolean isDone() {
        return part == null && sources.isEmpty();
    }

    /// Takes the next bits.
    ///
    /// @param room   how many bits at most; there are fewer only if no more are left
    /// @param narrow makes the part of a source when its first bits are taken. It may look only at tied rows, since
    ///     bits are no longer taken for others.
    List<Piece> take(int room, Function<ColumnBits, KeyPart> narrow) {
        List<Piece> pieces = new ArrayList<>();
        int left = room;
        while (left > 0 && !isDone()) {
            if (part == null) {
                part = narrow.apply(sources.removeFirst());
                taken = 0;
            }
            int bits = Math.min(left, part.width() - taken);
            taken += bits;
            left -= bits;
            if (bits > 0) {
                pieces.add(new Piece(part, part.width() - taken, bits));
            }
            if (taken == part.width()) {
                part = null;
            }
        }
        if (left > 0 && filler != null && !pieces.isEmpty()) {
            KeyPart next = narrow.apply(filler);
            int bits = Math.min(left, next.width());
            if (bits > 0) {
                pieces.add(new Piece(next, next.width() - bits, bits));
            }
        }
        return pieces;
    }
}
