package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.samplesort.cli.InstalledCommand.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What appears on a terminal, and what does not appear in files. When progress is shown does not depend on how
/// fast a sort is.
class TerminalTest {
    private static final Path SCRIPT = Path.of("/usr/bin/script");

    @TempDir
    private Path folder;

    private final InstalledCommand command = InstalledCommand.shared();

    /// After how many milliseconds progress is shown.
    private long patience = TimeUnit.HOURS.toMillis(1);

    @BeforeEach
    void needsTerminals() {
        assumeThat(SCRIPT).isExecutable();
    }

    @Test
    void progressIsShownWhereTheErrorsGoToATerminal() throws Exception {
        patience = 0;
        Path keys = folder.resolve("keys");
        Ended made = command.run("generate", keys.toString(), "--type", "u64", "--count", "1000000");
        assertThat(made.exitCode()).as(made.err()).isZero();
        String sort = String.join(
                " ",
                command.words(
                        "sort",
                        keys.toString(),
                        "-o",
                        folder + "/sorted",
                        "--type",
                        "u64",
                        "--memory",
                        "1M",
                        "--device",
                        "cpu",
                        "--threads",
                        "1"));
        assertThat(onTerminal("xterm", sort + " --report > " + folder + "/report"))
                .contains("\rsort ", " MiB/s, ", " left", "in pieces of ")
                .endsWith(" \r")
                .doesNotContain("\033", "device   ");
        assertThat(folder.resolve("report")).content().startsWith("device ").doesNotContain("\r", "\033");

        assertThat(onTerminal("xterm", sort + " --report 2> " + folder + "/errors"))
                .startsWith("device ")
                .doesNotContain(" left");
        assertThat(folder.resolve("errors")).content().contains("in pieces of ").doesNotContain("\r", "\033");

        assertThat(onTerminal("dumb", sort)).contains("in pieces of ").doesNotContain(" left");
        assertThat(onTerminal("xterm", sort + " --json > " + folder + "/report"))
                .doesNotContain(" left");
        assertThat(onTerminal("xterm", sort + " --quiet")).isEmpty();
    }

    @Test
    void binaryResultsAreNotShownOnATerminal() throws Exception {
        String made = String.join(" ", command.words("generate", "-", "--type", "u8", "--count", "9"));
        String sorted = String.join(" ", command.words("sort", "-", "--type", "u8"));
        String order = String.join(" ", command.words("argsort", "-", "-o", "-", "--type", "u8"));
        String bytes = "printf 'cab' | ";
        for (String line : List.of(made, bytes + sorted, bytes + order)) {
            assertThat(onTerminal("xterm", line + "; [ $? = 2 ]"))
                    .startsWith("samplesort: the result is binary and would go to the terminal: name a file,");
        }
        assertThat(onTerminal("xterm", bytes + sorted + " | cat")).isEqualTo("abc");
        assertThat(onTerminal("xterm", bytes + sorted + " > " + folder + "/letters"))
                .isEmpty();
        assertThat(folder.resolve("letters")).hasContent("abc");
    }

    /// Runs a line in a shell on a terminal of its own.
    private String onTerminal(String type, String line) throws IOException, InterruptedException {
        Files.deleteIfExists(folder.resolve("sorted"));
        ProcessBuilder builder =
                new ProcessBuilder(List.of(SCRIPT.toString(), "-qec", line, "/dev/null")).redirectErrorStream(true);
        builder.environment().put("TERM", type);
        builder.environment()
                .put(
                        "SAMPLESORT_JAVA_OPTIONS",
                        InstalledCommand.SHORT_RUNS + " -Dsamplesort.progress.patience=" + patience);
        Ended ended = InstalledCommand.run(builder);
        assertThat(ended.exitCode()).as(ended.out()).isZero();
        return ended.out();
    }
}
