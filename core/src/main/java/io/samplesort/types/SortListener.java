package io.samplesort.types;

/// A listener watches sorts in memory, and can cancel them. Calls come one at a time, but from any thread of the sort,
/// at most about a thousand times a second. All of them have to return soon, since the sort waits for them. An
/// exception that a call throws ends the sort where [#isCancelled] would.
///
/// A listener is only called where the sort may stop: not while the GPU sorts, and not while sorted elements go back to
/// where the input was. Short sorts may call it once, before they begin.
public interface SortListener {
    /// Called with how far the sort has come.
    ///
    /// @param done  how many elements are in their places among all others, as far as the engine knows; never falls. It
    ///     is an estimate: a sort by several keys goes over elements again that were counted.
    /// @param count how many elements are sorted
    default void progressed(long done, long count) {}

    /// Returns whether the sort is to stop. If so, the sort throws an
    /// [io.samplesort.errors.SortCancelledException], which says what state the input is in.
    default boolean isCancelled() {
        return false;
    }
}
