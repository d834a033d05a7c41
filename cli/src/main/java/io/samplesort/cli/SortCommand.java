package io.samplesort.cli;

import io.samplesort.Device;
import io.samplesort.SampleSort;
import io.samplesort.SortReport;
import io.samplesort.Sorter;
import io.samplesort.testkit.KeyType;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `samplesort sort`.
@Command(
        name = "sort",
        description = {
            "Sorts a file of numbers: raw little-endian keys, or a one-dimensional NumPy .npy file.",
            "The result replaces the file unless -o names another. It is written beside its place and renamed when it is"
                    + " complete: whatever goes wrong, the input stays as it was. With a payload, both files are complete"
                    + " before the first is renamed."
        })
final class SortCommand implements Callable<Integer> {
    @Parameters(paramLabel = "IN", description = "The file of the keys.")
    private Path in;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "OUT",
            description = "Where the sorted keys go; default: IN.")
    private Path out;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            converter = KeyTypeConverter.class,
            description = {"Type of the keys in a raw file: i8, u8, i16, u16, i32, u32, i64, u64, f32 or f64."})
    private KeyType type;

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

    @Option(names = "--descending", description = "Greatest key first.")
    private boolean isDescending;

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            defaultValue = "auto",
            converter = DeviceConverter.class,
            description = "auto, cpu, gpu or gpu:N; default: ${DEFAULT-VALUE}.")
    private Device device;

    @Option(names = "--lean", description = "Use as little GPU memory as possible; slower.")
    private boolean isLean;

    @Option(
            names = "--tuning",
            paramLabel = "NAME=VALUE,…",
            defaultValue = "",
            description = "Tuning parameters of the GPU engine, such as distributionItems=16.")
    private String tuning;

    @Option(names = "--report", description = "Tell what the sort did: device, passes, phase times, memory.")
    private boolean isReporting;

    @Option(names = "--json", description = "Print the report as one line of JSON.")
    private boolean isJson;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        checkOptions();
        KeyFile keys = KeyFile.open(in, type);
        KeyFile payloads = payloadFile == null ? null : KeyFile.open(payloadFile, payloadType);
        if (payloads != null && payloads.count() != keys.count()) {
            throw new CommandFailure(in + " has " + keys.count() + " keys and " + payloadFile + " " + payloads.count()
                    + " payloads: there must be as many");
        }
        SortReport report = sort(keys, payloads);
        PrintWriter printer = spec.commandLine().getOut();
        if (isJson) {
            printer.println(Json.line(Reports.toMap(report)));
        } else if (isReporting) {
            Reports.print(report, printer);
        } else if (report.fallbackReason().isPresent()) {
            spec.commandLine()
                    .getErr()
                    .println("samplesort: sorted on the CPU: "
                            + report.fallbackReason().get());
        }
        printer.flush();
        return 0;
    }

    private void checkOptions() {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            throw new CommandFailure("files are little-endian and this machine is not: it is not supported");
        }
        if (payloadFile == null && (payloadType != null || payloadOut != null)) {
            throw usage("--payload and --payload-output need --payload-file");
        }
        if (payloadFile != null && payloadType == null && !KeyFile.isNpy(payloadFile)) {
            throw usage("--payload-file is raw: say with --payload what it holds");
        }
        if (payloadFile != null && out != null && payloadOut == null) {
            throw usage("with -o and --payload-file, say with --payload-output where the payloads go");
        }
        if (payloadFile != null && outputOf(in, out).equals(outputOf(payloadFile, payloadOut))) {
            throw usage("keys and payloads would go to the same file");
        }
        if (out != null && KeyFile.isNpy(out) != KeyFile.isNpy(in)) {
            throw usage("IN and OUT must both be .npy, or neither");
        }
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private static Path outputOf(Path in, Path out) {
        return (out == null ? in : out).toAbsolutePath().normalize();
    }

    private SortReport sort(KeyFile keyFile, KeyFile payloadKeyFile) {
        List<AtomicFile> outputs = new ArrayList<>();
        try (Arena arena = Arena.ofShared();
                Sorter sorter = sorter(keyFile, payloadKeyFile)) {
            outputs.add(AtomicFile.create(out == null ? in : out, keyFile.headerBytes() + keyFile.keyBytes()));
            if (payloadKeyFile != null) {
                outputs.add(AtomicFile.create(
                        payloadOut == null ? payloadFile : payloadOut,
                        payloadKeyFile.headerBytes() + payloadKeyFile.keyBytes()));
            }
            MemorySegment keys = read(keyFile, arena);
            MemorySegment payloads = payloadKeyFile == null ? null : read(payloadKeyFile, arena);
            SortReport report = payloads == null ? sorter.sort(keys) : sorter.sort(keys, payloads);
            write(outputs.get(0), keyFile, keys);
            if (payloads != null) {
                write(outputs.get(1), payloadKeyFile, payloads);
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
                    "not enough host memory for " + keyFile.keyBytes() + " bytes of keys and as much for"
                            + " the sort; the input is as it was",
                    e);
        } finally {
            outputs.forEach(AtomicFile::close);
        }
    }

    private Sorter sorter(KeyFile keys, KeyFile payloads) {
        Sorter.Builder builder = SampleSort.on(device)
                .order(Types.order(keys.type(), isDescending))
                .tuning(tuning)
                .lean(isLean)
                .timesPhases(isReporting || isJson);
        if (payloads != null) {
            builder.payload(Types.elementType(payloads.type()));
        }
        return builder.build(Types.elementType(keys.type()));
    }

    private MemorySegment read(KeyFile file, Arena arena) {
        try (Progress progress = Progress.of("read", file.keyBytes(), isJson)) {
            return file.read(arena, progress);
        }
    }

    private void write(AtomicFile output, KeyFile file, MemorySegment keys) throws IOException {
        try (Progress progress = Progress.of("write", file.keyBytes(), isJson)) {
            SegmentIo.write(output.channel(), MemorySegment.ofArray(file.header()), Progress.none());
            SegmentIo.write(output.channel(), keys, progress);
            output.complete();
        }
    }
}
