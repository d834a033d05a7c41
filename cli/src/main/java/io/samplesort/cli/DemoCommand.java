package io.samplesort.cli;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.cli.options.DeviceOption;
import io.samplesort.cli.options.Heading;
import io.samplesort.cli.options.OutputOptions;
import io.samplesort.cli.report.Output;
import io.samplesort.cli.report.Reports;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.cli.values.CountConverter;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `samplesort demo`.
@Command(
        name = "demo",
        customSynopsis = "samplesort demo [OPTIONS]",
        description = "Sorts random numbers of three input distributions on the best device, and checks the results.")
final class DemoCommand implements Callable<Integer> {
    /// The demo sorts an array, and Java's arrays have at most this many elements.
    private static final int MAX_COUNT = Integer.MAX_VALUE - 8;

    private static final List<InputDistribution> DISTRIBUTIONS =
            List.of(InputDistribution.UNIFORM, InputDistribution.STAGGERED, InputDistribution.ZIPF);

    @Heading("What is sorted")
    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "2^24",
            converter = CountConverter.class,
            description = "How many numbers (doubles) to sort of each distribution. Default: ${DEFAULT-VALUE}.")
    private long count;

    @Mixin
    private DeviceOption deviceOption;

    @Mixin
    private OutputOptions outputOptions;

    @Override
    public Integer call() {
        if (count > MAX_COUNT) {
            throw new UsageFailure("the demo sorts an array: --count is at most " + MAX_COUNT);
        }
        double[] keys = new double[(int) count];
        Output output = outputOptions.output();
        boolean allVerified = true;
        try (Sorter sorter = SampleSort.on(deviceOption.device()).build(ElementType.DOUBLE)) {
            SortReport warmUp = warmUp(sorter, keys);
            if (!output.isForPrograms()) {
                output.print(String.format(
                        "%-12s %-12s %-24s %16s  %s", "distribution", "n", "device", "million keys/s", "verified"));
            }
            for (InputDistribution distribution : DISTRIBUTIONS) {
                allVerified &= sortAndPrint(sorter, keys, distribution, output);
            }
            if (!output.isForPrograms()) {
                warmUp.fallbackReason().ifPresent(reason -> output.print("On the CPU because " + reason + "."));
            }
        }
        return allVerified ? 0 : 1;
    }

    /// Sorts once without reporting how long it took: the first sort pays for compilers, that of the JVM and, on a GPU,
    /// that of the kernels.
    private static SortReport warmUp(Sorter sorter, double[] keys) {
        InputDistribution.UNIFORM.fill(MemorySegment.ofArray(keys), KeyType.F64, 0);
        // To plan a sort means to wait for the GPU; otherwise the CPU would sort while kernels are compiled.
        sorter.elementCost(keys.length);
        return sorter.sort(keys);
    }

    private static boolean sortAndPrint(Sorter sorter, double[] keys, InputDistribution distribution, Output output) {
        MemorySegment segment = MemorySegment.ofArray(keys);
        distribution.fill(segment, KeyType.F64, 1);
        Fingerprint before = Fingerprint.of(segment, KeyType.F64);
        SortReport report = sorter.sort(keys);
        boolean isVerified =
                ResultCheck.firstViolation(segment, KeyType.F64, false).isEmpty()
                        && Fingerprint.of(segment, KeyType.F64).equals(before);
        if (output.isForPrograms()) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("distribution", distribution.toString());
            line.putAll(Reports.toMap(report, SampleSort.cpuKernels()));
            line.put("verified", isVerified);
            output.print(line);
        } else {
            output.print(String.format(
                    Locale.ROOT,
                    "%-12s %-12d %-24s %16.1f  %s",
                    distribution,
                    report.elementCount(),
                    report.device(),
                    report.elementsPerSecond() * 1e-6,
                    isVerified ? "yes" : "NO"));
        }
        return isVerified;
    }
}
