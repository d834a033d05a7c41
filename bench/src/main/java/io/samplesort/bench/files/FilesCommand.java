package io.samplesort.bench.files;

import io.samplesort.Device;
import io.samplesort.FileSort;
import io.samplesort.Sorter;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.ResultOptions;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.Sizes;
import io.samplesort.bench.results.StageRows;
import io.samplesort.bench.results.Statistics;
import io.samplesort.types.FileColumn;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

/// `bench files`.
@Command(
        name = "files",
        description =
                "Sorts files beside programs that can do the same job: numbers beside NumPy, lines of 100 bytes by"
                        + " their first ten beside GNU sort. Times are from start to end, the result forced to the disk; the"
                        + " input was written just before, so that the system may have it in memory. Results must be equal"
                        + " byte for byte.")
public final class FilesCommand implements Callable<Integer> {
    @Option(names = "--folder", required = true, description = "Where the files go; they are removed afterwards.")
    private Path folder;

    @Option(names = "--bytes", defaultValue = "2^30", description = "Of a file, about; default: ${DEFAULT-VALUE}.")
    private String bytes;

    @Option(
            names = "--memory",
            defaultValue = "2^32",
            description = "For samplesort and GNU sort; NumPy takes what it takes; default: ${DEFAULT-VALUE}.")
    private String memory;

    @Option(names = "--device", defaultValue = "auto", description = "auto, cpu, gpu or gpu:N; default: auto.")
    private String device;

    @Option(names = "--repetitions", defaultValue = "3", description = "Default: ${DEFAULT-VALUE}.")
    private int repetitions;

    @Mixin
    private ResultOptions options;

    private Results results;

    @Override
    public Integer call() throws IOException {
        Device named = Device.parse(device);
        Map<String, Object> environment = Environment.of(named);
        environment.put("memory", Sizes.parse(memory).getFirst());
        results = options.results(environment);
        boolean allRight = true;
        for (FileJob job : FileJob.values()) {
            for (long size : Sizes.parse(bytes)) {
                Path files = Files.createTempDirectory(folder, "samplesort-bench");
                try {
                    allRight &= measure(job, named, files, Math.max(1, size / job.byteSize()));
                } finally {
                    for (Path file : filesIn(files)) {
                        Files.delete(file);
                    }
                    Files.delete(files);
                }
            }
        }
        return allRight ? 0 : 1;
    }

    private static List<Path> filesIn(Path folder) throws IOException {
        try (var entries = Files.list(folder)) {
            return entries.toList();
        }
    }

    private boolean measure(FileJob job, Device named, Path files, long count) throws IOException {
        Path input = files.resolve("input");
        Path ours = files.resolve("ours");
        Path theirs = files.resolve("theirs");
        long memoryBytes = Sizes.parse(memory).getFirst();
        Optional<String> version = version(job);
        job.write(input, count, options.seed());
        List<Double> ourMillis = new ArrayList<>();
        List<Double> theirMillis = new ArrayList<>();
        SortReport report = null;
        boolean isRight = true;
        try (Sorter sorter = job.sorter(named)) {
            for (int repetition = -1; repetition < repetitions; repetition++) {
                long start = System.nanoTime();
                report = FileSort.with(sorter)
                        .memory(memoryBytes)
                        .sort(FileColumn.of(input).to(ours));
                add(ourMillis, repetition, start);
                if (version.isPresent()) {
                    start = System.nanoTime();
                    run(job.rivalCommand(input, theirs, memoryBytes));
                    force(theirs);
                    add(theirMillis, repetition, start);
                    isRight &= Files.mismatch(ours, theirs) == -1;
                }
            }
        }
        Map<String, Object> result = result("samplesort-" + device, job, count, ourMillis, isRight);
        result.put("phases", report.phases().size());
        result.put("stages", StageRows.of(report));
        results.add(result);
        if (version.isPresent()) {
            Map<String, Object> rival = result(job.rival(), job, count, theirMillis, isRight);
            rival.put("version", version.get());
            results.add(rival);
        } else {
            System.out.println(job + ": no " + job.rival() + " on this machine, so the result is not compared");
        }
        return isRight;
    }

    /// The first run only warms up.
    private static void add(List<Double> millis, int repetition, long start) {
        if (repetition >= 0) {
            millis.add((System.nanoTime() - start) * 1e-6);
        }
    }

    private Map<String, Object> result(String system, FileJob job, long count, List<Double> millis, boolean isRight) {
        double[] all = millis.stream().mapToDouble(Double::doubleValue).toArray();
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", system);
        result.put("job", job.toString());
        result.put("count", count);
        result.put("bytes", count * job.byteSize());
        Statistics.put(result, "wall", "GigaElementsPerSecond", all, count);
        result.put("verified", isRight);
        System.out.printf(
                Locale.ROOT,
                "%-6s %-16s %12d elements  %10.1f ms  %6.3f GB/s%s%n",
                job,
                system,
                count,
                Statistics.median(all),
                count * job.byteSize() / Statistics.median(all) * 1e-6,
                isRight ? "" : "  WRONG");
        return result;
    }

    private static Optional<String> version(FileJob job) {
        try {
            Process process = new ProcessBuilder(job.versionCommand()).start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? text.lines().findFirst() : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static void run(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException(command + " failed with " + code + ": " + text);
            }
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + command.getFirst() + " ran", e);
        }
    }

    /// As ours does, too.
    private static void force(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot force " + file + " to the disk", e);
        }
    }
}
