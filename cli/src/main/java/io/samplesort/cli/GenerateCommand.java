package io.samplesort.cli;

import io.samplesort.cli.data.ElementFile;
import io.samplesort.cli.data.RecordGenerator;
import io.samplesort.cli.data.RecordLayout;
import io.samplesort.cli.data.ResultFile;
import io.samplesort.cli.options.OutputOptions;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.Output;
import io.samplesort.cli.report.Progress;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.cli.values.CountConverter;
import io.samplesort.cli.values.DistributionConverter;
import io.samplesort.cli.values.KeyTypeConverter;
import io.samplesort.cli.values.LayoutConverter;
import io.samplesort.cli.values.LineInputConverter;
import io.samplesort.cli.values.OutputPathConverter;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.StringInput;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `samplesort generate`.
@Command(
        name = "generate",
        customSynopsis = "samplesort generate OUT --count N (--type T | --layout L | --lines KIND) [OPTIONS]",
        description = {
            "Makes a file to sort: random numbers, records or lines of text.",
            "",
            "Numbers become a NumPy array if the name of the file ends in .npy. Otherwise the file is raw, that is,"
                    + " little-endian elements and nothing else. The same options and seed give the same file."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  samplesort generate keys.bin --type u64 --count 16M --distribution zipf",
            "  samplesort generate trades.bin --layout \"price:f64,id:u64\" --count 1M --seed 2",
            "  samplesort generate words.txt --lines words --count 10M"
        })
final class GenerateCommand implements Callable<Integer> {
    /// About this many bytes are generated at a time and then written.
    private static final long PART_BYTES = 16L << 20;

    @Parameters(
            paramLabel = "OUT",
            converter = OutputPathConverter.class,
            description = "The file to make or replace; - is the standard output.")
    private Path out;

    @Option(
            names = "--count",
            required = true,
            paramLabel = "N",
            converter = CountConverter.class,
            description = "How many numbers, records or lines to make, such as 1000000, 1e6, 16M or 2^24.")
    private long count;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            converter = KeyTypeConverter.class,
            description = "Make numbers of this type: i8, u8, i16, u16, i32, u32, i64, u64, f32 or f64.")
    private KeyType type;

    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            converter = LayoutConverter.class,
            description =
                    "Make records of these fields; samplesort sort --help says how to write them. The values of each field are uniform. In records of gensort, all bytes are printable"
                            + " ASCII.")
    private RecordLayout layout;

    @Option(
            names = "--lines",
            paramLabel = "KIND",
            converter = LineInputConverter.class,
            completionCandidates = LineInputConverter.Names.class,
            description = {
                "Make lines of text, for samplesort lines:",
                "  random     1 to 80 printable characters",
                "  urls       addresses of pages; most are of few hosts",
                "  words      words of 2 to 10 letters, some of them often",
                "  sentences  4 to 11 such words."
            })
    private StringInput lines;

    @Option(
            names = "--distribution",
            paramLabel = "NAME",
            defaultValue = "uniform",
            converter = DistributionConverter.class,
            completionCandidates = DistributionConverter.Names.class,
            description = "How numbers are distributed: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private InputDistribution distribution;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "The seed of the random numbers. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Mixin
    private OutputOptions outputOptions;

    @Override
    public Integer call() throws IOException {
        checkOptions();
        Output output = outputOptions.output().withDataOnOut(ResultFile.isPrinted(out));
        if (lines == null) {
            makeElements(output);
        } else {
            makeLines(output);
        }
        if (output.isForPrograms()) {
            output.print(toMap());
        }
        return 0;
    }

    private void makeElements(Output output) throws IOException {
        ResultFile.checkNotShown(out, false);
        long byteSize = byteSize();
        try (Arena arena = Arena.ofShared();
                ResultFile file = begin();
                Progress progress = output.progress("generate", byteSize)) {
            long elementBytes = count == 0 ? 1 : byteSize / count;
            long partLength = partLength(elementBytes);
            // The memory is 0, so the padding of records is, too.
            MemorySegment part = arena.allocate(Math.min(count, partLength) * elementBytes, Long.BYTES);
            for (long first = 0; first < count; first += partLength) {
                MemorySegment elements = part.asSlice(0, Math.min(count - first, partLength) * elementBytes);
                fill(elements, first);
                file.write(elements, progress);
            }
            file.publish().forEach(output::remark);
        }
    }

    private void makeLines(Output output) throws IOException {
        ResultFile.checkOpen(out);
        long byteSize = (long) lines.bytesOfLines(count, seed);
        try (ResultFile file = ResultFile.ofLines(out, byteSize);
                Progress progress = output.progress("generate", byteSize)) {
            lines.writeLines(count, seed, file.stream(progress));
            file.publish().forEach(output::remark);
        }
    }

    /// Returns how many elements are generated at a time, a multiple of what the generators make in one piece.
    private long partLength(long elementBytes) {
        int together = layout == null ? InputDistribution.GENERATOR_BLOCK : RecordGenerator.recordsEach(layout);
        return together * Math.max(1, PART_BYTES / (together * elementBytes));
    }

    private void fill(MemorySegment elements, long first) {
        if (layout == null) {
            distribution.fillPart(elements, type, seed, first, count);
        } else {
            RecordGenerator.fill(elements, layout, seed, first);
        }
    }

    private void checkOptions() {
        if (Stream.of(type, layout, lines).filter(Objects::nonNull).count() != 1) {
            throw new UsageFailure("say either with --type which numbers to make, or with --layout which records, or"
                    + " with --lines which lines");
        }
        if (lines != null && distribution != InputDistribution.UNIFORM) {
            throw new UsageFailure("the kind of lines says how they are distributed: leave --distribution out");
        }
        if (lines != null && ElementFile.isNpy(out)) {
            throw new UsageFailure("lines are written to text files: give OUT a name without .npy");
        }
        if (layout != null && distribution != InputDistribution.UNIFORM) {
            throw new UsageFailure(
                    "the fields of records are uniform: leave --distribution out, or make numbers with --type");
        }
        if (layout != null && ElementFile.isNpy(out)) {
            throw new UsageFailure("records are written to raw files: give OUT a name without .npy");
        }
    }

    private long byteSize() {
        try {
            return Math.multiplyExact(count, layout == null ? type.byteSize() : layout.byteSize());
        } catch (ArithmeticException e) {
            throw new CommandFailure("--count " + count + " is more than a file can hold: make fewer elements", e);
        }
    }

    private ResultFile begin() throws IOException {
        return layout == null ? ResultFile.ofNumbers(out, type, count) : ResultFile.ofRecords(out, layout, count);
    }

    private Map<String, Object> toMap() {
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("file", out.toString());
        made.put("type", lines != null ? "lines" : layout == null ? type.toString() : layout.toString());
        made.put("count", count);
        made.put("distribution", lines != null ? lines.toString() : distribution.toString());
        made.put("seed", seed);
        return made;
    }
}
