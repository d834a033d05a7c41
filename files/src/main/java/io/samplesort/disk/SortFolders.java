package io.samplesort.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What all sorts of files do with the folders to which they write.
public final class SortFolders {
    private SortFolders() {}

    /// Returns the folders that the system has for temporary files: the one that `TMPDIR` names, if it is set, and
    /// Java's.
    public static List<Path> ofSystem() {
        List<Path> folders = new ArrayList<>();
        String named = System.getenv("TMPDIR");
        if (named != null && !named.isEmpty()) {
            folders.add(Path.of(named));
        }
        folders.add(Path.of(System.getProperty("java.io.tmpdir")));
        return folders;
    }

    /// Returns the first of some folders in which temporary files can be made; the first of all if there is none.
    public static Path firstUsable(List<Path> folders) {
        return folders.stream().filter(SortFolders::isUsable).findFirst().orElseGet(folders::getFirst);
    }

    private static boolean isUsable(Path folder) {
        return Files.isDirectory(folder) && Files.isWritable(folder);
    }

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
    /// @throws FileFailure      if a file that should be removed is still there
    /// @throws RuntimeException the first one that a file throws, after all were closed
    public static void close(Iterable<? extends Closeable> files) throws FileFailure {
        try {
            Closing.all(files);
        } catch (IOException e) {
            throw new FileFailure("cannot remove a temporary file; the next sort will try again", e);
        }
    }
}
