package io.samplesort.rows;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/// Neighbouring columns that have no strings of any length, as one number of as many bits as it takes, from which rows
/// take a few bits at a time.
final class RowKey implements RowStep {
    private final Deque<ColumnBits> sources = new ArrayDeque<>();
    /// What is left of a source that has been narrowed; null if nothing is.
    private KeyPart part;

    /// How many bits of this part have been taken.
    private int taken;

    /// What fills a word up that has room left in the end; null for nothing.
    private ColumnBits filler;

    void add(ColumnBits source) {
        sources.add(source);
    }

    /// Says what comes after all other bits. Its upper bits are taken where a word has room for them, so that fewer
    /// rows are tied when the next step sorts by all of it.
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
    /// @param room   how many at most; there are fewer pieces only if nothing is left
    /// @param narrow makes the part of a source that is begun. It may look at tied rows alone, since bits are taken for
    ///     no others any more.
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
