package io.samplesort.disk;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/// The place that the path of an output leads to, after all links. Regular files are replaced as a whole, or
/// overwritten if that is asked for. Pipes, devices and the standard output are streams, which are written to directly.
/// Looking for a place changes nothing.
public final class OutputPlace {
    /// This path stands for the standard output, even on a system without such a file.
    public static final Path STANDARD_OUTPUT = Path.of("/dev/stdout");

    private static final Path STANDARD_ERROR = Path.of("/dev/stderr");

    /// The folders in which systems show the open files of this process by their numbers.
    private static final List<Path> DESCRIPTOR_FOLDERS = List.of(Path.of("/proc/self/fd"), Path.of("/dev/fd"));

    /// Linux, too, takes more links in a row than this for a circle.
    private static final int MAX_LINKS = 40;

    private final Path path;
    private final Path file;
    private final boolean isStream;
    private final boolean isOverwritten;

    private OutputPlace(Path path, Path file, boolean isStream, boolean isOverwritten) {
        this.path = path;
        this.file = file;
        this.isStream = isStream;
        this.isOverwritten = isOverwritten;
    }

    private static OutputPlace stream(Path path, Path file) {
        return new OutputPlace(path, file, true, false);
    }

    /// Finds the place that a path leads to, where a regular file will be replaced.
    ///
    /// @throws FileFailure as by [#of(Path, boolean)]
    public static OutputPlace of(Path path) throws IOException {
        return of(path, false);
    }

    /// Finds the place that a path leads to, and checks that something can be written there. A link to a file that does
    /// not exist leads to where the file will be.
    ///
    /// @param overwrites whether an existing regular file will be overwritten when the result is complete, instead of
    ///     replaced
    /// @throws FileFailure if the path leads to a folder or a socket, nowhere, to where this process may not write, or
    ///     to a file that cannot be replaced
    public static OutputPlace of(Path path, boolean overwrites) throws IOException {
        if (path.equals(STANDARD_OUTPUT)) {
            return stream(path, path);
        }
        Path file = path.toAbsolutePath();
        for (int links = 0; links <= MAX_LINKS; links++) {
            file = inRealFolder(path, file);
            Path standard = standardStream(path, file);
            if (standard != null) {
                return stream(path, standard);
            }
            Path next = next(file);
            if (next == null) {
                return atEnd(path, file, overwrites);
            }
            file = next;
        }
        throw new FileFailure("cannot write " + path + ": it is a link that leads back to itself");
    }

    private static Path inRealFolder(Path path, Path file) throws FileFailure {
        Path folder = file.getParent();
        if (folder == null) {
            throw new FileFailure(path + " is a folder: name a file");
        }
        Path realFolder;
        try {
            realFolder = folder.toRealPath();
        } catch (NoSuchFileException e) {
            throw new FileFailure("the folder " + folder + " is not there: make it first");
        } catch (IOException e) {
            throw new FileFailure("cannot write " + path, e);
        }
        if (!Files.isDirectory(realFolder)) {
            throw new FileFailure("cannot write " + path + ": " + folder + " is not a folder");
        }
        return realFolder.resolve(file.getFileName());
    }

    /// Returns which of the streams that the process began with is at a path; null if it is none of them. Such a stream
    /// may be a regular file that others write to as well, so writing must go on where they have stopped.
    private static Path standardStream(Path path, Path file) throws IOException {
        for (Path folder : DESCRIPTOR_FOLDERS) {
            if (Files.isDirectory(folder) && folder.toRealPath().equals(file.getParent())) {
                switch (file.getFileName().toString()) {
                    case "0" ->
                        throw new FileFailure(
                                path + " is the standard input, which cannot be written: name another output");
                    case "1" -> {
                        return STANDARD_OUTPUT;
                    }
                    case "2" -> {
                        return STANDARD_ERROR;
                    }
                    default -> {}
                }
            }
        }
        return null;
    }

    /// Returns where a link leads; null if the path is no link. A link to an open pipe has a text that is no path, so
    /// such a link counts as the pipe itself.
    private static Path next(Path file) throws IOException {
        if (!Files.isSymbolicLink(file)) {
            return null;
        }
        Path next = file.resolveSibling(Files.readSymbolicLink(file));
        return Files.exists(file) && !Files.exists(next, LinkOption.NOFOLLOW_LINKS) ? null : next;
    }

    private static OutputPlace atEnd(Path path, Path file, boolean overwrites) throws IOException {
        BasicFileAttributes attributes = attributes(path, file);
        if (attributes == null || (attributes.isRegularFile() && !overwrites)) {
            Replacing.check(path, file, attributes != null);
            return new OutputPlace(path, file, false, false);
        }
        if (!attributes.isRegularFile()) {
            checkStream(path, FileKind.of(file, attributes));
        }
        if (!Files.isWritable(file)) {
            throw new FileFailure("cannot write " + path + ": permission denied for " + file);
        }
        return new OutputPlace(path, file, !attributes.isRegularFile(), attributes.isRegularFile());
    }

    /// Returns null if nothing is there.
    private static BasicFileAttributes attributes(Path path, Path file) throws FileFailure {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw new FileFailure("cannot write " + path, e);
        }
    }

    private static void checkStream(Path path, FileKind kind) throws FileFailure {
        if (kind == FileKind.FOLDER) {
            throw new FileFailure(path + " is a folder: name a file");
        }
        if (kind == FileKind.SOCKET) {
            throw new FileFailure("cannot write " + path + ": it is a socket; name a file, a pipe or a device");
        }
    }

    /// Returns the file or stream itself, after all links.
    public Path file() {
        return file;
    }

    /// Returns whether this is a stream, which is written to directly. Otherwise it is the place of a regular file.
    public boolean isStream() {
        return isStream;
    }

    /// Returns whether this is a regular file that will be overwritten.
    public boolean isOverwritten() {
        return isOverwritten;
    }

    /// Adds what a result needs here, if it goes to a file.
    ///
    /// @param temporaryFolder where the result of an overwritten file lies until it is complete
    public void addNeed(DiskSpace space, long bytes, Path temporaryFolder) throws IOException {
        String name = String.valueOf(file.getFileName());
        if (isOverwritten) {
            space.need(temporaryFolder, bytes, name);
            space.need(file, Math.max(0, bytes - Files.size(file)), name + " to become longer");
        } else if (!isStream) {
            space.need(file.getParent(), bytes, name);
        }
    }

    /// Returns whether what is written here mixes with what the process prints.
    public boolean isStandardOutput() throws IOException {
        return file.equals(STANDARD_OUTPUT) || (isStream && isAt(STANDARD_OUTPUT));
    }

    /// Returns whether this is the standard output, and that is a device, such as a terminal.
    public boolean isStandardDevice() throws IOException {
        return isStandardOutput()
                && Files.exists(STANDARD_OUTPUT)
                && FileKind.of(STANDARD_OUTPUT, Files.readAttributes(STANDARD_OUTPUT, BasicFileAttributes.class))
                        == FileKind.CHARACTER_DEVICE;
    }

    /// Returns whether the file or stream is at another path as well.
    public boolean isAt(Path other) throws IOException {
        return Files.exists(file) && Files.exists(other) && Files.isSameFile(file, other);
    }

    /// Checks that a stream here is no file that is being read.
    ///
    /// @throws FileFailure if it is
    public void checkNotReading(Path input) throws IOException {
        if (isStream && isAt(input)) {
            throw new FileFailure(
                    path + " writes to " + input + ", which is still being read then: name another output");
        }
    }

    /// Begins to write, as [#open()] does.
    ///
    /// @param temporaryFolder where the result of an overwritten file lies until it is complete
    public OutputFile open(Path temporaryFolder) throws IOException {
        return isOverwritten ? OverwrittenFile.create(path, file, temporaryFolder) : open();
    }

    /// Begins to write. A file is empty for now, and not in its place yet. A pipe with a name waits for its reader.
    public OutputFile open() throws IOException {
        if (!isStream) {
            return AtomicFile.create(file);
        }
        if (file.equals(STANDARD_OUTPUT)) {
            return new StreamFile(new FileOutputStream(FileDescriptor.out).getChannel(), false);
        }
        if (file.equals(STANDARD_ERROR)) {
            return new StreamFile(new FileOutputStream(FileDescriptor.err).getChannel(), false);
        }
        try {
            return new StreamFile(FileChannel.open(file, StandardOpenOption.WRITE), true);
        } catch (IOException e) {
            throw new FileFailure("cannot write " + path, e);
        }
    }
}
