package io.samplesort.cli;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/// A file that appears under its name complete or not at all: it is written beside its place, forced to the disk, and
/// renamed. Whatever ends the process before that, short of a kill, removes the unfinished file.
final class AtomicFile implements AutoCloseable {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final Set<Path> UNFINISHED = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> UNFINISHED.forEach(path -> path.toFile().delete())));
    }

    private final Path target;
    private final Path temporary;
    private final FileChannel channel;
    private boolean isComplete;

    private AtomicFile(Path target, Path temporary, FileChannel channel) {
        this.target = target;
        this.temporary = temporary;
        this.channel = channel;
    }

    /// @param byteSize how large it will be, so that a full disk shows before the work
    static AtomicFile create(Path path, long byteSize) {
        try {
            // Through a link the file it names is replaced, not the link.
            Path target = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
            if (Files.isDirectory(target)) {
                throw new CommandFailure(path + " is a folder: name a file");
            }
            Path folder = target.getParent();
            if (!Files.isDirectory(folder)) {
                throw new CommandFailure("the folder " + folder + " is not there: make it first");
            }
            if (!Files.isWritable(folder) || (Files.exists(target) && !Files.isWritable(target))) {
                throw new CommandFailure(path + " cannot be written: check the permissions of it and of its folder");
            }
            FileStore store = Files.getFileStore(folder);
            if (store.getUsableSpace() < byteSize) {
                throw new CommandFailure("the disk of " + folder + " has " + store.getUsableSpace() + " bytes free and "
                        + path.getFileName() + " needs " + byteSize + ": free some, or name another place with -o");
            }
            Path temporary = folder.resolve("." + target.getFileName() + "."
                    + Long.toHexString(ThreadLocalRandom.current().nextLong()) + ".samplesort");
            UNFINISHED.add(temporary);
            // What replaces a file must not be open to more users than that file, not even for a while.
            boolean isPosix =
                    folder.getFileSystem().supportedFileAttributeViews().contains("posix");
            if (isPosix && Files.exists(target)) {
                Files.createFile(temporary, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            } else {
                Files.createFile(temporary);
            }
            return new AtomicFile(target, temporary, FileChannel.open(temporary, StandardOpenOption.WRITE));
        } catch (IOException e) {
            throw new CommandFailure("cannot write beside " + path + ": " + e.getMessage(), e);
        }
    }

    /// Writes all of the file, forces it to the disk, and gives it the permissions of the file it will replace.
    void write(byte[] header, MemorySegment content, Progress progress) throws IOException {
        SegmentIo.write(channel, MemorySegment.ofArray(header), Progress.none());
        SegmentIo.write(channel, content, progress);
        channel.force(true);
        channel.close();
        PosixFileAttributeView view = Files.getFileAttributeView(temporary, PosixFileAttributeView.class);
        if (view != null && Files.exists(target)) {
            view.setPermissions(Files.getPosixFilePermissions(target));
        }
        isComplete = true;
    }

    /// Puts the complete file in its place.
    void publish() throws IOException {
        if (!isComplete) {
            throw new IllegalStateException("write the file before it is published");
        }
        try {
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            throw new CommandFailure("the file system of " + target + " cannot rename atomically", e);
        }
        UNFINISHED.remove(temporary);
    }

    /// Removes the file unless it was published.
    @Override
    public void close() {
        try {
            channel.close();
            if (UNFINISHED.remove(temporary)) {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            throw new CommandFailure("cannot remove the temporary file " + temporary + ": " + e.getMessage(), e);
        }
    }
}
