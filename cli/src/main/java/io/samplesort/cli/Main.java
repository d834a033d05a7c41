package io.samplesort.cli;

import io.samplesort.cli.data.RawText;
import io.samplesort.cli.options.HelpSections;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.Output;
import io.samplesort.cli.report.StandardStreams;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.cli.values.PathConverter;
import io.samplesort.errors.SampleSortException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/// The command `samplesort`.
@Command(
        name = "samplesort",
        description = "Sorts files of numbers or records by sample sort, on an NVIDIA GPU or on the CPU.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        addMethodSubcommands = false,
        scope = ScopeType.INHERIT,
        versionProvider = Version.class,
        descriptionHeading = "%n",
        parameterListHeading = "%n",
        commandListHeading = "%nCommands:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed, and nothing was changed unless the message says so",
            "2:the command line is wrong",
            "141:the reader of the output has gone"
        })
public final class Main {
    /// The subcommands in the order of the help.
    private static final List<Class<?>> SUBCOMMANDS = List.of(
            SortCommand.class,
            ArgsortCommand.class,
            MergeCommand.class,
            LinesCommand.class,
            GenerateCommand.class,
            VerifyCommand.class,
            CleanCommand.class,
            InfoCommand.class,
            SetupCommand.class,
            TuneCommand.class,
            DemoCommand.class,
            StudyCommand.class,
            CompletionCommand.class,
            HelpCommand.class);

    /// The exit code that shells report for a program that wrote to a pipe without a reader.
    private static final int BROKEN_PIPE = 141;

    private Main() {}

    public static void main(String[] arguments) {
        try {
            StandardStreams.keepNumbers();
            String[] words = RawText.arguments(arguments);
            // Unlike picocli's own writer, this one knows when the stream has failed.
            PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
            int exitCode = run(out, new PrintWriter(RawText.writer(System.err), true), words);
            // The process ends with 0 by itself. Calling exit would first look for a log, which takes some
            // milliseconds.
            if (exitCode != 0) {
                System.exit(exitCode);
            }
        } catch (Throwable failure) {
            if (!isEnding()) {
                throw failure;
            }
        }
    }

    /// Runs the command that these words ask for.
    ///
    /// @return the exit code
    static int run(PrintWriter out, PrintWriter err, String... words) {
        Supplier<CommandLine> parser = () -> commandLine(words).setOut(out).setErr(err);
        Optional<PlainCommand> plain = plain(words);
        int exitCode = plain.isPresent() ? call(plain.get(), out, err, parser, words) : execute(parser.get(), words);
        boolean isLost = exitCode == 0 && out.checkError();
        return isLost ? tellFailure(Output.unprinted(), named(parser.get(), words)) : exitCode;
    }

    /// Returns the command that these words ask for, if it can be read without the parser.
    static Optional<PlainCommand> plain(String... words) {
        if (words.length == 0 || Mistakes.unreadable(words).isPresent()) {
            return Optional.empty();
        }
        List<String> behind = Arrays.asList(words).subList(1, words.length);
        return switch (words[0]) {
            case LinesCommand.NAME -> LinesCommand.plain(behind);
            case SortCommand.NAME -> SortCommand.plain(behind);
            default -> Optional.empty();
        };
    }

    /// @param parser makes the command line that knows how to report failures
    private static int call(
            PlainCommand plain, PrintWriter out, PrintWriter err, Supplier<CommandLine> parser, String... words) {
        plain.printTo(out, err);
        try {
            return plain.call();
        } catch (IOException | RuntimeException | Error failure) {
            return tellFailure(failure, named(parser.get(), words));
        }
    }

    /// @return the exit code
    static int execute(CommandLine command, String... arguments) {
        Optional<String> unreadable = Mistakes.unreadable(arguments);
        if (unreadable.isPresent()) {
            return Mistakes.tell(command, unreadable.get());
        }
        try {
            return command.execute(OptionWords.of(command, arguments));
        } catch (ParameterException mistake) {
            return Mistakes.tell(mistake);
        } catch (Error failure) {
            // Java itself would end with 1, which has another meaning for some commands.
            return tellFailure(failure, named(command, arguments));
        }
    }

    /// Returns the subcommand that these arguments name, or else the command.
    private static CommandLine named(CommandLine command, String... arguments) {
        return Stream.of(arguments)
                .map(command.getSubcommands()::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(command);
    }

    /// Returns whether the process was told to end. Much fails in it meanwhile, as its temporary files are being
    /// removed, and this need not be reported.
    private static boolean isEnding() {
        Thread probe = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(probe);
            Runtime.getRuntime().removeShutdownHook(probe);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    /// Returns the command with all of its subcommands.
    static CommandLine commandLine() {
        return commandLine(SUBCOMMANDS, subcommand -> true);
    }

    /// Returns the command as these arguments need it. Picocli takes a tenth of a second to read all subcommands, so it
    /// reads only the one that the first argument names. Without one, it reads only the options of those that are named
    /// at all; the help then just says what the others do.
    static CommandLine commandLine(String... arguments) {
        Set<String> words = new HashSet<>(Arrays.asList(arguments));
        return commandLine(
                arguments.length == 0 ? SUBCOMMANDS : subcommands(arguments[0]),
                subcommand -> subcommand.equals("help") || words.contains(subcommand));
    }

    /// Returns the subcommand of this name; all of them if there is none, or if it describes the others.
    private static List<Class<?>> subcommands(String name) {
        for (Class<?> subcommand : SUBCOMMANDS) {
            if (subcommand != HelpCommand.class
                    && subcommand.getAnnotation(Command.class).name().equals(name)) {
                return List.of(subcommand);
            }
        }
        return SUBCOMMANDS;
    }

    private static CommandLine commandLine(List<Class<?>> subcommands, Predicate<String> isNeeded) {
        CommandLine commandLine = new CommandLine(new Main());
        for (Class<?> subcommand : subcommands) {
            Command declared = subcommand.getAnnotation(Command.class);
            commandLine.addSubcommand(declared.name(), isNeeded.test(declared.name()) ? subcommand : outline(declared));
        }
        Map<String, CommandLine> added = commandLine.getSubcommands();
        if (added.containsKey(LinesCommand.NAME)) {
            LinesCommand.takeShortNames(added.get(LinesCommand.NAME));
        }
        commandLine
                // A file may be named @keys; picocli would read arguments from a file keys.
                .setExpandAtFiles(false)
                // OptionWords has found out which words are values.
                .setAllowOptionsAsOptionParameters(true)
                .registerConverter(Path.class, new PathConverter())
                .setParameterExceptionHandler((mistake, words) -> Mistakes.tell(mistake))
                .setExecutionExceptionHandler((failure, failed, words) -> tellFailure(failure, failed));
        if (added.containsKey("help")) {
            added.get("help").getCommandSpec().usageMessage().header("Shows the help of a command.");
        }
        List<CommandLine> commands = new ArrayList<>(added.values());
        commands.add(commandLine);
        commands.forEach(command ->
                command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, new HelpSections()));
        return commandLine;
    }

    /// Returns a subcommand without its options.
    private static CommandSpec outline(Command declared) {
        CommandSpec outline = CommandSpec.create().name(declared.name());
        outline.usageMessage().description(declared.description());
        return outline;
    }

    /// Reports mistakes of the user and failures of the machine in one line. Anything else is a mistake of this program
    /// and needs a stack trace.
    private static int tellFailure(Throwable failure, CommandLine command) {
        PrintWriter err = command.getErr();
        if (isEnding()) {
            return command.getCommandSpec().exitCodeOnExecutionException();
        }
        if (isBrokenPipe(failure)) {
            return BROKEN_PIPE;
        }
        if (failure instanceof UsageFailure) {
            return Mistakes.tell(command, failure.getMessage());
        }
        if (failure instanceof OutOfMemoryError) {
            Output.remark(
                    err,
                    "there is not enough memory: " + failure.getMessage()
                            + "; give Java a larger heap (SAMPLESORT_JAVA_OPTIONS=-Xmx8g) or the process a higher limit"
                            + " (ulimit)");
        } else if (failure instanceof CommandFailure
                || failure instanceof SampleSortException
                || failure instanceof IOException) {
            Output.remark(err, failure.getMessage());
        } else {
            failure.printStackTrace(err);
            err.flush();
        }
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    /// Returns whether the output's reader has gone, which is not worth reporting: `| head` has all it wants.
    private static boolean isBrokenPipe(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException && "Broken pipe".equals(cause.getMessage())) {
                return true;
            }
        }
        return false;
    }
}
