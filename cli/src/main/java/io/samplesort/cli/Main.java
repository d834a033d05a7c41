package io.samplesort.cli;

import io.samplesort.cli.options.HelpSections;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.Output;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.types.SampleSortException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

/// The command `samplesort`.
@Command(
        name = "samplesort",
        description = "Sorts files of numbers or records by sample sort, on an NVIDIA GPU or on the CPU.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        scope = ScopeType.INHERIT,
        versionProvider = Version.class,
        subcommands = {
            SortCommand.class,
            ArgsortCommand.class,
            GenerateCommand.class,
            VerifyCommand.class,
            CleanCommand.class,
            InfoCommand.class,
            DemoCommand.class,
            HelpCommand.class
        },
        descriptionHeading = "%n",
        parameterListHeading = "%n",
        commandListHeading = "%nCommands:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed, and nothing was changed unless the message says so",
            "2:the command line is wrong"
        })
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Main())
                // A file may be named @keys; picocli would read arguments from a file keys.
                .setExpandAtFiles(false)
                .setParameterExceptionHandler((mistake, words) -> Mistakes.tell(mistake))
                .setExecutionExceptionHandler(Main::tellFailure);
        commandLine.getSubcommands().get("help").getCommandSpec().usageMessage().header("Shows the help of a command.");
        List<CommandLine> commands =
                new ArrayList<>(commandLine.getSubcommands().values());
        commands.add(commandLine);
        commands.forEach(command ->
                command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, new HelpSections()));
        return commandLine;
    }

    /// Tells mistakes of the user and failures of the machine in one line. Anything else is a mistake of this program
    /// and
    /// needs a stack trace.
    private static int tellFailure(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        if (failure instanceof UsageFailure) {
            return Mistakes.tell(command, failure.getMessage());
        }
        if (failure instanceof CommandFailure
                || failure instanceof SampleSortException
                || failure instanceof IOException) {
            Output.remark(err, failure.getMessage());
        } else {
            failure.printStackTrace(err);
            err.flush();
        }
        return command.getCommandSpec().exitCodeOnExecutionException();
    }
}
