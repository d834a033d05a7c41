package io.samplesort.cli;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/// Divides the words of a command line into options and their values before the parser sees them: each option by its
/// full name, and its value in a word of its own.
///
/// The parser drops a value that is attached to a short option and consists of blanks and control bytes, so that the
/// next word would become the value. It also cannot shorten names as GNU's programs do.
final class OptionWords {
    /// Options of `lines` that GNU's sort does not have. An abbreviation means one of them only if it cannot mean one
    /// of GNU's.
    static final Set<String> NOT_GNU = Set.of(
            "--temp",
            "--memory",
            "--threads",
            "--device",
            "--device-memory",
            "--lean",
            "--write-through",
            "--report",
            "--json",
            "--quiet",
            "--first",
            "--last",
            "--count",
            "--by-count");

    private static final String CHECK = "--check";

    /// The values of `--check`, and the option that each stands for.
    private static final Map<String, String> CHECKS = Map.of("diagnose-first", CHECK, "quiet", "-C", "silent", "-C");

    private final CommandLine command;
    private final Map<String, OptionSpec> options;
    private final boolean isGnu;
    private final Deque<String> left;
    private final List<String> divided = new ArrayList<>();

    private OptionWords(CommandLine command, List<String> words) {
        this.command = command;
        this.options = command.getCommandSpec().optionsMap();
        this.isGnu = command.getCommandName().equals("lines");
        this.left = new ArrayDeque<>(words);
    }

    /// Returns the words for the parser.
    ///
    /// @throws ParameterException if an option has a value and takes none, has an option in the place of its value, or
    ///     is shortened so much that it may be several ones
    static String[] of(CommandLine main, String... arguments) {
        int first = 0;
        while (first < arguments.length && arguments[first].startsWith("-")) {
            first++;
        }
        CommandLine command = first < arguments.length ? main.getSubcommands().get(arguments[first]) : null;
        if (command == null) {
            return arguments;
        }
        List<String> all = Arrays.asList(arguments);
        OptionWords words = new OptionWords(command, all.subList(first + 1, all.size()));
        words.divided.addAll(all.subList(0, first + 1));
        words.divide();
        return words.divided.toArray(String[]::new);
    }

    private void divide() {
        while (!left.isEmpty()) {
            String word = left.removeFirst();
            if (word.equals("--")) {
                divided.add(word);
                divided.addAll(left);
                return;
            }
            if (word.startsWith("--")) {
                divideLong(word);
            } else if (word.startsWith("-")) {
                divideShort(word);
            } else {
                divided.add(word);
            }
        }
    }

    private void divideLong(String word) {
        int sign = word.indexOf('=');
        String value = sign < 0 ? null : word.substring(sign + 1);
        String name = fullName(sign < 0 ? word : word.substring(0, sign));
        OptionSpec option = options.get(name);
        if (option == null) {
            // The parser reports what is wrong with it.
            divided.add(word);
        } else if (takesValue(option)) {
            add(name, value);
        } else if (value == null) {
            divided.add(name);
        } else if (!isGnu) {
            divided.add(word);
        } else if (name.equals(CHECK)) {
            divided.add(check(value));
        } else {
            throw mistake("option '" + name + "' takes no value: leave '=" + value + "' out");
        }
    }

    private void divideShort(String word) {
        for (int i = 1; i < word.length(); i++) {
            String name = "-" + word.charAt(i);
            OptionSpec option = options.get(name);
            if (option == null) {
                divided.add("-" + word.substring(i));
                return;
            }
            if (takesValue(option)) {
                String value = word.substring(i + 1);
                boolean hasSign = value.length() > 1 && value.startsWith("=");
                add(name, value.isEmpty() ? null : hasSign ? value.substring(1) : value);
                return;
            }
            divided.add(name);
        }
        if (word.length() == 1) {
            divided.add(word);
        }
    }

    /// @param value null if it is the next word
    private void add(String name, String value) {
        divided.add(name);
        if (value != null) {
            divided.add(value);
        } else if (!left.isEmpty()) {
            String next = left.removeFirst();
            if (!isGnu && isOption(next)) {
                throw mistake("expected parameter for option '" + name + "' but found '" + next + "'");
            }
            divided.add(next);
        }
    }

    private boolean isOption(String word) {
        int sign = word.indexOf('=');
        return word.equals("--") || options.containsKey(sign < 0 ? word : word.substring(0, sign));
    }

    private static boolean takesValue(OptionSpec option) {
        return option.arity().max() > 0;
    }

    /// Returns the full name that begins like this one, if there is one; else this one.
    private String fullName(String begin) {
        if (!isGnu || options.containsKey(begin)) {
            return begin;
        }
        Map<OptionSpec, String> gnu = new LinkedHashMap<>();
        Map<OptionSpec, String> others = new LinkedHashMap<>();
        options.forEach((name, option) -> {
            if (name.startsWith(begin)) {
                (NOT_GNU.contains(name) ? others : gnu).putIfAbsent(option, name);
            }
        });
        Map<OptionSpec, String> meant = gnu.isEmpty() ? others : gnu;
        if (meant.size() > 1) {
            Set<String> names = new TreeSet<>(gnu.values());
            names.addAll(others.values());
            throw mistake("option '" + begin + "' is ambiguous: it may be one of " + String.join(", ", names));
        }
        return meant.isEmpty() ? begin : meant.values().iterator().next();
    }

    private String check(String value) {
        List<String> meant = CHECKS.keySet().stream()
                .filter(word -> !value.isEmpty() && word.startsWith(value))
                .toList();
        if (meant.size() != 1) {
            throw mistake("--check=" + value + ": use one of " + String.join(", ", new TreeSet<>(CHECKS.keySet())));
        }
        return CHECKS.get(meant.getFirst());
    }

    private ParameterException mistake(String message) {
        return new ParameterException(command, message);
    }
}
