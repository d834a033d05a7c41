package io.samplesort.bench;

import io.samplesort.bench.columns.ColumnsCommand;
import io.samplesort.bench.cpu.CpuCommand;
import io.samplesort.bench.device.GpuCommand;
import io.samplesort.bench.device.WaitCommand;
import io.samplesort.bench.files.FilesCommand;
import io.samplesort.bench.files.LinesCommand;
import io.samplesort.bench.gpus.GpusCommand;
import io.samplesort.bench.host.HostCommand;
import io.samplesort.bench.host.LargeCommand;
import io.samplesort.bench.jdk.JdkCommand;
import io.samplesort.bench.objects.ObjectsCommand;
import io.samplesort.bench.plot.PlotCommand;
import io.samplesort.bench.records.RecordsCommand;
import io.samplesort.bench.segments.SegmentsCommand;
import io.samplesort.bench.select.SelectCommand;
import io.samplesort.bench.sorted.SortedCommand;
import io.samplesort.bench.start.StartCommand;
import io.samplesort.bench.strings.StringsCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/// The benchmark command. The module `study` adds two subcommands.
@Command(
        name = "bench",
        description = "Compares samplesort with CUB, the JDK, fastutil and sorts in C++.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        subcommands = {
            GpuCommand.class,
            WaitCommand.class,
            GpusCommand.class,
            RecordsCommand.class,
            StringsCommand.class,
            ColumnsCommand.class,
            SegmentsCommand.class,
            CpuCommand.class,
            ObjectsCommand.class,
            JdkCommand.class,
            SelectCommand.class,
            SortedCommand.class,
            HostCommand.class,
            LargeCommand.class,
            FilesCommand.class,
            LinesCommand.class,
            StartCommand.class,
            PlotCommand.class
        })
public final class Bench {
    private Bench() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /// Returns the command, ready to run.
    public static CommandLine commandLine() {
        return new CommandLine(new Bench());
    }
}
