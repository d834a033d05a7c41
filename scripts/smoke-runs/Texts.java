import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/// Shapes of text to sort. A file of a shape and a size has the same bytes every time.
enum Texts {
    /// Words of some letters, of which few occur often and many seldom.
    WORDS {
        @Override
        int line(SplittableRandom random, byte[] target, long done) {
            // A word is told by its number, and small numbers come much more often.
            SplittableRandom word = new SplittableRandom(random.nextLong(1L << random.nextInt(4, 40)));
            int length = 2 + word.nextInt(4) * word.nextInt(5);
            for (int i = 0; i < length; i++) {
                target[i] = (byte) ('a' + word.nextInt(26));
            }
            return length;
        }
    },
    /// Two lines of different lengths again and again: first all of one, then all of the other.
    TWO_VALUES {
        @Override
        int line(SplittableRandom random, byte[] target, long done) {
            return put(target, done < 12_000_000 ? "404" : "10");
        }
    },
    /// Rows of a table with tabs between a word, a number with a fraction, and another word.
    TABLE {
        @Override
        int line(SplittableRandom random, byte[] target, long done) {
            return put(
                    target,
                    "item" + random.nextInt(5000) + "\t" + (random.nextInt(20_000) - 10_000) / 4.0 + "\t  Row "
                            + Integer.toString(random.nextInt(1 << 20), 36));
        }
    },
    /// Decimal numbers, one a line.
    NUMBERS {
        @Override
        int line(SplittableRandom random, byte[] target, long done) {
            return put(target, Long.toString(random.nextLong() >> random.nextInt(64)));
        }
    },
    /// Lines of any bytes, and the last one has no end.
    BYTES {
        @Override
        int line(SplittableRandom random, byte[] target, long done) {
            int length = random.nextInt(40);
            for (int i = 0; i < length; i++) {
                byte value = (byte) random.nextInt(256);
                target[i] = value == '\n' ? 0 : value;
            }
            return length;
        }
    },
    /// Lines of 1 byte to 1 MiB, which begin alike.
    LONG {
        @Override
        int line(SplittableRandom random, byte[] target, long done) {
            int length = 1 + random.nextInt(1 << random.nextInt(1, 21));
            java.util.Arrays.fill(target, 0, length, (byte) 'x');
            target[random.nextInt(length)] = (byte) ('a' + random.nextInt(26));
            return length;
        }
    };

    private static final int LONGEST = 1 << 20;

    /// Writes the next line without its end; returns its length.
    ///
    /// @param done how many bytes there are before it
    abstract int line(SplittableRandom random, byte[] target, long done);

    private static int put(byte[] target, String line) {
        byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(bytes, 0, target, 0, bytes.length);
        return bytes.length;
    }

    /// Writes a file of this shape.
    ///
    /// @param bytes how long it is
    void write(Path file, long bytes) throws IOException {
        SplittableRandom random = new SplittableRandom(ordinal());
        byte[] line = new byte[LONGEST + 1];
        try (OutputStream output = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
            for (long done = 0; done < bytes; ) {
                int length = line(random, line, done);
                line[length++] = '\n';
                int written = (int) Math.min(length, bytes - done);
                // The last line is cut to the wanted size, and only this shape leaves it without an end.
                if (done + written == bytes && this != BYTES) {
                    line[written - 1] = '\n';
                }
                output.write(line, 0, written);
                done += written;
            }
        }
    }
}
