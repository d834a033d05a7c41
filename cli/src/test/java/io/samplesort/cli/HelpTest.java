package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/// What `--help` tells.
class HelpTest extends CommandCase {
    private static final Pattern WORD = Pattern.compile("\"[^\"]*\"|\\S+");

    @Test
    void theOptionsOfSortStandInSections() {
        assertDone("sort", "--help");
        assertThat(out())
                .containsSubsequence(
                        "Usage: samplesort sort IN [-o OUT] [OPTIONS]",
                        "Sorts a file of numbers or of records.",
                        "--output=OUT",
                        "What the file holds:",
                        "--type=TYPE",
                        "--layout=LAYOUT",
                        "The order:",
                        "--by=ORDER",
                        "--stable",
                        "Payloads that move along with the keys:",
                        "--payload-file=FILE",
                        "--payload-output=OUT",
                        "Memory and device:",
                        "--memory=SIZE",
                        "--device=DEVICE",
                        "What is printed:",
                        "--report",
                        "--json",
                        "--help",
                        "Exit codes:",
                        "Examples:");
    }

    @ParameterizedTest
    @MethodSource("subcommands")
    void everyOptionIsDescribedInSentences(String name) {
        CommandLine command = Main.commandLine().getSubcommands().get(name);
        List<ArgSpec> arguments = command.getCommandSpec().args();
        assertThat(arguments)
                .isNotEmpty()
                .allSatisfy(argument -> assertThat(String.join(" ", argument.description()))
                        .as("%s", argument)
                        .matches("(?s)[A-Z].*\\."));
        assertDone(name, "--help");
        assertThat(out().lines()).allMatch(line -> line.length() <= 80);
        for (ArgSpec argument : arguments) {
            if (argument.hidden()) {
                continue;
            }
            assertThat(out()).contains(argument.isOption() ? name(argument) : argument.paramLabel());
        }
    }

    private static String name(ArgSpec option) {
        return ((CommandLine.Model.OptionSpec) option).longestName();
    }

    @ParameterizedTest
    @MethodSource("subcommands")
    void examplesAreUnderstood(String name) {
        String[] examples = Main.commandLine()
                .getSubcommands()
                .get(name)
                .getCommandSpec()
                .usageMessage()
                .footer();
        for (String example : examples) {
            String[] words = WORD.matcher(example)
                    .results()
                    .map(MatchResult::group)
                    .map(word -> word.replace("\"", ""))
                    // Another program may come before it, and where the output goes behind it.
                    .dropWhile(word -> !word.equals("samplesort"))
                    .takeWhile(word -> !word.equals(">"))
                    .toArray(String[]::new);
            assertThat(words).startsWith("samplesort", name);
            // Throws where an option is unknown or a value is wrong.
            Main.commandLine().parseArgs(Arrays.copyOfRange(words, 1, words.length));
        }
    }

    @Test
    void helpOfACommandIsShownEitherWay() {
        assertDone("help", "argsort");
        String help = out();
        assertDone("argsort", "--help");
        assertThat(help).isEqualTo(out()).contains("--index-type");
        assertDone("help");
        assertThat(out()).contains("Commands:", "argsort");
        assertFails(2, "'srot'", "help", "srot");
    }

    static List<String> subcommands() {
        return Main.commandLine().getSubcommands().keySet().stream()
                .filter(name -> !name.equals("help"))
                .toList();
    }
}
