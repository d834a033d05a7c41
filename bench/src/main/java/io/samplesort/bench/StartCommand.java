package io.samplesort.bench;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `bench start`.
@Command(
        name = "start",
        description = "Times the first sorts of a process, whose kernels are in the cache: a new process for each"
                + " repetition.")
final class StartCommand implements Callable<Integer> {
    @Option(names = "--types", split = ",", defaultValue = "u32,u64", description = "Default: ${DEFAULT-VALUE}.")
    private List<String> types;

    @Option(
            names = "--sizes",
            defaultValue = "2^20",
            description = "Such as 2^16..2^20 or 2^20,2^24; default: ${DEFAULT-VALUE}.")
    private String sizes;

    @Option(names = "--repetitions", defaultValue = "9", description = "Processes; default: ${DEFAULT-VALUE}.")
    private int repetitions;

    @Option(names = "--device", defaultValue = "0", description = "Number of the GPU; default: ${DEFAULT-VALUE}.")
    private int device;

    @Mixin
    private ResultOptions options;

    @Override
    public Integer call() {
        List<Subject> subjects = types.stream().map(Subject::parse).toList();
        List<Long> counts = Sizes.parse(sizes);
        Results results = options.results(Environment.gpu(device));
        boolean allRight = true;
        for (Subject subject : subjects) {
            for (long count : counts) {
                Map<String, Object> result = measure(subject, count);
                results.add(result);
                print(result);
                allRight &= isTrue(result, "verified") && isTrue(result, "cached");
            }
        }
        return allRight ? 0 : 1;
    }

    private Map<String, Object> measure(Subject subject, long count) {
        // Fills the cache.
        start(subject, count);
        List<Map<String, Object>> starts = new ArrayList<>();
        for (int repetition = 0; repetition < repetitions; repetition++) {
            starts.add(start(subject, count));
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", "samplesort");
        result.put("type", subject.toString());
        result.put("count", count);
        for (StartStep step : StartStep.values()) {
            Statistics.put(result, step.prefix(), millis(starts, step.key()));
        }
        result.put("cached", starts.stream().allMatch(start -> number(start, "compileMillis") == 0));
        result.put("verified", starts.stream().allMatch(start -> isTrue(start, "verified")));
        return result;
    }

    private static boolean isTrue(Map<String, Object> result, String key) {
        return Boolean.TRUE.equals(result.get(key));
    }

    private static double[] millis(List<Map<String, Object>> starts, String key) {
        return starts.stream().mapToDouble(start -> number(start, key)).toArray();
    }

    private static double number(Map<String, Object> start, String key) {
        return ((Number) start.get(key)).doubleValue();
    }

    /// What a new process reports, which runs as this one does.
    private Map<String, Object> start(Subject subject, long count) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "--enable-native-access=ALL-UNNAMED"));
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("samplesort."))
                .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
        command.addAll(List.of(
                StartProbe.class.getName(),
                subject.toString(),
                Long.toString(count),
                Long.toString(options.seed()),
                Integer.toString(device)));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String report;
            try (InputStream out = process.getInputStream()) {
                report = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            }
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException("the process that was to sort " + subject + " ended with " + code);
            }
            return JSON.std.mapFrom(report);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a process", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a process sorted " + subject, e);
        }
    }

    @SuppressWarnings("FormatString") // The check takes values of a map for unformattable.
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
                isTrue(result, "cached") ? "" : "  COMPILED",
                isTrue(result, "verified") ? "" : "  WRONG");
    }
}
