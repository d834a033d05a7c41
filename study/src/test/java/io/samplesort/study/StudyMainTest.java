package io.samplesort.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// The whole command: the subcommands of `bench` and those of the study.
class StudyMainTest {
    @Test
    void commandsOfTheDocumentsAreUnderstood() throws IOException {
        List<String> commands = new ArrayList<>();
        for (Path document : documents()) {
            for (String line : Files.readAllLines(document)) {
                if (line.startsWith("./samplesort study") || line.startsWith("bin/bench ")) {
                    commands.add(line.substring(line.indexOf(' ') + 1));
                }
            }
        }
        // Throws where a subcommand or an option is unknown or a value is wrong.
        commands.forEach(command -> Study.commandLine().parseArgs(command.split(" ")));
        assertThat(commands).anyMatch(command -> command.startsWith("gpu")).contains("study --quick");
    }

    /// Returns the documents in the root folder of the repository and all that are below docs.
    private static List<Path> documents() throws IOException {
        Path root = Path.of("..");
        try (Stream<Path> top = Files.list(root);
                Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
        }
    }

    @Test
    void everySubcommandHasHelp() {
        CommandLine command = Study.commandLine().setOut(new PrintWriter(Writer.nullWriter()));
        assertThat(command.getSubcommands()).containsKeys("gpu", "plot", "study", "ablation");
        for (String name : command.getSubcommands().keySet()) {
            assertThat(command.execute(name, "--help")).as(name).isZero();
        }
    }
}
