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

    /// Removes those of the folder for temporary files.
    static void remove() {
        remove(Path.of(System.getProperty("java.io.tmpdir")));
    }

    /// Removes those of this user, as far as that is possible. Others may have made folders of such a name, and links.
    ///
    /// @param parent the folder that the folders of copies are made in
    static void remove(Path parent) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(
                parent, entry -> entry.getFileName().toString().startsWith(KernelCopy.PREFIX))) {
            for (Path folder : found) {
                removeOld(folder);
            }
        } catch (IOException | DirectoryIteratorException | UnsupportedOperationException e) {
            // A folder that cannot be looked at has nothing that could be removed.
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
            // Another process is removing it, or somebody has put something else there.
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
