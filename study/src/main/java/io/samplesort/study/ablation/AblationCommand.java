package io.samplesort.study.ablation;

import io.samplesort.Device;
import io.samplesort.bench.plot.Picture;
import io.samplesort.bench.plot.PictureFont;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.RepetitionOption;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.Sizes;
import io.samplesort.bench.workload.Subject;
import io.samplesort.cuda.Cuda;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.study.historic.HistoricElement;
import io.samplesort.study.measure.CheckedTurns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `bench ablation`.
@Command(
        name = "ablation",
        description =
                "Measures the effect of each parameter: the paper's sample sort as published and ours run with one"
                        + " parameter at a time at other values. Writes the results as JSON lines (results.jsonl) and a picture"
                        + " of each parameter as SVG and PNG.")
public final class AblationCommand implements Callable<Integer> {
    @Option(names = "--device", defaultValue = "gpu:0", description = "Such as gpu:1; default: ${DEFAULT-VALUE}.")
    private String device;

    @Option(
            names = "--types",
            split = ",",
            defaultValue = "u32,u64,u32+u32",
            description = "Some of u32,u64,f32,u32+u32,u64+u32,f32+u32; default: ${DEFAULT-VALUE}.")
    private List<String> types;

    @Option(names = "--size", defaultValue = "2^26", description = "The number of elements; default: ${DEFAULT-VALUE}.")
    private String size;

    @Option(
            names = "--parameters",
            split = ",",
            description = "Some of k, M, t, l, a, counterArrays and choices (of the published sort) and of our tuning"
                    + " parameters; default: all.")
    private List<String> parameters;

    @Option(
            names = "--once-from",
            paramLabel = "MILLIS",
            defaultValue = "" + CheckedTurns.SLOW_MILLIS,
            description = "Sorts that take this many milliseconds or more run only once, and their parts are not timed;"
                    + " default: ${DEFAULT-VALUE}.")
    private double slowMillis;

    @Option(
            names = "--from",
            split = ",",
            paramLabel = "RESULTS",
            description = "Measures nothing, and draws these results.jsonl of earlier runs.")
    private List<Path> earlier;

    @Option(names = "--seed", defaultValue = "1", description = "The seed of the inputs; default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--out",
            defaultValue = "ablation",
            description = "The folder for the results and the pictures; default: ${DEFAULT-VALUE}.")
    private Path out;

    @Mixin
    private RepetitionOption repetitionOption = new RepetitionOption(3);

    @Spec
    private CommandSpec spec;

    private final List<Map<String, Object>> results = new ArrayList<>();
    private boolean isComplete = true;

    @Override
    public Integer call() throws IOException {
        PictureFont.use();
        if (earlier == null) {
            measure();
        } else {
            for (Path file : earlier) {
                results.addAll(Results.read(file));
            }
        }
        Files.createDirectories(out);
        for (Map.Entry<String, Picture> picture :
                AblationFigures.pictures(results).entrySet()) {
            picture.getValue().save(out, picture.getKey());
        }
        System.out.println("The pictures are in " + out);
        boolean isRight = results.stream().noneMatch(result -> Boolean.FALSE.equals(result.get("verified")));
        return isComplete && isRight ? 0 : 1;
    }

    private void measure() throws IOException {
        List<Subject> subjects = types.stream().map(this::subject).toList();
        List<Knob> knobs = parameters == null
                ? List.of(Knob.values())
                : parameters.stream().map(Knob::parse).toList();
        long count = Sizes.parse(size).getFirst();
        Device named = Device.parse(device);
        if (named.kind() != Device.Kind.GPU) {
            throw new ParameterException(spec.commandLine(), "--device: use a GPU such as gpu:0, not " + device);
        }
        if (!(slowMillis >= 0)) {
            throw new ParameterException(spec.commandLine(), "--once-from: use 0 or more, not " + slowMillis);
        }
        Cuda.require();
        Map<String, Object> environment = Environment.gpu(named.ordinal());
        Environment.addRun(environment, seed, spec);
        Files.createDirectories(out);
        Path file = out.resolve("results.jsonl");
        Files.deleteIfExists(file);
        Results lines = new Results(file, environment);
        Ablation.Plan plan = new Ablation.Plan(knobs, repetitionOption.repetitions(), slowMillis, seed);
        try (Ablation ablation = new Ablation(named.ordinal(), plan, result -> {
            lines.add(result);
            result.putAll(environment);
            results.add(result);
            print(result);
        })) {
            for (Subject subject : subjects) {
                try {
                    ablation.measure(subject, count);
                } catch (InsufficientDeviceMemoryException e) {
                    System.err.println("left out: " + count + " elements of " + subject + ": " + e.getMessage());
                    isComplete = false;
                }
            }
        }
    }

    private Subject subject(String text) {
        Subject subject = Subject.parse(text);
        if (subject.isStruct() || !HistoricElement.isKnown(subject.key(), subject.payload())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--types: the published sort has no " + text + "; use some of u32,u64,f32 and the same with +u32");
        }
        return subject;
    }

    private static void print(Map<String, Object> result) {
        Knob knob = Knob.parse((String) result.get("parameter"));
        String value = knob.text(((Number) result.get("value")).longValue());
        System.out.printf(
                Locale.ROOT,
                "%-16s %-20s %-20s %-8s %-24s %s%n",
                result.get("system"),
                knob,
                value + (Results.isTrue(result, "isDefault") ? " *" : ""),
                result.get("type"),
                result.get("distribution"),
                outcome(result));
    }

    private static String outcome(Map<String, Object> result) {
        for (String reason : List.of("refused", "undefined")) {
            if (result.containsKey(reason)) {
                return reason + ": " + result.get(reason);
            }
        }
        if (!Results.isTrue(result, "verified")) {
            return "WRONG";
        }
        String rate = String.format(
                Locale.ROOT,
                "%10.3f ms %8.0f M/s",
                Results.number(result, "deviceMillisMedian"),
                Results.number(result, "deviceGigaKeysPerSecond") * 1000);
        if (result.get("phaseMillis") instanceof Map<?, ?> phases) {
            rate += "  "
                    + phases.entrySet().stream()
                            .map(phase -> String.format(
                                    Locale.ROOT, "%s %.3f", phase.getKey(), ((Number) phase.getValue()).doubleValue()))
                            .collect(Collectors.joining(", "))
                    + "; passes " + result.get("passes") + ", largest bucket " + result.get("largestBucket");
        }
        return rate;
    }
}
