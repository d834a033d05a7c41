package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.cli.data.RawText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// How words of a command line are divided into options and values.
class OptionWordsTest {
    private static final CommandLine MAIN = Main.commandLine();

    /// The long options of GNU's sort.
    private static final Set<String> GNU = Set.of(
            "--ignore-leading-blanks",
            "--dictionary-order",
            "--ignore-case",
            "--general-numeric-sort",
            "--ignore-nonprinting",
            "--month-sort",
            "--human-numeric-sort",
            "--numeric-sort",
            "--random-sort",
            "--random-source",
            "--reverse",
            "--sort",
            "--version-sort",
            "--batch-size",
            "--check",
            "--compress-program",
            "--debug",
            "--files0-from",
            "--key",
            "--merge",
            "--output",
            "--stable",
            "--buffer-size",
            "--field-separator",
            "--temporary-directory",
            "--parallel",
            "--unique",
            "--zero-terminated",
            "--help",
            "--version");

    /// What else a line of each subcommand needs. These have options that take text.
    private static final Map<String, List<String>> NEEDED = Map.of(
            "lines", List.of(),
            "sort", List.of("IN"),
            "verify", List.of("FILE"),
            "setup", List.of());

    private static List<String> divided(String... words) {
        return List.of(OptionWords.of(MAIN, words));
    }

    private static List<OptionSpec> optionsWithValues(String command) {
        return MAIN.getSubcommands().get(command).getCommandSpec().options().stream()
                .filter(option -> option.arity().max() > 0)
                .toList();
    }

    private static List<String> bytes() {
        return IntStream.rangeClosed(1, 255)
                .mapToObj(letter -> RawText.decode((byte) letter))
                .toList();
    }

    @Test
    void everyByteMayBeAValueAttachedOrApart() {
        for (String command : MAIN.getSubcommands().keySet()) {
            for (OptionSpec option : optionsWithValues(command)) {
                for (String name : option.names()) {
                    for (String value : bytes()) {
                        List<String> expected = List.of(command, name, value, "next");
                        assertThat(divided(command, name, value, "next")).isEqualTo(expected);
                        String attached = name.startsWith("--") ? name + "=" + value : name + value;
                        assertThat(divided(command, attached, "next")).isEqualTo(expected);
                    }
                }
            }
        }
    }

    @Test
    void theParserTakesEveryByteAsTheValue() {
        NEEDED.forEach((command, needed) -> {
            List<OptionSpec> texts = optionsWithValues(command).stream()
                    .filter(OptionWordsTest::isText)
                    .toList();
            for (String value : bytes()) {
                List<String> words = new ArrayList<>(List.of(command));
                words.addAll(needed);
                texts.forEach(option -> words.addAll(List.of(option.longestName(), value)));
                ParseResult parsed =
                        MAIN.parseArgs(words.toArray(String[]::new)).subcommand();
                assertThat(texts)
                        .as("%s", words)
                        .allSatisfy(option -> assertThat(parsed.matchedOption(option.longestName())
                                        .originalStringValues())
                                .containsExactly(value));
            }
        });
    }

    private static boolean isText(OptionSpec option) {
        return Stream.concat(Stream.of(option.type()), Stream.of(option.auxiliaryTypes()))
                .anyMatch(type -> type == String.class || type == Path.class);
    }

    @Test
    void valuesOfLinesMayLookLikeOptions() {
        assertThat(divided("lines", "-t-", "-o", "-u", "f")).containsExactly("lines", "-t", "-", "-o", "-u", "f");
        assertThat(divided("lines", "-t=", "-urk2", "--", "-t="))
                .containsExactly("lines", "-t", "=", "-u", "-r", "-k", "2", "--", "-t=");
        assertThat(divided("lines", "-", "-uy", "--key")).containsExactly("lines", "-", "-u", "-y", "--key");
        ParseResult parsed = MAIN.parseArgs("lines", "-t", "-", "-o", "-u", "f").subcommand();
        assertThat(parsed.matchedOptionValue("-o", List.of())).containsExactly(Path.of("-u"));
        assertThatThrownBy(() -> divided("sort", "x", "--type", "--stable"))
                .isInstanceOf(ParameterException.class)
                .hasMessage("expected parameter for option '--type' but found '--stable'");
    }

    @ParameterizedTest
    @CsvSource({
        "--uniq,--unique",
        "--p=2,--parallel 2",
        "--so=n,--sort n",
        "--rev,--reverse",
        "--t=x,--temporary-directory x",
        "--temp=x,--temp x",
        "--de,--debug",
        "--device-m=1,--device-memory 1",
        "--mem=1,--memory 1",
        "--rep,--report",
        "--che,--check",
        "--check=q,-C",
        "--check=si,-C",
        "--check=d,--check",
        "--xyz,--xyz"
    })
    void namesOfLinesMayBeShortened(String word, String expected) {
        List<String> words = new ArrayList<>(List.of("lines"));
        words.addAll(List.of(expected.split(" ")));
        assertThat(divided("lines", word)).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--m | option '--m' is ambiguous: it may be one of --memory, --merge, --month-sort",
                "--f=l | option '--f' is ambiguous: it may be one of --field-separator, --files0-from, --first",
                "--s=n | option '--s' is ambiguous: it may be one of --sort, --stable",
                "--random | option '--random' is ambiguous: it may be one of --random-sort, --random-source",
                "--unique=x | option '--unique' takes no value: leave '=x' out",
                "--check=x | --check=x: use one of diagnose-first, quiet, silent",
                "--check= | --check=: use one of diagnose-first, quiet, silent",
            })
    void mistakesOfLinesAreTold(String word, String message) {
        assertThatThrownBy(() -> divided("lines", word))
                .isInstanceOf(ParameterException.class)
                .hasMessage(message);
    }

    @Test
    void longOptionsOfLinesAreThoseOfGnuAndFewMore() {
        Set<String> names = MAIN.getSubcommands().get("lines").getCommandSpec().optionsMap().keySet().stream()
                .filter(name -> name.startsWith("--"))
                .collect(Collectors.toSet());
        assertThat(names)
                .containsAll(GNU)
                .containsAll(OptionWords.NOT_GNU)
                .hasSize(GNU.size() + OptionWords.NOT_GNU.size());
    }
}
