package io.samplesort.cli;

import io.samplesort.cli.report.Output;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Reports mistakes in a command line: one line says what is wrong, and another one which command helps.
final class Mistakes {
    private static final String REPLACEMENT = "\uFFFD";

    /// Options that reverse the order in other programs.
    private static final Pattern REVERSED = Pattern.compile("-r|--reversed?|--desc");

    /// The letters of GNU's sort, and some of its words.
    private static final Pattern OF_LINES =
            Pattern.compile("-[bcdfghiknmstuzCMSTV].*|--(key|unique|numeric-sort|field-separator|sort|merge|check)");

    private Mistakes() {}

    /// Says what is wrong with an argument that Java could not read, if there is one: a byte that is no text in the
    /// encoding of the locale became this character, and the file that was meant cannot be found.
    static Optional<String> unreadable(String... arguments) {
        return Stream.of(arguments)
                .filter(argument -> argument.contains(REPLACEMENT) && !isFile(argument))
                .findFirst()
                .map(argument -> "argument '" + argument + "' is not text in the encoding of the locale, which is "
                        + System.getProperty("native.encoding")
                        + ": rename the file, or set LC_ALL to a locale of its encoding");
    }

    private static boolean isFile(String argument) {
        try {
            return Files.exists(Path.of(argument));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /// Reports a mistake that the parser found.
    ///
    /// @return the exit code
    static int tell(ParameterException mistake) {
        CommandLine command = mistake.getCommandLine();
        if (mistake instanceof UnmatchedArgumentException unmatched) {
            return tell(command, message(unmatched));
        }
        String message = mistake.getMessage();
        return tell(command, message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1));
    }

    /// @return the exit code
    static int tell(CommandLine command, String message) {
        Output.remark(command.getErr(), message);
        command.getErr().println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
        command.getErr().flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String message(UnmatchedArgumentException mistake) {
        String word = mistake.getUnmatched().getFirst();
        CommandLine command = mistake.getCommandLine();
        if (mistake.isUnknownOption()) {
            String name = word.replaceFirst("=.*", "");
            return "unknown option '" + name + "'" + hint(name, command);
        }
        if (word.isEmpty()) {
            return "an argument is empty: name a file in its place";
        }
        if (!command.getSubcommands().isEmpty()) {
            return "unknown command '" + word + "'" + suggestion(word, command.getSubcommands().keySet().stream());
        }
        return "unexpected argument '" + word + "'";
    }

    /// Says which option was meant: one with another name, one of `lines`, or the nearest one.
    private static String hint(String name, CommandLine command) {
        Set<String> known = command.getCommandSpec().optionsMap().keySet();
        if (known.contains("--descending") && REVERSED.matcher(name).matches()) {
            return ": did you mean --descending?";
        }
        String nearest = suggestion(name, known.stream());
        boolean isOfLines = nearest.isEmpty()
                && known.contains("--type")
                && OF_LINES.matcher(name).matches();
        return isOfLines ? ": samplesort lines, which sorts lines of text, may have it" : nearest;
    }

    /// Suggests the known word that is nearest to a mistyped one, if one is near.
    private static String suggestion(String word, Stream<String> known) {
        Optional<String> nearest = known.min(Comparator.comparingInt(name -> distance(word, name)));
        return nearest.filter(name -> 3 * distance(word, name) <= Math.max(word.length(), name.length()))
                .map(name -> ": did you mean " + name + "?")
                .orElse("");
    }

    /// Returns how many letters have to be added, removed, replaced or swapped to turn one word into another.
    private static int distance(String one, String other) {
        int[][] edits = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                if (i == 0 || j == 0) {
                    edits[i][j] = i + j;
                    continue;
                }
                int replaced = edits[i - 1][j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                edits[i][j] = Math.min(replaced, 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
                if (i > 1
                        && j > 1
                        && one.charAt(i - 1) == other.charAt(j - 2)
                        && one.charAt(i - 2) == other.charAt(j - 1)) {
                    edits[i][j] = Math.min(edits[i][j], edits[i - 2][j - 2] + 1);
                }
            }
        }
        return edits[one.length()][other.length()];
    }
}
