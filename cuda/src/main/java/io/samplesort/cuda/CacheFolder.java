package io.samplesort.cuda;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// The user's folder for files that can be made again. Such files are executed later, so only its owner may access each
/// folder within it, and a folder to which others can write is not used.
public final class CacheFolder {
    /// The system property that names another folder.
    public static final String PROPERTY = "samplesort.cache";

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private CacheFolder() {}

    /// Returns a folder within it, which may not exist yet; null if the system knows no home folder of this user and no
    /// other folder is named.
    public static Path resolve(String child) {
        Path root = root(
                System.getProperty(PROPERTY),
                System.getProperty("os.name"),
                System.getProperty("user.home"),
                System.getenv("XDG_CACHE_HOME"),
                System.getenv("LOCALAPPDATA"));
        return root == null ? null : root.resolve(child);
    }

    /// Returns the folder that follows from system properties and environment variables, any of which may be null.
    static Path root(String named, String os, String home, String xdgCacheHome, String localAppData) {
        if (named != null) {
            return Path.of(named);
        }
        Path homeFolder = absolute(home);
        if (os.startsWith("Mac")) {
            return child(homeFolder, "Library/Caches/samplesort");
        }
        if (os.startsWith("Windows")) {
            Path local = absolute(localAppData);
            return local == null ? child(homeFolder, "samplesort-cache") : local.resolve("samplesort/cache");
        }
        Path xdg = absolute(xdgCacheHome);
        return xdg == null ? child(homeFolder, ".cache/samplesort") : xdg.resolve("samplesort");
    }

    /// Returns an absolute path; null for every other text. A relative path would be another folder in each working
    /// directory, and the XDG specification says to ignore it. Java says that a user's home is `?` if the system does
    /// not know it.
    private static Path absolute(String text) {
        Path path = text == null ? null : Path.of(text);
        return path == null || !path.isAbsolute() ? null : path;
    }

    private static Path child(Path folder, String child) {
        return folder == null ? null : folder.resolve(child);
    }

    /// Makes a folder for its owner alone if it does not exist, and returns whether it can be trusted: it belongs to
    /// this user, and no other user can write to it.
    public static boolean prepare(Path folder) {
        try {
            if (!Files.isDirectory(folder)) {
                Path parent = folder.toAbsolutePath().getParent();
                Files.createDirectories(parent);
                if (isPosix(parent)) {
                    Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
                } else {
                    Files.createDirectories(folder);
                }
            }
            if (!isPosix(folder)) {
                return true;
            }
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
            boolean othersCanWrite = permissions.contains(PosixFilePermission.GROUP_WRITE)
                    || permissions.contains(PosixFilePermission.OTHERS_WRITE);
            return !othersCanWrite && Files.isWritable(folder) && isOwn(folder);
        } catch (IOException | SecurityException e) {
            return false;
        }
    }

    /// Writes a file to such a folder. It appears whole or not at all, and replaces one of the same name.
    ///
    /// @throws IOException if it cannot be written; in that case the old file is unchanged
    public static void replace(Path file, byte[] content) throws IOException {
        Path temporary = Files.createTempFile(file.getParent(), "new", ".tmp");
        try {
            Files.write(temporary, content);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /// Returns whether this user owns the folder. A new file shows who this user is, which no property of the JVM does
    /// reliably.
    private static boolean isOwn(Path folder) throws IOException {
        String name = "owner" + ProcessHandle.current().pid() + "-" + System.nanoTime() + ".tmp";
        Path probe = Files.createFile(folder.resolve(name));
        try {
            return Files.getOwner(probe).equals(Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS));
        } finally {
            Files.delete(probe);
        }
    }
}
