package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.samplesort.cli.InstalledCommand.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the machine does to the command: full disks, folders that may not be written, a full output. The input stays as
/// it was, nothing is left behind, and one line says what happened.
class CommandFaultTest {
    private static final Path UNSHARE = Path.of("/usr/bin/unshare");
    private static final int COUNT = 300_000;

    private final InstalledCommand command = InstalledCommand.shared();

    @TempDir
    private Path folder;

    private Path in;
    private byte[] before;

    @BeforeEach
    void makeInput() throws Exception {
        before = new byte[8 * COUNT];
        new Random(1).nextBytes(before);
        in = Files.write(folder.resolve("in"), before);
    }

    /// The disk has room for the sort when it begins, and another program takes the rest while the sort waits for the
    /// second half of its input.
    @Test
    void aDiskThatBecomesFullMeanwhile() throws Exception {
        assumeThat(UNSHARE).isExecutable();
        String[] mount = {"unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", folder.toString()};
        assumeThat(new ProcessBuilder(mount).start().waitFor())
                .as("whether file systems may be mounted here")
                .isZero();
        Path disk = Files.createDirectory(folder.resolve("disk"));
        // The files that are left in the end stand on the output.
        String script = """
                disk=$1; original=$2; shift 2
                mount -t tmpfs -o size=20m tmpfs "$disk"
                mkfifo "$disk/keys"
                "$@" < "$disk/keys" & sort=$!
                exec 3> "$disk/keys"
                head -c 1000000 "$original" >&3
                dd if=/dev/zero of="$disk/other" bs=64k 2>/dev/null
                tail -c +1000001 "$original" 2>/dev/null >&3
                exec 3>&-
                wait $sort; code=$?
                ls -A "$disk"
                exit $code
                """;
        List<String> words = new ArrayList<>(
                List.of("unshare", "-rm", "bash", "-c", script, "bash", disk.toString(), in.toString()));
        words.addAll(command.words(
                "sort",
                "-",
                "-o",
                disk + "/out",
                "--temp",
                disk.toString(),
                "--type",
                "u64",
                "--device",
                "cpu",
                "--quiet",
                "--memory",
                "1M"));
        Ended ended = InstalledCommand.run(new ProcessBuilder(words));
        assertThat(ended.exitCode()).as(ended.err()).isEqualTo(1);
        assertThat(ended.out()).as(ended.err()).isEqualTo("keys\nother\n");
        assertThat(ended.err())
                .hasLineCount(1)
                .startsWith("samplesort: cannot copy /dev/stdin to the folder " + disk)
                .contains("No space left on device");
    }

    @Test
    void aDeviceThatIsFull() throws Exception {
        assumeThat(Path.of("/dev/full")).exists();
        for (String memory : List.of("1M", "64M")) {
            assertFailsInOneLine(
                    command.run(
                            "sort",
                            in.toString(),
                            "-o",
                            "/dev/full",
                            "--type",
                            "u64",
                            "--device",
                            "cpu",
                            "--quiet",
                            "--temp",
                            folder.toString(),
                            "--memory",
                            memory),
                    "No space left on device");
        }
    }

    @Test
    void anOutputThatIsFull() throws Exception {
        assumeThat(Path.of("/dev/full")).exists();
        for (String words : List.of("info", "verify " + in + " --type u64 --against " + in)) {
            List<String> line = new ArrayList<>(List.of("bash", "-c", "exec \"$@\" > /dev/full", "bash"));
            line.addAll(command.words(words.split(" ")));
            Ended ended = InstalledCommand.run(new ProcessBuilder(line));
            assertThat(ended.exitCode()).as(words).isIn(1, 3);
            assertThat(ended.err())
                    .isEqualTo("samplesort: cannot write to the standard output: is it full or closed?\n");
        }
    }

    @Test
    void aReportThatIsLost() throws Exception {
        assumeThat(Path.of("/dev/full")).exists();
        String out = folder.resolve("out").toString();
        for (String option : List.of("--report", "--json")) {
            List<String> line = new ArrayList<>(List.of("bash", "-c", "exec \"$@\" > /dev/full", "bash"));
            line.addAll(command.words("sort", in.toString(), "--type", "u64", "--device", "cpu", "-o", out, option));
            Ended ended = InstalledCommand.run(new ProcessBuilder(line));
            assertThat(ended.exitCode()).as(option).isEqualTo(1);
            assertThat(ended.err())
                    .isEqualTo("samplesort: the sort is done and its result is complete, but its report is lost: cannot"
                            + " write to the standard output: is it full or closed?\n");
            assertThat(Files.size(Path.of(out))).isEqualTo(before.length);
            Files.delete(Path.of(out));
        }
    }

    @Test
    void foldersThatMayNotBeUsed() throws Exception {
        Path closed = Files.createDirectory(folder.resolve("closed"));
        String[] sort = {"sort", in.toString(), "--type", "u64", "--device", "cpu", "--quiet", "--memory", "1M"};
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
        assertFailsInOneLine(
                unprivileged(CommandCase.append(sort, "-o", folder + "/out", "--temp", closed.toString())),
                "" + closed);
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        assertFailsInOneLine(
                unprivileged(CommandCase.append(sort, "-o", closed + "/out", "--temp", folder.toString())),
                "" + closed);
        assertFailsInOneLine(command.run(CommandCase.append(sort, "--temp", in.toString())), "" + in);
    }

    private Ended unprivileged(String... arguments) throws IOException, InterruptedException {
        String[] words = command.words(arguments).toArray(String[]::new);
        return InstalledCommand.run(new ProcessBuilder(CommandCase.withoutPrivileges(words)));
    }

    private void assertFailsInOneLine(Ended ended, String message) throws IOException {
        assertThat(ended.exitCode()).as(ended.err()).isEqualTo(1);
        assertThat(ended.err()).startsWith("samplesort: ").hasLineCount(1).contains(message);
        assertThat(Files.readAllBytes(in)).isEqualTo(before);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString())).isSubsetOf("in", "closed");
        }
    }
}
