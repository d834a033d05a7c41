package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cli.options.OutputOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/// Command lines of `lines` that are read without the parser mean the same as by it.
class PlainLinesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "words.txt",
                "words.txt -o sorted.txt",
                "-osorted.txt - words.txt -",
                "-u -r a b c",
                "-ru a",
                "-bdfgiMnsz a",
                "-h a",
                "-V a",
                "-k 1,1n -k2,2 -t, a",
                "-t , -rk 2 a -o b",
                "-o - a",
                "-k -r a",
                "-k a",
                "-t \\0 a",
                "-uo b a",
                "-o a -o b c"
            })
    void meansTheSame(String line) {
        Optional<LinesCommand> plain = LinesCommand.plain(words(line));
        assertThat(plain).isPresent();
        String[] words = Stream.concat(Stream.of("lines"), words(line).stream()).toArray(String[]::new);
        CommandLine parser = Main.commandLine(words);
        parser.parseArgs(OptionWords.of(parser, words));
        LinesCommand parsed = parser.getSubcommands().get("lines").getCommand();
        assertThat(state(plain.get())).isEqualTo(state(parsed));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help", "a --report", "-S 1M a", "-T /tmp a", "-c a", "-C a", "-m a b", "-x a", "-R a", "-o", "-k=1 a",
                "-o=b a", "-- a", "--sort=n a", "-ux a", "+1 -2"
            })
    void leavesTheRestToTheParser(String line) {
        assertThat(LinesCommand.plain(words(line))).isEmpty();
    }

    /// Failures are told by the parser's command, with the same words and the same code.
    @ParameterizedTest
    @ValueSource(strings = {"/missing/file", "-k 0 /missing/file", "-t ab /missing/file", "-nM /missing/file", "a -o b -o c"})
    void failsInTheSameWay(String line) {
        assertThat(LinesCommand.plain(words(line))).isPresent();
        String[] words = Stream.concat(Stream.of("lines"), words(line).stream()).toArray(String[]::new);
        StringWriter plain = new StringWriter();
        StringWriter parsed = new StringWriter();
        int plainCode = Main.run(new PrintWriter(Writer.nullWriter()), new PrintWriter(plain, true), words);
        CommandLine parser = Main.commandLine(words).setErr(new PrintWriter(parsed, true));
        assertThat(plainCode).isEqualTo(Main.execute(parser, words)).isEqualTo(LinesCommand.TROUBLE);
        assertThat(plain).hasToString(parsed.toString());
        assertThat(plain.toString()).isNotEmpty();
    }

    private static List<String> words(String line) {
        return line.isEmpty() ? List.of() : Arrays.asList(line.split(" "));
    }

    /// Returns the values of all fields of a command and of its groups of options, but for where they print.
    private static Map<String, Object> state(Object of) {
        Map<String, Object> state = new LinkedHashMap<>();
        for (Field field : of.getClass().getDeclaredFields()) {
            boolean isWhereToPrint = of instanceof OutputOptions && !field.getType().equals(boolean.class);
            if (Modifier.isStatic(field.getModifiers()) || isWhereToPrint) {
                continue;
            }
            field.setAccessible(true);
            try {
                Object value = field.get(of);
                boolean isGroup = value != null
                        && value.getClass().getPackageName().equals(OutputOptions.class.getPackageName());
                state.put(field.getName(), isGroup ? state(value) : value);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
        return state;
    }
}
