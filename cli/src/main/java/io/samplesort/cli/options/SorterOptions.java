package io.samplesort.cli.options;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.cli.data.Elements;
import io.samplesort.cli.report.Output;
import io.samplesort.cli.report.Reports;
import io.samplesort.cli.values.SizeConverter;
import io.samplesort.cli.values.ThreadsConverter;
import io.samplesort.types.SortReport;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options that say where and how to sort and what to tell about it, the same for every command that sorts a file.
public final class SorterOptions {
    private static final double TOLD_COMPILE_SECONDS = 0.5;

    @Mixin
    private DeviceOption deviceOption;

    @Option(
            names = "--device-memory",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "How much GPU memory to take at most, such as 4G. More elements than fit are sorted in parts."
                    + " Default: all that is free.")
    private Long deviceMemory;

    @Option(
            names = "--threads",
            paramLabel = "N",
            converter = ThreadsConverter.class,
            description = "How many threads to sort with at most on the CPU. Default: as many as there are cores.")
    private Integer threads;

    @Option(names = "--lean", description = "Take as little GPU memory as possible, which is slower.")
    private boolean isLean;

    @Option(
            names = "--tuning",
            paramLabel = "NAME=VALUE,…",
            defaultValue = "",
            description = "Tuning parameters of the GPU engine, such as distributionItems=16.")
    private String tuning;

    @Heading("What is printed")
    @Option(
            names = "--report",
            description = "Print what the sort did: its device, its passes, the time of each phase, and memory.")
    private boolean isReporting;

    /// Begins a sorter on the device and with the tuning that the user asked for.
    public SorterBuilder sorter(Elements elements, Output output) {
        SorterBuilder builder = SampleSort.on(deviceOption.device())
                .order(elements.order())
                .tuning(tuning)
                .lean(isLean)
                .timesPhases(isReporting || output.isForPrograms());
        if (threads != null) {
            builder.cpuThreads(threads);
        }
        return deviceMemory == null ? builder : builder.deviceMemory(deviceMemory);
    }

    /// Says why the first sort by an order took so long, if it did.
    public static void tellCompileTime(Sorter sorter, Output output) {
        double seconds = sorter.compileTime().toNanos() * 1e-9;
        if (seconds > TOLD_COMPILE_SECONDS) {
            output.remark(String.format(
                    Locale.ROOT,
                    "compiled the kernels for this order in %.1f s; they are kept for the next time",
                    seconds));
        }
    }

    /// Prints what a sort did, in the form that the user asked for.
    public void print(SortReport report, Output output) {
        if (output.isForPrograms()) {
            output.print(Reports.toMap(report));
        } else if (isReporting) {
            output.print(Reports.toText(report));
        } else {
            report.fallbackReason().ifPresent(reason -> output.remark("sorted on the CPU: " + reason));
        }
    }
}
