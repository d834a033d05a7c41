package io.samplesort.study.paper;

import io.samplesort.Device;
import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.plot.PictureFont;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.Sizes;
import io.samplesort.bench.workload.Subject;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.CudaDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `bench study`, which the launcher of the repository calls `samplesort study`.
@Command(
        name = "study",
        description = "Runs the experiments of the paper on this machine: its sample sort as published and the sorts of"
                + " its time, all re-implemented, with samplesort, CUB and the CPU's. Writes a report with the paper's"
                + " figures (study.html), the pictures, and the results as JSON lines. Without a GPU it measures only the"
                + " CPU's sorts.")
public final class StudyCommand implements Callable<Integer> {
    private static final String EMULATED = "emulated GPU";
    private static final int DEVICES_OF_THE_PAPER = 2;

    @Option(names = "--quick", description = "Measures fewer sizes, and each of them fewer times.")
    private boolean isQuick;

    @Option(
            names = "--device",
            split = ",",
            defaultValue = "auto",
            description = "auto (the first GPU, and the second if there is one), cpu, or GPUs such as gpu:0,gpu:1;"
                    + " default: ${DEFAULT-VALUE}.")
    private List<String> devices;

    @Option(
            names = "--emulated",
            description =
                    "Also runs the GPU's sorts on the emulated GPU, on a few elements. This tells whether they are"
                            + " right, but nothing about their speed.")
    private boolean isEmulated;

    @Option(names = "--types", split = ",", description = "Some of u32+u32,u64,u32,f32; default: all of them.")
    private List<String> types;

    @Option(
            names = "--systems",
            split = ",",
            description = "Some of the sorts, such as samplesort,cub-radix; default: all of them.")
    private List<String> systems;

    @Option(names = "--sizes", description = "The sizes to measure, such as 2^16..2^28 or 2^20,2^24.")
    private String sizes;

    @Option(names = "--baselines", description = "The library of CUB's sorts, which bench/build-baselines makes.")
    private Path library;

    @Option(names = "--without-cpu", description = "Leaves the CPU's sorts out.")
    private boolean isWithoutCpu;

    @Option(
            names = "--from",
            split = ",",
            paramLabel = "RESULTS",
            description = "Measures nothing, and makes one report from these results.jsonl of earlier runs, so that a"
                    + " study can be run in parts.")
    private List<Path> parts;

    @Option(names = "--seed", defaultValue = "1", description = "The seed of the inputs; default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--out",
            defaultValue = "study-report",
            description = "The folder for the report and all other files; default: ${DEFAULT-VALUE}.")
    private Path out;

    @Spec
    private CommandSpec spec;

    private StudyOutput output;

    @Override
    public Integer call() throws IOException {
        PictureFont.use();
        output = new StudyOutput(out);
        boolean isComplete = true;
        if (parts != null) {
            output.read(parts);
        } else {
            isComplete = measure();
        }
        output.writeReport();
        return isComplete && output.allRight() ? 0 : 1;
    }

    /// Measures all that the options ask for.
    ///
    /// @return whether everything was measured
    private boolean measure() throws IOException {
        List<Integer> gpus = gpus();
        StudyPlan plan = plan(gpus);
        output.open();
        boolean isComplete = true;
        for (int gpu : gpus) {
            isComplete &= measureOn(gpu, plan);
        }
        if (!isWithoutCpu) {
            CpuStudy cpu = new CpuStudy(plan, collector("CPU", Environment.host()));
            plan.subjects().forEach(cpu::measure);
        }
        return isComplete;
    }

    private StudyPlan plan(List<Integer> gpus) {
        boolean onEmulated =
                !gpus.isEmpty() && CudaDevice.get(gpus.getFirst()).name().startsWith(EMULATED);
        if (isEmulated && !onEmulated) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--emulated: this process has no emulated GPU; start it by the launcher,"
                            + " ./samplesort study --emulated, and leave --device out");
        }
        StudyPlan plan = (isQuick ? StudyPlan.quick() : StudyPlan.full()).withSeed(seed);
        plan = onEmulated ? plan.onEmulatedGpu() : plan;
        plan = sizes == null ? plan : plan.withSizes(Sizes.parse(sizes));
        plan = types == null
                ? plan
                : plan.withSubjects(types.stream().map(this::subject).toList());
        plan = systems == null ? plan : plan.withSystems(systemNames());
        if (onEmulated) {
            output.note("The GPU was emulated: its sorts ran on "
                    + plan.gpuSizes().stream().map(Sizes::text).collect(Collectors.joining(", "))
                    + " elements, with every access checked, and were not timed.");
        }
        return plan;
    }

    /// Returns the ordinals of the GPUs to measure. If there are none, the report says why.
    private List<Integer> gpus() {
        if (devices.equals(List.of("cpu"))) {
            output.note("The GPU was left out, as asked for: only the sorts of the CPU were measured.");
            return List.of();
        }
        boolean isAuto = devices.equals(List.of("auto"));
        if (isAuto && Cuda.unavailableReason().isPresent()) {
            output.note("Only the sorts of the CPU were measured: "
                    + Cuda.unavailableReason().orElseThrow() + ".");
            return List.of();
        }
        Cuda.require();
        if (isAuto) {
            return IntStream.range(0, Math.min(DEVICES_OF_THE_PAPER, CudaDevice.count()))
                    .boxed()
                    .toList();
        }
        return devices.stream()
                .map(Device::parse)
                .map(device -> {
                    if (device.kind() != Device.Kind.GPU) {
                        throw new ParameterException(
                                spec.commandLine(),
                                "--device: '" + device + "' cannot be combined with other devices: use auto, cpu, or"
                                        + " GPUs such as gpu:0,gpu:1");
                    }
                    return device.ordinal();
                })
                .toList();
    }

    private Subject subject(String text) {
        Subject subject = Subject.parse(text);
        if (!StudyPlan.SUBJECTS.contains(subject)) {
            throw new ParameterException(
                    spec.commandLine(), "--types: the paper has no " + text + "; use some of u32+u32,u64,u32,f32");
        }
        return subject;
    }

    private Set<String> systemNames() {
        for (String system : systems) {
            if (!StudyFigures.systems().contains(system)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--systems: there is no " + system + "; use some of "
                                + String.join(",", StudyFigures.systems()));
            }
        }
        return Set.copyOf(systems);
    }

    private boolean measureOn(int gpu, StudyPlan plan) {
        Baselines baselines = library == null ? null : new Baselines(library.toAbsolutePath(), "baseline_sort");
        Map<String, Object> environment = Environment.gpu(gpu);
        if (baselines == null) {
            output.note("CUB's merge and radix sort were not measured: --baselines names no library of them.");
        } else {
            environment.put("cub", baselines.cubVersion());
        }
        boolean isComplete = true;
        try (GpuStudy study = new GpuStudy(gpu, plan, baselines, collector("GPU " + gpu, environment))) {
            for (Subject subject : plan.subjects()) {
                Optional<String> leftOut = study.measure(subject);
                leftOut.ifPresent(text -> output.note("Left out: " + text));
                isComplete &= leftOut.isEmpty();
            }
        }
        return isComplete;
    }

    /// Returns a consumer of the results of one place.
    private Consumer<Map<String, Object>> collector(String place, Map<String, Object> environment) {
        Environment.addRun(environment, seed, spec);
        return output.collector(place, environment);
    }
}
