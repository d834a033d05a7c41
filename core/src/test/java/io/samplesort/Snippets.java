package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The blocks of Java in documents, which tests run.
public final class Snippets {
    private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern COMMENT = Pattern.compile("(?m)//[^\n]*$");

    private static final Pattern IMPORT = Pattern.compile("(?m)^import [^\n]*$");

    private Snippets() {}

    /// Asserts that each block of Java of a document stands in the source of a test, word for word. White space and
    /// comments may differ.
    ///
    /// @param document from the root of the repository
    /// @param least    the document has at least this many blocks
    public static void assertStandIn(Class<?> test, String document, int least) throws IOException {
        assertStandIn(test, root(document), Files.readString(root(document).resolve(document)), least);
    }

    /// Asserts the same of one section of a document, which has a block of Java. Imports may stand elsewhere.
    ///
    /// @param heading the line above the section
    public static void assertStandIn(Class<?> test, String document, String heading) throws IOException {
        String text = Files.readString(root(document).resolve(document));
        String line = "\n## " + heading + "\n";
        assertThat(text).contains(line);
        int begin = text.indexOf(line) + line.length();
        int end = text.indexOf("\n## ", begin);
        assertStandIn(test, root(document), text.substring(begin, end < 0 ? text.length() : end), 1);
    }

    private static void assertStandIn(Class<?> test, Path root, String text, int least) throws IOException {
        String source = Files.readString(source(test, root));
        List<String> snippets = SNIPPET.matcher(text)
                .results()
                .map((MatchResult snippet) -> IMPORT.matcher(snippet.group(1)).replaceAll(""))
                .toList();
        assertThat(snippets).hasSizeGreaterThanOrEqualTo(least);
        String words = wordsOf(source);
        assertThat(snippets).allSatisfy(snippet -> assertThat(words).contains(wordsOf(snippet)));
    }

    private static Path source(Class<?> test, Path root) throws IOException {
        String name = "src/test/java/" + test.getName().replace('.', '/') + ".java";
        try (Stream<Path> modules = Files.list(root)) {
            return modules.map(module -> module.resolve(name))
                    .filter(Files::exists)
                    .findAny()
                    .orElseThrow();
        }
    }

    private static Path root(String document) {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve(document))) {
            root = root.getParent();
        }
        return root;
    }

    /// Returns a text without space and comments.
    private static String wordsOf(String text) {
        return COMMENT.matcher(text).replaceAll("").replaceAll("\\s+", "");
    }
}
