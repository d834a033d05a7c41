package io.samplesort.cli.options;

import io.samplesort.cli.data.RawText;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.cli.values.LineKeyParser;
import io.samplesort.cli.values.LineLetters;
import io.samplesort.files.types.LineKey;
import io.samplesort.files.types.LineOrder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.Option;

/// The options that say how lines compare, with the names that GNU's sort has for them.
public final class LineOrderOptions {
    @Heading("The order")
    @Option(
            names = {"-b", "--ignore-leading-blanks"},
            description = "Blanks at the beginning of keys do not count.")
    private boolean skipsBlanks;

    @Option(
            names = {"-d", "--dictionary-order"},
            description = "Only blanks, letters and digits count.")
    private boolean isDictionary;

    @Option(
            names = {"-f", "--ignore-case"},
            description = "Small letters of ASCII count as capitals.")
    private boolean ignoresCase;

    @Option(
            names = {"-g", "--general-numeric-sort"},
            description = "Compare as numbers such as 1.5e3, 0x1F, inf and nan.")
    private boolean isGeneral;

    @Option(
            names = {"-i", "--ignore-nonprinting"},
            description = "Only bytes that ASCII can print count.")
    private boolean isPrintable;

    @Option(
            names = {"-M", "--month-sort"},
            description = "Compare as names of months; what is none comes first.")
    private boolean isMonth;

    // This option is declared again with its short name, after all others, and so is that of versions.
    @Heading("The order")
    @Option(
            names = {HUMAN},
            description = "Compare as numbers with suffixes such as 2K and 1G.")
    private boolean isHuman;

    @Option(
            names = {"-n", "--numeric-sort"},
            description = "Compare as decimal numbers of any length.")
    private boolean isNumeric;

    @Option(
            names = {"-R", "--random-sort"},
            hidden = true,
            description = "Not supported.")
    private boolean isRandom;

    @Option(
            names = {"-r", "--reverse"},
            description = "The last line in order comes first.")
    private boolean isReversed;

    @Heading("The order")
    @Option(
            names = {VERSION},
            description = "Compare as names with versions, such as a-1.9 and a-1.10.")
    private boolean isVersion;

    @Option(
            names = "--sort",
            paramLabel = "WORD",
            completionCandidates = Words.class,
            description = "The same as -g, -h, -M, -n and -V: ${COMPLETION-CANDIDATES}.")
    private String word;

    @Option(
            names = {"-k", "--key"},
            paramLabel = "KEY",
            description = {
                "A part of the line to compare by, from field and byte to field and byte, counted from 1:",
                "  FIELD[.BYTE][LETTERS][,FIELD[.BYTE][LETTERS]]",
                "LETTERS are some of bdfgiMhnrV and replace the options of these names for this key. Where the first key"
                        + " is equal, the next one decides, and in the end the whole line."
            })
    private List<String> keys = new ArrayList<>();

    @Option(
            names = {"-t", "--field-separator"},
            paramLabel = "BYTE",
            description = "What separates fields; \\0 is the byte 0. Default: the beginning of blanks.")
    private List<String> separators = new ArrayList<>();

    @Option(
            names = {"-s", "--stable"},
            description = "Lines with equal keys keep the order of the input.")
    private boolean isStable;

    @Option(
            names = {"-z", "--zero-terminated"},
            description = "Lines end with the byte 0 and not with a line feed.")
    private boolean isZeroTerminated;

    /// These have short names too, `-h` and `-V`, which other commands have for their help and version.
    private static final String HUMAN = "--human-numeric-sort";

    private static final String VERSION = "--version-sort";

    /// The values of `--sort`.
    static final class Words implements Iterable<String> {
        private static final List<String> ALL =
                List.of("general-numeric", "human-numeric", "month", "numeric", "version");
        private static final String LETTERS = "ghMnV";

        @Override
        public Iterator<String> iterator() {
            return ALL.iterator();
        }
    }

    /// Takes an option that was given by its letter, as the parser would.
    ///
    /// @param value null if the option takes none
    /// @return whether it is one of these
    public boolean take(char letter, String value) {
        switch (letter) {
            case 'b' -> skipsBlanks = true;
            case 'd' -> isDictionary = true;
            case 'f' -> ignoresCase = true;
            case 'g' -> isGeneral = true;
            case 'i' -> isPrintable = true;
            case 'M' -> isMonth = true;
            case 'h' -> isHuman = true;
            case 'n' -> isNumeric = true;
            case 'r' -> isReversed = true;
            case 'V' -> isVersion = true;
            case 's' -> isStable = true;
            case 'z' -> isZeroTerminated = true;
            case 'k' -> keys.add(value);
            case 't' -> separators.add(value);
            default -> {
                return false;
            }
        }
        return true;
    }

    /// Returns the order that the options describe.
    ///
    /// @throws UsageFailure if they contradict each other, or one of them is not supported
    public LineOrder order() {
        try {
            LineLetters forAll = letters();
            List<LineKey> parsed = new ArrayList<>();
            for (String key : keys) {
                parsed.add(LineKeyParser.parse(key).key(forAll));
            }
            if (keys.isEmpty() && !forAll.letters().replace("r", "").isEmpty()) {
                parsed.add(LineKeyParser.parse("1").key(forAll));
            }
            byte terminator = (byte) (isZeroTerminated ? 0 : '\n');
            LineOrder order = LineOrder.by(parsed.toArray(LineKey[]::new))
                    .separatedBy(separator())
                    .terminatedBy(terminator);
            order = isReversed ? order.lastResortReversed() : order;
            return isStable ? order.stable() : order;
        } catch (IllegalArgumentException e) {
            throw new UsageFailure(e.getMessage());
        }
    }

    private LineLetters letters() {
        StringBuilder letters = new StringBuilder();
        add(letters, skipsBlanks, 'b');
        add(letters, isDictionary, 'd');
        add(letters, ignoresCase, 'f');
        add(letters, isGeneral, 'g');
        add(letters, isPrintable, 'i');
        add(letters, isMonth, 'M');
        add(letters, isHuman, 'h');
        add(letters, isNumeric, 'n');
        add(letters, isRandom, 'R');
        add(letters, isReversed, 'r');
        add(letters, isVersion, 'V');
        if (word != null) {
            letters.append(letter(word));
        }
        return LineLetters.of(letters.toString());
    }

    private static void add(StringBuilder letters, boolean isGiven, char letter) {
        if (isGiven) {
            letters.append(letter);
        }
    }

    private static char letter(String word) {
        if (!word.isEmpty() && "random".startsWith(word)) {
            return 'R';
        }
        // No two of them begin with the same letter.
        for (int i = 0; i < Words.ALL.size() && !word.isEmpty(); i++) {
            if (Words.ALL.get(i).startsWith(word)) {
                return Words.LETTERS.charAt(i);
            }
        }
        throw new IllegalArgumentException("--sort " + word + ": use one of " + String.join(", ", Words.ALL));
    }

    private int separator() {
        List<Integer> bytes =
                separators.stream().map(LineOrderOptions::separator).distinct().toList();
        if (bytes.size() > 1) {
            throw new IllegalArgumentException("separators '" + separators.get(0) + "' and '" + separators.getLast()
                    + "' contradict each other: fields have a single one");
        }
        return bytes.isEmpty() ? LineOrder.BLANKS : bytes.getFirst();
    }

    private static int separator(String text) {
        if (text.equals("\\0")) {
            return 0;
        }
        byte[] bytes = RawText.encode(text);
        if (bytes.length != 1) {
            throw new IllegalArgumentException("separator '" + text + "' has " + bytes.length
                    + " bytes: it must be a single one, or \\0 for the byte 0");
        }
        return Byte.toUnsignedInt(bytes[0]);
    }
}
