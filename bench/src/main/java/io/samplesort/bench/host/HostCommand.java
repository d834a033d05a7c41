package io.samplesort.bench.host;

import io.samplesort.Device;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.bench.measure.LinkSpeed;
import io.samplesort.bench.results.DeviceOption;
import io.samplesort.bench.results.DistributionOption;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.RepetitionOption;
import io.samplesort.bench.results.ResultOptions;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.SizeOption;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.types.ElementType;
import it.unimi.dsi.fastutil.longs.LongArrays;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
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
        description =
                "Sorts arrays of longs in host memory, transfers included: samplesort on the device and on the CPU,"
                        + " Arrays.parallelSort, and fastutil's parallel radix sort and quicksort.")
public final class HostCommand implements Callable<Integer> {
    @Option(
            names = "--systems",
            split = ",",
            description =
                    "Only these of the systems that a full run lists; fastutil's sorts take many seconds from 2^27"
                            + " on.")
    private List<String> systems;

    @Option(
            names = "--tuning",
            paramLabel = "NAME=VALUE,…",
            defaultValue = "",
            description = "Tuning parameters of samplesort on the GPU.")
    private String tuning;

    @Mixin
    private RepetitionOption repetitionOption = new RepetitionOption(5);

    @Mixin
    private DeviceOption deviceOption;

    @Mixin
    private DistributionOption distributionOption;

    @Mixin
    private SizeOption sizeOption = new SizeOption("2^16..2^27");

    @Mixin
    private ResultOptions options;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Device named = deviceOption.device();
        List<InputDistribution> shapes = distributionOption.distributions();
        Map<String, Object> environment = Environment.of(named);
        Results results = options.results(environment);
        boolean allRight = true;
        boolean isOnGpu = environment.containsKey("gpu");
        List<Long> counts = sizeOption.sizes();
        LinkSpeed link = isOnGpu
                ? LinkSpeed.measure(List.of(Device.gpu(named.ordinal())), Long.BYTES * Collections.max(counts))
                : null;
        if (link != null) {
            link.addTo(environment);
        }
        try (Sorter sorter = SampleSort.on(named)
                        .gpuThreshold(0)
                        .tuning(tuning)
                        .timesPhases()
                        .build(ElementType.LONG);
                Sorter cpu = SampleSort.onCpu().build(ElementType.LONG)) {
            List<HostContender> contenders = new ArrayList<>();
            contenders.add(HostContender.ofArrayWithReport(nameOfOurs(), sorter::sort));
            if (isOnGpu) {
                contenders.add(HostContender.ofPinned(nameOfOurs() + "-pinned", Device.gpu(named.ordinal()), sorter));
            }
            if (!deviceOption.name().equals("cpu")) {
                contenders.add(HostContender.ofArray("samplesort-cpu", cpu::sort));
            }
            contenders.add(HostContender.ofArray("Arrays.parallelSort", Arrays::parallelSort));
            // No method references: they would load fastutil, which a small bundle lacks, even if it is not measured.
            contenders.add(
                    HostContender.ofArray("fastutil-parallelRadixSort", keys -> LongArrays.parallelRadixSort(keys)));
            contenders.add(
                    HostContender.ofArray("fastutil-parallelQuickSort", keys -> LongArrays.parallelQuickSort(keys)));
            keepNamed(contenders);
            HostBenchmark benchmark =
                    new HostBenchmark(sorter, link, repetitionOption.repetitions(), options.seed(), results);
            for (InputDistribution distribution : shapes) {
                for (long size : counts) {
                    allRight &= benchmark.measure(contenders, distribution, Math.toIntExact(size));
                }
            }
        }
        return allRight ? 0 : 1;
    }

    /// Removes all contenders but those that `--systems` names.
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
        return "samplesort-" + deviceOption.name();
    }
}
