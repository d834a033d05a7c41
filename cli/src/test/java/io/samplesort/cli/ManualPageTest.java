package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cli.shell.ManualPage;
import io.samplesort.cli.shell.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The manual pages, as `man` shows them.
class ManualPageTest {
    @TempDir
    private static Path installation;

    @BeforeAll
    static void writePages() throws IOException {
        SharedFiles.main(new String[] {installation.toString()});
    }

    static List<String> commands() {
        return Stream.concat(Stream.of(""), HelpTest.subcommands().stream()).toList();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void thePageTellsWhatTheHelpTells(String subcommand) throws Exception {
        CommandLine main = Main.commandLine();
        CommandSpec command =
                (subcommand.isEmpty() ? main : main.getSubcommands().get(subcommand)).getCommandSpec();
        String page = shown("man", "--warnings=w", "-E", "UTF-8", "-l", file(command));
        assertThat(page)
                .contains("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO", "samplesort");
        for (ArgSpec argument : command.args()) {
            if (argument.hidden()) {
                continue;
            }
            if (argument instanceof OptionSpec option) {
                assertThat(page).contains(option.names());
            }
            assertThat(squeezed(page)).contains(squeezed(String.join(" ", argument.description())));
        }
        for (String line : command.usageMessage().description()) {
            assertThat(squeezed(page)).contains(squeezed(line));
        }
        // An example may be longer than a line, and would be divided if it were filled.
        for (String example : command.usageMessage().footer()) {
            assertThat(page.lines()).contains("       " + example);
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void otherFormattersFindNothingToWarnOf(String subcommand) throws Exception {
        CommandLine main = Main.commandLine();
        CommandSpec command =
                (subcommand.isEmpty() ? main : main.getSubcommands().get(subcommand)).getCommandSpec();
        assertThat(shown("groff", "-man", "-ww", "-Tutf8", file(command))).contains("samplesort");
    }

    private static String file(CommandSpec command) {
        return installation
                .resolve("share/man/man1/" + command.qualifiedName("-") + ".1")
                .toString();
    }

    private static String shown(String... words) throws Exception {
        Programs.require(words[0]);
        return Programs.run(installation, Path.of("/dev/null"), List.of(words));
    }

    private static String squeezed(String text) {
        return text.replaceAll("\\s+", "");
    }

    @Test
    void everythingIsWhereSystemsLookForIt() {
        CommandLine command = Main.commandLine();
        Stream<String> places = Stream.concat(
                ManualPage.of(command).stream().map(ManualPage::place),
                Stream.of(Shell.values()).map(shell -> shell.place(command)));
        assertThat(places)
                .contains(
                        "share/man/man1/samplesort.1",
                        "share/man/man1/samplesort-sort.1",
                        "share/bash-completion/completions/samplesort",
                        "share/zsh/site-functions/_samplesort",
                        "share/fish/vendor_completions.d/samplesort.fish")
                .allSatisfy(place -> assertThat(installation.resolve(place)).isNotEmptyFile());
    }
}
