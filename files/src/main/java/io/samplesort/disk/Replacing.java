package io.samplesort.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Finds out beforehand whether a new file can be put in the place of another one.
final class Replacing {
    /// Where Linux lists what is mounted.
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

    /// The owner of this folder is the user of this process.
    private static final Path PROCESS = Path.of("/proc/self");

    /// The bit of a folder's mode that lets only owners remove files.
    private static final int STICKY = 01000;

    private static final String REQUEST =
            ", so no new file can take its place; ask for write-through to have its content overwritten in the end";

    private Replacing() {}

    /// @param path   the path that the user has named
    /// @param file   where that leads to
    /// @param exists whether a regular file is there
    /// @throws FileFailure if no new file can be put there; the message says why, and what to do
    static void check(Path path, Path file, boolean exists) throws IOException {
        Path folder = file.getParent();
        boolean mayBeOverwritten = exists && Files.isWritable(file);
        if (!Files.isWritable(folder)) {
            throw new FileFailure("cannot write " + path + ": permission denied for its folder " + folder
                    + (mayBeOverwritten ? REQUEST : ""));
        }
        if (Files.isSymbolicLink(file)) {
            throw new FileFailure("cannot write " + path + ": the file that it leads to was removed");
        }
        if (exists && !mayBeOverwritten) {
            throw new FileFailure("cannot write " + path + ": permission denied for " + file);
        }
        if (exists && isMountPoint(file, MOUNTS)) {
            throw new FileFailure("cannot replace " + path + ": it is mounted by itself" + REQUEST);
        }
        if (exists && isKeptByOwner(file)) {
            throw new FileFailure("cannot replace " + path + ": it belongs to another user, and in " + folder
                    + " only owners may replace files" + REQUEST);
        }
    }

    /// Returns whether a file is mounted by itself, as Docker does with single files. The system then refuses to rename
    /// another file to its name.
    ///
    /// @param mounts has a line for each mount; its fifth word is the place, in which a blank is written as `\040`
    static boolean isMountPoint(Path file, Path mounts) throws IOException {
        if (!Files.isReadable(mounts)) {
            return false;
        }
        byte[] name = file.toString().getBytes(StandardCharsets.UTF_8);
        StringBuilder written = new StringBuilder();
        for (byte next : name) {
            char letter = (char) Byte.toUnsignedInt(next);
            written.append(" \t\n\\".indexOf(letter) >= 0 ? String.format("\\%03o", (int) letter) : letter);
        }
        for (String line : Files.readAllLines(mounts, StandardCharsets.ISO_8859_1)) {
            String[] words = line.split(" ", 6);
            if (words.length > 4 && words[4].contentEquals(written)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isKeptByOwner(Path file) throws IOException {
        Path folder = file.getParent();
        if (!Files.isDirectory(PROCESS)
                || !file.getFileSystem().supportedFileAttributeViews().contains("unix")
                || ((int) Files.getAttribute(folder, "unix:mode") & STICKY) == 0) {
            return false;
        }
        int user = owner(PROCESS);
        return user != 0 && user != owner(file) && user != owner(folder);
    }

    private static int owner(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:uid");
    }
}
