package io.samplesort.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.emulator.Emulator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Runs each example and compares what it prints with what the comment at its top says.
class ExamplesTest {
    private static final Path SOURCES = Path.of("src/main/java/io/samplesort/examples");
    private static final List<String> NEED_A_GPU = List.of("SortOnStream");

    static Stream<String> examples() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            List<String> names = files.map(file -> file.getFileName().toString())
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .sorted()
                    .toList();
            return names.stream().filter(name -> !NEED_A_GPU.contains(name));
        }
    }

    static Stream<String> examplesThatNeedAGpu() {
        return NEED_A_GPU.stream();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void printsWhatItsCommentSays(String example) throws Exception {
        assertThat(run(example)).isEqualTo(expected(example));
    }

    @Tag("emulated")
    @ParameterizedTest
    @MethodSource("examplesThatNeedAGpu")
    void printsWhatItsCommentSaysOnTheEmulatedGpu(String example) throws Exception {
        Optional<String> reason = Emulator.unavailableReason();
        assumeTrue(reason.isEmpty() || Boolean.parseBoolean(System.getenv("CI")), () -> reason.orElseThrow());
        List<String> before = Emulator.start().leftovers();
        assertThat(run(example)).isEqualTo(expected(example));
        assertThat(Emulator.start().leftovers())
                .as("left behind by %s", example)
                .isEqualTo(before);
    }

    @Test
    void theTableListsEveryExample() throws IOException {
        String table = Files.readString(Path.of("README.md"));
        assertThat(Stream.concat(examples(), examplesThatNeedAGpu()))
                .allSatisfy(example -> assertThat(table).contains("[" + example + "](" + SOURCES + "/" + example));
    }

    private static String run(String example) throws Exception {
        PrintStream console = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            Class.forName("io.samplesort.examples." + example)
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException e) {
            throw new AssertionError(example + " failed", e.getCause());
        } finally {
            System.setOut(console);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    /// What stands between the fences at the top of the example.
    private static String expected(String example) throws IOException {
        List<String> lines = Files.readAllLines(SOURCES.resolve(example + ".java"));
        int begin = lines.indexOf("/// ```") + 1;
        int end = begin + lines.subList(begin, lines.size()).indexOf("/// ```");
        assertThat(begin).as("lines that %s prints", example).isPositive().isLessThan(end);
        return lines.subList(begin, end).stream()
                .map(line -> line.substring("/// ".length()) + System.lineSeparator())
                .collect(Collectors.joining());
    }
}
