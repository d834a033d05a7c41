package io.samplesort.cli.shell;

/// Text in the language of manual pages (roff, with the macros of man).
final class Roff {
    private final StringBuilder text = new StringBuilder();

    /// Adds a macro with arguments as they are.
    void macro(String line) {
        text.append('.').append(line).append('\n');
    }

    void section(String name) {
        macro("SH " + name);
    }

    /// Adds lines to be filled. Those that begin with blanks stay as they are, each in a line of its own, and an empty
    /// one begins a paragraph.
    void lines(String... lines) {
        boolean isVerbatim = false;
        for (String line : lines) {
            boolean wasVerbatim = isVerbatim;
            isVerbatim = line.startsWith(" ");
            if (isVerbatim && !wasVerbatim) {
                macro("nf");
            } else if (wasVerbatim && !isVerbatim) {
                macro("fi");
            }
            if (line.isBlank()) {
                macro("PP");
            } else {
                text.append(literal(line)).append('\n');
            }
        }
        if (isVerbatim) {
            macro("fi");
        }
    }

    /// Adds a term with what it means.
    ///
    /// @param term with fonts, by [#bold] and [#italic]
    void term(String term, String... meaning) {
        macro("TP");
        text.append(term).append('\n');
        lines(meaning);
    }

    static String bold(String words) {
        return "\\fB" + literal(words) + "\\fR";
    }

    static String italic(String words) {
        return "\\fI" + literal(words) + "\\fR";
    }

    /// Returns text that is printed as it is. A line may begin with it.
    static String literal(String words) {
        StringBuilder escaped = new StringBuilder();
        words.codePoints().forEach(c -> {
            switch (c) {
                case '\\' -> escaped.append("\\e");
                case '-' -> escaped.append("\\-");
                case '^' -> escaped.append("\\(ha");
                case '~' -> escaped.append("\\(ti");
                case '`' -> escaped.append("\\(ga");
                case '\'' -> escaped.append("\\(aq");
                default -> {
                    if (c < 128) {
                        escaped.append((char) c);
                    } else {
                        escaped.append("\\[u%04X]".formatted(c));
                    }
                }
            }
        });
        return words.startsWith(".") ? "\\&" + escaped : escaped.toString();
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
