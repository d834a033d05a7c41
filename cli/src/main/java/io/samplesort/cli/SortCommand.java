package io.samplesort.cli;

import io.samplesort.FileSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.cli.data.ElementFile;
import io.samplesort.cli.options.ElementOptions;
import io.samplesort.cli.options.KeyTypeConverter;
import io.samplesort.cli.options.SizeConverter;
import io.samplesort.cli.options.SorterOptions;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.SortProgress;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.FileColumn;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `samplesort sort`.
@Command(
        name = "sort",
        description = {
            "Sorts a file of numbers or of records: raw little-endian ones, or a one-dimensional NumPy .npy file of"
                    + " numbers.",
            "The result replaces the file unless -o names another. It is written beside its place and renamed when it is"
                    + " complete: whatever goes wrong, the input stays as it was. With a payload, both files are complete"
                    + " before the first is renamed.",
            "Files may be larger than the memory."
        })
final class SortCommand implements Callable<Integer> {
    @Parameters(paramLabel = "IN", description = "The file of the keys or records.")
    private Path in;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "OUT",
            description = "Where the sorted keys or records go; default: IN.")
    private Path out;

    @Mixin
    private ElementOptions elementOptions;

    @Option(
            names = "--stable",
            description = "Equal elements keep their order, so that every device gives the same file; slower.")
    private boolean isStable;

    @Option(
            names = "--payload",
            paramLabel = "TYPE",
            converter = KeyTypeConverter.class,
            description = "Type of the payloads that move along with the keys; not needed for .npy.")
    private KeyType payloadType;

    @Option(names = "--payload-file", paramLabel = "F", description = "The file of the payloads, one for each key.")
    private Path payloadFile;

    @Option(
            names = "--payload-output",
            paramLabel = "OUT",
            description = "Where the moved payloads go; needed where -o is given, default: the payload file.")
    private Path payloadOut;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "How much memory to take for elements, such as 4G or 512M; a larger file is sorted in parts."
                    + " Default: half of what is available.")
    private Long memoryBytes;

    @Option(
            names = "--temp",
            paramLabel = "DIR",
            description = "Where the sorted parts of a file larger than the memory go until they are put together, as"
                    + " many bytes as the input; default: beside OUT.")
    private Path temporaryFolder;

    @Mixin
    private SorterOptions sorterOptions;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        checkOptions();
        ElementFile keys = elementOptions.open(in);
        ElementFile payloads = payloadFile == null ? null : ElementFile.ofNumbers(payloadFile, payloadType, false);
        if (payloads != null && payloads.count() != keys.count()) {
            throw new CommandFailure(in + " has " + keys.count() + " keys and " + payloadFile + " " + payloads.count()
                    + " payloads: there must be as many");
        }
        sorterOptions.tell(sort(keys, payloads));
        return 0;
    }

    private void checkOptions() {
        if (payloadFile == null && (payloadType != null || payloadOut != null)) {
            throw usage("--payload and --payload-output need --payload-file");
        }
        if (payloadFile != null && payloadType == null && !ElementFile.isNpy(payloadFile)) {
            throw usage("--payload-file is raw: say with --payload what it holds");
        }
        if (payloadFile != null && out != null && payloadOut == null) {
            throw usage("with -o and --payload-file, say with --payload-output where the payloads go");
        }
        if (payloadFile != null && outputOf(in, out).equals(outputOf(payloadFile, payloadOut))) {
            throw usage("keys and payloads would go to the same file");
        }
        if (out != null && ElementFile.isNpy(out) != ElementFile.isNpy(in)) {
            throw usage("IN and OUT must both be .npy, or neither");
        }
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private static Path outputOf(Path in, Path out) {
        return (out == null ? in : out).toAbsolutePath().normalize();
    }

    private SortReport sort(ElementFile keys, ElementFile payloads) {
        try (Sorter sorter = sorter(keys, payloads);
                SortProgress progress = new SortProgress(spec.commandLine().getErr(), sorterOptions.isJson())) {
            FileSort sort = FileSort.with(sorter).listener(progress);
            if (memoryBytes != null) {
                sort.memory(memoryBytes);
            }
            if (temporaryFolder != null) {
                sort.temporaryFolder(temporaryFolder);
            }
            FileColumn keyColumn = column(keys, out);
            SortReport report =
                    payloads == null ? sort.sort(keyColumn) : sort.sort(keyColumn, column(payloads, payloadOut));
            sorterOptions.tellCompileTime(sorter);
            return report;
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandFailure(e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw new CommandFailure(
                    "not enough host memory: take less with --memory, or give Java a larger heap (-Xmx); the input is"
                            + " as it was",
                    e);
        }
    }

    private static FileColumn column(ElementFile file, Path output) {
        FileColumn column = FileColumn.of(file.path()).after(file.headerBytes());
        return output == null ? column : column.to(output);
    }

    private Sorter sorter(ElementFile keys, ElementFile payloads) {
        SorterBuilder builder = sorterOptions.sorter(keys.elements());
        if (isStable) {
            builder.stable();
        }
        if (payloads != null) {
            builder.payload(payloads.elements().type());
        }
        return builder.build(keys.elements().type());
    }
}
