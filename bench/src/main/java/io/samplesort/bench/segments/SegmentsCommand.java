package io.samplesort.bench.segments;

import io.samplesort.Device;
import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.ResultOptions;
import io.samplesort.bench.results.SizeOption;
import io.samplesort.bench.results.TurnOptions;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.testkit.KeyType;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `bench segments`.
@Command(
        name = "segments",
        description =
                "Sorts the segments of an array, each by itself: samplesort and the JDK on the CPU, or samplesort and"
                        + " CUB in device memory, by turns on fresh inputs.")
public final class SegmentsCommand implements Callable<Integer> {
    @Option(
            names = "--types",
            split = ",",
            description = "i32, u32, i64, u64, f32 or f64; default: i32,i64,f64 on the CPU and u32,u64 on a GPU.")
    private List<String> types;

    @Option(
            names = "--lengths",
            split = ",",
            defaultValue = "16,128,4096,2^20,power-law,one-huge,1024",
            description = "Lengths of segments, power-law (up to an eighth of all elements) or one-huge (and up to a"
                    + " million of 0 or 8); default: ${DEFAULT-VALUE}.")
    private List<String> lengths;

    @Option(
            names = "--device",
            defaultValue = "cpu",
            description = "cpu, gpu or gpu:N, which sorts in device memory; default: ${DEFAULT-VALUE}.")
    private String device;

    @Option(
            names = "--threads",
            split = ",",
            defaultValue = "2",
            description = "How many threads sort on the CPU; default: ${DEFAULT-VALUE}.")
    private List<Integer> threads;

    @Option(
            names = "--first",
            defaultValue = "0",
            description = "On a GPU, selects this many first elements of each segment instead of sorting, without CUB.")
    private long first;

    @Option(names = "--baselines", description = "The library of CUB's sorts, which bench/build-baselines makes.")
    private Path library;

    @Option(names = "--tuning", defaultValue = "", description = "Tuning parameters of the GPU engine.")
    private String tuning;

    @Mixin
    private TurnOptions turns;

    @Mixin
    private SizeOption sizeOption = new SizeOption("2^24");

    @Mixin
    private ResultOptions options;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Device chosen;
        List<SegmentLengths> shapes;
        List<KeyType> keys;
        try {
            chosen = Device.parse(device);
            if (chosen.kind() != Device.Kind.CPU && chosen.kind() != Device.Kind.GPU) {
                throw new IllegalArgumentException("device " + device + ": use cpu, gpu or gpu:N");
            }
            if (first < 0 || first > 0 && chosen.kind() == Device.Kind.CPU) {
                throw new IllegalArgumentException("--first " + first + ": give a number from 1 on, and --device gpu");
            }
            boolean isCpu = chosen.kind() == Device.Kind.CPU;
            List<String> byDefault = isCpu ? List.of("i32", "i64", "f64") : List.of("u32", "u64");
            keys = (types == null ? byDefault : types)
                    .stream().map(KeyType::parse).toList();
            keys.forEach(key -> JdkSegments.array(key, 0));
            shapes = lengths.stream().map(SegmentLengths::parse).toList();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        return (chosen.kind() == Device.Kind.CPU ? onCpu(keys, shapes) : onGpu(chosen, keys, shapes)) ? 0 : 1;
    }

    private boolean onCpu(List<KeyType> keys, List<SegmentLengths> shapes) {
        SegmentResults results = new SegmentResults(options.results(Environment.host()), "wall");
        boolean allRight = true;
        for (int count : threads) {
            allRight &= forAll(keys, shapes, new CpuSegmentBenchmark(turns, count, results)::measure);
        }
        return allRight;
    }

    private boolean onGpu(Device gpu, List<KeyType> keys, List<SegmentLengths> shapes) {
        Baselines baselines =
                library == null ? null : new Baselines(library.toAbsolutePath(), "baseline_sort_segments");
        Map<String, Object> environment = Environment.gpu(gpu.ordinal());
        if (baselines != null) {
            environment.put("cub", baselines.cubVersion());
        }
        SegmentResults results = new SegmentResults(options.results(environment), "device");
        try (DeviceSegmentBenchmark benchmark =
                new DeviceSegmentBenchmark(gpu.ordinal(), tuning, turns, first, baselines, results)) {
            return forAll(keys, shapes, input -> {
                try {
                    return benchmark.measure(input);
                } catch (InsufficientDeviceMemoryException e) {
                    System.err.println("left out: " + input.count() + " keys: " + e.getMessage());
                    return false;
                }
            });
        }
    }

    private boolean forAll(List<KeyType> keys, List<SegmentLengths> shapes, Predicate<SegmentInput> measure) {
        boolean allRight = true;
        for (long size : sizeOption.sizes()) {
            for (KeyType key : keys) {
                for (SegmentLengths shape : shapes) {
                    allRight &= measure.test(SegmentInput.draw(key, shape, Math.toIntExact(size), options.seed()));
                }
            }
        }
        return allRight;
    }
}
