package io.samplesort.bench.files;

import io.samplesort.Device;
import io.samplesort.Sorter;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.Sizes;
import io.samplesort.bench.results.StageRows;
import io.samplesort.bench.results.Statistics;
import io.samplesort.files.FileSort;
import io.samplesort.files.types.FileColumn;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
                "Compares sorts of files with programs that do the same job: numbers with NumPy, and lines of 100 bytes by"
                        + " their first ten bytes with GNU sort. A time is that of the whole job until the result is on the"
                        + " disk. The input was written just before, so the system may still have it in memory. The results"
                        + " must be equal byte for byte.")
public final class FilesCommand implements Callable<Integer> {
    @Option(
            names = "--jobs",
            split = ",",
            defaultValue = "u64,lines",
            description = "What the files hold; default: ${DEFAULT-VALUE}.")
    private List<FileJob> jobs;

    @Option(
            names = "--memory",
            defaultValue = "2^32",
            description = "Memory for samplesort and GNU sort; NumPy has no such limit; default: ${DEFAULT-VALUE}.")
    private String memory;

    @Mixin
    private WholeProgramOptions options;

    private Results results;

    @Override
    public Integer call() throws IOException {
        Device named = options.device();
        Map<String, Object> environment = Environment.of(named);
        environment.put("memory", Sizes.parse(memory).getFirst());
        results = options.results(environment);
        boolean allRight = true;
        for (FileJob job : jobs) {
            for (long size : options.bytes()) {
                try (WorkFolder files = options.files()) {
                    allRight &= measure(job, named, files, Math.max(1, size / job.byteSize()));
                }
            }
        }
        return allRight ? 0 : 1;
    }

    private boolean measure(FileJob job, Device named, WorkFolder files, long count) throws IOException {
        Path input = files.file("input");
        Path ours = files.file("ours");
        Path theirs = files.file("theirs");
        long memoryBytes = Sizes.parse(memory).getFirst();
        Optional<String> version = Programs.version(job.versionCommand());
        job.write(input, count, options.seed());
        double[] ourMillis = new double[options.repetitions()];
        double[] theirMillis = new double[options.repetitions()];
        SortReport report = null;
        boolean isRight = true;
        try (Sorter sorter = job.sorter(named)) {
            // The first run only warms up.
            for (int repetition = -1; repetition < options.repetitions(); repetition++) {
                int place = Math.max(0, repetition);
                prepare(ours, count * job.byteSize());
                long start = System.nanoTime();
                report = FileSort.with(sorter)
                        .memory(memoryBytes)
                        .sort(FileColumn.of(input).to(ours));
                ourMillis[place] = (System.nanoTime() - start) * 1e-6;
                if (version.isPresent()) {
                    prepare(theirs, count * job.byteSize());
                    start = System.nanoTime();
                    Programs.run(job.rivalCommand(input, theirs, memoryBytes));
                    Programs.force(theirs);
                    theirMillis[place] = (System.nanoTime() - start) * 1e-6;
                    isRight &= Files.mismatch(ours, theirs) == -1;
                }
            }
        }
        Map<String, Object> result = result(options.ours(), job, count, ourMillis, isRight);
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

    /// Makes each run begin in the same state: without the result of the run before, which might lie in the system's
    /// cache, and with memory for the elements and for a result in that cache.
    private static void prepare(Path result, long bytes) throws IOException {
        Files.deleteIfExists(result);
        MemoryAtHand.provide(2 * bytes);
    }

    private Map<String, Object> result(String system, FileJob job, long count, double[] millis, boolean isRight) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", system);
        result.put("job", job.toString());
        result.put("count", count);
        result.put("bytes", count * job.byteSize());
        Statistics.put(result, "wall", "GigaElementsPerSecond", millis, count);
        result.put("verified", isRight);
        System.out.printf(
                Locale.ROOT,
                "%-6s %-16s %12d elements  %10.1f ms  %6.3f GB/s%s%n",
                job,
                system,
                count,
                Statistics.median(millis),
                count * job.byteSize() / Statistics.median(millis) * 1e-6,
                isRight ? "" : "  WRONG");
        return result;
    }
}
