package io.samplesort.gpu.cubins;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;

/// Entries of a folder of compiled kernels that no process uses any more, such as those of earlier versions of the
/// library or of the compiler. Each version adds its own entries, so the folder would grow for ever.
///
/// The time of an entry's file says when it was last used, with the precision of a day. If an entry is removed while
/// another process needs it, that process compiles it anew.
final class UnusedEntries {
    /// How long an unused entry stays.
    static final Duration KEPT = Duration.ofDays(90);

    /// The time of a file is not written more often than this, as that would be a write to the disk in each process.
    private static final Duration PRECISION = Duration.ofDays(1);

    private UnusedEntries() {}

    /// Notes that an entry is used.
    static void noteUse(Path entry, FileTime lastUse) {
        long now = System.currentTimeMillis();
        if (now - lastUse.toMillis() > PRECISION.toMillis()) {
            try {
                Files.setLastModifiedTime(entry, FileTime.fromMillis(now));
            } catch (IOException e) {
                // In a read-only folder the times stay.
            }
        }
    }

    /// Removes the files of a folder that were not used for [#KEPT], if their names match a pattern.
    ///
    /// @param pattern as [Files#newDirectoryStream(Path, String)] takes it
    static void remove(Path folder, String pattern) {
        FileTime oldest = FileTime.fromMillis(System.currentTimeMillis() - KEPT.toMillis());
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, pattern)) {
            for (Path entry : entries) {
                removeIfOlder(entry, oldest);
            }
        } catch (IOException e) {
            // The entries stay, which costs only space.
        }
    }

    private static void removeIfOlder(Path entry, FileTime oldest) {
        try {
            if (Files.getLastModifiedTime(entry).compareTo(oldest) < 0) {
                Files.deleteIfExists(entry);
            }
        } catch (IOException e) {
            // Another process has removed the file meanwhile, or has it open on a system that then refuses to remove
            // it.
        }
    }
}
