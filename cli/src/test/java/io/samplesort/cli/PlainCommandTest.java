package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cli.options.OutputOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/// Command lines that are read without the parser mean the same as by it.
class PlainCommandTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "lines",
                "lines words.txt",
                "lines words.txt -o sorted.txt",
                "lines -osorted.txt - words.txt -",
                "lines -u -r a b c",
                "lines -ru a",
                "lines -bdfgiMnsz a",
                "lines -h a",
                "lines -V a",
                "lines -k 1,1n -k2,2 -t, a",
                "lines -t , -rk 2 a -o b",
                "lines -o - a",
                "lines -k -r a",
                "lines -k a",
                "lines -t \\0 a",
                "lines -uo b a",
                "lines -o a -o b c",
                "sort keys --type u64",
                "sort keys.npy -o sorted.npy",
                "sort --type F32 keys --output - --descending"
            })
    void meansTheSame(String line) {
        Optional<PlainCommand> plain = Main.plain(words(line));
        assertThat(plain).isPresent();
        String[] words = words(line);
        CommandLine parser = Main.commandLine(words);
        parser.parseArgs(OptionWords.of(parser, words));
        Object parsed = parser.getSubcommands().get(words[0]).getCommand();
        assertThat(state(plain.get())).isEqualTo(state(parsed));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lines --help",
                "lines a --report",
                "lines -S 1M a",
                "lines -T /tmp a",
                "lines -c a",
                "lines -C a",
                "lines -m a b",
                "lines -x a",
                "lines -R a",
                "lines -o",
                "lines -k=1 a",
                "lines -o=b a",
                "lines -- a",
                "lines --sort=n a",
                "lines -ux a",
                "lines +1 -2",
                "sort -",
                "sort",
                "sort --help",
                "sort a b",
                "sort a --type",
                "sort a --type u65",
                "sort a --type u8 --type u8",
                "sort a -ob",
                "sort a -o b -o b",
                "sort a -o -x",
                "sort a --report",
                "sort -- a",
                "sort a --type=u8",
                "sort a --descending --descending",
                "info",
                ""
            })
    void leavesTheRestToTheParser(String line) {
        assertThat(Main.plain(words(line))).isEmpty();
    }

    /// The parser's command tells failures, with the same words and the same code.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "lines /missing/file",
                "lines -k 0 /missing/file",
                "lines -t ab /missing/file",
                "lines -nM /missing/file",
                "lines a -o b -o c",
                "sort /missing/file --type u8",
                "sort /missing/file -o /dev/null"
            })
    void failsInTheSameWay(String line) {
        assertThat(Main.plain(words(line))).isPresent();
        String[] words = words(line);
        StringWriter plain = new StringWriter();
        StringWriter parsed = new StringWriter();
        int plainCode = Main.run(new PrintWriter(Writer.nullWriter()), new PrintWriter(plain, true), words);
        CommandLine parser = Main.commandLine(words).setErr(new PrintWriter(parsed, true));
        assertThat(plainCode).isEqualTo(Main.execute(parser, words)).isNotZero();
        assertThat(plain).hasToString(parsed.toString());
        assertThat(plain.toString()).isNotEmpty();
    }

    private static String[] words(String line) {
        return line.isEmpty() ? new String[0] : line.split(" ");
    }

    /// Returns the values of all fields of a command and of its groups of options, but for where they print.
    private static Map<String, Object> state(Object of) {
        Map<String, Object> state = new LinkedHashMap<>();
        for (Field field : of.getClass().getDeclaredFields()) {
            boolean isWhereToPrint =
                    of instanceof OutputOptions && !field.getType().equals(boolean.class);
            if (Modifier.isStatic(field.getModifiers()) || isWhereToPrint) {
                continue;
            }
            field.setAccessible(true);
            try {
                Object value = field.get(of);
                boolean isGroup =
                        value != null && value.getClass().getPackageName().equals(OutputOptions.class.getPackageName());
                state.put(field.getName(), isGroup ? state(value) : value);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
        return state;
    }
}
