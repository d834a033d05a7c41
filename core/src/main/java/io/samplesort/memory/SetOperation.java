package io.samplesort.memory;

/// Operations of two sorted inputs as multisets. A key that is there `a` times in the first and `b` times in the second
/// is in the result this often:
public enum SetOperation {
    /// max(a, b) times: all of the first, then the last b - a of the second.
    UNION,
    /// min(a, b) times: the first ones of the first input.
    INTERSECTION,
    /// max(a - b, 0) times: the last ones of the first input.
    DIFFERENCE;

    /// Returns the most elements that two inputs of these sizes can leave.
    public long most(long first, long second) {
        return switch (this) {
            case UNION -> first + second;
            case INTERSECTION -> Math.min(first, second);
            case DIFFERENCE -> first;
        };
    }
}
