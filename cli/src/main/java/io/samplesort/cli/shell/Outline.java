package io.samplesort.cli.shell;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// What a shell needs to know of a command to complete it.
///
/// @param name        of the command
/// @param summary     what it does, in one line
/// @param options     in the order of the help
/// @param arguments   what may stand there in addition to options
/// @param subcommands in the order of the help; these have none of their own
record Outline(String name, String summary, List<Option> options, Values arguments, List<Outline> subcommands) {

    /// An option.
    ///
    /// @param names   short ones first, such as `-o` and `--output`
    /// @param summary what it does, in one line
    /// @param label   what the help calls its value; empty if it takes none
    /// @param values  what may follow it
    record Option(List<String> names, String summary, String label, Values values) {
        boolean takesValue() {
            return !label.isEmpty();
        }
    }

    /// What may stand in a place.
    ///
    /// @param kind  what kind of words
    /// @param words which words if they are known; they need no quotes in any shell
    record Values(Kind kind, List<String> words) {
        private static final Values UNKNOWN = new Values(Kind.UNKNOWN, List.of());

        private static Values words(List<String> words) {
            return new Values(Kind.WORDS, words);
        }
    }

    /// Kinds of words.
    enum Kind {
        FILES,
        FOLDERS,
        WORDS,
        /// Nothing can be proposed, such as a number.
        UNKNOWN
    }

    /// The label of folders in the help.
    private static final String FOLDER_LABEL = "DIR";

    /// The label of names of subcommands in picocli's command `help`.
    private static final String COMMAND_LABEL = "COMMAND";

    static Outline of(CommandSpec command) {
        List<Outline> subcommands = command.subcommands().values().stream()
                .map(subcommand -> of(subcommand.getCommandSpec()))
                .toList();
        return new Outline(
                command.name(), summary(command), options(command), arguments(command, subcommands), subcommands);
    }

    private static String summary(CommandSpec command) {
        String[] header = command.usageMessage().header();
        return Summary.of(header.length == 0 ? command.usageMessage().description() : header);
    }

    private static List<Option> options(CommandSpec command) {
        List<Option> options = new ArrayList<>();
        for (OptionSpec option : command.options()) {
            if (!option.hidden()) {
                boolean takesValue = option.arity().max() > 0;
                options.add(new Option(
                        List.of(option.names()),
                        Summary.of(option.description()),
                        takesValue ? option.paramLabel() : "",
                        takesValue ? values(option) : Values.UNKNOWN));
            }
        }
        return options;
    }

    private static Values arguments(CommandSpec command, List<Outline> subcommands) {
        if (!subcommands.isEmpty()) {
            return Values.words(subcommands.stream().map(Outline::name).toList());
        }
        List<PositionalParamSpec> arguments = command.positionalParameters();
        if (arguments.isEmpty()) {
            return Values.UNKNOWN;
        }
        if (arguments.getFirst().paramLabel().equals(COMMAND_LABEL)) {
            return Values.words(command.parent().subcommands().keySet().stream().toList());
        }
        return values(arguments.getFirst());
    }

    private static Values values(ArgSpec argument) {
        if (argument.completionCandidates() != null) {
            List<String> words = new ArrayList<>();
            argument.completionCandidates().forEach(words::add);
            return Values.words(words);
        }
        boolean isPath = Stream.concat(Stream.of(argument.type()), Stream.of(argument.auxiliaryTypes()))
                .anyMatch(Path.class::equals);
        if (!isPath) {
            return Values.UNKNOWN;
        }
        return new Values(argument.paramLabel().equals(FOLDER_LABEL) ? Kind.FOLDERS : Kind.FILES, List.of());
    }
}
