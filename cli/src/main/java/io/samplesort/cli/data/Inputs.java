package io.samplesort.cli.data;

import io.samplesort.cli.report.StandardStreams;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.disk.FileFailure;
import io.samplesort.disk.InputFile;
import io.samplesort.disk.OutputPlace;
import io.samplesort.disk.SortFolders;
import io.samplesort.disk.TemporaryFile;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// The inputs of one command. A sort has to know how large its inputs are, and reads them several times. So an input
/// that comes through a pipe is first copied to a temporary file, which may be larger than the memory and is removed in
/// the end.
public final class Inputs implements AutoCloseable {
    private static final int PIECE_BYTES = 1 << 20;

    private final Path folder;
    private final Path output;
    private final Consumer<String> remarks;
    private final List<TemporaryFile> copies = new ArrayList<>();
    private boolean hasReadStandardInput;

    /// An input that can be read at any place and repeatedly.
    ///
    /// @param path the path that the user has named, for messages
    /// @param data the file itself, or the copy of a stream
    public record Input(Path path, Path data) {}

    private Inputs(Path folder, Path output, Consumer<String> remarks) {
        this.folder = folder;
        this.output = output;
        this.remarks = remarks;
    }

    /// Returns inputs whose copies go to this folder.
    ///
    /// @param folder  null for the first one that can be written to: the folder that the environment variable `TMPDIR`
    ///     names, that of `output`, or that of the system; these also replace a given folder that cannot be written to
    /// @param output  a result of the command, null if it has none
    /// @param remarks is called if a folder that is named cannot be written to
    public static Inputs copiedTo(Path folder, Path output, Consumer<String> remarks) {
        return new Inputs(folder, output, remarks);
    }

    private Path folder() throws IOException {
        List<Path> candidates = new ArrayList<>(SortFolders.ofSystem());
        OutputPlace place = output == null ? null : OutputPlace.of(output, true);
        if (place != null && !place.isStream()) {
            candidates.add(candidates.size() - 1, place.file().getParent());
        }
        if (folder != null) {
            candidates.addFirst(folder);
        }
        Path used = SortFolders.firstUsable(candidates);
        if (folder != null && Files.isDirectory(folder) && !used.equals(folder)) {
            remarks.accept("the folder " + folder + " for temporary files cannot be written to, so what comes through a"
                    + " pipe is copied to " + used);
            return used;
        }
        return folder == null ? used : folder;
    }

    /// Returns whether an input is the standard input or another pipe, so that no result can take its place.
    public static boolean isStream(Path path) throws FileFailure {
        return path.equals(InputFile.STANDARD_INPUT) || InputFile.isPipe(path);
    }

    /// Opens an input, and copies it if it is a stream.
    ///
    /// @throws UsageFailure if it is the standard input, which another input has been already
    /// @throws FileFailure  if it cannot be read or copied
    public Input open(Path path) throws IOException {
        StandardStreams.checkInput(path);
        if (!isStream(path)) {
            return new Input(path, path);
        }
        if (!path.equals(InputFile.STANDARD_INPUT)) {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                return new Input(path, copy(path, channel));
            } catch (FileFailure e) {
                throw e;
            } catch (IOException e) {
                throw new FileFailure("cannot read " + path, e);
            }
        }
        if (hasReadStandardInput) {
            throw new UsageFailure("the standard input can be read only once: name a file in place of one -");
        }
        hasReadStandardInput = true;
        // It belongs to the whole process and is not closed.
        @SuppressWarnings("resource")
        FileChannel channel = new FileInputStream(FileDescriptor.in).getChannel();
        return new Input(path, isWholeFile(path, channel) ? path : copy(path, channel));
    }

    /// Returns whether the standard input is a regular file of which nothing has been read yet.
    private static boolean isWholeFile(Path path, FileChannel channel) throws IOException {
        return Files.isRegularFile(path) && channel.position() == 0;
    }

    private Path copy(Path path, FileChannel source) throws IOException {
        Path home = folder();
        SortFolders.checkTemporary(home);
        TemporaryFile copy = TemporaryFile.create(home, String.valueOf(path.getFileName()), true);
        copies.add(copy);
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
        while (read(path, source, piece) >= 0) {
            piece.flip();
            try {
                while (piece.hasRemaining()) {
                    copy.channel().write(piece);
                }
            } catch (IOException e) {
                throw new FileFailure(
                        "cannot copy " + path + " to the folder " + home
                                + " for temporary files (name another one with "
                                + (home.equals(folder) ? "--temp)" : "TMPDIR)"),
                        e);
            }
            piece.clear();
        }
        return copy.path();
    }

    private static int read(Path path, FileChannel source, ByteBuffer piece) throws FileFailure {
        try {
            return source.read(piece);
        } catch (IOException e) {
            throw new FileFailure("cannot read " + path, e);
        }
    }

    /// Removes all copies.
    @Override
    public void close() throws FileFailure {
        SortFolders.close(copies);
    }
}
