package io.samplesort.cli.options;

import io.samplesort.Device;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.cli.data.Elements;
import io.samplesort.cli.report.Json;
import io.samplesort.cli.report.Reports;
import io.samplesort.types.SortReport;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The options that say where and how to sort and what to tell about it, the same for every command that sorts a file.
public final class SorterOptions {
    private static final double TOLD_COMPILE_SECONDS = 0.5;

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            defaultValue = "auto",
            converter = DeviceConverter.class,
            description = "auto, cpu, gpu or gpu:N; default: ${DEFAULT-VALUE}.")
    private Device device;

    @Option(names = "--lean", description = "Use as little GPU memory as possible; slower.")
    private boolean isLean;

    @Option(
            names = "--device-memory",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description =
                    "How much GPU memory to take at most, such as 4G; default: all that is free. More elements than"
                            + " fit are sorted in parts.")
    private Long deviceMemory;

    @Option(
            names = "--tuning",
            paramLabel = "NAME=VALUE,…",
            defaultValue = "",
            description = "Tuning parameters of the GPU engine, such as distributionItems=16.")
    private String tuning;

    @Option(names = "--report", description = "Tell what the sort did: device, passes, phase times, memory.")
    private boolean isReporting;

    @Option(names = "--json", description = "Print the report as one line of JSON.")
    private boolean isJson;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /// A sorter to be, on the device and with the tuning that the user asked for.
    public SorterBuilder sorter(Elements elements) {
        SorterBuilder builder = SampleSort.on(device)
                .order(elements.order())
                .tuning(tuning)
                .lean(isLean)
                .timesPhases(isReporting || isJson);
        return deviceMemory == null ? builder : builder.deviceMemory(deviceMemory);
    }

    /// Says why the first sort by an order took so long, if it did.
    public void tellCompileTime(Sorter sorter) {
        double seconds = sorter.compileTime().toNanos() * 1e-9;
        if (seconds > TOLD_COMPILE_SECONDS) {
            PrintWriter err = command.commandLine().getErr();
            err.printf(
                    Locale.ROOT,
                    "samplesort: compiled the kernels for this order in %.1f s; they are kept for the next time%n",
                    seconds);
            err.flush();
        }
    }

    /// Whether the output is for a machine.
    public boolean isJson() {
        return isJson;
    }

    /// Tells what a sort did, in the form that the user asked for.
    public void tell(SortReport report) {
        PrintWriter out = command.commandLine().getOut();
        if (isJson) {
            out.println(Json.line(Reports.toMap(report)));
        } else if (isReporting) {
            Reports.print(report, out);
        } else if (report.fallbackReason().isPresent()) {
            PrintWriter err = command.commandLine().getErr();
            err.println(
                    "samplesort: sorted on the CPU: " + report.fallbackReason().get());
            err.flush();
        }
        out.flush();
    }
}
