package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The classes, methods, files and commands that the documents name exist.
class DocumentsTest {
    private static final Pattern FENCE = Pattern.compile("(?ms)^```\\w*\\n(.*?)^```");
    private static final Pattern WORD = Pattern.compile("(?:[^\\s\"]|\"[^\"]*\")+");
    private static final Pattern CODE_SPAN = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern CLASS = Pattern.compile("([A-Z][a-z]\\w*)(?:\\.([a-z]\\w*))?");
    private static final Pattern FILE = Pattern.compile("[\\w./-]+\\.(?:cuh|cu|md|java|xml|cff)");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[\\w-]+)?\\)");

    /// Names from elsewhere: the JDK's classes and what the generated header defines.
    private static final Set<String> FOREIGN =
            Set.of("Arrays", "Double", "MemorySegment", "Comparator", "Key", "Payload", "OrderedKey", "Element");

    private static final Path ROOT = root();

    /// Source files by simple name.
    private static final Map<String, Path> SOURCES = sources();

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("ARCHITECTURE.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    private static Map<String, Path> sources() {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> ROOT.relativize(file).toString().contains("src/") && Files.isRegularFile(file))
                    .filter(file -> !file.endsWith("package-info.java"))
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString(), Function.identity(), (one, other) -> one));
        } catch (IOException e) {
            throw new AssertionError("cannot list the sources", e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "ARCHITECTURE.md",
                "CONTRIBUTING.md",
                "CHANGELOG.md",
                "docs/design/larger-than-memory.md"
            })
    void namesExist(String document) throws IOException {
        String prose = FENCE.matcher(read(document)).replaceAll("");
        List<String> missing = new ArrayList<>();
        Matcher spans = CODE_SPAN.matcher(prose);
        while (spans.find()) {
            String name = spans.group(1);
            Matcher type = CLASS.matcher(name);
            if (type.matches() && !FOREIGN.contains(type.group(1))) {
                Path source = SOURCES.get(type.group(1) + ".java");
                if (source == null || (type.group(2) != null && !declares(source, type.group(2)))) {
                    missing.add(name);
                }
            } else if (FILE.matcher(name).matches()
                    && !Files.exists(ROOT.resolve(name))
                    && !SOURCES.containsKey(name)
                    && !name.equals("config.cuh")) {
                missing.add(name);
            }
        }
        Matcher links = LINK.matcher(prose);
        while (links.find()) {
            if (!Files.exists(ROOT.resolve(document).resolveSibling(links.group(1)))) {
                missing.add(links.group(1));
            }
        }
        assertThat(missing).as(document + " names what does not exist").isEmpty();
    }

    /// Whether a method or a record component may have this name: it stands before a bracket or a comma.
    private static boolean declares(Path source, String member) throws IOException {
        return Pattern.compile("\\b" + member + "[(),]")
                .matcher(Files.readString(source))
                .find();
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "CONTRIBUTING.md"})
    void commandsAreUnderstood(String document) throws IOException {
        Matcher fences = FENCE.matcher(read(document));
        while (fences.find()) {
            for (String line : fences.group(1).lines().toList()) {
                List<String> words = words(line.strip());
                String program = words.isEmpty() ? "" : words.get(0);
                if (program.startsWith("./") || program.startsWith("scripts/") || program.startsWith("bench/")) {
                    assertThat(ROOT.resolve(program)).as(line).isExecutable();
                }
                // The launcher hands study over to the benchmark, whose own test looks at it.
                if (program.equals("./samplesort") && !words.get(1).equals("study")) {
                    // Throws where a subcommand or an option is unknown or a value is wrong.
                    Main.commandLine().parseArgs(words.subList(1, words.size()).toArray(String[]::new));
                }
            }
        }
    }

    /// The words of a line as a shell has them: what stands in double quotes is in one word.
    private static List<String> words(String line) {
        return WORD.matcher(line)
                .results()
                .map(word -> word.group().replace("\"", ""))
                .toList();
    }

    @Test
    void everySubcommandIsInTheReadme() throws IOException {
        String readme = read("README.md");
        for (String subcommand : Main.commandLine().getSubcommands().keySet()) {
            assertThat(readme).contains("samplesort " + subcommand);
        }
    }

    private static String read(String document) throws IOException {
        return Files.readString(ROOT.resolve(document));
    }
}
