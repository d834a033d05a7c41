package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// Whole command lines that are almost right: each ends with a documented exit code and, unless it is done, in one line
/// and perhaps a hint.
class CommandLineFuzzTest extends CommandCase {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final int CASES = Integer.getInteger("tests.cases", 120);
    private static final int MOST_EDITS = 3;
    private static final int MOST_ELEMENTS = 100_000;

    /// Words in braces are files in the folder of the test.
    private static final List<String> VALID = List.of(
            "sort {keys} -o {out} --type u64 --device cpu --report",
            "sort {keys} -o {out} --type u64 --device cpu --memory 64K --temp {} --threads 2 --quiet",
            "sort {array.npy} -o {out.npy} --descending --json",
            "sort {keys} --type u64 --payload-file {payloads} --payload u64 -o {out} --payload-output {out2} --stable",
            "sort {records} --layout id:u32,_:4,price:f64 --by price|desc,id -o {out} --stable --device cpu",
            "argsort {keys} -o {out.npy} --type u64 --index-type i32",
            "argsort {records} -o {out} --layout id:u32,_:4,price:f64 --by id",
            "merge {keys} {keys} -o {out} --type u64 --device cpu --memory 64K",
            "merge {array.npy} -o {out.npy} --descending --report",
            "generate {out} --count 1000 --type f32 --distribution zipf --seed 7",
            "generate {out} --count 2^4 --layout a:u8,b:bytes[3]",
            "verify {keys} --type u64 --against {keys} --stable",
            "verify {keys} --type u64 --against {keys} --payload-file {payloads} --payload u64 --payload-against {keys}",
            "verify {array.npy} --json",
            "generate {out} --lines urls --count 100",
            "lines {text} {keys} -o {out} -t , -k 2,2nr -k 1.2,1.3fb -u --memory 64K --temp {}",
            "lines -c {text} -o {out} --key=1,2n --field-separator=: -s",
            "lines -m -z -o {out} {text} {text} --parallel 2 --report -S 10%",
            "clean {}",
            "info --json",
            "help sort",
            "--version");

    private static final List<String> STRAY = List.of(
            "-",
            "--",
            "",
            " ",
            "-o",
            "--type",
            "--by",
            "--layout",
            "--memory",
            "--help",
            "0",
            "-1",
            "u8",
            "{}",
            "{no}",
            "{no/no}",
            "{keys}",
            "{array.npy}",
            "@{keys}",
            "--json=x",
            "--stable=maybe",
            "--seed",
            "1e9",
            "\0",
            "ü",
            "${x}",
            "%n%s",
            "--memory=1",
            "--temp={no}",
            "--device=gpu:99",
            "--tuning=x=1",
            "--tuning=buckets=3",
            "--device-memory=1",
            "--by=id",
            "--payload=bytes[3]",
            "--lines=poems",
            "-k0",
            "-k1.0",
            "-k2,1x",
            "-k",
            "-tab",
            "-nM",
            "-R",
            "-S0",
            "-S9Q",
            "--check=loud",
            "--sort=size",
            "--files0-from={keys}",
            "--batch-size=4",
            "-udfi");

    @Test
    void everyLineEndsInOrder() throws IOException {
        checkLines(CASES);
    }

    @Tag("exhaustive")
    @Test
    void everyOneOfManyLinesEndsInOrder() throws IOException {
        checkLines(10 * CASES);
    }

    private void checkLines(int cases) throws IOException {
        makeFiles();
        SplittableRandom random = new SplittableRandom(SEED);
        Map<Integer, Integer> exitCodes = new HashMap<>();
        int run = 0;
        for (int i = 0; i < cases; i++) {
            List<String> words = mutated(VALID.get(random.nextInt(VALID.size())), random);
            String[] arguments = words.stream().map(this::resolved).toArray(String[]::new);
            if (!isHarmless(arguments)) {
                continue;
            }
            run++;
            String replay = "case " + i + ", " + Arrays.toString(arguments) + "; replay with -Dtests.seed=" + SEED;
            int exitCode;
            try {
                exitCode = run(arguments);
            } catch (Exception | Error e) {
                throw new AssertionError(replay, e);
            }
            exitCodes.merge(exitCode, 1, Integer::sum);
            assertThat(exitCode).as(replay).isBetween(0, 3);
            assertThat(err()).as(replay).doesNotContain("\tat ").doesNotContain("Exception");
            boolean isTrouble = exitCode == 2 && !err().contains("\nTry: ");
            if (isTrouble) {
                // Of lines, this is also the exit code of what went wrong later.
                assertThat(arguments).as(replay).contains("lines");
            }
            if (exitCode == 2 && !isTrouble) {
                assertThat(err().lines()).as(replay).hasSize(2);
                assertThat(err()).as(replay).startsWith("samplesort: ").contains("\nTry: samplesort");
            } else if (exitCode != 0 && out().isEmpty()) {
                assertThat(err().lines().filter(line -> !line.contains(" removed ")))
                        .as(replay)
                        .hasSize(1)
                        .allMatch(line -> line.startsWith("samplesort: "));
            }
            if (i % 100 == 0) {
                makeFiles();
            }
        }
        assertThat(run).isGreaterThan(cases / 2);
        assertThat(exitCodes).as("exit codes").containsKeys(0, 1, 2);
    }

    private void makeFiles() throws IOException {
        byte[] bytes = new byte[8 * 1000];
        new java.util.Random(1).nextBytes(bytes);
        for (String name : List.of("keys", "payloads", "records")) {
            Files.write(Path.of(path(name)), bytes);
        }
        Files.writeString(Path.of(path("text")), "b,2\na,10\n\nc:x,-1e3\n");
        assertDone("generate", path("array.npy"), "--type", "i16", "--count", "500");
    }

    private static List<String> mutated(String line, SplittableRandom random) {
        List<String> words = new ArrayList<>();
        for (String word : line.split(" ")) {
            words.add(word.replace('|', ' '));
        }
        for (int edits = random.nextInt(MOST_EDITS + 1); edits > 0 && !words.isEmpty(); edits--) {
            int at = random.nextInt(words.size());
            switch (random.nextInt(6)) {
                case 0 -> words.remove(at);
                case 1 -> words.add(at, STRAY.get(random.nextInt(STRAY.size())));
                case 2 -> words.set(at, STRAY.get(random.nextInt(STRAY.size())));
                case 3 -> words.add(at, words.get(random.nextInt(words.size())));
                case 4 -> words.set(at, words.set(random.nextInt(words.size()), words.get(at)));
                default -> {
                    String word = words.get(at);
                    if (!word.contains("{") && !word.isEmpty()) {
                        int letter = random.nextInt(word.length());
                        char other = "-=:,x9 é".charAt(random.nextInt(8));
                        words.set(at, word.substring(0, letter) + other + word.substring(letter + 1));
                    }
                }
            }
        }
        return words;
    }

    private String resolved(String word) {
        int begin = word.indexOf('{');
        int end = word.indexOf('}');
        boolean isFile = begin >= 0 && end > begin && (begin == 0 || word.charAt(begin - 1) != '$');
        return isFile
                ? word.substring(0, begin) + path(word.substring(begin + 1, end)) + word.substring(end + 1)
                : word;
    }

    /// Returns whether a line touches nothing but the folder of the test, and makes no more than it has room for.
    private boolean isHarmless(String... arguments) {
        try {
            String[] plain = OptionWords.of(Main.commandLine(arguments), arguments);
            for (ParseResult parsed = Main.commandLine(plain).parseArgs(plain);
                    parsed != null;
                    parsed = parsed.subcommand()) {
                for (ArgSpec argument : parsed.commandSpec().args()) {
                    Object value = argument.getValue();
                    boolean isStream =
                            (argument.isPositional() || argument.paramLabel().equals("OUT"))
                                    && (value == null || value.equals(List.of()));
                    if (isStream && parsed.commandSpec().name().equals("lines")) {
                        return false;
                    }
                    if (value instanceof List<?> files
                            && files.stream()
                                    .anyMatch(file -> file instanceof Path path && !path.startsWith(path("")))) {
                        return false;
                    }
                    if (value instanceof Path file && !file.startsWith(path(""))) {
                        return false;
                    }
                    if (argument.paramLabel().equals("N") && value instanceof Long count && count > MOST_ELEMENTS) {
                        return false;
                    }
                }
            }
            return true;
        } catch (ParameterException e) {
            return true;
        }
    }
}
