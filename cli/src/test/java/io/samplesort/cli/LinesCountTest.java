package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import io.samplesort.testkit.StringInput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `samplesort lines --count` and `--by-count` compared with GNU's `sort | uniq -c` and `sort | uniq -c | sort -rn`,
/// byte for byte.
class LinesCountTest extends CommandCase {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

    /// In this little memory, a few lines make many sorted parts.
    private static final String LITTLE = "64K";

    private final SplittableRandom random = new SplittableRandom(SEED);

    @BeforeEach
    void needsPrograms() {
        Programs.require("sort");
        Programs.require("uniq");
    }

    private void write(String name, byte[] lines) throws IOException {
        Files.write(Path.of(path(name)), lines);
    }

    private void generate(String name, StringInput input, int lines) throws IOException {
        try (OutputStream out = Files.newOutputStream(Path.of(path(name)))) {
            input.writeLines(lines, SEED, out);
        }
    }

    /// Few different lines, of any bytes, and some long ones. The last line may have no end.
    private byte[] lines(int count, byte terminator) {
        byte[][] different = new byte[1 + random.nextInt(40)][];
        for (int i = 0; i < different.length; i++) {
            different[i] = new byte[random.nextInt(20) == 0 ? random.nextInt(30_000) : random.nextInt(9)];
            for (int at = 0; at < different[i].length; at++) {
                byte any = (byte) (random.nextInt(8) == 0 ? random.nextInt(256) : "aAbB 12,".charAt(random.nextInt(8)));
                // Versions of GNU's sort differ in where `-V` puts names that begin with a dot.
                boolean isSpecial = any == terminator || any == ';' || any == '.' || any == Programs.SKIPPED_IN_NUMBERS;
                different[i][at] = isSpecial ? (byte) 'x' : any;
            }
        }
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            lines.writeBytes(different[random.nextInt(1 + random.nextInt(different.length))]);
            if (i < count - 1 || random.nextBoolean()) {
                lines.write(terminator);
            }
        }
        return lines.toByteArray();
    }

    private void gnu(String script) throws Exception {
        String whole = "set -o pipefail; export LC_ALL=C; cd '" + path("") + "'; " + script;
        assertThat(runProcess("bash", "-c", whole)).as(script).isEqualTo("0\n");
    }

    /// @param counting how GNU's programs count the lines that GNU's sort has sorted
    private void checkAgainst(String sorting, String counting, String options, String... inputs) throws Exception {
        String files = String.join(" ", inputs);
        String end = counting.contains("z") ? "-z" : "";
        gnu("sort " + sorting + " " + files + " | uniq " + counting + " | tee expected | sort -rn " + end
                + " > by-count");
        for (String memory : new String[] {LITTLE, "1G"}) {
            for (String kind : new String[] {"--count", "--by-count"}) {
                List<String> words = new ArrayList<>(List.of("lines", "-o", path("out"), kind, "--memory=" + memory));
                words.add("--parallel=" + (1 + random.nextInt(3)));
                words.addAll(options.isEmpty() ? List.of() : List.of(options.split(" ")));
                for (String input : inputs) {
                    words.add(path(input));
                }
                assertDone(words.toArray(String[]::new));
                String expected = kind.equals("--count") ? "expected" : "by-count";
                assertThat(Files.mismatch(Path.of(path("out")), Path.of(path(expected))))
                        .as("first difference of %s, seed %d", words, SEED)
                        .isEqualTo(-1);
            }
        }
    }

    private void check(String options, String... inputs) throws Exception {
        checkAgainst(options, options.contains("-z") ? "-cz" : "-c", options, inputs);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-f", "-s -k1.2,1.3"})
    void countsAsUniqDoes(String options) throws Exception {
        countsInAnyOrder(options);
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @ValueSource(strings = {"-r", "-n", "-nr", "-s -f", "-k2,2 -t,", "-k1,1nr -k2", "-V", "-b -d"})
    void countsAsUniqDoesInOtherOrders(String options) throws Exception {
        countsInAnyOrder(options);
    }

    private void countsInAnyOrder(String options) throws Exception {
        for (int count : new int[] {0, 1 + random.nextInt(2), 300, 9000}) {
            write("in", lines(count, (byte) '\n'));
            write("in2", lines(random.nextInt(count + 1), (byte) '\n'));
            check(options, "in");
            check(options, "in2", "in");
            write("in", lines(count, (byte) 0));
            check((options + " -z").strip(), "in");
        }
        assertNoLitter(5);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 100_000})
    void writesOnlyTheLinesWithTheGreatestNumbers(int wanted) throws Exception {
        generate("in", StringInput.WORDS, 20_000);
        gnu("sort in | uniq -c | sort -rn > by-count; head -n " + wanted + " by-count > first; tail -n " + wanted
                + " by-count > last");
        for (String memory : new String[] {LITTLE, "1G"}) {
            for (String end : new String[] {"first", "last"}) {
                assertDone("lines", "--by-count", "--" + end, "" + wanted, "-S", memory, path("in"), "-o", path("out"));
                assertThat(Files.mismatch(Path.of(path("out")), Path.of(path(end))))
                        .as("first difference of the %s %d in %s, seed %d", end, wanted, memory, SEED)
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void countsLinesWithEqualKeys() throws Exception {
        for (int count : new int[] {0, 20, 9000}) {
            write("in", lines(count, (byte) '\n'));
            checkAgainst("", "-c", "-u", "in");
            checkAgainst("-s -f", "-ci", "-u -f", "in");
            checkAgainst("-s -k1.1,1.3 '-t;'", "-c -w3", "-u -k1.1,1.3 -t;", "in");
        }
    }

    @Test
    void countsWordsAndLinesThatAllDiffer() throws Exception {
        generate("in", StringInput.WORDS, 60_000);
        check("", "in");
        check("-f", "in");
        generate("in", StringInput.URLS, 20_000);
        check("", "in");
        checkAgainst("", "-c", "-u", "in");
        Files.writeString(Path.of(path("in")), "a\n".repeat(200_000));
        check("", "in");
        assertNoLitter(4);
    }

    /// Numbers of eight digits come before those of seven, though a blank comes before all digits.
    @Tag("exhaustive")
    @Test
    void countsMoreThanSevenColumnsHold() throws Exception {
        gnu("(yes b | head -n 9999999; yes a | head -n 10000001; echo c) > in");
        gnu("sort in | uniq -c | tee expected | sort -rn > by-count");
        for (String[] kind : new String[][] {{"--count", "expected"}, {"--by-count", "by-count"}}) {
            for (String memory : new String[] {"16M", "1G"}) {
                assertDone("lines", kind[0], "--memory=" + memory, path("in"), "-o", path("out"));
                assertThat(read("out")).isEqualTo(read(kind[1]));
            }
        }
    }

    /// Counted lines that are longer than the memory for them.
    @Test
    void countsLinesThatAreLongerThanTheMemory() throws Exception {
        byte[] line = "x".repeat(400_000).getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (int i = 0; i < 7; i++) {
            line[line.length - 1] = (byte) ('a' + i % 3);
            lines.writeBytes(line);
            lines.writeBytes("\nshort\n".getBytes(StandardCharsets.US_ASCII));
        }
        write("in", lines.toByteArray());
        check("", "in");
        check("-f", "in");
        check("-s -k1.1,1.1", "in");
        checkAgainst("", "-c", "-u", "in");
    }

    @Test
    void countsMergedLines() throws Exception {
        List<String> inputs = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            write("part" + i, lines(2000, (byte) '\n'));
            gnu("sort part" + i + " -o part" + i);
            inputs.add("part" + i);
        }
        check("-m", inputs.toArray(String[]::new));
        check("-m --batch-size=3", inputs.toArray(String[]::new));
        checkAgainst("-m", "-c", "-m -u", inputs.toArray(String[]::new));
        assertNoLitter(12);
    }

    @Test
    void isAFilterAndReplacesItsInput() throws Exception {
        generate("in", StringInput.WORDS, 30_000);
        gnu("sort in | uniq -c | tee expected | sort -rn > by-count");
        for (String memory : new String[] {LITTLE, "1G"}) {
            for (String[] kind : new String[][] {{"--count", "expected"}, {"--by-count", "by-count"}}) {
                String[] command = process("lines", kind[0], "--memory=" + memory);
                String script = "cd '" + path("") + "'; cat in | \"$@\" | cmp - " + kind[1];
                assertThat(runProcess(append(new String[] {"bash", "-c", script, "bash"}, command)))
                        .isEqualTo("0\n");
                gnu("cp in copy");
                assertDone("lines", kind[0], "--memory=" + memory, path("copy"), "-o", path("copy"));
                assertThat(read("copy")).isEqualTo(read(kind[1]));
            }
        }
        assertNoLitter(4);
    }

    @Test
    void tellsMistakesAndWhatItDid() throws Exception {
        Files.writeString(Path.of(path("in")), "b\na\nb\n");
        assertFails(2, "a check counts no lines", "lines", "-c", "--count", path("in"));
        assertFails(2, "a check counts no lines", "lines", "-C", "--by-count", path("in"));
        assertFails(2, "is not there", "lines", "--by-count", path("none"), "-o", path("out"));
        assertFails(2, "is a folder", "lines", "--by-count", path("in"), "-o", path(""));
        assertNoLitter(1);
        assertDone("lines", "--count", "--by-count", path("in"), "-o", path("out"), "--json");
        assertThat(read("out")).asString().isEqualTo("      2 b\n      1 a\n");
        assertThat(JSON.std.mapFrom(out())).containsEntry("elementCount", 3);
    }
}
