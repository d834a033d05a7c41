package io.samplesort.cli;

import io.samplesort.Device;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.cli.options.CountConverter;
import io.samplesort.cli.options.DeviceConverter;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.Json;
import io.samplesort.cli.report.Reports;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `samplesort demo`.
@Command(
        name = "demo",
        description =
                "Sorts 2^24 doubles of each of three input distributions on the best device, and checks the results.")
final class DemoCommand implements Callable<Integer> {
    private static final List<InputDistribution> DISTRIBUTIONS =
            List.of(InputDistribution.UNIFORM, InputDistribution.STAGGERED, InputDistribution.ZIPF);

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "2^24",
            converter = CountConverter.class,
            description = "Doubles of each distribution; default: ${DEFAULT-VALUE}.")
    private long count;

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            defaultValue = "auto",
            converter = DeviceConverter.class,
            description = "auto, cpu, gpu or gpu:N; default: ${DEFAULT-VALUE}.")
    private Device device;

    @Option(names = "--json", description = "Print a line of JSON for each distribution.")
    private boolean isJson;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (count > Integer.MAX_VALUE - 8) {
            throw new CommandFailure("the demo sorts an array: --count is at most " + (Integer.MAX_VALUE - 8));
        }
        double[] keys = new double[(int) count];
        MemorySegment segment = MemorySegment.ofArray(keys);
        PrintWriter out = spec.commandLine().getOut();
        if (!isJson) {
            out.printf("%-12s %-12s %-24s %16s  %s%n", "distribution", "n", "device", "million keys/s", "verified");
        }
        boolean allVerified = true;
        try (Sorter sorter = SampleSort.on(device).build(ElementType.DOUBLE)) {
            // The first sort pays for compilers: the JVM's own and, on a GPU, the kernels'.
            InputDistribution.UNIFORM.fill(segment, KeyType.F64, 0);
            SortReport warmUp = sorter.sort(keys);
            for (InputDistribution distribution : DISTRIBUTIONS) {
                distribution.fill(segment, KeyType.F64, 1);
                Fingerprint before = Fingerprint.of(segment, KeyType.F64);
                SortReport report = sorter.sort(keys);
                boolean verified =
                        ResultCheck.firstViolation(segment, KeyType.F64, false).isEmpty()
                                && Fingerprint.of(segment, KeyType.F64).equals(before);
                allVerified &= verified;
                print(out, distribution, report, verified);
            }
            if (!isJson) {
                warmUp.fallbackReason().ifPresent(reason -> out.println("On the CPU because " + reason + "."));
            }
        }
        out.flush();
        return allVerified ? 0 : 1;
    }

    private void print(PrintWriter out, InputDistribution distribution, SortReport report, boolean verified) {
        if (isJson) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("distribution", distribution.toString());
            line.putAll(Reports.toMap(report));
            line.put("verified", verified);
            out.println(Json.line(line));
        } else {
            out.printf(
                    Locale.ROOT,
                    "%-12s %-12d %-24s %16.1f  %s%n",
                    distribution,
                    report.elementCount(),
                    report.device(),
                    report.elementsPerSecond() * 1e-6,
                    verified ? "yes" : "NO");
        }
        out.flush();
    }
}
