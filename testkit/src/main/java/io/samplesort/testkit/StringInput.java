package io.samplesort.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// The shapes of strings that sorts are tested and measured with. No string has a byte below that of the space, so
/// strings can be lines of a file.
///
/// The same seed gives the same strings, however many threads generate them, and the first strings do not depend on how
/// many follow. Strings are generated in blocks, each with a random generator of its own.
public enum StringInput {
    /// Random printable ASCII, 1 to 80 bytes.
    RANDOM("random printable, 1 to 80 bytes") {
        @Override
        int write(SplittableRandom random, Dictionary dictionary, byte[] target, int at) {
            int length = 1 + random.nextInt(80);
            long bits = 0;
            for (int i = 0; i < length; i++) {
                // Four characters use 26 of 32 random bits.
                bits = (i & 3) == 0 ? random.nextInt() & LOW_HALF : bits & LOW_HALF;
                bits *= '~' - ' ' + 1;
                target[at + i] = (byte) (' ' + (bits >>> 32));
            }
            return at + length;
        }
    },
    /// Addresses of pages: a common prefix, one of 20,000 hosts (a few have most pages), and a path.
    URLS("URLs with a common prefix and skewed hosts") {
        @Override
        int write(SplittableRandom random, Dictionary dictionary, byte[] target, int at) {
            int end = append(PREFIX, target, at);
            end = append(dictionary.word(skewed(random, 20_000)), target, end);
            end = append(DOMAIN, target, end);
            end = append(dictionary.word(skewed(random, 1000)), target, end);
            target[end++] = '/';
            end = append(dictionary.word(random.nextInt(DICTIONARY_WORDS)), target, end);
            target[end++] = '-';
            for (int digit = 0; digit < 10; digit++) {
                target[end++] = (byte) ('0' + random.nextInt(10));
            }
            return end;
        }
    },
    /// Words of 2 to 10 small letters from a dictionary of 200,000. The word of rank r has a frequency of about 1/r.
    WORDS("words of 2 to 10 letters, 200,000 of them, skewed") {
        @Override
        int write(SplittableRandom random, Dictionary dictionary, byte[] target, int at) {
            return append(dictionary.word(skewed(random, DICTIONARY_WORDS)), target, at);
        }
    },
    /// 4 to 11 such words, with a space between two.
    SENTENCES("sentences of 4 to 11 such words") {
        @Override
        int write(SplittableRandom random, Dictionary dictionary, byte[] target, int at) {
            int end = at;
            for (int left = 4 + random.nextInt(8); left > 0; left--) {
                end = append(dictionary.word(skewed(random, DICTIONARY_WORDS)), target, end);
                target[end++] = ' ';
            }
            return end - 1;
        }
    };

    private static final int DICTIONARY_WORDS = 200_000;
    private static final int LONGEST_WORD = 10;
    private static final long LOW_HALF = 0xffff_ffffL;
    private static final byte[] PREFIX = "https://www.".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] DOMAIN = ".com/".getBytes(StandardCharsets.US_ASCII);
    /// Strings that one random generator makes.
    private static final int BLOCK = 1 << 12;
    /// How many blocks of lines are generated at once.
    private static final int BLOCKS_AT_ONCE = 256;
    /// No string is longer.
    private static final int LONGEST = 128;

    private final String title;

    StringInput(String title) {
        this.title = title;
    }

    /// Strings as bytes and offsets: string i has the bytes from `offsets[i]` to `offsets[i + 1]`.
    public record Generated(byte[] bytes, long[] offsets) {}

    /// Reads the name of an input on command lines.
    ///
    /// @throws IllegalArgumentException if there is no such input; the message lists all
    public static StringInput parse(String name) {
        return Arrays.stream(values())
                .filter(input -> input.toString().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + name + "' is none of the inputs: use "
                        + Arrays.stream(values()).map(StringInput::toString).collect(Collectors.joining(", "))));
    }

    /// Returns the name of this input on command lines and in results.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns the name of this input in tables.
    public String title() {
        return title;
    }

    /// Writes one string to `target` from index `at` on, and returns where it ends.
    abstract int write(SplittableRandom random, Dictionary dictionary, byte[] target, int at);

    /// Generates strings with as many threads as there are cores. The bytes must fit an array.
    ///
    /// @throws ArithmeticException if they do not
    public Generated generate(int count, long seed) {
        Dictionary dictionary = new Dictionary(seed);
        int blocks = (count + BLOCK - 1) / BLOCK;
        long[] offsets = new long[count + 1];
        // The lengths are found first, so that no second copy of all bytes is needed.
        IntStream.range(0, blocks).parallel().forEach(block -> {
            int[] ends = new int[sizeOf(block, count)];
            block(dictionary, seed, block, ends);
            for (int i = 0; i < ends.length; i++) {
                offsets[block * BLOCK + i + 1] = (long) ends[i] - (i == 0 ? 0 : ends[i - 1]);
            }
        });
        Arrays.parallelPrefix(offsets, Long::sum);
        byte[] bytes = new byte[Math.toIntExact(offsets[count])];
        IntStream.range(0, blocks).parallel().forEach(block -> {
            int[] ends = new int[sizeOf(block, count)];
            byte[] written = block(dictionary, seed, block, ends);
            System.arraycopy(written, 0, bytes, (int) offsets[block * BLOCK], ends[ends.length - 1]);
        });
        return new Generated(bytes, offsets);
    }

    /// Returns how many bytes lines of this input have, newlines included, estimated from a few of them.
    public double bytesOfLines(long count, long seed) {
        return (double) count * (BLOCK + generate(BLOCK, seed).bytes().length) / BLOCK;
    }

    /// Writes strings as lines, each with a newline at its end. As many threads generate them as there are cores.
    public void writeLines(long count, long seed, OutputStream out) throws IOException {
        Dictionary dictionary = new Dictionary(seed);
        long blocks = (count + BLOCK - 1) / BLOCK;
        for (long first = 0; first < blocks; first += BLOCKS_AT_ONCE) {
            List<byte[]> written = LongStream.range(first, Math.min(blocks, first + BLOCKS_AT_ONCE))
                    .parallel()
                    .mapToObj(block -> lines(dictionary, seed, block, (int) Math.min(BLOCK, count - block * BLOCK)))
                    .toList();
            for (byte[] lines : written) {
                out.write(lines);
            }
        }
    }

    /// Returns the first strings of a block as lines.
    private byte[] lines(Dictionary dictionary, long seed, long block, int count) {
        int[] ends = new int[count];
        byte[] strings = block(dictionary, seed, block, ends);
        byte[] lines = new byte[count == 0 ? 0 : ends[count - 1] + count];
        int from = 0;
        for (int i = 0; i < count; i++) {
            System.arraycopy(strings, from, lines, from + i, ends[i] - from);
            lines[ends[i] + i] = '\n';
            from = ends[i];
        }
        return lines;
    }

    private static int sizeOf(int block, int count) {
        return Math.min(BLOCK, count - block * BLOCK);
    }

    /// Returns the bytes of the first strings of a block, and writes where each ends.
    private byte[] block(Dictionary dictionary, long seed, long block, int[] ends) {
        SplittableRandom random = new SplittableRandom(seed * 1_000_003 + block);
        byte[] bytes = new byte[ends.length * LONGEST];
        int end = 0;
        for (int i = 0; i < ends.length; i++) {
            end = write(random, dictionary, bytes, end);
            ends[i] = end;
        }
        return bytes;
    }

    private static int append(byte[] part, byte[] target, int at) {
        System.arraycopy(part, 0, target, at, part.length);
        return at + part.length;
    }

    /// Returns a number below `count`; r has a frequency of about 1/(r + 1).
    private static int skewed(SplittableRandom random, int count) {
        return (int) Math.exp(random.nextDouble() * Math.log(count)) - 1;
    }

    static final class Dictionary {
        private final byte[][] words = new byte[DICTIONARY_WORDS][];

        Dictionary(long seed) {
            SplittableRandom random = new SplittableRandom(~seed);
            for (int i = 0; i < DICTIONARY_WORDS; i++) {
                words[i] = new byte[2 + random.nextInt(LONGEST_WORD - 1)];
                for (int at = 0; at < words[i].length; at++) {
                    words[i][at] = (byte) ('a' + random.nextInt(26));
                }
            }
        }

        byte[] word(int rank) {
            return words[rank];
        }
    }
}
