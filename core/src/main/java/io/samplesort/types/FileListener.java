package io.samplesort.types;

import java.nio.file.Path;

/// What a sort of files tells while it works. Calls come one at a time, from several threads. What one throws ends the
/// sort, and nothing is changed then.
public interface FileListener {
    /// The sort is about to begin.
    ///
    /// @param plan how it will go
    default void planned(FilePlan plan) {}

    /// A temporary file of an earlier sort was found that had been killed, and was removed.
    default void removed(Path leftover) {}

    /// A piece of a file was read or written.
    ///
    /// @param movedBytes bytes read and written until now
    /// @param totalBytes how many there will be in the end: [FilePlan#movedBytes]
    default void moved(long movedBytes, long totalBytes) {}
}
