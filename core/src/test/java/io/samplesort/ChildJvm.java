package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Runs a class of the tests in a Java of its own: for options of Java, and for what could crash it.
public final class ChildJvm {
    private ChildJvm() {}

    /// Runs `main` of a class and returns what it prints. It must end with exit code 0.
    ///
    /// @param options of Java
    public static String run(List<String> options, Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // A crash prints all it has to say, and leaves no files.
        command.addAll(List.of("-Xmx1g", "-XX:-CreateCoredumpOnCrash", "-XX:+ErrorFileToStdout"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as("exit code of %s; it printed %s", command, printed)
                .isZero();
        return printed;
    }
}
