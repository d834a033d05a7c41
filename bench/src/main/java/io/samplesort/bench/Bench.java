package io.samplesort.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/// The benchmark command.
@Command(
        name = "bench",
        description = "Measures samplesort beside CUB, the JDK and fastutil.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        subcommands = {
            GpuCommand.class,
            RecordsCommand.class,
            HostCommand.class,
            LargeCommand.class,
            FilesCommand.class,
            StartCommand.class,
            StudyCommand.class,
            AblationCommand.class,
            PlotCommand.class
        })
public final class Bench {
    private Bench() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Bench());
    }
}
