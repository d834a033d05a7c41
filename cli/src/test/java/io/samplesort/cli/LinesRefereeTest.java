package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cli.data.RawText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// `samplesort lines` compared with GNU's sort, byte for byte, with random lines and options.
class LinesRefereeTest extends CommandCase {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final int CASES = Integer.getInteger("tests.cases", 120);

    private static final String[] NUMBERS = {
        "0",
        "-0",
        "1",
        "-1",
        "10",
        "010",
        "1.5",
        "-1.5",
        "1.50",
        ".5",
        "-.5",
        "0.05",
        "-",
        ".",
        "-.",
        "+1",
        "1e3",
        "1E-3",
        "1e",
        "0x1F",
        "0x",
        "0x1p-3",
        "inf",
        "-inf",
        "INFINITY",
        "99999999999999999999",
        "99999999999999999998",
        "0.1",
        "0.10000000000000000001",
        "0.1000000000000000000000000001",
        "1e4932",
        "2e4932",
        "1e-4940",
        "1e-4950",
        "1e-4960",
        "18446744073709551615",
        "18446744073709551616",
        "18446744073709551617",
        "1,000",
        "123456789012345678901234567890",
        "  7",
        "\t7",
        "7x",
        "00",
        "000.000",
        "1.",
        "1.0",
        "9223372036854775807"
    };
    private static final String[] SIZES = {
        "1K", "2k", "1M", "-1M", "1G", "-1K", "0K", "0.0G", "1.5K", "1.5M", "K", "-K", "1024", "1T", "1P", "1E", "1Z",
        "1Y", "  3K", "5Ki", ".5K", "1.K", "10K", "9K", "-2K", "-10K"
    };
    private static final String[] MONTHS = {
        "JAN", "feb", "Mar", "apr", "MAY", "june", "JULY", "Aug", "sept", "oct", " nov", "dec", "ja", "mai", "", "\tJUN"
    };
    private static final String[] VERSIONS = {
        "a",
        "a0",
        "a00",
        "a0b",
        "a0~",
        "a~",
        "a1",
        "a01",
        "a10",
        "a9",
        "a-1.9",
        "a-1.10",
        "a.tar.gz",
        "a-1.tar.gz",
        "a-1.2.tar.gz",
        ".",
        "..",
        ".a",
        ".a1",
        "...",
        "~",
        "",
        "1",
        "01",
        "1.0",
        "1.00",
        "1.0~rc1",
        "1.0.b",
        "a.b~c",
        "a.1b",
        "A",
        "b",
        "a_",
        "a+",
        "999999999999999999999",
        "999999999999999999998",
        "a b",
        "a.~1~",
        "z.c1",
        "z.c01"
    };
    private static final String[] WORDS = {
        "a", "B", "c", "ab", "Ab", "aB", "b", "", "a b", "a-b", "a_b", "a\tb", "zz", "\u00e9", "A b"
    };
    private static final String[][] VOCABULARIES = {NUMBERS, SIZES, MONTHS, VERSIONS, WORDS};

    private static final String[] SEPARATORS = {" ", "\t", ",", ":", "  ", ", "};

    private static final Pattern HIDDEN_ANYWHERE = Pattern.compile("\\.[A-Za-z~]");
    private static final Pattern LARGEST_SIZES = Pattern.compile("[0-9.][RQrq]");
    private static final Pattern HIDDEN = Pattern.compile("(^|[\\n\\x00])[^a-zA-Z0-9.~]*\\.[A-Za-z~]");

    /// One sort: its options and its input files.
    private record Case(List<String> options, List<byte[]> inputs) {}

    @Test
    void sortsAsGnuDoes() throws Exception {
        checkCases(CASES);
    }

    @Tag("exhaustive")
    @Test
    void sortsManyCasesAsGnuDoes() throws Exception {
        checkCases(5 * CASES);
    }

    private void checkCases(int count) throws Exception {
        Programs.require("sort");
        SplittableRandom random = new SplittableRandom(SEED);
        List<Case> cases = new ArrayList<>();
        boolean isOdd = sortsHiddenVersionsOddly();
        boolean lacksSizes = lacksLargestSizes();
        while (cases.size() < count) {
            Case one = randomCase(random);
            if (!(isOdd && hasHiddenVersions(one)) && !(lacksSizes && hasLargestSizes(one))) {
                cases.add(one);
            }
        }
        referee(cases);
        for (int i = 0; i < count; i++) {
            check(i, cases.get(i));
        }
    }

    /// Returns whether this is GNU's sort of the coreutils 9.1, which has `.a` before `.0`; all others have it behind.
    private boolean sortsHiddenVersionsOddly() throws Exception {
        Files.writeString(Path.of(path("hidden")), ".0\n.a\n");
        return Programs.run(Path.of(path("")), Path.of(path("hidden")), List.of("sort", "-V"))
                .startsWith(".a");
    }

    /// Returns whether this is GNU's sort of the coreutils 9.1 or older, which do not know the sizes `R` and `Q`.
    private boolean lacksLargestSizes() throws Exception {
        Files.writeString(Path.of(path("sizes")), "1R\n2Y\n");
        return Programs.run(Path.of(path("")), Path.of(path("sizes")), List.of("sort", "-h"))
                .startsWith("1R");
    }

    /// Returns whether there may be numbers of these sizes, in some part of a line.
    private static boolean hasLargestSizes(Case one) {
        return one.options().toString().contains("h")
                && one.inputs().stream()
                        .map(input -> new String(input, StandardCharsets.ISO_8859_1))
                        .anyMatch(text -> LARGEST_SIZES.matcher(text).find());
    }

    /// Returns whether versions may begin with a dot, in some part of a line.
    private static boolean hasHiddenVersions(Case one) {
        boolean hasKey = one.options().contains("-k");
        return one.options().toString().contains("V")
                && one.inputs().stream()
                        .map(input -> new String(input, StandardCharsets.ISO_8859_1))
                        .anyMatch(text -> (hasKey ? HIDDEN_ANYWHERE : HIDDEN)
                                .matcher(text)
                                .find());
    }

    /// Lets GNU's sort sort all cases, in one script.
    private void referee(List<Case> cases) throws Exception {
        StringBuilder script = new StringBuilder("export LC_ALL=C\n");
        for (int i = 0; i < cases.size(); i++) {
            List<byte[]> inputs = cases.get(i).inputs();
            for (int file = 0; file < inputs.size(); file++) {
                Files.write(Path.of(path("in" + i + "-" + file)), inputs.get(file));
            }
            script.append("sort");
            cases.get(i).options().forEach(option -> script.append(" ").append(quoted(option)));
            for (int file = 0; file < inputs.size(); file++) {
                script.append(" in" + i + "-" + file);
            }
            script.append(" > expected" + i + " 2> err" + i + "; echo $? > code" + i + "\n");
        }
        Path file = Path.of(path("script"));
        Files.writeString(file, script);
        Process process = new ProcessBuilder("bash", file.toString())
                .directory(Path.of(path("")).toFile())
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    private void check(int number, Case one) throws IOException {
        List<String> words = new ArrayList<>(List.of("lines", "-o", path("out")));
        words.addAll(one.options());
        for (int file = 0; file < one.inputs().size(); file++) {
            words.add(path("in" + number + "-" + file));
        }
        String replay = "case " + number + ", " + one.options() + ", " + shown(one.inputs())
                + "; replay with -Dtests.seed=" + SEED;
        int code = Integer.parseInt(new String(read("code" + number), StandardCharsets.UTF_8).strip());
        boolean isCheck = one.options().contains("-c") || one.options().contains("-C");
        if (isCheck) {
            words.removeAll(List.of("-o", path("out")));
        } else {
            words.add(number % 2 == 0 ? "-S64K" : "-S64M");
            words.add("--parallel=" + (1 + number % 3));
        }
        int ours = run(words.toArray(String[]::new));
        assertThat(ours).as("%s %s", replay, err()).isEqualTo(code);
        if (isCheck && code < 2) {
            assertThat(err().replace("samplesort: " + path(""), "sort: ").replace("sort: /", "sort: "))
                    .as(replay)
                    .isEqualTo(RawText.decode(read("err" + number)).replaceFirst("\0\\z", "\n"));
        } else if (code == 0) {
            assertThat(text("out")).as(replay).isEqualTo(text("expected" + number));
        }
    }

    private String text(String name) throws IOException {
        return new String(read(name), StandardCharsets.ISO_8859_1);
    }

    private static String shown(List<byte[]> inputs) {
        List<String> shown = new ArrayList<>();
        inputs.forEach(input -> shown.add(new String(input, StandardCharsets.ISO_8859_1)));
        return shown.toString();
    }

    private static Case randomCase(SplittableRandom random) {
        List<String> options = new ArrayList<>();
        String[] vocabulary = VOCABULARIES[random.nextInt(VOCABULARIES.length)];
        boolean isZero = random.nextInt(10) == 0;
        int keys = Math.max(0, random.nextInt(5) - 2);
        if (random.nextInt(3) > 0) {
            addLetters(random, vocabulary, options);
        }
        for (int key = 0; key < keys; key++) {
            options.add("-k");
            options.add(randomKey(random, vocabulary));
        }
        add(random, 3, options, "-r");
        add(random, 4, options, "-s");
        add(random, 4, options, "-u");
        add(random, 6, options, "-b");
        if (isZero) {
            options.add("-z");
        }
        String separator = SEPARATORS[random.nextInt(SEPARATORS.length)];
        if (random.nextBoolean()) {
            options.add("-t");
            options.add(separator.substring(0, 1));
        }
        int files = 1 + random.nextInt(3);
        if (random.nextInt(12) == 0) {
            options.add(random.nextBoolean() ? "-c" : "-C");
            files = 1;
        } else if (random.nextInt(12) == 0) {
            // GNU merges files that are not sorted in its own way, so they are sorted: by nothing but their bytes.
            options.clear();
            options.add("-m");
            add(random, 3, options, "-u");
        }
        List<byte[]> inputs = new ArrayList<>();
        for (int file = 0; file < files; file++) {
            byte[] lines = randomLines(random, vocabulary, separator, isZero && !options.contains("-m"));
            inputs.add(options.contains("-m") ? sorted(lines) : lines);
        }
        return new Case(options, inputs);
    }

    private static byte[] sorted(byte[] lines) {
        List<String> sorted = new ArrayList<>(List.of(new String(lines, StandardCharsets.ISO_8859_1).split("\n", -1)));
        if (sorted.getLast().isEmpty()) {
            sorted.removeLast();
        }
        sorted.sort(null);
        return (String.join("\n", sorted) + (sorted.isEmpty() ? "" : "\n")).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void add(SplittableRandom random, int oneIn, List<String> options, String option) {
        if (random.nextInt(oneIn) == 0) {
            options.add(option);
        }
    }

    private static void addLetters(SplittableRandom random, String[] vocabulary, List<String> options) {
        options.add("-" + letters(random, vocabulary));
    }

    /// Returns letters that fit the vocabulary, mostly.
    private static String letters(SplittableRandom random, String[] vocabulary) {
        if (random.nextInt(12) == 0) {
            return new String[] {"n", "g", "h", "M", "V", "d", "i", "f", "gn", "nd", "Vf"}[random.nextInt(11)];
        }
        if (vocabulary == NUMBERS) {
            return random.nextBoolean() ? "n" : "g";
        }
        if (vocabulary == SIZES) {
            return new String[] {"h", "n", "hf"}[random.nextInt(3)];
        }
        if (vocabulary == MONTHS) {
            return "M";
        }
        if (vocabulary == VERSIONS) {
            return new String[] {"V", "Vf", "Vd"}[random.nextInt(3)];
        }
        return new String[] {"d", "f", "i", "df", "fi", "b"}[random.nextInt(6)];
    }

    private static String randomKey(SplittableRandom random, String[] vocabulary) {
        StringBuilder key = new StringBuilder(position(random, false));
        boolean hasLetters = random.nextBoolean();
        if (hasLetters) {
            key.append(random.nextInt(4) == 0 ? "b" : "").append(letters(random, vocabulary));
            key.append(random.nextInt(3) == 0 ? "r" : "");
        }
        if (random.nextInt(3) > 0) {
            key.append(",").append(position(random, true));
            key.append(random.nextInt(5) == 0 ? "b" : "");
        }
        return key.toString();
    }

    private static String position(SplittableRandom random, boolean isEnd) {
        int field = 1 + random.nextInt(random.nextInt(5) == 0 ? 9 : 3);
        return switch (random.nextInt(3)) {
            case 0 -> field + "." + (random.nextInt(4) + (isEnd ? 0 : 1));
            default -> Integer.toString(field);
        };
    }

    private static byte[] randomLines(SplittableRandom random, String[] vocabulary, String separator, boolean isZero) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        // Some are more than fit in the least memory.
        int most = random.nextInt(30) == 0 ? 5000 : random.nextInt(4) == 0 ? 200 : 30;
        int lines = random.nextInt(most);
        for (int line = 0; line < lines; line++) {
            byte[] text = randomLine(random, vocabulary, separator);
            out.writeBytes(text);
            if (line < lines - 1 || random.nextInt(3) > 0) {
                if (!isZero && random.nextInt(40) == 0) {
                    out.write('\r');
                }
                out.write(isZero ? 0 : '\n');
            }
        }
        return out.toByteArray();
    }

    private static byte[] randomLine(SplittableRandom random, String[] vocabulary, String separator) {
        if (random.nextInt(15) == 0) {
            // Any bytes, many of them special.
            byte[] bytes = new byte[random.nextInt(12)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (random.nextBoolean() ? random.nextInt(256) : random.nextInt(4));
                bytes[i] = bytes[i] == '\n' || bytes[i] == Programs.SKIPPED_IN_NUMBERS ? 1 : bytes[i];
            }
            return bytes;
        }
        List<String> fields = new ArrayList<>();
        int count = random.nextInt(5) == 0 ? random.nextInt(5) : 1 + random.nextInt(2);
        for (int field = 0; field < count; field++) {
            String[] words = random.nextInt(6) == 0 ? VOCABULARIES[random.nextInt(VOCABULARIES.length)] : vocabulary;
            fields.add(words[random.nextInt(words.length)]);
        }
        return String.join(separator, fields).getBytes(StandardCharsets.UTF_8);
    }
}
