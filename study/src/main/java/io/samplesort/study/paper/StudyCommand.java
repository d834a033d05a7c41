package io.samplesort.study.paper;

import io.samplesort.Device;
import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.plot.Picture;
import io.samplesort.bench.plot.PictureFont;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.Sizes;
import io.samplesort.bench.workload.Subject;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.CudaDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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

/// `bench study`, which the launcher has as `samplesort study`.
@Command(
        name = "study",
        description = "Runs the experiments of the paper on this machine: its sample sort as published and the sorts of"
                + " its time, all re-implemented, beside samplesort, CUB and the CPU's. Writes a report with the paper's"
                + " figures (study.html), the pictures, and the results as JSON lines. Without a GPU the CPU's sorts"
                + " alone.")
public final class StudyCommand implements Callable<Integer> {
    private static final String EMULATED = "emulated GPU";
    private static final int DEVICES_OF_THE_PAPER = 2;

    @Option(names = "--quick", description = "Fewer sizes and runs.")
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
            description = "Also runs the GPU's sorts on the emulated GPU, on a few elements, which tells whether they"
                    + " are right and nothing of their speed.")
    private boolean isEmulated;

    @Option(names = "--types", split = ",", description = "Some of u32+u32,u64,u32,f32; default: all of them.")
    private List<String> types;

    @Option(
            names = "--systems",
            split = ",",
            description = "Some of the sorts, such as samplesort,cub-radix; default: all of them.")
    private List<String> systems;

    @Option(names = "--sizes", description = "Other sizes, such as 2^16..2^28 or 2^20,2^24.")
    private String sizes;

    @Option(names = "--baselines", description = "CUB's sorts, as bench/build-baselines makes them.")
    private Path library;

    @Option(names = "--without-cpu", description = "Leaves the CPU's sorts out.")
    private boolean isWithoutCpu;

    @Option(
            names = "--from",
            split = ",",
            paramLabel = "RESULTS",
            description = "Measures nothing and makes the report of these results.jsonl of earlier runs: so a study can"
                    + " be run in parts.")
    private List<Path> parts;

    @Option(names = "--seed", defaultValue = "1", description = "Of the inputs; default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--out",
            defaultValue = "study-report",
            description = "The folder for all of it; default: ${DEFAULT-VALUE}.")
    private Path out;

    @Spec
    private CommandSpec spec;

    private final List<Map<String, Object>> results = new ArrayList<>();
    private final Map<String, Map<String, Object>> environments = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        PictureFont.use();
        if (parts != null) {
            StudyParts earlier = StudyParts.read(parts);
            results.addAll(earlier.results());
            environments.putAll(earlier.environments());
            write();
            return exitCode(true);
        }
        StudyPlan plan = isQuick ? StudyPlan.quick() : StudyPlan.full();
        List<Integer> gpus = gpus();
        boolean onEmulated =
                !gpus.isEmpty() && CudaDevice.get(gpus.getFirst()).name().startsWith(EMULATED);
        if (isEmulated && !onEmulated) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--emulated: this process has no emulated GPU; start it by the launcher,"
                            + " ./samplesort study --emulated, and leave --device out");
        }
        plan = onEmulated ? plan.onEmulatedGpu() : plan;
        plan = sizes == null ? plan : plan.withSizes(Sizes.parse(sizes));
        if (onEmulated) {
            notes.add("The GPU was emulated: its sorts ran on "
                    + plan.gpuSizes().stream().map(Sizes::text).collect(Collectors.joining(", "))
                    + " elements, with every access checked, and were not timed.");
        }
        plan = types == null
                ? plan
                : plan.withSubjects(types.stream().map(this::subject).toList());
        plan = systems == null ? plan : plan.withSystems(systemNames());
        Files.createDirectories(out);
        Path file = out.resolve("results.jsonl");
        Files.deleteIfExists(file);
        boolean isComplete = true;
        for (int gpu : gpus) {
            isComplete &= measureOn(gpu, plan, !onEmulated, file);
        }
        if (!isWithoutCpu) {
            CpuStudy cpu = new CpuStudy(plan, seed, collector(file, "CPU", Environment.host()));
            plan.subjects().forEach(cpu::measure);
        }
        write();
        return exitCode(isComplete);
    }

    private int exitCode(boolean isComplete) {
        return isComplete && results.stream().noneMatch(result -> Boolean.FALSE.equals(result.get("verified"))) ? 0 : 1;
    }

    /// The ordinals of the GPUs to measure; notes where there are none.
    private List<Integer> gpus() {
        if (devices.equals(List.of("cpu"))) {
            notes.add("The GPU was left out, as asked for: there are the sorts of the CPU alone.");
            return List.of();
        }
        boolean isAuto = devices.equals(List.of("auto"));
        if (isAuto && Cuda.unavailableReason().isPresent()) {
            notes.add("There are the sorts of the CPU alone: "
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
                                "--device: '" + device + "' goes with no other: use auto, cpu, or"
                                        + " GPUs such as gpu:0,gpu:1");
                    }
                    return device.ordinal();
                })
                .toList();
    }

    private Subject subject(String text) {
        Subject subject = Subject.parse(text);
        if (!StudyPlan.full().subjects().contains(subject)) {
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

    private boolean measureOn(int gpu, StudyPlan plan, boolean isTimed, Path file) {
        Baselines baselines = library == null ? null : new Baselines(library.toAbsolutePath(), "baseline_sort");
        Map<String, Object> environment = Environment.gpu(gpu);
        if (baselines == null) {
            notes.add("CUB's merge and radix sort were not measured: --baselines names no library of them.");
        } else {
            environment.put("cub", baselines.cubVersion());
        }
        boolean isComplete = true;
        try (GpuStudy study =
                new GpuStudy(gpu, plan, seed, isTimed, baselines, collector(file, "GPU " + gpu, environment))) {
            for (Subject subject : plan.subjects()) {
                Optional<String> leftOut = study.measure(subject);
                leftOut.ifPresent(text -> notes.add("Left out: " + text));
                isComplete &= leftOut.isEmpty();
            }
        }
        return isComplete;
    }

    /// Keeps results, with what those of one place have in common, and prints them.
    private Consumer<Map<String, Object>> collector(Path file, String place, Map<String, Object> environment) {
        environment.put("seed", seed);
        environment.put("command", Environment.command(spec));
        environments.put(place, environment);
        Results lines = new Results(file, environment);
        return result -> {
            lines.add(result);
            results.add(result);
            print(result);
        };
    }

    private void write() throws IOException {
        Files.createDirectories(out);
        notes.forEach(System.out::println);
        for (StudyFigures.Figure figure : StudyFigures.of(StudyRates.of(results))) {
            for (Map.Entry<String, Picture> panel : figure.panels().entrySet()) {
                panel.getValue().save(out, panel.getKey());
            }
        }
        Path page = out.resolve("study.html");
        Files.writeString(page, new StudyReport(results, environments, notes).html());
        System.out.println("The report is " + page);
    }

    private static void print(Map<String, Object> result) {
        Object millis = result.getOrDefault("deviceMillisMedian", result.get("wallMillisMedian"));
        String time = millis == null ? "" : String.format(Locale.ROOT, "%12.3f ms", ((Number) millis).doubleValue());
        String verdict = result.containsKey("undefined")
                ? "refused: " + result.get("undefined")
                : Boolean.TRUE.equals(result.get("verified")) ? "" : "WRONG";
        System.out.printf(
                Locale.ROOT,
                "%-28s %-8s %-26s %10s %s  %s%n",
                result.get("system"),
                result.get("type"),
                result.get("distribution"),
                Sizes.text(((Number) result.get("count")).longValue()),
                time,
                verdict);
    }
}
