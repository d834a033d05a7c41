package io.samplesort.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/// A file that is removed when it is closed, unless it was moved to its place before. A shutdown hook removes it if the
/// process is told to end; if the process is killed, [Leftovers] finds it.
///
/// The file is locked as long as it lives, which tells other processes that it is not a leftover.
public final class TemporaryFile implements Closeable {
    /// Files of this process. It must not lock them again: on POSIX, closing any channel of a file gives back all locks
    /// that the process holds on it.
    private static final Set<Path> LIVE = ConcurrentHashMap.newKeySet();

    private static final int ATTEMPTS = 10;

    private static final String SUFFIX = ".samplesort";

    /// Not longer than the suffix above.
    private static final String KEPT_SUFFIX = ".result";

    /// File systems take names of up to 255 bytes. Two dots, 16 hexadecimal digits and the suffix leave this many for
    /// the name that a temporary file is for.
    private static final int NAME_BYTES = 255 - 2 - 16 - SUFFIX.length();

    /// Whether the process is ending. A file that was made now would stay. Guarded by [#LIVE].
    private static boolean isEnding;

    static {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(TemporaryFile::removeAll));
        } catch (IllegalStateException e) {
            isEnding = true;
        }
    }

    private static void removeAll() {
        synchronized (LIVE) {
            isEnding = true;
            LIVE.forEach(TemporaryFile::remove);
        }
    }

    private static void remove(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // The file stays, and Leftovers finds it.
        }
    }

    private final Path path;
    private final FileChannel channel;

    private TemporaryFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /// Makes an empty file.
    ///
    /// @param folder   an existing folder
    /// @param name     what the file is for, which becomes a part of its name
    /// @param isSecret whether no other user may open the file, whatever the defaults of the process are
    public static TemporaryFile create(Path folder, String name, boolean isSecret) throws IOException {
        Path home = folder.toRealPath();
        boolean isPosix = home.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = isPosix && isSecret
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            String unique = Long.toHexString(ThreadLocalRandom.current().nextLong());
            Path path = home.resolve("." + shortened(name) + "." + unique + SUFFIX);
            TemporaryFile file = open(path, attributes);
            if (file != null) {
                return file;
            }
        }
        throw new IOException("temporary files in " + home + " disappear at once: is another program removing them?");
    }

    /// Returns null if another process took the file for a leftover and removed it before it was locked.
    private static TemporaryFile open(Path path, FileAttribute<?>[] attributes) throws IOException {
        FileChannel channel = null;
        boolean isOurs = false;
        try {
            channel = create(path, attributes);
            isOurs = isLockable(channel) && Files.exists(path);
            return isOurs ? new TemporaryFile(path, channel) : null;
        } catch (FileAlreadyExistsException e) {
            return null;
        } finally {
            if (!isOurs) {
                LIVE.remove(path);
                if (channel != null) {
                    channel.close();
                }
            }
        }
    }

    private static FileChannel create(Path path, FileAttribute<?>[] attributes) throws IOException {
        synchronized (LIVE) {
            if (isEnding) {
                throw new IOException("the process is ending");
            }
            LIVE.add(path);
            return FileChannel.open(
                    path,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
                    attributes);
        }
    }

    private static boolean isLockable(FileChannel channel) {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            // On a file system without locks, no process can take the file for a leftover.
            return true;
        }
    }

    /// Returns a name that leaves room for the rest of a temporary file's name. A name that is too long is cut, and its
    /// hash keeps it apart from others that begin like it.
    private static String shortened(String name) {
        if (bytes(name) <= NAME_BYTES) {
            return name;
        }
        String hash = "~" + HexFormat.of().toHexDigits(name.hashCode());
        int end = name.length();
        while (bytes(name.substring(0, end)) > NAME_BYTES - hash.length()) {
            end = name.offsetByCodePoints(end, -1);
        }
        return name.substring(0, end) + hash;
    }

    private static int bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length;
    }

    /// Returns the pattern of the names of files that [#create] makes for `name`.
    static Pattern pattern(String name) {
        return patternOf(Pattern.quote(shortened(name)));
    }

    /// Returns the pattern of the names of all files that [#create] makes.
    static Pattern pattern() {
        return patternOf(".+");
    }

    private static Pattern patternOf(String name) {
        return Pattern.compile("\\." + name + "\\.[0-9a-f]{1,16}" + Pattern.quote(SUFFIX), Pattern.DOTALL);
    }

    /// Returns whether a file may have such a name.
    static boolean mayBe(Path path) {
        return path.toString().endsWith(SUFFIX);
    }

    /// Returns whether this process uses the file.
    static boolean isLive(Path path) {
        return LIVE.contains(path);
    }

    public Path path() {
        return path;
    }

    /// Returns the channel for reading and writing. Do not close it: the file does that itself, and closing gives back
    /// the lock.
    public FileChannel channel() {
        return channel;
    }

    /// Puts the file in the place of another, atomically. From then on it is not a temporary file any more.
    void moveTo(Path target) throws IOException {
        Files.move(path, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        LIVE.remove(path);
    }

    /// Gives the file a name in its folder under which it stays. From then on it is not a temporary file any more.
    ///
    /// @return its new path
    Path keep() throws IOException {
        String name = path.getFileName().toString();
        Path kept = path.resolveSibling(name.substring(1, name.length() - SUFFIX.length()) + KEPT_SUFFIX);
        moveTo(kept);
        return kept;
    }

    /// Removes the file, unless it was moved.
    @Override
    public void close() throws IOException {
        try {
            if (LIVE.contains(path)) {
                // The file is removed while it is still locked, so that no other process removes it at the same time.
                Files.deleteIfExists(path);
            }
        } finally {
            LIVE.remove(path);
            channel.close();
        }
    }
}
