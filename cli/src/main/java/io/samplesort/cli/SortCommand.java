package io.samplesort.cli;

import io.samplesort.SortReport;
import io.samplesort.Sorter;
import io.samplesort.testkit.KeyType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
                    + " before the first is renamed."
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

    private SortReport sort(ElementFile keysFile, ElementFile payloadsFile) {
        List<AtomicFile> outputs = new ArrayList<>();
        try (Arena arena = Arena.ofShared();
                Sorter sorter = sorter(keysFile, payloadsFile)) {
            outputs.add(AtomicFile.create(out == null ? in : out, keysFile.fileBytes()));
            if (payloadsFile != null) {
                outputs.add(AtomicFile.create(payloadOut == null ? payloadFile : payloadOut, payloadsFile.fileBytes()));
            }
            MemorySegment keys = keysFile.read(arena, sorterOptions.isJson());
            MemorySegment payloads = payloadsFile == null ? null : payloadsFile.read(arena, sorterOptions.isJson());
            SortReport report = payloads == null ? sorter.sort(keys) : sorter.sort(keys, payloads);
            sorterOptions.tellCompileTime(sorter);
            write(outputs.get(0), keysFile, keys);
            if (payloads != null) {
                write(outputs.get(1), payloadsFile, payloads);
            }
            for (AtomicFile output : outputs) {
                output.publish();
            }
            return report;
        } catch (IOException e) {
            throw new CommandFailure("cannot write the result: " + e.getMessage() + "; the input is as it was", e);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw new CommandFailure(
                    "not enough host memory for " + keysFile.elementBytes() + " bytes of keys and as much for"
                            + " the sort; the input is as it was",
                    e);
        } finally {
            outputs.forEach(AtomicFile::close);
        }
    }

    private Sorter sorter(ElementFile keys, ElementFile payloads) {
        Sorter.Builder builder = sorterOptions.sorter(keys.elements());
        if (isStable) {
            builder.stable();
        }
        if (payloads != null) {
            builder.payload(payloads.elements().type());
        }
        return builder.build(keys.elements().type());
    }

    private void write(AtomicFile output, ElementFile file, MemorySegment keys) throws IOException {
        try (Progress progress = Progress.of("write", file.elementBytes(), sorterOptions.isJson())) {
            output.write(file.header(), keys, progress);
        }
    }
}
