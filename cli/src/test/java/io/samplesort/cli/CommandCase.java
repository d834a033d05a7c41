package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.samplesort.emulator.Emulator;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// Runs the command, end to end in a temporary folder.
abstract class CommandCase {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    /// The emulated driver, once a test has built it.
    private static String emulatedDriver;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLine command = Main.commandLine(arguments);
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        return Main.execute(command, arguments);
    }

    void assertDone(String... arguments) {
        assertThat(run(arguments)).as("%s%s", out, err).isZero();
    }

    void assertFails(int exitCode, String message, String... arguments) {
        assertThat(run(arguments)).as("%s%s", out, err).isEqualTo(exitCode);
        assertThat(err.toString()).contains(message).doesNotContain("\tat ");
    }

    void assertNoLitter(int files) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            assertThat(entries).hasSize(files);
        }
    }

    /// Returns the words that run the command in a process of its own. Its classes come from an archive, which saves a
    /// fifth of the time of a short one.
    static String[] process(String... arguments) {
        InstalledCommand command = InstalledCommand.shared();
        String[] java = {
            JAVA,
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xlog:disable",
            "-XX:SharedArchiveFile=" + command.archive(),
            "-jar",
            command.jar().toString()
        };
        return append(java, arguments);
    }

    /// Returns the words that run a class of the tests in a process of its own.
    static String[] processOf(Class<?> main) {
        return new String[] {
            JAVA,
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-cp",
            System.getProperty("java.class.path"),
            "--enable-native-access=ALL-UNNAMED",
            main.getName()
        };
    }

    /// Returns the words that run a command without the rights that a superuser has on every file. Others have none of
    /// these rights anyway.
    static String[] withoutPrivileges(String... command) {
        if (!System.getProperty("user.name").equals("root")) {
            return command;
        }
        assumeThat(Files.isExecutable(Path.of("/usr/bin/setpriv"))).isTrue();
        String[] setpriv = {"/usr/bin/setpriv", "--bounding-set", "-dac_override,-dac_read_search,-chown,-fowner"};
        return append(setpriv, command);
    }

    /// Runs a command in a process of its own.
    ///
    /// @return its exit code, and a line feed and what it printed
    static String runProcess(String... command) throws IOException, InterruptedException {
        Path log = Files.createTempFile("samplesort-test", ".log");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            int exitCode = process.waitFor();
            return exitCode + "\n" + Files.readString(log);
        } finally {
            Files.delete(log);
        }
    }

    /// Builds the emulated driver, if the build has not done so for the tests of core. A process of its own does it,
    /// because this one must go on without a GPU.
    static synchronized String emulatedDriver() throws Exception {
        assumeThat(Emulator.unavailableReason()).isEmpty();
        if (emulatedDriver == null) {
            List<String> words = new ArrayList<>(Arrays.asList(processOf(Emulator.class)));
            String built = System.getProperty("tests.emulator");
            if (built != null) {
                words.add(1, "-Dsamplesort.cache=" + built);
            }
            String answer = runProcess(words.toArray(new String[0]));
            assertThat(answer).startsWith("0\n");
            String library = answer.lines().toList().getLast();
            assertThat(new File(library)).exists();
            emulatedDriver = library;
        }
        return emulatedDriver;
    }

    static String[] command(String[] options, String... words) {
        return append(words, options);
    }

    static String[] append(String[] words, String... more) {
        return Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
    }

    String path(String name) {
        return folder.resolve(name).toString();
    }

    byte[] read(String name) throws IOException {
        return Files.readAllBytes(folder.resolve(name));
    }

    /// What the last run printed.
    String out() {
        return out.toString();
    }

    /// What the last run complained about.
    String err() {
        return err.toString();
    }
}
