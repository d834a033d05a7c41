package io.samplesort.bench.start;

import com.fasterxml.jackson.jr.ob.JSON;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.ResultOptions;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.SizeOption;
import io.samplesort.bench.results.Statistics;
import io.samplesort.bench.workload.Subject;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `bench start`.
@Command(
        name = "start",
        description = "Times the first sorts of a process whose kernels are in the cache, and the initialisation of the"
                + " driver alone. Each repetition of either is a new process.")
public final class StartCommand implements Callable<Integer> {
    @Option(
            names = "--types",
            split = ",",
            defaultValue = "u32,u64",
            description = "What is sorted; default: ${DEFAULT-VALUE}.")
    private List<String> types;

    @Option(
            names = "--repetitions",
            defaultValue = "9",
            description = "Processes of each kind; default: ${DEFAULT-VALUE}.")
    private int repetitions;

    @Option(names = "--device", defaultValue = "0", description = "The number of the GPU; default: ${DEFAULT-VALUE}.")
    private int device;

    @Option(
            names = "--aot-cache",
            description = "Has Java make a cache of loaded classes first (-XX:AOTCacheOutput), and uses it.")
    private boolean usesAotCache;

    @Mixin
    private SizeOption sizeOption = new SizeOption("2^20");

    @Mixin
    private ResultOptions options;

    @Override
    public Integer call() throws IOException {
        List<Subject> subjects = types.stream().map(Subject::parse).toList();
        List<Long> counts = sizeOption.sizes();
        Results results = options.results(Environment.gpu(device));
        boolean allRight = true;
        for (Subject subject : subjects) {
            for (long count : counts) {
                Map<String, Object> result = measure(subject, count);
                results.add(result);
                print(result);
                allRight &= Results.isTrue(result, "verified") && Results.isTrue(result, "cached");
            }
        }
        return allRight ? 0 : 1;
    }

    private Map<String, Object> measure(Subject subject, long count) throws IOException {
        // The first process fills the cache of kernels.
        start(subject, count, List.of());
        Path folder = Files.createTempDirectory("samplesort");
        Path aotCache = folder.resolve("classes.aot");
        try {
            List<String> javaOptions = List.of();
            if (usesAotCache) {
                start(subject, count, List.of("-XX:AOTCacheOutput=" + aotCache));
                if (!Files.exists(aotCache)) {
                    throw new IllegalStateException(
                            "Java made no cache of classes. It makes none if the class path has folders");
                }
                javaOptions = List.of("-XX:AOTCache=" + aotCache);
            }
            List<Map<String, Object>> starts = new ArrayList<>();
            for (int repetition = 0; repetition < repetitions; repetition++) {
                Map<String, Object> start = start(subject, count, javaOptions);
                start.putAll(process(DriverProbe.class, List.of(), List.of(Integer.toString(device))));
                start.put(
                        StartStep.OURS.key(),
                        Results.number(start, StartStep.BUILD.key())
                                + Results.number(start, StartStep.FIRST_SORT.key())
                                - Results.number(start, StartStep.DRIVER.key()));
                starts.add(start);
            }
            return result(subject, count, starts);
        } finally {
            // If Java fails to make the cache, the file from which it makes the cache is left next to it.
            try (Stream<Path> files = Files.list(folder)) {
                files.map(Path::toFile).forEach(File::delete);
            }
            Files.delete(folder);
        }
    }

    private Map<String, Object> result(Subject subject, long count, List<Map<String, Object>> starts) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", "samplesort");
        result.put("type", subject.toString());
        result.put("count", count);
        result.put("aotCache", usesAotCache);
        for (StartStep step : StartStep.values()) {
            Statistics.put(result, step.prefix(), millis(starts, step.key()));
        }
        result.put("cached", starts.stream().allMatch(start -> Results.number(start, "compileMillis") == 0));
        result.put("verified", starts.stream().allMatch(start -> Results.isTrue(start, "verified")));
        return result;
    }

    private static double[] millis(List<Map<String, Object>> starts, String key) {
        return starts.stream().mapToDouble(start -> Results.number(start, key)).toArray();
    }

    /// Runs a process that sorts, and returns what it reports.
    private Map<String, Object> start(Subject subject, long count, List<String> javaOptions) throws IOException {
        return process(
                StartProbe.class,
                javaOptions,
                List.of(
                        subject.toString(),
                        Long.toString(count),
                        Long.toString(options.seed()),
                        Integer.toString(device)));
    }

    /// Runs a class in a new process with the options of this one, and returns what it reports.
    private static Map<String, Object> process(Class<?> probe, List<String> javaOptions, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(javaOptions);
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("samplesort."))
                .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
        command.add(probe.getName());
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String report = null;
        // Java itself may print something, such as a message about the cache that it makes.
        List<String> asides = new ArrayList<>();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("{")) {
                    report = line;
                } else {
                    asides.add(line);
                }
            }
        }
        try {
            int code = process.waitFor();
            if (code != 0 || report == null) {
                throw new IllegalStateException("the process of " + probe.getSimpleName() + " for "
                        + String.join(" ", arguments) + " ended with " + code + ":\n" + String.join("\n", asides));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a process ran", e);
        }
        return JSON.std.mapFrom(report);
    }

    @SuppressWarnings("FormatString") // The check believes that values of a map cannot be formatted.
    private static void print(Map<String, Object> result) {
        StringBuilder steps = new StringBuilder();
        for (StartStep step : StartStep.values()) {
            steps.append(
                    String.format(Locale.ROOT, "  %s %.1f", step.prefix(), result.get(step.prefix() + "MillisMedian")));
        }
        System.out.printf(
                Locale.ROOT,
                "%-8s %12d  ms:%s%s%s%n",
                result.get("type"),
                result.get("count"),
                steps,
                Results.isTrue(result, "cached") ? "" : "  COMPILED",
                Results.isTrue(result, "verified") ? "" : "  WRONG");
    }
}
