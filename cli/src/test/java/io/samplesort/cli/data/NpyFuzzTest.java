package io.samplesort.cli.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cli.NpyFile;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.types.FieldOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Headers of NumPy arrays that were damaged at random: each is read, or refused with a message that names the file.
class NpyFuzzTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final int CASES = 4000;

    private record Type(String descr, int byteSize) {}

    private static final List<Type> TYPES = List.of(
            new Type("'<f8'", 8),
            new Type("'|b1'", 1),
            new Type("'<M8[ns]'", 8),
            new Type("'>U7'", 28),
            new Type("'|S3'", 3),
            new Type("'<c16'", 16),
            new Type("[('a', '|i1'), ('', '|V7'), ('b', '<f8')]", 16),
            new Type("[(('title', 'n'), '<f8'), (\"it's\", '>i4', (3, 2)), ('\\xfc\\u0431', '|b1')]", 33),
            new Type("[('p', [('x', '<f4'), ('q', [('y', '>f2')])], (2,)), ('r', [('s', '|S5')])]", 17));

    /// What a header is made of, and what is not in any.
    private static final List<String> WORDS = List.of(
            "{",
            "}",
            "[",
            "]",
            "(",
            ")",
            ",",
            ":",
            "'",
            "\"",
            "\\",
            "\\x",
            "\\u12",
            "\\U0011ffff",
            "L",
            "-",
            "9",
            "0",
            "True",
            "None",
            "'descr'",
            "'shape'",
            "'<f8'",
            "'|O'",
            "'|V'",
            "'S999999'",
            "(1,)",
            "[('a', '<f8')]",
            "99999999999999999999999999",
            "((((((((",
            "[[[[[[[[",
            "{{{{{{{{",
            " ",
            "\n",
            "\0",
            "ÿ");

    private static final FieldOrder BY = new FieldOrder(List.of(new FieldOrder.Term("b", false, true, "a", true)));

    @TempDir
    private Path folder;

    @Test
    void anyHeaderIsReadOrRefused() throws IOException {
        int read = 0;
        for (int i = 0; i < CASES; i++) {
            long seed = SEED + i;
            Random random = new Random(seed);
            byte[] file = file(random);
            // A new file each time: overwriting one takes a hundred times as long.
            Path path = Files.write(folder.resolve("array-" + i), file);
            Contents contents = random.nextInt(4) == 0
                    ? new PayloadContents(null, false)
                    : new KeyContents(null, null, random.nextInt(4) == 0 ? BY : null, random.nextInt(4) == 0, false);
            try {
                ElementFile opened = ElementFile.open(new Inputs.Input(path, path), contents);
                assertThat(opened.headerBytes() + opened.elementBytes())
                        .as(() -> replay(seed, file))
                        .isEqualTo(file.length);
                read++;
            } catch (CommandFailure e) {
                boolean isAboutOptions = e.getMessage().startsWith("--");
                assertThat(isAboutOptions || e.getMessage().contains(path.toString()))
                        .as(() -> "'" + e.getMessage() + "' names the file, " + replay(seed, file))
                        .isTrue();
                assertThat(e.getMessage()).as(() -> replay(seed, file)).hasSizeLessThan(1000);
            } catch (RuntimeException | Error e) {
                throw new AssertionError(replay(seed, file), e);
            }
        }
        assertThat(read).as("headers that are still whole").isBetween(CASES / 20, CASES / 2);
    }

    private static String replay(long seed, byte[] file) {
        return "replay with -Dtests.seed=" + seed + ": " + Arrays.toString(file);
    }

    /// Returns random bytes behind the magic, or an array that was damaged a few times.
    private static byte[] file(Random random) {
        int version = 1 + random.nextInt(3);
        if (random.nextInt(10) == 0) {
            byte[] file = new byte[random.nextInt(200)];
            random.nextBytes(file);
            byte[] begin = NpyFile.header(version, "");
            System.arraycopy(begin, 0, file, 0, Math.min(file.length, random.nextInt(begin.length + 1)));
            return file;
        }
        int count = random.nextInt(4);
        Type type = TYPES.get(random.nextInt(TYPES.size()));
        StringBuilder text = new StringBuilder(NpyFile.dictionary(type.descr, count));
        for (int damages = random.nextInt(4); damages > 0; damages--) {
            damage(text, random);
        }
        byte[] header = NpyFile.header(version, text.toString());
        byte[] file = Arrays.copyOf(header, header.length + count * type.byteSize);
        if (random.nextInt(4) == 0) {
            file[random.nextInt(file.length)] = (byte) random.nextInt();
        }
        return random.nextInt(20) == 0 ? Arrays.copyOf(file, random.nextInt(file.length)) : file;
    }

    private static void damage(StringBuilder text, Random random) {
        int from = random.nextInt(text.length());
        int to = Math.min(text.length(), from + random.nextInt(6));
        String word = WORDS.get(random.nextInt(WORDS.size()));
        switch (random.nextInt(5)) {
            case 0 -> text.delete(from, Math.min(to, text.length() - 1));
            case 1 -> text.replace(from, to, word);
            case 2 -> text.insert(from, word.repeat(random.nextInt(20) == 0 ? 5000 : 1 + random.nextInt(20)));
            case 3 -> text.insert(random.nextInt(text.length()), text.substring(from, to));
            default -> text.setCharAt(from, (char) random.nextInt(256));
        }
    }
}
