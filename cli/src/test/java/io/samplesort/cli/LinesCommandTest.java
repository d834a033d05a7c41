package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.jr.ob.JSON;
import io.samplesort.testkit.StringInput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `samplesort lines` with files larger than memory, in pipes, and where something goes wrong. GNU's sort says what is
/// right.
@Timeout(600)
class LinesCommandTest extends CommandCase {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final int KILLS = 3;

    private void generate(String name, StringInput input, int lines) throws IOException {
        try (OutputStream out = Files.newOutputStream(Path.of(path(name)))) {
            input.writeLines(lines, SEED, out);
        }
    }

    /// Runs a shell script in the folder of the test, in which `"$@"` is the command.
    ///
    /// @return the exit code, and a line feed and what was printed to the log
    private String shell(String script, String... command) throws IOException, InterruptedException {
        Programs.require("sort");
        return runProcess(append(
                new String[] {"bash", "-c", "export LC_ALL=C; cd '" + path("") + "'; " + script, "bash"},
                process(append(new String[] {"lines"}, command))));
    }

    private void assertSame(String options, String... inputs) throws Exception {
        String files = String.join(" ", inputs);
        assertThat(shell("sort " + options + " " + files + " > expected")).startsWith("0\n");
        List<String> words = new ArrayList<>(List.of("lines", "-o", path("out")));
        words.addAll(List.of(options.split(" ")));
        words.removeIf(String::isEmpty);
        for (String input : inputs) {
            words.add(path(input));
        }
        for (String memory : new String[] {"64K", "1M", "1G"}) {
            words.add("--memory=" + memory);
            assertDone(words.toArray(String[]::new));
            assertThat(Files.mismatch(Path.of(path("out")), Path.of(path("expected"))))
                    .as("first difference with %s, %s, seed %d", memory, options, SEED)
                    .isEqualTo(-1);
            words.removeLast();
        }
    }

    @Test
    void sortsMoreThanFitsInMemory() throws Exception {
        for (StringInput input : StringInput.values()) {
            generate("in", input, 20_000);
            assertSame("", "in");
            assertSame("-r", "in");
            assertSame("-u", "in");
            assertSame("-k2,2 -k1,1r -s -t.", "in");
        }
        // Random text has lines that begin with a dot, which versions of GNU's sort have in different places.
        assertSame("-V -u", "in");
        generate("in2", StringInput.WORDS, 30_000);
        assertSame("-f", "in", "in2");
        assertSame("-u -f", "in2", "in");
        assertNoLitter(4);
    }

    @Test
    void sortsNumbersThatDoNotFitInMemory() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 30_000; i++) {
            lines.append(random.nextInt(1000) - 500).append(random.nextBoolean() ? "." + random.nextInt(100) : "");
            lines.append(" x").append(random.nextInt(10)).append('\n');
        }
        Files.writeString(Path.of(path("in")), lines);
        assertSame("-n", "in");
        assertSame("-nr -s", "in");
        assertSame("-g -u", "in");
        assertSame("-k2,2 -k1,1nr", "in");
    }

    @Test
    void linesOfAllLengths() throws Exception {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 300; i++) {
            byte[] line = new byte[random.nextInt(i % 30 == 0 ? 3000 : 100)];
            random.nextBytes(line);
            for (int at = 0; at < line.length; at++) {
                line[at] = line[at] == '\n' ? 0 : line[at];
            }
            lines.writeBytes(line);
            lines.write('\n');
        }
        lines.writeBytes("no end\r\n\r\n\n\n\0\n\0\0".getBytes(StandardCharsets.US_ASCII));
        Files.write(Path.of(path("in")), lines.toByteArray());
        assertSame("", "in");
        assertSame("-k1.2,1.9 -k3", "in");
        assertSame("-z", "in");
        Files.write(Path.of(path("in")), new byte[0]);
        assertSame("", "in");
        assertSame("-n", "in", "in");
        byte[] empty = new byte[300_000];
        Arrays.fill(empty, (byte) '\n');
        Files.write(Path.of(path("in")), empty);
        assertSame("", "in");
        assertSame("-n", "in");
        assertSame("-u", "in");
    }

    @Test
    void linesMayBeLongerThanTheMemory() throws Exception {
        byte[] text = new byte[400_000];
        Arrays.fill(text, (byte) 'x');
        text[text.length / 2] = '\n';
        text[text.length - 1] = 'a';
        Files.write(Path.of(path("in")), text);
        assertSame("", "in");
        assertSame("-f", "in");
        assertSame("-k1,1n -u", "in");
    }

    @Test
    void isAFilter() throws Exception {
        generate("in", StringInput.URLS, 20_000);
        assertThat(shell("sort in > expected; cat in | \"$@\" > out && cmp out expected"))
                .isEqualTo("0\n");
        assertThat(shell("sort -r in > expected; cat in | \"$@\" > out && cmp out expected", "-r", "--memory=64K", "-"))
                .isEqualTo("0\n");
        assertThat(shell("sort in /etc/passwd > expected; \"$@\" < in > out && cmp out expected", "-", "/etc/passwd"))
                .isEqualTo("0\n");
        assertThat(shell("read -r line < in; { read -r line; sort; } < in > expected; "
                        + "{ read -r line; \"$@\"; } < in > out; cmp out expected"))
                .isEqualTo("0\n");
        // The reader of the output has all it wants.
        assertThat(shell("\"$@\" in | head -n 1 > out; echo ${PIPESTATUS[0]}; sort in | head -n 1 | cmp - out"))
                .isEqualTo("0\n141\n");
        assertThat(shell("printf 'in\\0in\\0' | \"$@\" > out; sort in in | cmp - out", "--files0-from=-"))
                .isEqualTo("0\n");
    }

    @Test
    void theOutputMayBeAnInput() throws Exception {
        generate("in", StringInput.SENTENCES, 20_000);
        generate("in2", StringInput.WORDS, 20_000);
        assertThat(shell("sort in in2 > expected")).isEqualTo("0\n");
        for (String memory : new String[] {"64K", "1G"}) {
            generate("in", StringInput.SENTENCES, 20_000);
            assertDone("lines", path("in"), path("in2"), "-o", path("in"), "--memory=" + memory);
            assertThat(read("in")).isEqualTo(read("expected"));
        }
        assertThat(shell("sort in2 -o in2; sort -m in in2 > expected")).isEqualTo("0\n");
        assertDone("lines", "-m", path("in"), path("in2"), "-o", path("in2"));
        assertThat(read("in2")).isEqualTo(read("expected"));
        assertDone("lines", "-c", path("in2"));
        assertFails(1, "", "lines", "-C", "-u", path("in2"));
        assertThat(err()).isEmpty();
        assertNoLitter(3);
    }

    /// A process may have few files open, so neither a sort nor a merge may open all of its inputs at once.
    @Test
    void moreInputsThanMayBeOpen() throws Exception {
        int parts = 300;
        generate("in", StringInput.WORDS, 12_000);
        String split = "split -d -a 3 -n r/" + parts + " in part. && for p in part.*; do sort $p -o $p; done; ";
        assertThat(shell(split + "sort in > expected; sort -u in > different")).isEqualTo("0\n");
        String limited = "ulimit -n 250; ";
        assertThat(shell(limited + "\"$@\" part.* | cmp - expected")).isEqualTo("0\n");
        assertThat(shell("ulimit -n 64; \"$@\" part.* | cmp - expected && \"$@\" -m part.* | cmp - expected"))
                .isEqualTo("0\n");
        for (String options : new String[] {"", "--batch-size=17 -S64K"}) {
            assertThat(shell(limited + "\"$@\" -m " + options + " part.* | cmp - expected"))
                    .as(options)
                    .isEqualTo("0\n");
        }
        assertThat(shell(limited + "\"$@\" -m -u --batch-size=7 part.* -o different.2 && cmp different different.2"))
                .isEqualTo("0\n");
        // Lines that are not sorted are merged as they come, and none is lost.
        assertThat(shell("shuf part.000 -o part.000; \"$@\" -m --batch-size=3 part.* | sort | cmp - expected"))
                .isEqualTo("0\n");
        assertNoLitter(parts + 4);
    }

    @Test
    void theMemoryOfTheGpuMayBeLimited() throws Exception {
        generate("in", StringInput.URLS, 1000);
        assertThat(shell("sort in > expected")).isEqualTo("0\n");
        assertDone("lines", path("in"), "-o", path("out"), "--device=cpu", "--device-memory=64M", "--lean");
        assertThat(read("out")).isEqualTo(read("expected"));
        assertFails(2, "--device-memory", "lines", path("in"), "--device-memory=0");
    }

    @Test
    void mistakesAndOptionsThatAreMissingAreTold() throws Exception {
        Files.writeString(Path.of(path("in")), "b\na\n");
        String[][] wrong = {
            {"-R", "shuf does that"},
            {"--sort=random", "shuf does that"},
            {"--compress-program=gzip", "--compress-program is not supported"},
            {"--batch-size=1", "fewer than 2 cannot be merged"},
            {"--debug", "--debug is not supported"},
            {"-k0", "counted from 1"},
            {"-k1x", "letter 'x'"},
            {"-kx", "such as 2,2n"},
            {"-gn", "incompatible"},
            {"-tab", "must be a single one"},
            {"-S1Q", "write it as in"},
            {"--sort=size", "use one of general-numeric"}
        };
        for (String[] words : wrong) {
            assertFails(2, words[1], "lines", words[0], path("in"), "-o", path("out"));
        }
        assertFails(2, "is not there", "lines", path("none"), "-o", path("out"));
        assertFails(2, "is a folder", "lines", path(""), "-o", path("out"));
        assertFails(2, "a check has no output", "lines", "-c", path("in"), "-o", path("out"));
        assertFails(2, "only one file", "lines", "-c", path("in"), path("in"));
        assertFails(1, "in:2: disorder: a\n", "lines", "-c", path("in"));
        assertNoLitter(1);
        Files.writeString(Path.of(path("table")), "b=1\na=2\n");
        assertDone("lines", "-t=", "-k2nr", path("table"), "-o", path("out"), "-n", "-n");
        assertThat(read("out")).isEqualTo("a=2\nb=1\n".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void reportsWhatItDid() throws Exception {
        generate("in", StringInput.WORDS, 5000);
        assertDone("lines", path("in"), "-o", path("out"), "--json");
        assertThat(JSON.std.mapFrom(out())).containsEntry("elementCount", 5000);
        assertDone("lines", path("in"), "-o", path("out"), "--report", "--memory=64K");
        assertThat(out()).contains("5,000", "write runs", "merge");
    }

    @ParameterizedTest
    @ValueSource(strings = {"64K", "64M"})
    void aFullDiskIsTold(String memory) throws Exception {
        assumeThat(Path.of("/dev/full")).exists();
        generate("in", StringInput.URLS, 20_000);
        byte[] before = read("in");
        assertThat(shell("\"$@\" in > /dev/full", "--memory=" + memory))
                .matches("2\nsamplesort: cannot write /dev/stdout: .*No space left on device\n");
        // A limit on the size of files stands for a disk that becomes full.
        assertThat(shell("ulimit -f 500; \"$@\" in -o in", "--memory=" + memory))
                .startsWith("2\nsamplesort: cannot write ");
        assertThat(read("in")).isEqualTo(before);
        assertNoLitter(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"64K", "64M"})
    void resultsInMemoryFileSystems(String memory) throws Exception {
        Path system = Path.of("/dev/shm");
        assumeThat(system).isDirectory().isWritable();
        generate("in", StringInput.WORDS, 60_000);
        Path folder = Files.createTempDirectory(system, "samplesort-test");
        try {
            String[] words = {"--memory=" + memory, "-T", path("")};
            // With -u, the result is shorter than the room that was made for it.
            for (String options : new String[] {"", "-u", "-k1.2"}) {
                String script = "sort %s in > expected; \"$@\" %s in -o %s/out && cmp %s/out expected"
                        .formatted(options, options, folder, folder);
                assertThat(shell(script, words)).as("seed %d", SEED).isEqualTo("0\n");
            }
            byte[] before = Files.readAllBytes(folder.resolve("out"));
            assertThat(shell("ulimit -f 100; \"$@\" in -o " + folder + "/out", words))
                    .startsWith("2\nsamplesort: cannot write ");
            assertThat(folder.resolve("out")).hasBinaryContent(before);
            assertThat(folder.toFile().list()).containsExactly("out");
        } finally {
            Files.deleteIfExists(folder.resolve("out"));
            Files.delete(folder);
        }
    }

    /// A small file system that becomes full while lines go to it. How much they are shows too late to say so before.
    @ParameterizedTest
    @ValueSource(strings = {"64K", "64M"})
    void aFullMemoryFileSystemIsTold(String memory) throws Exception {
        String mount = "unshare -rm bash -c 'mkdir -p full && mount -t tmpfs -o size=1m tmpfs full";
        assumeThat(shell(mount + "'")).isEqualTo("0\n");
        generate("in", StringInput.URLS, 40_000);
        assertThat(shell(
                        mount + " && echo old > full/out; cat in | \"$@\" -o full/out; code=$?;"
                                + " cat full/out; ls -A full; exit $code' bash \"$@\"",
                        "--memory=" + memory,
                        "-T",
                        path("")))
                .startsWith("2\n")
                .contains("samplesort: cannot write full/out: No space left on device", "old\nout\n");
    }

    /// Docker mounts single files in this way. The system lets no other file take their place.
    @Test
    void aFileThatIsMountedByItselfIsOverwrittenOnRequest() throws Exception {
        String mount = "unshare -rm bash -c 'touch \"a place\" && mount --bind in \"a place\"";
        generate("in", StringInput.URLS, 1000);
        assumeThat(shell(mount + "'")).isEqualTo("0\n");
        assertThat(shell(
                        "sort in > expected; " + mount + " && \"$@\" && exit 9; cmp in \"a place\"' bash \"$@\"",
                        "a place",
                        "-o",
                        "a place"))
                .isEqualTo("0\nsamplesort: cannot replace a place: it is mounted by itself, so no new file can take its"
                        + " place; ask for write-through to have its content overwritten in the end\n");
        assertThat(shell(
                        mount + " && \"$@\" && cmp in expected' bash \"$@\"",
                        "a place",
                        "-o",
                        "a place",
                        "--write-through"))
                .isEqualTo("0\n");
        assertNoLitter(3);
    }

    @Test
    void runsGoToSeveralFoldersInTurn() throws Exception {
        generate("in", StringInput.URLS, 30_000);
        Files.createDirectories(Path.of(path("one")));
        Files.createDirectories(Path.of(path("two")));
        assertSame("-T " + path("one") + " -T " + path("two"), "in");
        assertThat(Path.of(path("one"))).isEmptyDirectory();
        assertThat(Path.of(path("two"))).isEmptyDirectory();
        String[] missing = {"lines", path("in"), "-o", path("out"), "-T", path("one"), "-T", path("three")};
        assertFails(2, "three for temporary files is not there: make it first", append(missing, "--memory=64K"));
        assertThat(Path.of(path("one"))).isEmptyDirectory();
        // A sort that needs no folder does not look for it.
        assertDone(missing);
        assertThat(read("out")).isEqualTo(read("expected"));
    }

    @Test
    void anInputThatChangesIsTold() throws Exception {
        generate("in", StringInput.URLS, 20_000);
        // A pipe has no room for so much, so the first file has been read when it becomes empty.
        assertThat(shell("mkfifo slow; (yes z | head -c 500000; : > in; echo z) > slow & writer=$!;"
                        + " \"$@\" in slow -o out; code=$?; kill $writer; wait; exit $code"))
                .startsWith("2\nsamplesort: ")
                .contains("changed while it was sorted");
        assertThat(Path.of(path("out"))).doesNotExist();
        assertNoLitter(2);
    }

    @Test
    void aKillLeavesOldOrNewFilesAndTheNextSortRemovesTheRest() throws Exception {
        generate("in", StringInput.URLS, 100_000);
        assertThat(shell("sort in > expected")).isEqualTo("0\n");
        byte[] before = read("in");
        byte[] sorted = read("expected");
        String[] command = process("lines", path("in"), "-o", path("in"), "--memory", "1M");
        // The moments lie in the time that a whole sort takes here.
        long start = System.nanoTime();
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
        long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int kill = 0; kill < KILLS; kill++) {
            Files.write(Path.of(path("in")), before);
            Process process = new ProcessBuilder(command).start();
            process.waitFor((long) ((kill + random.nextDouble()) * 1.1 * micros / KILLS), TimeUnit.MICROSECONDS);
            process.destroyForcibly().waitFor();
            byte[] now = read("in");
            assertThat(Arrays.equals(now, before) || Arrays.equals(now, sorted))
                    .as("seed %d", SEED)
                    .isTrue();
            assertDone("lines", path("in"), "-o", path("in"), "--memory", "1M");
            assertThat(read("in")).isEqualTo(sorted);
            assertNoLitter(2);
        }
    }
}
