package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// The blocks of Java in documents, which tests run.
final class Snippets {
    private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern COMMENT = Pattern.compile("(?m)//[^\n]*$");

    private Snippets() {}

    /// Asserts that each block of Java of a document stands in the source of a test, word for word. White space and
    /// comments may differ.
    ///
    /// @param document from the root of the repository
    /// @param least    the document has at least so many blocks
    static void assertStandIn(Class<?> test, String document, int least) throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve(document))) {
            root = root.getParent();
        }
        String source = Files.readString(
                root.resolve("core/src/test/java/" + test.getName().replace('.', '/') + ".java"));
        List<String> snippets = SNIPPET.matcher(Files.readString(root.resolve(document)))
                .results()
                .map((MatchResult snippet) -> snippet.group(1))
                .toList();
        assertThat(snippets).hasSizeGreaterThanOrEqualTo(least);
        String words = wordsOf(source);
        assertThat(snippets).allSatisfy(snippet -> assertThat(words).contains(wordsOf(snippet)));
    }

    /// Returns a text without space and comments.
    private static String wordsOf(String text) {
        return COMMENT.matcher(text).replaceAll("").replaceAll("\\s+", "");
    }
}
