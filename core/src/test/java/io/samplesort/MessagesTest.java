package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What the messages of a module of the library may speak of, as far as their text alone tells it.
public class MessagesTest {
    /// Options of Java and of the compiler of kernels. Those of the command mean nothing to users of the library.
    private static final Pattern KNOWN = Pattern.compile(
            "--(enable-native-access|gpu-architecture|std|generate-line-info|split-compile|device-debug)\\b.*");

    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])(--[a-z].*|-[A-Z](?![A-Za-z:$]).*)");

    @Test
    public void nameNoOptionsOfTheCommand() throws IOException {
        List<String> found = new ArrayList<>();
        for (String line : lines()) {
            Matcher literals = LITERAL.matcher(line);
            while (literals.find()) {
                Matcher option = OPTION.matcher(literals.group(1));
                if (option.find() && !KNOWN.matcher(option.group()).matches()) {
                    found.add(line.strip());
                }
            }
        }
        assertThat(found).allMatch(line -> line.matches(".*-D\".*"));
    }

    private static List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file :
                    (Iterable<Path>) files.filter(path -> path.toString().endsWith(".java"))::iterator) {
                for (String line : Files.readAllLines(file)) {
                    if (!line.strip().startsWith("//")) {
                        lines.add(line);
                    }
                }
            }
        }
        return lines;
    }
}
