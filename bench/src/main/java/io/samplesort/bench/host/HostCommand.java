package io.samplesort.bench.host;

import io.samplesort.Device;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.bench.results.Distributions;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.ResultOptions;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.Sizes;
import io.samplesort.bench.results.StageRows;
import io.samplesort.bench.results.Statistics;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import it.unimi.dsi.fastutil.longs.LongArrays;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `bench host`.
@Command(
        name = "host",
        description = "Sorts long arrays in host memory, transfers counted: samplesort on the device and on the CPU,"
                + " Arrays.parallelSort, and fastutil's parallel radix sort and quicksort.")
public final class HostCommand implements Callable<Integer> {
    /// Of each system and size, until its Java code is compiled.
    private static final long WARM_UP_NANOS = 500_000_000;

    @Option(names = "--sizes", defaultValue = "2^16..2^27", description = "Default: ${DEFAULT-VALUE}.")
    private String sizes;

    @Option(
            names = "--distributions",
            split = ",",
            defaultValue = "uniform",
            description = "Names of input distributions, or all; default: ${DEFAULT-VALUE}.")
    private List<String> distributions;

    @Option(names = "--repetitions", defaultValue = "5", description = "Timed runs of each; default: ${DEFAULT-VALUE}.")
    private int repetitions;

    @Option(
            names = "--device",
            defaultValue = "auto",
            description = "auto, cpu, gpu or gpu:N; default: ${DEFAULT-VALUE}.")
    private String device;

    @Option(
            names = "--systems",
            split = ",",
            description = "Only these of the systems that are listed in a full run; the array of fastutil's sorts takes"
                    + " many seconds from 2^27 on.")
    private List<String> systems;

    @Option(
            names = "--tuning",
            paramLabel = "NAME=VALUE,…",
            defaultValue = "",
            description = "Tuning parameters of samplesort on the GPU.")
    private String tuning;

    @Mixin
    private ResultOptions options;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Device named = Device.parse(device);
        List<InputDistribution> shapes = Distributions.parse(distributions);
        Map<String, Object> environment = Environment.of(named);
        Results results = options.results(environment);
        boolean allRight = true;
        boolean isOnGpu = environment.containsKey("gpu");
        List<Long> counts = Sizes.parse(sizes);
        LinkSpeed link =
                isOnGpu ? LinkSpeed.measure(Device.gpu(named.ordinal()), Long.BYTES * Collections.max(counts)) : null;
        if (link != null) {
            environment.put("linkUpBytesPerSecond", link.upBytesPerSecond());
            environment.put("linkDownBytesPerSecond", link.downBytesPerSecond());
        }
        try (Sorter sorter = SampleSort.on(named)
                        .gpuThreshold(0)
                        .tuning(tuning)
                        .timesPhases(true)
                        .build(ElementType.LONG);
                Sorter cpu = SampleSort.onCpu().build(ElementType.LONG)) {
            List<HostContender> contenders = new ArrayList<>();
            contenders.add(HostContender.ofReported(nameOfOurs(), sorter::sort));
            if (isOnGpu) {
                contenders.add(HostContender.ofPinned(nameOfOurs() + "-pinned", Device.gpu(named.ordinal()), sorter));
            }
            if (!device.equals("cpu")) {
                contenders.add(HostContender.ofArray("samplesort-cpu", cpu::sort));
            }
            contenders.add(HostContender.ofArray("Arrays.parallelSort", Arrays::parallelSort));
            contenders.add(HostContender.ofArray("fastutil-parallelRadixSort", LongArrays::parallelRadixSort));
            contenders.add(HostContender.ofArray("fastutil-parallelQuickSort", LongArrays::parallelQuickSort));
            keepNamed(contenders);
            for (InputDistribution distribution : shapes) {
                for (long size : counts) {
                    allRight &= measure(contenders, sorter, link, distribution, Math.toIntExact(size), results);
                }
            }
        }
        return allRight ? 0 : 1;
    }

    private void keepNamed(List<HostContender> contenders) {
        if (systems == null) {
            return;
        }
        List<String> known = contenders.stream().map(HostContender::name).toList();
        for (String system : systems) {
            if (!known.contains(system)) {
                throw new ParameterException(
                        spec.commandLine(), "no system '" + system + "': use " + String.join(", ", known));
            }
        }
        contenders.removeIf(contender -> !systems.contains(contender.name()));
    }

    private String nameOfOurs() {
        return "samplesort-" + device;
    }

    private boolean measure(
            List<HostContender> contenders,
            Sorter sorter,
            LinkSpeed link,
            InputDistribution distribution,
            int size,
            Results results) {
        long[] input = new long[size];
        distribution.fill(MemorySegment.ofArray(input), KeyType.I64, options.seed());
        long[] expected = input.clone();
        Arrays.parallelSort(expected);
        boolean allRight = true;
        for (HostContender contender : contenders) {
            double[] millis = new double[repetitions];
            boolean isRight = true;
            SortReport report = null;
            long begin = System.nanoTime();
            for (int repetition = -1; repetition < repetitions; repetition++) {
                contender.load(input);
                long start = System.nanoTime();
                report = contender.sort();
                double elapsed = (System.nanoTime() - start) * 1e-6;
                if (repetition >= 0) {
                    millis[repetition] = elapsed;
                } else if (System.nanoTime() - begin < WARM_UP_NANOS) {
                    repetition--;
                }
                if (repetition == -1 || repetition == repetitions - 1) {
                    isRight &= contender.hasSorted(expected);
                }
            }
            contender.release();
            allRight &= isRight;
            results.add(result(contender, sorter, link, distribution, millis, size, report, isRight));
        }
        return allRight;
    }

    private Map<String, Object> result(
            HostContender contender,
            Sorter sorter,
            LinkSpeed link,
            InputDistribution distribution,
            double[] millis,
            int size,
            SortReport report,
            boolean isRight) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", contender.name());
        result.put("type", "i64");
        result.put("distribution", distribution.toString());
        result.put("count", (long) size);
        Statistics.put(result, "wall", millis, size);
        double median = Statistics.median(millis);
        String note = isRight ? "" : "  WRONG";
        if (report != null && !report.stages().isEmpty()) {
            double timesLink = median / link.millis((long) size * Long.BYTES);
            result.put("timesLink", timesLink);
            result.put("stages", StageRows.of(report));
            sorter.tuning().ifPresent(values -> result.put("tuning", values.parameters()));
            note = String.format(Locale.ROOT, "  %.3f of the link's time%s%s", timesLink, StageRows.text(report), note);
        }
        result.put("verified", isRight);
        System.out.printf(
                Locale.ROOT,
                "%-28s %-12s %10d  %9.1f million keys/s  %9.3f ms%s%n",
                contender.name(),
                distribution,
                size,
                size / median * 1e-3,
                median,
                note);
        return result;
    }
}
