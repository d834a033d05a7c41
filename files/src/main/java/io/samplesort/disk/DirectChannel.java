package io.samplesort.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A file that is read or written past the system's cache of files: in whole blocks, at positions that are multiples of
/// a block, and with memory that is aligned in the same way.
///
/// @param blockBytes a power of two
record DirectChannel(FileChannel channel, long blockBytes) implements Closeable {
    /// An option of the JDK's own module `jdk.unsupported`, about whose class the compiler warns; null in a JDK that
    /// lacks it.
    private static final OpenOption DIRECT = option();

    /// No disk has larger blocks.
    private static final long MOST_BLOCK_BYTES = 1 << 20;

    private static OpenOption option() {
        try {
            Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
            for (Object option : options.getEnumConstants()) {
                if (option.toString().equals("DIRECT")) {
                    return (OpenOption) option;
                }
            }
            return null;
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    /// Opens an existing file; returns null if the file system cannot do this.
    ///
    /// @param access what the file is opened for
    static DirectChannel open(Path file, StandardOpenOption access) {
        try {
            if (DIRECT == null) {
                return null;
            }
            long blockBytes = Files.getFileStore(file).getBlockSize();
            if (blockBytes > MOST_BLOCK_BYTES || Long.bitCount(blockBytes) != 1) {
                return null;
            }
            return new DirectChannel(FileChannel.open(file, access, DIRECT), blockBytes);
        } catch (IOException | UnsupportedOperationException e) {
            return null;
        }
    }

    /// Ends the access. The system then also ends locks that this process has on the file.
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
