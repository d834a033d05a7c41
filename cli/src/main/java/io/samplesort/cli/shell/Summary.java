package io.samplesort.cli.shell;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The gist of a description, short enough for one line next to a name.
final class Summary {
    /// The first sentence, up to its examples, its colon or its semicolon.
    private static final Pattern GIST = Pattern.compile("(?s)(.*?)(?:[.:;]|, such as)(?:\\s.*|$)");

    private Summary() {}

    /// Returns the beginning of a description, without a full stop.
    ///
    /// @param description lines, as picocli has them
    static String of(String... description) {
        String text = String.join(" ", description).strip();
        Matcher gist = GIST.matcher(text);
        return gist.matches() ? gist.group(1) : text;
    }
}
