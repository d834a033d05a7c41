package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// `samplesort lines --first` and `--last` compared with GNU's sort and `head` or `tail`, byte for byte.
@Timeout(600)
class FirstLinesTest extends CommandCase {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

    private static final List<String> OPTIONS = List.of(
            "",
            "-r",
            "-u",
            "-ur",
            "-n",
            "-nr",
            "-s -n",
            "-s -k2,2",
            "-s -r -k2,2",
            "-u -k2,2",
            "-u -f -k2,2r",
            "-f",
            "-k2,2 -k1,1nr",
            "-t. -k2n",
            "-z",
            "-z -u -k2",
            "-V -r",
            "-g -u");

    private static final int[] COUNTS = {0, 1, 3, 10, 1000, 100_000};
    private static final String[] MEMORY = {"64K", "300K", "1M", "64M"};

    private final SplittableRandom random = new SplittableRandom(SEED);

    /// For each input, one of this many combinations of counts and options is tried.
    private int oneOf = 6;

    private String number() {
        return random.nextInt(-50, 1000) + (random.nextBoolean() ? "." + random.nextInt(9) : "");
    }

    /// Returns a line of a number, one of few words, and a part that most lines have for themselves.
    private String line() {
        return number() + " " + (char) ((random.nextBoolean() ? 'a' : 'A') + random.nextInt(4)) + " "
                + Integer.toString(random.nextInt(1 << 20), 36);
    }

    private static byte[] lines(int count, IntFunction<String> line) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(line.apply(i)).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private String longLine() {
        return number() + " " + "xY".substring(random.nextInt(2)).repeat(random.nextInt(1, 60_000)) + line();
    }

    private Map<String, byte[]> inputs() {
        Map<String, byte[]> inputs = new LinkedHashMap<>();
        inputs.put("empty", new byte[0]);
        inputs.put("one", "5 b".getBytes(StandardCharsets.ISO_8859_1));
        inputs.put("few", lines(40, i -> line()));
        inputs.put("many", lines(9000, i -> line()));
        inputs.put("equal", lines(9000, i -> "1.5 a"));
        inputs.put("ties", lines(9000, i -> random.nextInt(3) + " b " + i));
        inputs.put("numbers", lines(9000, i -> Integer.toString(random.nextInt(300))));
        inputs.put("noLines", lines(9000, i -> ""));
        inputs.put("rising", lines(9000, i -> 100_000 + i + " a"));
        inputs.put("falling", lines(9000, i -> 200_000 - i + " a"));
        inputs.put("long", lines(60, i -> i % 20 == 7 ? longLine() : line()));
        byte[] zeros = lines(3000, i -> line());
        for (int i = 0; i < zeros.length; i++) {
            zeros[i] = zeros[i] == '\n' && random.nextInt(4) > 0 ? 0 : zeros[i];
        }
        zeros[zeros.length - 1] = 'x';
        inputs.put("zeros", zeros);
        return inputs;
    }

    /// Returns what `head` or `tail` would leave of lines.
    private static byte[] cut(byte[] lines, byte terminator, int count, boolean isLast) {
        List<Integer> ends = new ArrayList<>(List.of(0));
        for (int i = 0; i < lines.length; i++) {
            if (lines[i] == terminator) {
                ends.add(i + 1);
            }
        }
        int all = ends.size() - 1;
        int from = isLast ? Math.max(0, all - count) : 0;
        int to = isLast ? all : Math.min(count, all);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(lines, ends.get(from), ends.get(to) - ends.get(from));
        return out.toByteArray();
    }

    /// Compares sorts of some inputs with all options and counts.
    private void check(List<String> inputs) throws Exception {
        StringBuilder script = new StringBuilder("export LC_ALL=C; cd '" + path("") + "'\n");
        for (int i = 0; i < OPTIONS.size(); i++) {
            script.append("sort " + OPTIONS.get(i) + " " + String.join(" ", inputs) + " > sorted" + i + " || exit 1\n");
        }
        assertThat(runProcess("bash", "-c", script.toString())).isEqualTo("0\n");
        int number = 0;
        for (int i = 0; i < OPTIONS.size(); i++) {
            byte[] sorted = read("sorted" + i);
            byte terminator = (byte) (OPTIONS.get(i).contains("-z") ? 0 : '\n');
            for (int count : COUNTS) {
                for (boolean isLast : new boolean[] {false, true}) {
                    if (random.nextInt(oneOf) > 0) {
                        continue;
                    }
                    String memory = MEMORY[++number % MEMORY.length];
                    List<String> words = new ArrayList<>(List.of("lines", "-S" + memory, "-o", path("out")));
                    words.addAll(List.of(OPTIONS.get(i).split(" ")));
                    words.removeIf(String::isEmpty);
                    words.addAll(List.of("--parallel=" + (1 + number % 4), isLast ? "--last" : "--first", count + ""));
                    inputs.forEach(input -> words.add(path(input)));
                    assertDone(words.toArray(String[]::new));
                    assertThat(text(read("out")))
                            .as("%s; replay with -Dtests.seed=%d", words, SEED)
                            .isEqualTo(text(cut(sorted, terminator, count, isLast)));
                }
            }
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private void write(Map<String, byte[]> inputs) throws IOException {
        for (Map.Entry<String, byte[]> input : inputs.entrySet()) {
            Files.write(Path.of(path(input.getKey())), input.getValue());
        }
    }

    @Tag("exhaustive")
    @Test
    void allCombinations() throws Exception {
        oneOf = 1;
        writesWhatHeadAndTailWould();
        severalInputsAreOne();
    }

    @Test
    void writesWhatHeadAndTailWould() throws Exception {
        Programs.require("sort");
        Map<String, byte[]> inputs = inputs();
        write(inputs);
        for (String input : inputs.keySet()) {
            check(List.of(input));
        }
        assertNoLitter(inputs.size() + OPTIONS.size() + 1);
    }

    @Test
    void severalInputsAreOne() throws Exception {
        Programs.require("sort");
        Map<String, byte[]> inputs = inputs();
        write(inputs);
        List<String> names = new ArrayList<>(inputs.keySet());
        Collections.rotate(names, random.nextInt(names.size()));
        check(names);
        check(List.of("zeros", "one", "empty", "ties", "one"));
    }

    /// The input comes through a pipe, and the lines go to one.
    @Test
    void standardInputAndOutput() throws Exception {
        Programs.require("sort");
        write(Map.of("in", lines(40_000, i -> line())));
        for (String options : List.of("", "-u", "-k2,2 -s", "-nr")) {
            String script = "export LC_ALL=C; set -o pipefail; cd '" + path("") + "'; "
                    + "cat in | \"$@\" " + options + " -S1M --first 10 > out && "
                    + "cat in | \"$@\" " + options + " -S1M --last 10 - >> out && "
                    + "sort " + options + " in > sorted && (head -n 10 sorted; tail -n 10 sorted) | cmp - out";
            List<String> words = new ArrayList<>(List.of("bash", "-c", script, "bash"));
            words.addAll(List.of(process("lines")));
            assertThat(runProcess(words.toArray(String[]::new))).as(options).isEqualTo("0\n");
        }
    }

    /// The result may replace its input.
    @Test
    void replacesItsInput() throws Exception {
        write(Map.of("in", lines(20_000, i -> Integer.toString(99_999 - i))));
        assertDone("lines", "-S64K", "--first=2", path("in"), "-o", path("in"));
        assertThat(read("in")).asString().isEqualTo("80000\n80001\n");
        assertNoLitter(1);
    }

    @Test
    void whatHasNoMeaningIsRefused() throws Exception {
        write(Map.of("in", lines(3, i -> Integer.toString(i))));
        String in = path("in");
        assertFails(2, "--first and --last contradict each other", "lines", "--first=1", "--last=1", in);
        assertFails(2, "leave it out, and let -m write to head -n 5", "lines", "-m", "--first", "5", in);
        assertFails(2, "leave it out, and let -m write to tail -n 5", "lines", "-m", "--last", "5", in);
        assertFails(2, "a check has no output: leave --first out", "lines", "-c", "--first", "5", in);
        assertFails(2, "a check has no output: leave --last out", "lines", "-C", "--last", "5", in);
        assertFails(2, "let --count write to tail -n 5, or use --by-count", "lines", "--count", "--last", "5", in);
        assertFails(2, "count '-1' must not be negative", "lines", "--first=-1", in);
        assertFails(2, "count 'x' is not a number", "lines", "--last", "x", in);
        assertNoLitter(1);
    }
}
