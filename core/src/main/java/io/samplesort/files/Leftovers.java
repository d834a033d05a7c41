package io.samplesort.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Removes the temporary files of processes that were killed.
public final class Leftovers {
    private Leftovers() {}

    /// Removes the temporary files for `name` that nobody uses. A file is in use while this process or another has
    /// locked it. Files that cannot be looked at or removed, such as those of another user, stay.
    ///
    /// @return the files that were removed
    public static List<Path> remove(Path folder, String name) throws IOException {
        List<Path> removed = new ArrayList<>();
        Pattern pattern = TemporaryFile.pattern(name);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(
                folder.toRealPath(),
                entry -> pattern.matcher(entry.getFileName().toString()).matches())) {
            for (Path entry : entries) {
                if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)
                        && !TemporaryFile.isLive(entry)
                        && isRemoved(entry)) {
                    removed.add(entry);
                }
            }
        }
        return removed;
    }

    private static boolean isRemoved(Path path) {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            // The file is removed while it is locked: a process that has only just made it sees that and makes another.
            return lock != null && Files.deleteIfExists(path);
        } catch (IOException | OverlappingFileLockException e) {
            return false;
        }
    }
}
