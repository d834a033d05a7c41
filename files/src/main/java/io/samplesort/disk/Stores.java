package io.samplesort.disk;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The file systems that files lie in.
final class Stores {
    private Stores() {}

    /// Returns the file system of a file; null if Java does not find it, as after a change of the root folder
    /// (`chroot`), when no list of mounts has it.
    ///
    /// @throws FileSystemException if the file cannot be looked at
    static FileStore of(Path file) throws IOException {
        try {
            return Files.getFileStore(file);
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException e) {
            return null;
        }
    }

    /// Returns the bytes that may be written to the disk of a folder; more than any disk has if Java cannot tell.
    ///
    /// @param store what [#of(Path)] returned for the folder
    static long usableBytes(Path folder, FileStore store) throws IOException {
        if (store != null) {
            return store.getUsableSpace();
        }
        // A folder whose name is no text in the user's locale is not found; its disk counts as large enough.
        return folder.toFile().exists() ? folder.toFile().getUsableSpace() : Long.MAX_VALUE;
    }
}
