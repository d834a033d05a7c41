package io.samplesort.gpu.cubins;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;

/// Entries of a folder of compiled kernels that no process uses any more, such as those of earlier versions of the
/// library or of the compiler. Each version makes its own, so the folder would grow for ever.
///
/// The time of an entry's file says when it was last used, to a day. What is removed while another process wants it is
/// compiled anew there.
final class UnusedEntries {
    /// How long an entry stays that is not used.
    static final Duration KEPT = Duration.ofDays(90);

    /// The time of a file is not written more often, as that is a write to the disk in each process.
    private static final Duration PRECISION = Duration.ofDays(1);

    private UnusedEntries() {}

    /// Notes that an entry is used, whose file has this time.
    static void noteUse(Path entry, FileTime lastUse) {
        long now = System.currentTimeMillis();
        if (now - lastUse.toMillis() > PRECISION.toMillis()) {
            try {
                Files.setLastModifiedTime(entry, FileTime.fromMillis(now));
            } catch (IOException e) {
                // A folder that only can be read keeps its times.
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
            // They stay, which takes space and nothing else.
        }
    }

    private static void removeIfOlder(Path entry, FileTime oldest) {
        try {
            if (Files.getLastModifiedTime(entry).compareTo(oldest) < 0) {
                Files.deleteIfExists(entry);
            }
        } catch (IOException e) {
            // Another process has removed it meanwhile, or has it open where that keeps it.
        }
    }
}
