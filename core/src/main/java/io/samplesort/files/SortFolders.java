package io.samplesort.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What all sorts of files do with the folders that they write to.
public final class SortFolders {
    private SortFolders() {}

    /// Checks that temporary files can be made in a folder.
    ///
    /// @throws FileFailure if they cannot; the message says what to do
    public static void checkTemporary(Path folder) throws FileFailure {
        if (!Files.isDirectory(folder)) {
            throw new FileFailure("the folder " + folder + " for temporary files is not there: make it first");
        }
        if (!Files.isWritable(folder)) {
            throw new FileFailure("the folder " + folder
                    + " for temporary files cannot be written to: check its permissions, or name another");
        }
    }

    /// Closes all files of a sort, even if some of them cannot be closed.
    ///
    /// @throws FileFailure      if one that is to be removed is still there
    /// @throws RuntimeException the first one that a file throws, after all were closed
    public static void close(Iterable<? extends Closeable> files) throws FileFailure {
        try {
            Closing.all(files);
        } catch (IOException e) {
            throw new FileFailure("cannot remove a temporary file; the next sort will try again", e);
        }
    }
}
