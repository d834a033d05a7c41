package io.samplesort.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// The whole command: the subcommands of `bench` and those of the study.
class StudyMainTest {
    @Test
    void commandsOfTheDocumentsAreUnderstood() throws IOException {
        int commands = 0;
        for (String document : List.of("README.md", "CONTRIBUTING.md")) {
            for (String line : Files.readAllLines(Path.of("..", document))) {
                if (line.startsWith("./samplesort study") || line.startsWith("bin/bench ")) {
                    // Throws where a subcommand or an option is unknown or a value is wrong.
                    Study.commandLine()
                            .parseArgs(line.substring(line.indexOf(' ') + 1).split(" "));
                    commands++;
                }
            }
        }
        assertThat(commands).isGreaterThanOrEqualTo(6);
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
