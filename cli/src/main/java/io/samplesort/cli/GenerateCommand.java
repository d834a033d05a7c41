package io.samplesort.cli;

import io.samplesort.cli.data.ElementFile;
import io.samplesort.cli.data.NpyHeader;
import io.samplesort.cli.data.RecordGenerator;
import io.samplesort.cli.data.RecordLayout;
import io.samplesort.cli.data.ResultFile;
import io.samplesort.cli.options.CountConverter;
import io.samplesort.cli.options.KeyTypeConverter;
import io.samplesort.cli.options.LayoutConverter;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.Json;
import io.samplesort.cli.report.Progress;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/// `samplesort generate`.
@Command(
        name = "generate",
        description = "Makes a file to sort: of keys, raw and little-endian or .npy by its name, or of raw records.")
final class GenerateCommand implements Callable<Integer> {
    @Parameters(paramLabel = "OUT", description = "The file to make or replace.")
    private Path out;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            converter = KeyTypeConverter.class,
            description = "Type of the keys: i8, u8, i16, u16, i32, u32, i64, u64, f32 or f64.")
    private KeyType type;

    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            converter = LayoutConverter.class,
            description = "Make records of these fields, each uniform; sort --help tells how to write them. The strings"
                    + " of bytes of gensort are printable ASCII.")
    private RecordLayout layout;

    @Option(
            names = "--count",
            required = true,
            paramLabel = "N",
            converter = CountConverter.class,
            description = "How many keys or records, such as 1000000, 16M or 2^24.")
    private long count;

    @Option(
            names = "--distribution",
            paramLabel = "NAME",
            defaultValue = "uniform",
            converter = DistributionConverter.class,
            completionCandidates = DistributionNames.class,
            description = "One of ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
    private InputDistribution distribution;

    @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "Same seed, same keys; default: 1.")
    private long seed;

    @Option(names = "--json", description = "Print what was made as one line of JSON.")
    private boolean isJson;

    @Spec
    private CommandSpec spec;

    /// The names of all distributions, for the help.
    static final class DistributionNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(InputDistribution.values())
                    .map(InputDistribution::toString)
                    .iterator();
        }
    }

    /// Reads the name of a distribution.
    static final class DistributionConverter implements ITypeConverter<InputDistribution> {
        @Override
        public InputDistribution convert(String text) {
            try {
                return InputDistribution.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    @Override
    public Integer call() {
        checkOptions();
        byte[] header = ElementFile.isNpy(out) ? NpyHeader.write(type, count) : new byte[0];
        long byteSize = byteSize();
        try (Arena arena = Arena.ofShared();
                ResultFile file = ResultFile.create(out, header.length + byteSize);
                Progress progress = Progress.of("generate", byteSize, isJson)) {
            MemorySegment elements =
                    arena.allocate(Math.max(1, byteSize), Long.BYTES).asSlice(0, byteSize);
            if (layout == null) {
                distribution.fill(elements, type, seed);
            } else {
                RecordGenerator.fill(elements, layout, seed);
            }
            file.publish(header, elements, progress);
        } catch (OutOfMemoryError e) {
            throw new CommandFailure("not enough memory for " + byteSize + " bytes", e);
        }
        report();
        return 0;
    }

    private void checkOptions() {
        if ((type == null) == (layout == null)) {
            throw usage("say either with --type which keys to make, or with --layout which records");
        }
        if (layout != null && distribution != InputDistribution.UNIFORM) {
            throw usage("the fields of records are uniform: leave --distribution out, or make keys with --type");
        }
        if (layout != null && ElementFile.isNpy(out)) {
            throw usage("records are written raw: name OUT without .npy");
        }
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private long byteSize() {
        try {
            return Math.multiplyExact(count, layout == null ? type.byteSize() : layout.byteSize());
        } catch (ArithmeticException e) {
            throw new CommandFailure("--count " + count + " is more bytes than a file can have: make fewer", e);
        }
    }

    private void report() {
        if (isJson) {
            Map<String, Object> made = new LinkedHashMap<>();
            made.put("file", out.toString());
            made.put("type", layout == null ? type.toString() : layout.toString());
            made.put("count", count);
            made.put("distribution", distribution.toString());
            made.put("seed", seed);
            spec.commandLine().getOut().println(Json.line(made));
            spec.commandLine().getOut().flush();
        }
    }
}
