package io.samplesort.cli.npy;

/// A field of a NumPy array's elements, or a whole element that has no fields: one value, or a string of pieces that
/// compare first to last.
///
/// @param name         its name, with those of the structures around it, joined by dots; empty for a whole element
/// @param text         its type as NumPy writes it, such as `<f8`
/// @param offset       where it begins in an element
/// @param kind         how its pieces compare
/// @param pieceBytes   the size of a piece
/// @param count        how many pieces there are: 1, or the length of a string
/// @param isBigEndian  whether the first byte of a piece is the most significant
public record NpyField(
        String name, String text, int offset, Kind kind, int pieceBytes, int count, boolean isBigEndian) {
    /// How values compare.
    public enum Kind {
        TRUTH,
        SIGNED,
        UNSIGNED,
        FLOAT,
        /// A signed number whose smallest value means that there is no time. NumPy puts it last.
        TIME,
        /// Values that have no order, or one that makes no sense.
        UNORDERED
    }

    int byteSize() {
        return pieceBytes * count;
    }

    NpyField at(String name, int offset) {
        return new NpyField(name, text, offset, kind, pieceBytes, count, isBigEndian);
    }

    /// Returns the field that has this many such values. Of these, only unsigned bytes compare as strings.
    NpyField times(int factor) {
        boolean isOrdered = pieceBytes == 1 && (kind == Kind.UNSIGNED || kind == Kind.TRUTH);
        return isOrdered
                ? new NpyField(name, text, offset, Kind.UNSIGNED, 1, count * factor, isBigEndian)
                : new NpyField(name, text, offset, Kind.UNORDERED, 1, byteSize() * factor, isBigEndian);
    }
}
