package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Results that go to pipes, devices and the standard output, and inputs that come from there. Each command is a
/// process of its own, which a shell starts.
@Timeout(600)
class StreamOutputTest extends CommandCase {
    private static final String[] WHAT = {"--type", "u64", "--device", "cpu"};

    /// With this memory the input is sorted in parts.
    private static final String[] PARTS = {"--memory", "64K"};

    @BeforeEach
    void makeInput() throws IOException {
        assertDone("generate", path("in"), "--type", "u64", "--count", "20000");
        assertDone(command(WHAT, "sort", path("in"), "-o", path("expected")));
    }

    /// Runs a shell script, in which `"$@"` is a command.
    ///
    /// @return the exit code, and a line feed and what was printed to the log
    private String shell(String script, String... command) throws IOException, InterruptedException {
        String[] shell = {"bash", "-c", "cd '" + path("") + "'; " + script, "bash"};
        return runProcess(append(shell, process(command)));
    }

    private String[] sort(String... more) {
        return append(command(WHAT, "sort", path("in")), more);
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @ValueSource(strings = {"/dev/stdout", "/proc/self/fd/1"})
    void theStandardOutputOfOtherNamesHasTheDataAlone(String name) throws Exception {
        theStandardOutputHasTheDataAlone(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "/dev/fd/1"})
    void theStandardOutputHasTheDataAlone(String name) throws Exception {
        String[] sort = append(append(sort("-o", name), PARTS), "--json");
        // Once to a pipe, and once to a file that has something in it already.
        assertThat(shell("echo begin > file; \"$@\" 2> report | cat >> file; exit ${PIPESTATUS[0]}", sort))
                .isEqualTo("0\n");
        assertData("file", "begin\n");
        assertThat(shell("echo begin > file; \"$@\" 2> report >> file", sort)).isEqualTo("0\n");
        assertData("file", "begin\n");
        assertThat(JSON.std.mapFrom(new String(read("report")).lines().reduce("", (line, last) -> last)))
                .containsEntry("elementCount", 20000);
        assertNoLitter(4);
    }

    private void assertData(String name, String before) throws IOException {
        byte[] expected = read("expected");
        byte[] all = new byte[before.length() + expected.length];
        System.arraycopy(before.getBytes(), 0, all, 0, before.length());
        System.arraycopy(expected, 0, all, before.length(), expected.length);
        assertThat(read(name)).isEqualTo(all);
    }

    @Test
    void pipesAreWrittenThroughTo() throws Exception {
        String[] sort = append(sort("-o", path("pipe")), PARTS);
        assertThat(shell("mkfifo pipe; cat pipe > out & \"$@\"; code=$?; wait; exit $code", sort))
                .startsWith("0\n");
        assertData("out", "");
        assertThat(Files.readAttributes(Path.of(path("pipe")), "*")).containsEntry("isOther", true);
        assertThat(shell("\"$@\" -o >(cat > out2); code=$?; wait $!; exit $code", sort()))
                .isEqualTo("0\n");
        assertData("out2", "");
        assertNoLitter(5);
    }

    @Test
    void devicesStayDevices() throws Exception {
        Path device = Path.of("/dev/null");
        if (System.getProperty("user.name").equals("root")) {
            // The superuser could replace the device itself, and this test is not to.
            device = Path.of(path("null"));
            assumeThat(runProcess("mknod", device.toString(), "c", "1", "3")).isEqualTo("0\n");
        }
        String[][] commands = {
            sort("-o", device.toString()),
            append(sort("-o", device.toString()), PARTS),
            command(WHAT, "argsort", path("in"), "-o", device.toString()),
            {"generate", device.toString(), "--type", "u64", "--count", "10"}
        };
        for (String[] command : commands) {
            assertDone(command);
            assertThat(Files.isRegularFile(device)).isFalse();
            assertThat(Files.size(device)).isZero();
        }
    }

    @Test
    void everyCommandWritesToTheStandardOutput() throws Exception {
        assertDone(command(WHAT, "argsort", path("in"), "-o", path("permutation")));
        assertThat(shell("\"$@\" 2> report > out", append(command(WHAT, "argsort", path("in"), "-o", "-"), "--json")))
                .isEqualTo("0\n");
        assertThat(read("out")).isEqualTo(read("permutation"));
        assertThat(read("report")).isNotEmpty();

        assertThat(shell("\"$@\" 2> report > out", "generate", "-", "--type", "u64", "--count", "20000", "--json"))
                .isEqualTo("0\n");
        assertThat(read("out")).isEqualTo(read("in"));
        assertThat(read("report")).isNotEmpty();

        Files.copy(Path.of(path("in")), Path.of(path("payload")));
        String[] pairs = sort("-o", path("keys"), "--payload-file", path("payload"), "--payload", "u64", "--report");
        assertThat(shell("\"$@\" 2> report > out", append(pairs, "--payload-output", "-")))
                .isEqualTo("0\n");
        assertData("out", "");
        assertData("keys", "");
        assertThat(read("report")).isNotEmpty();
    }

    @Test
    void arraysKeepTheirHeaderInAPipe() throws Exception {
        assertDone("generate", path("in.npy"), "--type", "f64", "--count", "20000");
        assertDone("sort", path("in.npy"), "-o", path("sorted.npy"), "--device", "cpu");
        String[] sort = {"sort", path("in.npy"), "-o", "-", "--device", "cpu"};
        assertThat(shell("\"$@\" 2> report | cat > out; exit ${PIPESTATUS[0]}", append(sort, PARTS)))
                .isEqualTo("0\n");
        assertThat(read("out")).isEqualTo(read("sorted.npy"));
        // The name of a pipe does not say what comes through it.
        sort[3] = path("pipe.bin");
        assertThat(shell("mkfifo pipe.bin; cat pipe.bin > out & \"$@\"; code=$?; wait; exit $code", sort))
                .isEqualTo("0\n");
        assertThat(read("out")).isEqualTo(read("sorted.npy"));
    }

    @Test
    void theCommandEndsQuietlyWhenItsReaderGoes() throws Exception {
        String[][] commands = {append(sort("-o", "-"), PARTS), {"generate", "-", "--type", "u64", "--count", "1M"}};
        for (String[] command : commands) {
            assertThat(shell("\"$@\" | head -c 100 > /dev/null; exit ${PIPESTATUS[0]}", command))
                    // A sort in many parts first says that it is.
                    .matches("141\\n(samplesort: with this memory .*\\n)?");
        }
        assertThat(shell("cat in | \"$@\" | head -c 100 > /dev/null; exit ${PIPESTATUS[1]}", piped("sort")))
                .isEqualTo("141\n");
        assertThat(shell("\"$@\" > /dev/full", sort("-o", "-"))).matches("1\\nsamplesort: cannot .*No space left.*\\n");
        assertNoLitter(2);
    }

    /// Returns a command that reads the standard input.
    private static String[] piped(String name, String... more) {
        return append(command(WHAT, name, "-"), more);
    }

    /// Each way to begin the command meets both ways to sort and another word for the standard input or output.
    @ParameterizedTest
    @CsvSource({
        "cat in | \"$@\" > out,-",
        "\"$@\" < in > out,-o",
        "mkfifo p; cat in > p & \"$@\" < p > out; rm p,/dev/stdin"
    })
    void theStandardInputIsSortedToTheStandardOutput(String script, String word) throws Exception {
        Files.createDirectory(Path.of(path("temporary")));
        for (String[] sort : new String[][] {
            word.equals("-o") ? piped("sort", "-o", "-") : command(WHAT, "sort", word),
            append(piped("sort", "--temp", path("temporary"), "--quiet"), PARTS)
        }) {
            assertThat(shell(script, sort)).isEqualTo("0\n");
            assertData("out", "");
        }
        assertThat(shell(script.replace("> out", ""), piped("sort", "-o", path("out"))))
                .isEqualTo("0\n");
        assertData("out", "");
        try (var left = Files.list(Path.of(path("temporary")))) {
            assertThat(left).isEmpty();
        }
        assertNoLitter(4);
    }

    @Test
    void otherPipesAreRead() throws Exception {
        assertThat(shell("mkfifo pipe; cat in > pipe & \"$@\" > out", command(WHAT, "sort", path("pipe"))))
                .isEqualTo("0\n");
        assertData("out", "");
        String[] payloads = {"--payload-file", "-", "--payload", "u64", "-o", path("keys"), "--payload-output", "-"};
        assertThat(shell("cat in | \"$@\" > out", append(sort(), payloads))).isEqualTo("0\n");
        assertData("out", "");
        assertThat(read("keys")).isEqualTo(read("expected"));
    }

    @Test
    void theRestOfAFileIsSorted() throws Exception {
        String[] sort = piped("sort", "-o", path("rest"));
        assertThat(shell("{ dd bs=80 count=1 status=none > /dev/null; \"$@\"; } < in", sort))
                .isEqualTo("0\n");
        byte[] in = read("in");
        Files.write(Path.of(path("in")), Arrays.copyOfRange(in, 80, in.length));
        assertDone("verify", path("rest"), "--type", "u64", "--against", path("in"));
    }

    @Test
    void everyCommandReadsTheStandardInput() throws Exception {
        assertDone(command(WHAT, "argsort", path("in"), "-o", path("permutation")));
        assertThat(shell("cat in | \"$@\" > out", piped("argsort", "-o", "-"))).isEqualTo("0\n");
        assertThat(read("out")).isEqualTo(read("permutation"));
        String[] verify = {"verify", "-", "--type", "u64", "--against", path("in")};
        assertThat(shell("cat expected | \"$@\"", verify))
                .startsWith("0\n/dev/stdin: 20000 u64 keys, sorted, the same elements as ");
        assertThat(shell("cat in | \"$@\"", verify)).startsWith("1\n/dev/stdin: 20000 u64 keys, NOT SORTED");
        String[] against = {"verify", path("expected"), "--type", "u64", "--against", "-"};
        assertThat(shell("cat in | \"$@\"", against)).endsWith("sorted, the same elements as /dev/stdin\n");

        assertDone("generate", path("in.npy"), "--type", "f64", "--count", "20000");
        assertDone("sort", path("in.npy"), "-o", path("sorted.npy"), "--device", "cpu");
        assertThat(shell("cat in.npy | \"$@\" > out", "sort", "-", "--device", "cpu"))
                .isEqualTo("0\n");
        assertThat(read("out")).isEqualTo(read("sorted.npy"));
    }

    @Test
    void whatCannotBeReadFromAPipeIsSaidInOneLine() throws Exception {
        assertThat(shell("printf abc | \"$@\"", piped("sort")))
                .isEqualTo("1\nsamplesort: /dev/stdin has 3 bytes, which is not a multiple of 8, the size of a u64: is"
                        + " --type right?\n");
        assertThat(shell("cat in | \"$@\"", "verify", "-", "--type", "u64", "--against", "-"))
                .startsWith("2\nsamplesort: the standard input can be read only once: name a file in place of one -\n");
        String[] payloads = {"--payload-file", "-", "--payload", "u64"};
        assertThat(shell("cat in | \"$@\"", append(sort(), payloads)))
                .startsWith("2\nsamplesort: no result can replace a pipe: say with --payload-output");
        assertThat(shell("cat in | \"$@\"", piped("sort", "--temp", path("nowhere"))))
                .startsWith("1\nsamplesort: the folder " + path("nowhere") + " for temporary files is not there");
        assertThat(shell("cat in | \"$@\"", piped("sort", "-o", path("out.npy"))))
                .startsWith("2\nsamplesort: /dev/stdin is a raw file, and so is the result");
        assertNoLitter(2);
    }

    @Test
    void theInputIsNotWrittenOverWhileItIsRead() throws Exception {
        byte[] before = read("in");
        assertThat(shell("\"$@\" 1<> in", sort("-o", "-")))
                .contains("/dev/stdout writes to " + path("in") + ", which is still being read then");
        assertThat(shell("\"$@\" < in 1<> in", piped("sort"))).contains("which is still being read then");
        assertThat(read("in")).isEqualTo(before);
    }
}
