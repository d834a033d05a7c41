package io.samplesort.bench;

import io.samplesort.Device;
import io.samplesort.ElementType;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.cuda.Cuda;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import it.unimi.dsi.fastutil.longs.LongArrays;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `bench host`.
@Command(
        name = "host",
        description = "Sorts long arrays in host memory, transfers counted: samplesort on the device and on the CPU,"
                + " Arrays.parallelSort, and fastutil's parallel radix sort and quicksort.")
final class HostCommand implements Callable<Integer> {
    /// Until the Java code of all contenders is compiled.
    private static final long WARM_UP_NANOS = 2_000_000_000;

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

    @Option(names = "--seed", defaultValue = "1", description = "Of the inputs; default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--out",
            defaultValue = "results.jsonl",
            description = "Where the results are appended; default: ${DEFAULT-VALUE}.")
    private Path out;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Device named = Device.parse(device);
        List<InputDistribution> shapes = Distributions.parse(distributions);
        Map<String, Object> environment =
                named.kind() == Device.Kind.CPU || Cuda.unavailableReason().isPresent()
                        ? Environment.host()
                        : Environment.gpu(named.ordinal());
        environment.put("seed", seed);
        environment.put("command", Environment.command(spec));
        Results results = new Results(out, environment);
        boolean allRight = true;
        try (Sorter sorter = SampleSort.on(named).gpuThreshold(0).build(ElementType.LONG);
                Sorter cpu = SampleSort.onCpu().build(ElementType.LONG)) {
            Map<String, Consumer<long[]>> contenders = new LinkedHashMap<>();
            contenders.put(nameOfOurs(), sorter::sort);
            if (!device.equals("cpu")) {
                contenders.put("samplesort-cpu", cpu::sort);
            }
            contenders.put("Arrays.parallelSort", Arrays::parallelSort);
            contenders.put("fastutil-parallelRadixSort", LongArrays::parallelRadixSort);
            contenders.put("fastutil-parallelQuickSort", LongArrays::parallelQuickSort);
            for (InputDistribution distribution : shapes) {
                for (long size : Sizes.parse(sizes)) {
                    allRight &= measure(contenders, sorter, distribution, Math.toIntExact(size), results);
                }
            }
        }
        return allRight ? 0 : 1;
    }

    private String nameOfOurs() {
        return "samplesort-" + device;
    }

    private boolean measure(
            Map<String, Consumer<long[]>> contenders,
            Sorter sorter,
            InputDistribution distribution,
            int size,
            Results results) {
        long[] pristine = new long[size];
        distribution.fill(MemorySegment.ofArray(pristine), KeyType.I64, seed);
        long[] expected = pristine.clone();
        Arrays.parallelSort(expected);
        Map<String, double[]> millis = new LinkedHashMap<>();
        boolean allRight = true;
        long[] work = new long[size];
        long begin = System.nanoTime();
        for (int repetition = -2; repetition < repetitions; repetition++) {
            if (repetition == 0 && System.nanoTime() - begin < WARM_UP_NANOS) {
                repetition = -1;
            }
            for (Map.Entry<String, Consumer<long[]>> contender : contenders.entrySet()) {
                System.arraycopy(pristine, 0, work, 0, size);
                long start = System.nanoTime();
                contender.getValue().accept(work);
                double elapsed = (System.nanoTime() - start) * 1e-6;
                if (repetition >= 0) {
                    millis.computeIfAbsent(contender.getKey(), k -> new double[repetitions])[repetition] = elapsed;
                } else {
                    allRight &= Arrays.equals(work, expected);
                }
            }
        }
        for (String name : contenders.keySet()) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("system", name);
            result.put("type", "i64");
            result.put("distribution", distribution.toString());
            result.put("count", (long) size);
            Statistics.put(result, "wall", millis.get(name), size);
            if (name.equals(nameOfOurs())) {
                sorter.tuning().ifPresent(tuning -> result.put("tuning", tuning.parameters()));
            }
            result.put("verified", allRight);
            results.add(result);
            System.out.printf(
                    Locale.ROOT,
                    "%-28s %-24s %10d  %9.1f million keys/s  %9.3f ms%s%n",
                    name,
                    distribution,
                    size,
                    size / Statistics.median(millis.get(name)) * 1e-3,
                    Statistics.median(millis.get(name)),
                    allRight ? "" : "  WRONG");
        }
        return allRight;
    }
}
