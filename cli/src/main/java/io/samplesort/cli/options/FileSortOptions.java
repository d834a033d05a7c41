package io.samplesort.cli.options;

import io.samplesort.Sorter;
import io.samplesort.cli.data.Inputs;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.Output;
import io.samplesort.cli.values.SizeConverter;
import io.samplesort.files.FileSort;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options that say what a sort of a file may take, the same for every command that sorts one.
public final class FileSortOptions {
    @Heading("Memory and device")
    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description =
                    "How much memory to take for elements, such as 4G or 4GiB (4 x 2^30 bytes) or 4GB (4 x 10^9 bytes)."
                            + " Files that are larger are sorted or merged in parts. Default: half of what is"
                            + " available.")
    private Long memoryBytes;

    @Option(
            names = "--temp",
            paramLabel = "DIR",
            description =
                    "The folder for temporary files: the sorted parts of a file larger than the memory, which take as"
                            + " many bytes as all that is sorted (a merge has none), and the copy of an input that is a"
                            + " pipe. Default: the folder of OUT, or of IN if OUT is a pipe or a device; for copies,"
                            + " what TMPDIR says, the folder of OUT, or that of the system.")
    private Path temporaryFolder;

    @Mixin
    private WriteThroughOption writeThrough = new WriteThroughOption();

    /// Returns whether output files are to be overwritten.
    public boolean overwrites() {
        return writeThrough.isAsked();
    }

    /// Returns a sort of files within these bounds.
    public FileSort fileSort(Sorter sorter) {
        FileSort sort = FileSort.with(sorter);
        if (memoryBytes != null) {
            sort.memory(memoryBytes);
        }
        if (temporaryFolder != null) {
            sort.temporaryFolder(temporaryFolder);
        }
        if (overwrites()) {
            sort.writeThrough();
        }
        return sort;
    }

    /// Returns the inputs of a sort.
    ///
    /// @param result where its result goes
    /// @param output where the command prints
    public Inputs inputs(Path result, Output output) {
        return Inputs.copiedTo(temporaryFolder, result, output::remark);
    }

    /// Returns the failure to report if the system or the Java heap has too little memory.
    public static CommandFailure tooLittleMemory(OutOfMemoryError cause) {
        return new CommandFailure(
                "there is not enough host memory: take less with --memory, or give Java a larger heap"
                        + " (SAMPLESORT_JAVA_OPTIONS=-Xmx8g); the input is as it was",
                cause);
    }
}
