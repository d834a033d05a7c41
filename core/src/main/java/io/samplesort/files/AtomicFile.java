package io.samplesort.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// A file that appears under its name either complete or not at all: it is written beside its place, forced to the
/// disk, and renamed. Whatever ends the process before that removes the unfinished file, unless the process is killed.
public final class AtomicFile implements Closeable {
    private final Path target;
    private final TemporaryFile file;
    private boolean isComplete;

    private AtomicFile(Path target, TemporaryFile file) {
        this.target = target;
        this.file = file;
    }

    /// Returns the file that a path names, after checking that something can be written in its place. If the path is a
    /// link, the file that the link names is replaced, and not the link.
    ///
    /// @throws FileFailure if the path is a folder, or its folder does not exist or may not be written to
    public static Path target(Path path) throws IOException {
        Path target =
                Files.exists(path) ? path.toRealPath() : path.toAbsolutePath().normalize();
        if (Files.isDirectory(target)) {
            throw new FileFailure(path + " is a folder: name a file");
        }
        Path folder = target.getParent();
        if (!Files.isDirectory(folder)) {
            throw new FileFailure("the folder " + folder + " is not there: make it first");
        }
        if (!Files.isWritable(folder) || (Files.exists(target) && !Files.isWritable(target))) {
            throw new FileFailure(path + " cannot be written: check the permissions of it and of its folder");
        }
        return target.getParent().toRealPath().resolve(target.getFileName());
    }

    /// Begins a file, which is empty for now.
    ///
    /// @throws FileFailure as by [#target]
    public static AtomicFile create(Path path) throws IOException {
        Path target = target(path);
        // The new file must not be open to more users than the file it replaces, not even for a while.
        boolean isSecret = Files.exists(target);
        return new AtomicFile(
                target,
                TemporaryFile.create(target.getParent(), target.getFileName().toString(), isSecret));
    }

    /// Returns the channel for writing the content.
    public FileChannel channel() {
        return file.channel();
    }

    /// Forces the file to the disk, and gives it the permissions, the owner and the attributes of the file that it will
    /// replace.
    ///
    /// @return what the file that will be replaced loses all the same, one sentence for users each
    public List<String> complete() throws IOException {
        channel().force(true);
        List<String> losses = Files.exists(target) ? KeptAttributes.pass(target, file.path()) : List.of();
        isComplete = true;
        return losses;
    }

    /// Puts the complete file in its place. [#settle] makes that last.
    public void publish() throws IOException {
        if (!isComplete) {
            throw new IllegalStateException("complete the file before publishing it");
        }
        try {
            file.moveTo(target);
        } catch (AtomicMoveNotSupportedException e) {
            throw new FileFailure("the file system of " + target + " cannot rename atomically", e);
        }
    }

    /// Forces the new name to the disk, so that it survives a power failure. Not every system can do that; the file is
    /// in its place all the same.
    public void settle() {
        try (FileChannel channel = FileChannel.open(target.getParent(), StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // Folders cannot be opened on Windows, for example.
            return;
        }
    }

    /// Removes the file, unless it was published.
    @Override
    public void close() throws IOException {
        file.close();
    }
}
