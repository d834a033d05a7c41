package io.samplesort.cli.options;

import io.samplesort.SampleSort;
import io.samplesort.SorterBuilder;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.cli.values.BufferSizeConverter;
import io.samplesort.cli.values.CountConverter;
import io.samplesort.cli.values.SizeConverter;
import io.samplesort.cli.values.ThreadsConverter;
import io.samplesort.files.LineSort;
import io.samplesort.files.types.LineOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options that say what a sort of lines may take, with the names that GNU's sort and the other commands have for
/// them.
public final class LineFileOptions {
    @Heading("Memory and device")
    @Option(
            names = {"-S", "--buffer-size"},
            paramLabel = "SIZE",
            converter = BufferSizeConverter.class,
            description =
                    "How much memory to take: 512M, 4G, 1000b (bytes) or a percentage of all. A number alone is in"
                            + " KiB. Lines that do not fit are sorted in parts. Default: half of what is available.")
    private Long bufferBytes;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "The same as for other commands: a number alone is in bytes.")
    private Long memoryBytes;

    @Option(
            names = {"-T", "--temporary-directory", "--temp"},
            paramLabel = "DIR",
            description = "The folder for sorted parts, which together are as large as all lines; several folders"
                    + " take turns. Default: what TMPDIR says, or the folder of OUT, or that of the system.")
    private List<Path> temporaryFolders = new ArrayList<>();

    @Mixin
    private WriteThroughOption writeThrough = new WriteThroughOption();

    @Mixin
    private DeviceOption deviceOption = new DeviceOption();

    @Mixin
    private GpuMemoryOptions gpuMemory = new GpuMemoryOptions();

    @Option(
            names = {"--parallel", "--threads"},
            paramLabel = "N",
            converter = ThreadsConverter.class,
            description = "The most threads that work. Default: one for each core.")
    private Integer threads;

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            converter = CountConverter.class,
            description =
                    "The most files or sorted parts that are merged at a time. Default: what fits in the memory, and"
                            + " 200 files.")
    private Long batchSize;

    @Option(names = "--compress-program", hidden = true, paramLabel = "PROG", description = "Not supported.")
    private String compressProgram;

    @Option(names = "--random-source", hidden = true, paramLabel = "FILE", description = "Not supported.")
    private String randomSource;

    @Option(names = "--debug", hidden = true, description = "Not supported.")
    private boolean isDebugging;

    /// Begins a sort of lines within these bounds.
    public LineSort lineSort(LineOrder order) {
        check();
        SorterBuilder builder = SampleSort.on(deviceOption.device()).deviceMemory(gpuMemory.mostBytes());
        if (gpuMemory.isLean()) {
            builder.lean();
        }
        if (threads != null) {
            builder.cpuThreads(threads);
        }
        LineSort sort = LineSort.with(builder, order);
        if (batchSize != null) {
            sort.mergeAtMost((int) Math.min(batchSize, Integer.MAX_VALUE));
        }
        if (bufferBytes != null) {
            sort.memory(bufferBytes);
        }
        if (memoryBytes != null) {
            sort.memory(memoryBytes);
        }
        String ofSystem = System.getenv("TMPDIR");
        if (!temporaryFolders.isEmpty()) {
            sort.temporaryFolder(
                    temporaryFolders.getFirst(),
                    temporaryFolders.subList(1, temporaryFolders.size()).toArray(Path[]::new));
        } else if (ofSystem != null && !ofSystem.isEmpty()) {
            sort.temporaryFolder(Path.of(ofSystem));
        }
        if (writeThrough.isAsked()) {
            sort.writeThrough();
        }
        return sort;
    }

    private void check() {
        if (batchSize != null && batchSize < 2) {
            throw new UsageFailure("--batch-size " + batchSize + ": fewer than 2 cannot be merged");
        }
        if (bufferBytes != null && memoryBytes != null) {
            throw new UsageFailure("-S and --memory say the same: leave one of them out");
        }
        if (compressProgram != null) {
            throw new UsageFailure("--compress-program is not supported: name a folder with room for the sorted parts"
                    + " with -T, if need be one of a file system that compresses");
        }
        if (randomSource != null) {
            throw new UsageFailure("--random-source is not supported: shuf puts lines in random order");
        }
        if (isDebugging) {
            throw new UsageFailure("--debug is not supported: GNU's sort shows with it which part of a line is a key");
        }
    }
}
