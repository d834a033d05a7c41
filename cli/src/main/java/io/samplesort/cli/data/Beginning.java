package io.samplesort.cli.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The first bytes of a file, which say more about it than its name: whether it is compressed, or text.
public final class Beginning {
    private static final int LOOKED_AT = 1024;
    private static final int FIRST_PRINTABLE = ' ';

    /// The first bytes of compressed files, and the program that reads them.
    private enum Format {
        GZIP("zcat", 0x1F, 0x8B, 8),
        ZSTD("zstdcat", 0x28, 0xB5, 0x2F, 0xFD),
        BZIP2("bzcat", 'B', 'Z', 'h'),
        XZ("xzcat", 0xFD, '7', 'z', 'X', 'Z', 0);

        /// The bytes that follow the level in a file of bzip2.
        private static final byte[] BZIP2_BLOCK = {0x31, 0x41, 0x59, 0x26, 0x53, 0x59};

        private final String program;
        private final int[] magic;

        Format(String program, int... magic) {
            this.program = program;
            this.magic = magic;
        }

        private boolean isAt(byte... bytes) {
            if (bytes.length < magic.length) {
                return false;
            }
            for (int i = 0; i < magic.length; i++) {
                if (Byte.toUnsignedInt(bytes[i]) != magic[i]) {
                    return false;
                }
            }
            int block = magic.length + 1;
            return this != BZIP2
                    || (bytes.length >= block + BZIP2_BLOCK.length
                            && Arrays.equals(
                                    bytes, block, block + BZIP2_BLOCK.length, BZIP2_BLOCK, 0, BZIP2_BLOCK.length));
        }
    }

    private final byte[] bytes;

    private Beginning(byte... bytes) {
        this.bytes = bytes;
    }

    /// Reads the first bytes of an open file, and leaves its position as it is.
    static Beginning of(FileChannel channel) throws IOException {
        ByteBuffer first = ByteBuffer.allocate(LOOKED_AT);
        int length = Math.max(0, channel.read(first, 0));
        return new Beginning(Arrays.copyOf(first.array(), length));
    }

    /// Says that an input is compressed and how to sort its content; empty if it is not compressed, or is no regular
    /// file.
    ///
    /// @param path    the path that the user has named
    /// @param data    where its bytes are
    /// @param command the command that sorts the standard input
    public static Optional<String> remark(Path path, Path data, String command) {
        if (!Files.isRegularFile(data)) {
            return Optional.empty();
        }
        try (FileChannel channel = FileChannel.open(data, StandardOpenOption.READ)) {
            byte[] first = of(channel).bytes;
            return Arrays.stream(Format.values())
                    .filter(format -> format.isAt(first))
                    .findFirst()
                    .map(format -> path + " is compressed (" + format.name().toLowerCase(Locale.ROOT)
                            + "), and its bytes are sorted as they are; to sort what is in it: " + format.program + " "
                            + path + " | " + command);
        } catch (IOException e) {
            // The sort itself will report this.
            return Optional.empty();
        }
    }

    /// Returns whether this looks like lines of text.
    boolean isText() {
        boolean hasEnd = false;
        for (byte letter : bytes) {
            boolean isBlank = letter == '\n' || letter == '\r' || letter == '\t';
            if (!isBlank && letter >= 0 && letter < FIRST_PRINTABLE) {
                return false;
            }
            hasEnd |= letter == '\n';
        }
        return hasEnd;
    }
}
