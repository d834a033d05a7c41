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

/// Temporary files of processes that were killed.
public final class Leftovers {
    private Leftovers() {}

    /// Removes the temporary files for `name` that nobody uses. One is in use while it is locked, by this process or
    /// another. What cannot be looked at or removed, as another user's files, stays.
    ///
    /// @return what was removed
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
            // While it is locked: whoever has only just made it sees that and makes another.
            return lock != null && Files.deleteIfExists(path);
        } catch (IOException | OverlappingFileLockException e) {
            return false;
        }
    }
}
