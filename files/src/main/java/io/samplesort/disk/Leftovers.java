package io.samplesort.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Removes the temporary files of processes that were killed. A temporary file is in use while this process or another
/// has locked it.
public final class Leftovers {
    /// A temporary file that was found.
    ///
    /// @param path   the file
    /// @param bytes  its size
    /// @param fate   what became of it
    /// @param reason why it could not be removed, in words; empty unless the fate is [Fate#STUCK]
    public record Leftover(Path path, long bytes, Fate fate, String reason) {}

    /// What became of a temporary file.
    public enum Fate {
        REMOVED,
        /// A living process holds the file, so it stays.
        IN_USE,
        /// The file stays because it could not be looked at or removed. It may be that of another user, for example.
        STUCK
    }

    private Leftovers() {}

    /// Removes the temporary files for `name` that are not in use.
    ///
    /// @return the files that were removed; none if the folder is not there, or may be written to but not read
    public static List<Path> remove(Path folder, String name) throws IOException {
        try {
            return clean(folder, TemporaryFile.pattern(name)).stream()
                    .filter(leftover -> leftover.fate() == Fate.REMOVED)
                    .map(Leftover::path)
                    .toList();
        } catch (AccessDeniedException | NoSuchFileException | NotDirectoryException e) {
            return List.of();
        }
    }

    /// Removes all temporary files that are not in use, whatever they were for.
    ///
    /// @return all temporary files that were found, ordered by name
    public static List<Leftover> clean(Path folder) throws IOException {
        return clean(folder, TemporaryFile.pattern());
    }

    private static List<Leftover> clean(Path folder, Pattern pattern) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(
                folder.toRealPath(),
                // Most files of a folder are not temporary files, and the end of their names shows that.
                entry -> TemporaryFile.mayBe(entry)
                        && pattern.matcher(entry.getFileName().toString()).matches()
                        && Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS))) {
            entries.forEach(found::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found.stream()
                .sorted()
                .map(Leftovers::removal)
                .flatMap(Optional::stream)
                .toList();
    }

    /// Returns what became of a temporary file, or nothing if it is not there any more.
    private static Optional<Leftover> removal(Path path) {
        try {
            long bytes = Files.size(path);
            return Optional.of(new Leftover(path, bytes, isRemoved(path) ? Fate.REMOVED : Fate.IN_USE, ""));
        } catch (NoSuchFileException e) {
            // The process that was using it has removed it or put it in its place.
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(new Leftover(path, 0, Fate.STUCK, FileFailure.reason(e)));
        }
    }

    /// Removes a file, unless it is in use.
    private static boolean isRemoved(Path path) throws IOException {
        if (TemporaryFile.isLive(path)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                return false;
            }
            // The file is removed while it is locked here: a process that has only just made it sees that and makes
            // another.
            Files.delete(path);
            return true;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }
}
