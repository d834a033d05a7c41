package io.samplesort.bench.files;

import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.Statistics;
import io.samplesort.testkit.StringInput;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `bench lines`.
@Command(
        name = "lines",
        description = "Sorts files of lines with the samplesort command and with GNU sort, whole programs by turns. A"
                + " time is that from the start of the program until the result is on the disk. The input was read"
                + " just before, so that the system may have it in memory. The results must be equal byte for byte.")
public final class LinesCommand implements Callable<Integer> {
    @Option(
            names = "--command",
            defaultValue = "bin/samplesort",
            description = "The samplesort command to measure; default: ${DEFAULT-VALUE}.")
    private Path command;

    @Option(
            names = "--inputs",
            split = ",",
            defaultValue = "random,urls,words,sentences",
            description = "What the lines are; default: ${DEFAULT-VALUE}.")
    private List<StringInput> inputs;

    @Option(
            names = "--input-folder",
            description = "The folder of the files to sort, which stay there and are taken again when they are there;"
                    + " default: they are made for each measurement.")
    private Path inputFolder;

    @Option(names = "--alone", description = "Leave GNU sort out; nothing compares the results then.")
    private boolean isAlone;

    @Option(
            names = "--memory",
            description = "Memory for either program, such as 256M or 50%%; default: what each takes by itself.")
    private String memory;

    @Option(names = "--threads", description = "Threads for either program; default: as many as there are cores.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Mixin
    private WholeProgramOptions options;

    @Override
    public Integer call() throws IOException {
        Map<String, Object> environment = Environment.of(options.device());
        environment.put("memory", memory == null ? "default" : memory);
        environment.put("threads", threads);
        Results results = options.results(environment);
        Optional<String> version = isAlone ? Optional.empty() : Programs.version(List.of("sort", "--version"));
        boolean allRight = true;
        for (StringInput input : inputs) {
            for (long size : options.bytes()) {
                try (WorkFolder files = options.files()) {
                    allRight &= measure(input, size, version, files, results);
                }
            }
        }
        return allRight ? 0 : 1;
    }

    private boolean measure(StringInput input, long size, Optional<String> version, WorkFolder files, Results results)
            throws IOException {
        Path in = inputFolder == null
                ? files.file("input")
                : inputFolder.resolve(input + "-" + size + "-" + options.seed() + ".txt");
        Path ours = files.file("ours");
        Path theirs = files.file("theirs");
        long count = write(input, size, in);
        double[] ourMillis = new double[options.repetitions()];
        double[] theirMillis = new double[options.repetitions()];
        boolean isRight = true;
        // The first run only brings the programs and the input into the system's memory.
        for (int repetition = -1; repetition < options.repetitions(); repetition++) {
            int place = Math.max(0, repetition);
            ourMillis[place] = time(ourCommand(in, ours), ours);
            if (version.isPresent() && (repetition >= 0 || options.repetitions() == 1)) {
                theirMillis[place] = time(rivalCommand(in, theirs), theirs);
                isRight &= Files.mismatch(ours, theirs) == -1;
                Files.delete(theirs);
            }
            Files.delete(ours);
        }
        long inputBytes = Files.size(in);
        Map<String, Object> own = result(options.ours(), input, count, inputBytes, ourMillis, isRight);
        own.put("verified", isRight && version.isPresent());
        results.add(own);
        if (version.isPresent()) {
            Map<String, Object> rival = result("gnu-sort", input, count, inputBytes, theirMillis, isRight);
            rival.put("version", version.get());
            results.add(rival);
        } else {
            System.out.println("GNU sort is not there or was left out, so the result is not compared.");
        }
        return isRight;
    }

    /// Writes a file of about this many bytes, and returns how many lines it has.
    private long write(StringInput input, long size, Path file) throws IOException {
        long count = Math.max(1, (long) (size / input.bytesOfLines(1, options.seed())));
        if (Files.exists(file)) {
            return count;
        }
        // A file that was not written to its end must not be taken for one that was.
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part))) {
            input.writeLines(count, options.seed(), out);
        }
        Programs.force(part);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        return count;
    }

    private static double time(List<String> command, Path out) throws IOException {
        long start = System.nanoTime();
        Programs.run(command);
        Programs.force(out);
        return (System.nanoTime() - start) * 1e-6;
    }

    private List<String> ourCommand(Path in, Path out) {
        List<String> words =
                new ArrayList<>(List.of(command.toString(), "lines", "--quiet", "--device=" + options.deviceName()));
        words.addAll(commonOptions(in, out));
        return words;
    }

    private List<String> rivalCommand(Path in, Path out) {
        List<String> words = new ArrayList<>(List.of("sort"));
        words.addAll(commonOptions(in, out));
        return words;
    }

    private List<String> commonOptions(Path in, Path out) {
        List<String> words = new ArrayList<>(
                List.of("--parallel=" + threads, "--temporary-directory=" + out.getParent(), "--output=" + out));
        if (memory != null) {
            words.add("--buffer-size=" + memory);
        }
        words.add(in.toString());
        return words;
    }

    private static Map<String, Object> result(
            String system, StringInput input, long count, long bytes, double[] millis, boolean isRight) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", system);
        result.put("input", input.toString());
        result.put("count", count);
        result.put("bytes", bytes);
        Statistics.put(result, "wall", "GigaElementsPerSecond", millis, count);
        result.put("verified", isRight);
        System.out.printf(
                Locale.ROOT,
                "%-10s %-16s %12d lines  %10.1f ms  %6.3f GB/s%s%n",
                input,
                system,
                count,
                Statistics.median(millis),
                bytes / Statistics.median(millis) * 1e-6,
                isRight ? "" : "  WRONG");
        return result;
    }
}
