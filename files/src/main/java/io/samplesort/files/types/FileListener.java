package io.samplesort.files.types;

import java.nio.file.Path;

/// A listener is told how a sort of files goes on. Calls come one at a time, but from several threads. An exception
/// that it throws ends the sort, and in that case nothing is changed.
public interface FileListener {
    /// Called when the sort is about to begin.
    ///
    /// @param plan how it will go
    default void planned(FilePlan plan) {}

    /// Called when the temporary file of an earlier sort that was killed has been found and removed.
    default void removed(Path leftover) {}

    /// Called when a result is complete and about to replace a file with something that the result cannot take over,
    /// such as its owner.
    ///
    /// @param output where the result goes
    /// @param loss   what the file loses and why, in words for users
    default void lost(Path output, String loss) {}

    /// Called when an input has become longer since the sort began. The result has what the input had then.
    ///
    /// @param bytes how many bytes were added
    default void grown(Path input, long bytes) {}

    /// Called when a piece of a file has been read or written.
    ///
    /// @param movedBytes bytes that have been read and written until now
    /// @param totalBytes how many there will be at the end: [FilePlan#movedBytes]
    default void moved(long movedBytes, long totalBytes) {}
}
