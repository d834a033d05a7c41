package io.samplesort.files.types;

import java.util.List;

/// An order of lines of text, the one that the command `sort` has with `LC_ALL=C`. Lines are compared by their keys:
/// the first one that differs decides. Lines whose keys are all equal, and lines without keys, are compared byte by
/// byte as unsigned numbers.
///
/// @param keys         what lines are compared by; may be empty
/// @param separator    the byte between fields, from 0 to 255; [#BLANKS] if blanks separate them
/// @param terminator   the byte that ends a line: mostly a line feed, or 0
/// @param isReversed   whether lines are compared from last to first where no key decides. Each key has a direction of
///     its own.
/// @param isByKeysOnly whether lines with equal keys keep the order of the input. Without keys it has no effect.
public record LineOrder(List<LineKey> keys, int separator, byte terminator, boolean isReversed, boolean isByKeysOnly) {
    /// The value of the separator if blanks separate fields: spaces, tabs and line feeds.
    public static final int BLANKS = -1;

    private static final int LAST_BYTE = 255;

    /// @throws IllegalArgumentException if the separator is neither a byte nor [#BLANKS]
    public LineOrder {
        keys = List.copyOf(keys);
        if (separator < BLANKS || separator > LAST_BYTE) {
            throw new IllegalArgumentException("separator " + separator + ": must be a byte, from 0 to 255");
        }
    }

    /// Returns the order of the bytes of lines that end in line feeds.
    public static LineOrder bytes() {
        return new LineOrder(List.of(), BLANKS, (byte) '\n', false, false);
    }

    /// Returns an order by keys.
    ///
    /// @param keys the first one decides, then the second one, and so on
    public static LineOrder by(LineKey... keys) {
        return new LineOrder(List.of(keys), BLANKS, (byte) '\n', false, false);
    }

    /// Returns the same order with fields that this byte separates.
    ///
    /// @throws IllegalArgumentException if it is not a byte
    public LineOrder separatedBy(int otherSeparator) {
        return new LineOrder(keys, otherSeparator, terminator, isReversed, isByKeysOnly);
    }

    /// Returns the same order of lines that end with this byte.
    public LineOrder terminatedBy(byte otherTerminator) {
        return new LineOrder(keys, separator, otherTerminator, isReversed, isByKeysOnly);
    }

    /// Returns this order with lines compared from last to first where no key decides. Keys keep their directions.
    public LineOrder reversed() {
        return new LineOrder(keys, separator, terminator, !isReversed, isByKeysOnly);
    }

    /// Returns this order by keys alone: lines whose keys are all equal keep the order of the input.
    public LineOrder byKeysOnly() {
        return new LineOrder(keys, separator, terminator, isReversed, true);
    }

    /// Returns whether lines are compared as a whole if no key decides.
    public boolean comparesWholeLines() {
        return keys.isEmpty() || !isByKeysOnly;
    }
}
