package io.samplesort.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// The kind of file at a path.
enum FileKind {
    REGULAR("a regular file", 0100000),
    FOLDER("a folder", 0040000),
    PIPE("a pipe", 0010000),
    SOCKET("a socket", 0140000),
    CHARACTER_DEVICE("a device", 0020000),
    BLOCK_DEVICE("a device", 0060000),
    OTHER("not a regular file", -1);

    /// The bits of a Unix file mode that tell the kind.
    private static final int KIND_BITS = 0170000;

    private final String words;
    private final int kindBits;

    FileKind(String words, int kindBits) {
        this.words = words;
        this.kindBits = kindBits;
    }

    /// Returns the kind of what a path leads to, links followed.
    static FileKind of(Path path, BasicFileAttributes attributes) throws IOException {
        if (attributes.isRegularFile()) {
            return REGULAR;
        }
        if (attributes.isDirectory()) {
            return FOLDER;
        }
        if (path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            int mode = (Integer) Files.getAttribute(path, "unix:mode");
            for (FileKind kind : values()) {
                if ((mode & KIND_BITS) == kind.kindBits) {
                    return kind;
                }
            }
        }
        return OTHER;
    }

    /// Returns the kind in words for messages, such as `a pipe`.
    @Override
    public String toString() {
        return words;
    }
}
