package io.samplesort.cli.options;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.cli.data.Elements;
import io.samplesort.cli.report.Output;
import io.samplesort.types.SortReport;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options that say where and how to sort and what to report about it, the same for every command that sorts a
/// file.
public final class SorterOptions {
    private static final double TOLD_COMPILE_SECONDS = 0.5;

    @Mixin
    private DeviceOption deviceOption = new DeviceOption();

    @Mixin
    private GpuMemoryOptions gpuMemory = new GpuMemoryOptions();

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    @Option(
            names = "--tuning",
            paramLabel = "NAME=VALUE,…",
            defaultValue = "",
            description = "Tuning parameters of the GPU engine, such as distributionItems=16.")
    private String tuning = "";

    @Mixin
    private ReportOption reportOption = new ReportOption();

    /// Begins a sorter on the device and with the tuning that the user asked for.
    public SorterBuilder sorter(Elements elements, Output output) {
        SorterBuilder builder = SampleSort.on(deviceOption.device())
                .order(elements.order())
                .tuning(tuning)
                .deviceMemory(gpuMemory.mostBytes());
        if (gpuMemory.isLean()) {
            builder.lean();
        }
        if (reportOption.isReporting() || output.isForPrograms()) {
            builder.timesPhases();
        }
        threads.limit(builder);
        return builder;
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

    /// Prints what a sort did, in the form that the user asked for, or else why it did not use the GPU.
    public void print(SortReport report, Output output) {
        if (!reportOption.print(report, output)) {
            report.fallbackReason()
                    .ifPresent(
                            reason -> output.remark("sorted on the CPU: " + gist(reason) + " (see samplesort info)"));
        }
    }

    /// Returns the part of a reason before its details.
    private static String gist(String reason) {
        return reason.split("[:;(]", 2)[0].strip();
    }
}
