package io.samplesort.cli;

import io.samplesort.cli.report.CommandFailure;
import io.samplesort.types.SampleSortException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExitCodeExceptionMapper;
import picocli.CommandLine.ScopeType;

/// The command `samplesort`.
@Command(
        name = "samplesort",
        description = "Sorts files of numbers or records by sample sort, on an NVIDIA GPU or on the CPU.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Version.class,
        subcommands = {
            SortCommand.class,
            ArgsortCommand.class,
            GenerateCommand.class,
            VerifyCommand.class,
            InfoCommand.class,
            DemoCommand.class
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done; for verify: the file is sorted",
            "1:failed, and nothing was changed unless the message says so; for verify: not sorted",
            "2:the command line is wrong"
        })
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        IExitCodeExceptionMapper exitCodes = failure -> 1;
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    PrintWriter err = command.getErr();
                    // Mistakes of the user and of the machine are told in a line; anything else is ours and needs a
                    // trace.
                    if (failure instanceof CommandFailure || failure instanceof SampleSortException) {
                        err.println("samplesort: " + failure.getMessage());
                    } else {
                        failure.printStackTrace(err);
                    }
                    err.flush();
                    return exitCodes.getExitCode(failure);
                });
    }
}
