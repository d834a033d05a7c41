package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The documents name classes, methods, files, headings and commands that exist, and every result file has its place.
class DocumentsTest {
    /// A newcomer reads the README in one sitting.
    private static final int README_LINES = 120;

    private static final Pattern FENCE = Pattern.compile("(?ms)^```\\w*\\n(.*?)^```");
    private static final Pattern WORD = Pattern.compile("(?:[^\\s\"]|\"[^\"]*\")+");
    private static final Pattern CODE_SPAN = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern CLASS = Pattern.compile("([A-Z][a-z]\\w*)(?:\\.([a-z]\\w*))?");
    private static final Pattern FILE = Pattern.compile("[\\w./-]+\\.(?:cuh|cu|md|java|xml|cff)");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]*)(?:#([\\w-]+))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    /// The name of a result file: its subject, the hardware, the date, and the change that it belongs to.
    private static final Pattern RESULTS =
            Pattern.compile("[a-z][\\w-]*-\\d{4}-\\d\\d-\\d\\d[\\w-]*\\.(?:jsonl|json|txt)");

    private static final String RESULTS_FOLDER = "bench/results";
    private static final String RESULTS_INDEX = RESULTS_FOLDER + "/README.md";

    /// Names from elsewhere: classes of the JDK and of Spark, and what the generated header defines.
    private static final Set<String> FOREIGN = Set.of(
            "Arrays",
            "Dataset",
            "SortExec",
            "Boolean",
            "Comparable",
            "Double",
            "LocalDate",
            "LocalTime",
            "NullPointerException",
            "String",
            "MemoryLayout",
            "MemorySegment",
            "Comparator",
            "ThreadLocal",
            "Key",
            "Payload",
            "OrderedKey",
            "Element");

    /// Folders of what is built or checked out, and not written.
    private static final Set<String> BUILT = Set.of("target", ".git", ".bundle");

    static final Path ROOT = root();

    /// Source files by simple name, which several may have.
    private static final Map<String, List<Path>> SOURCES = sources();

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("ARCHITECTURE.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    private static Map<String, List<Path>> sources() {
        List<Path> sources = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    // Other modules may be building there at the same time.
                    return BUILT.contains(folder.getFileName().toString())
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    String name = ROOT.relativize(file).toString();
                    if (attributes.isRegularFile() && (name.contains("src/") || name.startsWith("scripts/"))) {
                        sources.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new AssertionError("cannot list the sources", e);
        }
        return sources.stream()
                .collect(Collectors.groupingBy(file -> file.getFileName().toString()));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void namesExist(String document) throws IOException {
        String prose = FENCE.matcher(read(document)).replaceAll("");
        List<String> missing = new ArrayList<>();
        Matcher spans = CODE_SPAN.matcher(prose);
        while (spans.find()) {
            String name = spans.group(1);
            Matcher type = CLASS.matcher(name);
            if (type.matches() && !FOREIGN.contains(type.group(1))) {
                List<Path> sources = SOURCES.getOrDefault(type.group(1) + ".java", List.of());
                if (sources.isEmpty() || (type.group(2) != null && !declares(sources, type.group(2)))) {
                    missing.add(name);
                }
            } else if (FILE.matcher(name).matches()
                    && !Files.exists(ROOT.resolve(name))
                    && !SOURCES.containsKey(name)
                    && !name.equals("config.cuh")) {
                missing.add(name);
            }
        }
        assertThat(missing).as(document + " names what does not exist").isEmpty();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void linksLeadSomewhere(String document) throws IOException {
        List<String> broken = new ArrayList<>();
        Matcher links = LINK.matcher(FENCE.matcher(read(document)).replaceAll(""));
        while (links.find()) {
            Path target = links.group(1).isEmpty()
                    ? ROOT.resolve(document)
                    : ROOT.resolve(document).resolveSibling(links.group(1));
            if (!Files.exists(target)
                    || (links.group(2) != null && !anchors(target).contains(links.group(2)))) {
                broken.add(links.group());
            }
        }
        assertThat(broken).as("links of " + document).isEmpty();
    }

    /// The names by which code hosts link to the headings of a document.
    private static List<String> anchors(Path document) throws IOException {
        return HEADING.matcher(Files.readString(document))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w\\- ]", "")
                        .replace(' ', '-'))
                .toList();
    }

    /// All documents, relative to the root.
    private static List<String> documents() throws IOException {
        List<String> documents = new ArrayList<>();
        for (String folder : List.of("", "docs", "examples", RESULTS_FOLDER)) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder), folder.equals("docs") ? 2 : 1)) {
                files.map(file -> ROOT.relativize(file).toString())
                        .filter(name -> name.endsWith(".md"))
                        .forEach(documents::add);
            }
        }
        return documents;
    }

    @Test
    void everyResultIsInTheIndexAndInADocument() throws IOException {
        Set<String> files = new TreeSet<>();
        try (Stream<Path> walk = Files.walk(ROOT.resolve(RESULTS_FOLDER))) {
            walk.filter(file -> Files.isRegularFile(file) && !file.endsWith("README.md"))
                    .forEach(file -> files.add(file.getFileName().toString()));
        }
        Set<String> used = new TreeSet<>();
        for (String document : documents()) {
            if (!document.equals(RESULTS_INDEX)) {
                used.addAll(resultsNamedBy(document));
            }
        }
        assertThat(resultsNamedBy(RESULTS_INDEX)).as("files of the index").isEqualTo(files);
        assertThat(used).as("files that documents name").isEqualTo(files);
    }

    private static Set<String> resultsNamedBy(String document) throws IOException {
        return RESULTS.matcher(read(document))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// Whether a method or a record component may have this name: it stands before a bracket or a comma.
    private static boolean declares(List<Path> sources, String member) throws IOException {
        Pattern declaration = Pattern.compile("\\b" + member + "[(),]");
        for (Path source : sources) {
            if (declaration.matcher(Files.readString(source)).find()) {
                return true;
            }
        }
        return false;
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "CONTRIBUTING.md", "docs/command.md"})
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
    void everySubcommandIsExplained() throws IOException {
        String page = read("docs/command.md");
        for (String subcommand : Main.commandLine().getSubcommands().keySet()) {
            assertThat(page).contains("| `samplesort " + subcommand + "` |");
        }
    }

    @Test
    void theReadmeIsShort() throws IOException {
        assertThat(read("README.md").lines().count()).isLessThanOrEqualTo(README_LINES);
    }

    private static String read(String document) throws IOException {
        return Files.readString(ROOT.resolve(document));
    }
}
