package io.samplesort.files.types;

import java.nio.file.Path;

/// Is told how a sort of files goes on. Calls come one at a time, but from several threads. An exception of the
/// listener ends the sort, and nothing is changed then.
public interface FileListener {
    /// Called when the sort is about to begin.
    ///
    /// @param plan how it will go
    default void planned(FilePlan plan) {}

    /// Called when the temporary file of an earlier sort that was killed has been found and removed.
    default void removed(Path leftover) {}

    /// Called when a result is complete and about to replace a file that has something the result cannot take over,
    /// such as its owner.
    ///
    /// @param output where the result goes
    /// @param loss   what the file loses and why, in words for users
    default void lost(Path output, String loss) {}

    /// Called when an input has become longer since the sort began. The result has what was there then.
    ///
    /// @param bytes how many were written behind that
    default void grown(Path input, long bytes) {}

    /// Called when a piece of a file has been read or written.
    ///
    /// @param movedBytes bytes read and written until now
    /// @param totalBytes how many there will be in the end: [FilePlan#movedBytes]
    default void moved(long movedBytes, long totalBytes) {}
}
