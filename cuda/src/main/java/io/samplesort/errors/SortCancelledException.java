package io.samplesort.errors;

/// Thrown by a sort that its listener has cancelled. The sorter can sort again.
public final class SortCancelledException extends SampleSortException {
    private static final long serialVersionUID = 1L;

    private final boolean isInputUnchanged;

    /// @param what             what was cancelled, and what state the input is in
    /// @param isInputUnchanged whether the input is as it was before the sort
    public SortCancelledException(String what, boolean isInputUnchanged) {
        super(what);
        this.isInputUnchanged = isInputUnchanged;
    }

    /// Returns whether the input is as it was before the sort. Otherwise it holds all its elements, each with its
    /// payloads, in no particular order.
    public boolean isInputUnchanged() {
        return isInputUnchanged;
    }
}
