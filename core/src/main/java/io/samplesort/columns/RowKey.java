package io.samplesort.columns;

import java.util.ArrayList;
import java.util.List;

/// The bits of a row's key that are not in a string of any length, in the order of their weight, and how many of them
/// rows have been sorted by.
final class RowKey {
    private final List<KeyPart> parts = new ArrayList<>();
    /// The first part that rows have not been sorted by in full, and how many of its bits they have been sorted by.
    private int part;

    private int taken;

    void add(KeyPart added) {
        if (added.width() > 0) {
            parts.add(added);
        }
    }

    /// Some bits of a part.
    record Piece(KeyPart part, int shift, int bits) {}

    /// Returns whether rows have been sorted by all bits.
    boolean isDone() {
        return part == parts.size();
    }

    /// Takes the next bits, at most `room`.
    List<Piece> take(int room) {
        List<Piece> pieces = new ArrayList<>();
        int left = room;
        while (left > 0 && !isDone()) {
            KeyPart next = parts.get(part);
            int bits = Math.min(left, next.width() - taken);
            pieces.add(new Piece(next, next.width() - taken - bits, bits));
            left -= bits;
            taken += bits;
            if (taken == next.width()) {
                part++;
                taken = 0;
            }
        }
        return pieces;
    }
}
