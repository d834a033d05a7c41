package io.samplesort.lines.flow;

/// What becomes of sorted lines that are equal to the line before them.
public enum Repeats {
    /// All lines are handed on.
    KEPT,
    /// Of lines with equal keys, the first one is handed on.
    LEFT_OUT,
    /// Of lines with the same bytes, one is handed on, behind their number.
    COUNTED,
    /// Of lines with equal keys, the first one is handed on, behind their number.
    COUNTED_BY_KEYS;

    /// @param isUnique  whether lines are equal if their keys are, and only the first one of them stays
    /// @param isCounted whether lines get the number of those that are equal
    public static Repeats of(boolean isUnique, boolean isCounted) {
        if (isCounted) {
            return isUnique ? COUNTED_BY_KEYS : COUNTED;
        }
        return isUnique ? LEFT_OUT : KEPT;
    }

    public boolean areCounted() {
        return this == COUNTED || this == COUNTED_BY_KEYS;
    }

    /// Returns whether lines with equal keys are equal, whatever else they have.
    public boolean areEqualByKeys() {
        return this == LEFT_OUT || this == COUNTED_BY_KEYS;
    }
}
