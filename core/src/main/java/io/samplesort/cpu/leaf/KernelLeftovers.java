package io.samplesort.cpu.leaf;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// Removes the copies of the kernels' file that killed processes have left. A copy lives for milliseconds, so one that
/// is minutes old is a leftover.
final class KernelLeftovers {
    private static final long LEAST_AGE_MILLIS = 600_000;

    private KernelLeftovers() {}

    /// Removes the leftovers in the folder for temporary files.
    static void remove() {
        remove(Path.of(System.getProperty("java.io.tmpdir")));
    }

    /// Removes the leftovers of this user, as far as possible. Other users may have made folders, or links, with such
    /// names.
    ///
    /// @param parent the folder in which the folders of copies are made
    static void remove(Path parent) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(
                parent, entry -> entry.getFileName().toString().startsWith(KernelCopy.PREFIX))) {
            for (Path folder : found) {
                removeOld(folder);
            }
        } catch (IOException | DirectoryIteratorException | UnsupportedOperationException e) {
            // Nothing can be removed from a folder that cannot be read.
            return;
        }
    }

    private static void removeOld(Path folder) {
        try {
            if (isLeftover(folder)) {
                Files.deleteIfExists(folder.resolve(KernelFile.NAME));
                Files.delete(folder);
            }
        } catch (IOException e) {
            // Another process is removing it, or something else is there now.
            return;
        }
    }

    private static boolean isLeftover(Path folder) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(folder, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        long age = System.currentTimeMillis() - attributes.lastModifiedTime().toMillis();
        return attributes.isDirectory()
                && age >= LEAST_AGE_MILLIS
                && Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                        .equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }
}
