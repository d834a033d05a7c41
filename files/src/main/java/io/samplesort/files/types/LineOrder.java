package io.samplesort.files.types;

import java.util.List;

/// An order of lines of text, the one that the command `sort` has with `LC_ALL=C`. Lines are compared by their keys:
/// the first one that differs decides. Lines whose keys are all equal, and lines without keys, are compared byte by
/// byte as unsigned numbers; this is the last resort. With [#stable], lines whose keys are all equal keep the order of
/// the input instead.
///
/// ```java
/// LineOrder.by(LineKey.fields(2, 2).as(LineKey.Kind.NUMERIC)).separatedBy(',').reversed().stable()
/// ```
///
/// Orders are immutable; every method returns a new one.
public final class LineOrder {
    /// The value of the separator if blanks separate fields: spaces, tabs and line feeds.
    public static final int BLANKS = -1;

    private static final int LAST_BYTE = 255;

    private final List<LineKey> keys;
    private final Rules rules;

    private record Rules(int separator, byte terminator, boolean isLastResortReversed, boolean isStable) {
        static final Rules DEFAULT = new Rules(BLANKS, (byte) '\n', false, false);
    }

    private LineOrder(List<LineKey> keys, Rules rules) {
        this.keys = keys;
        this.rules = rules;
    }

    /// Returns the order of the bytes of lines that end in line feeds.
    public static LineOrder bytes() {
        return new LineOrder(List.of(), Rules.DEFAULT);
    }

    /// Returns an order by keys of lines that end in line feeds and have blanks between their fields.
    ///
    /// @param keys the first one decides, then the second one, and so on; without any, the order is that of [#bytes]
    public static LineOrder by(LineKey... keys) {
        return new LineOrder(List.of(keys), Rules.DEFAULT);
    }

    /// Returns the same order with fields that this byte separates.
    ///
    /// @param separator the byte between fields, from 0 to 255; [#BLANKS] if blanks separate them
    /// @throws IllegalArgumentException if it is neither a byte nor [#BLANKS]
    public LineOrder separatedBy(int separator) {
        if (separator < BLANKS || separator > LAST_BYTE) {
            throw new IllegalArgumentException("separator " + separator + ": must be a byte, from 0 to 255");
        }
        return new LineOrder(keys, new Rules(separator, rules.terminator, rules.isLastResortReversed, rules.isStable));
    }

    /// Returns the same order of lines that end with this byte, which is usually a line feed or 0.
    public LineOrder terminatedBy(byte terminator) {
        return new LineOrder(keys, new Rules(rules.separator, terminator, rules.isLastResortReversed, rules.isStable));
    }

    /// Returns this order from last to first, as [java.util.Comparator#reversed] does: every key and the last resort.
    /// Lines that are equal keep their order.
    public LineOrder reversed() {
        return new LineOrder(keys.stream().map(LineKey::reversed).toList(), rules).lastResortReversed();
    }

    /// Returns this order with the comparison of whole lines, where no key decides, turned round; a second call turns
    /// it back. Keys keep their directions. This is what the option `-r` of the command `sort` adds to keys that have a
    /// direction of their own.
    public LineOrder lastResortReversed() {
        return new LineOrder(
                keys, new Rules(rules.separator, rules.terminator, !rules.isLastResortReversed, rules.isStable));
    }

    /// Returns this order by keys alone: lines whose keys are all equal keep the order of the input. Without keys it
    /// has no effect, since lines that are equal as a whole cannot be told apart.
    public LineOrder stable() {
        return new LineOrder(keys, new Rules(rules.separator, rules.terminator, rules.isLastResortReversed, true));
    }

    /// Returns what lines are compared by; may be empty.
    public List<LineKey> keys() {
        return keys;
    }

    /// Returns the byte between fields, from 0 to 255; [#BLANKS] if blanks separate them.
    public int separator() {
        return rules.separator;
    }

    /// Returns the byte that ends a line.
    public byte terminator() {
        return rules.terminator;
    }

    /// Returns whether lines are compared from last to first where no key decides.
    public boolean isLastResortReversed() {
        return rules.isLastResortReversed;
    }

    /// Returns whether lines with equal keys keep the order of the input.
    public boolean isStable() {
        return rules.isStable;
    }

    /// Returns whether lines are compared as a whole if no key decides.
    public boolean comparesWholeLines() {
        return keys.isEmpty() || !rules.isStable;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LineOrder order && keys.equals(order.keys) && rules.equals(order.rules);
    }

    @Override
    public int hashCode() {
        return 31 * keys.hashCode() + rules.hashCode();
    }

    @Override
    public String toString() {
        return "LineOrder" + keys + ", " + rules;
    }
}
