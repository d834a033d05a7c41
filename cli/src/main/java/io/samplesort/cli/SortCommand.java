package io.samplesort.cli;

import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.cli.data.Beginning;
import io.samplesort.cli.data.ElementFile;
import io.samplesort.cli.data.Inputs;
import io.samplesort.cli.data.ResultFile;
import io.samplesort.cli.options.ElementOptions;
import io.samplesort.cli.options.FileSortOptions;
import io.samplesort.cli.options.OutputOptions;
import io.samplesort.cli.options.PayloadOptions;
import io.samplesort.cli.options.SorterOptions;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.Output;
import io.samplesort.cli.report.SortProgress;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.cli.values.CountConverter;
import io.samplesort.cli.values.InputPathConverter;
import io.samplesort.cli.values.OutputPathConverter;
import io.samplesort.disk.OutputPlace;
import io.samplesort.files.FileSort;
import io.samplesort.files.types.FileColumn;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `samplesort sort`.
@Command(
        name = SortCommand.NAME,
        customSynopsis = "samplesort sort IN [-o OUT] [OPTIONS]",
        description = {
            "Sorts a file of numbers or of records.",
            "",
            "A file is raw, that is, little-endian elements and nothing else, or a one-dimensional NumPy array (.npy) of"
                    + " numbers, times, strings or records. It may be larger than the memory.",
            "",
            "The result replaces the file unless -o names another one; what comes from the standard input (-) goes to the"
                    + " standard output. It is written to a temporary file in the same folder, which is renamed when it"
                    + " is complete, so the input stays as it was if anything goes wrong. With payloads, both files are"
                    + " complete before the first one is renamed."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  samplesort sort keys.bin --type u64",
            "  samplesort sort values.npy -o sorted.npy --descending",
            "  cat keys.bin | samplesort sort - --type u64 > sorted.bin",
            "  samplesort sort keys.bin --type u64 --last 10 -o greatest.bin",
            "  samplesort sort trades.npy --by \"price desc, id\"",
            "  samplesort sort trades.bin --layout \"price:f64,id:u64\" --by \"price desc, id\"",
            "  samplesort sort ids.bin --type u32 --payload-file weights.npy"
        })
final class SortCommand implements PlainCommand {
    static final String NAME = "sort";

    @Parameters(
            paramLabel = "IN",
            converter = InputPathConverter.class,
            description = "The file of the keys or records; - is the standard input.")
    private Path in;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "OUT",
            converter = OutputPathConverter.class,
            description = "Where the sorted keys or records go; - is the standard output. A pipe or a device is written"
                    + " through to. Default: IN, or the standard output if IN is - or another pipe.")
    private Path out;

    @Mixin
    private ElementOptions elementOptions = new ElementOptions();

    @Option(
            names = "--stable",
            description =
                    "Keep equal elements in the order of the input, so that every device gives the same file. This"
                            + " is slower.")
    private boolean isStable;

    @Option(
            names = "--first",
            paramLabel = "K",
            converter = CountConverter.class,
            description =
                    "Write only the first K elements of the result, to OUT. The input is read once, with no temporary"
                            + " file but the copy of a pipe. The memory has to hold two and a quarter times K elements,"
                            + " and 16 MiB more. Not with --payload-file.")
    private Long first;

    @Option(
            names = "--last",
            paramLabel = "K",
            converter = CountConverter.class,
            description = "The same with the last K elements, in order.")
    private Long last;

    @Mixin
    private PayloadOptions payloadOptions = new PayloadOptions();

    @Option(
            names = "--payload-output",
            paramLabel = "OUT",
            converter = OutputPathConverter.class,
            description = "Where the moved payloads go; required if -o is given. Default: the file of the payloads.")
    private Path payloadOut;

    @Mixin
    private FileSortOptions fileOptions = new FileSortOptions();

    @Mixin
    private SorterOptions sorterOptions = new SorterOptions();

    @Mixin
    private OutputOptions outputOptions = new OutputOptions();

    /// Returns the command that these words ask for, without the parser. It knows one file, `--type`, `--descending`
    /// and `-o`.
    ///
    /// @param words those after the name of the command
    /// @return empty if there is anything else among the words, or something is wrong with them; the parser then reads
    ///     them
    static Optional<PlainCommand> plain(List<String> words) {
        SortCommand command = new SortCommand();
        try {
            for (Iterator<String> left = words.iterator(); left.hasNext(); ) {
                if (!command.take(left.next(), left)) {
                    return Optional.empty();
                }
            }
            return command.in == null ? Optional.empty() : Optional.of(command);
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    private boolean take(String word, Iterator<String> left) {
        return switch (word) {
            case "-o", "--output" -> takeOutput(left.next());
            case ElementOptions.TYPE -> elementOptions.takeType(left.next());
            case ElementOptions.DESCENDING -> elementOptions.takeDescending();
            default -> {
                boolean isFile = in == null && !word.startsWith("-");
                in = new InputPathConverter().convert(word);
                yield isFile;
            }
        };
    }

    private boolean takeOutput(String name) {
        boolean isWrong = out != null || name.startsWith("-") && !name.equals("-");
        out = new OutputPathConverter().convert(name);
        return !isWrong;
    }

    @Override
    public void printTo(PrintWriter givenOut, PrintWriter givenErr) {
        outputOptions.printTo(givenOut, givenErr);
    }

    @Override
    public Integer call() throws IOException {
        if (out == null && Inputs.isStream(in)) {
            out = OutputPlace.STANDARD_OUTPUT;
        }
        checkOptions();
        try (Inputs inputs = fileOptions.inputs(out == null ? in : out, outputOptions.output())) {
            ElementFile keys = elementOptions.open(inputs.open(in));
            ElementFile payloads = payloadOptions.file() == null
                    ? null
                    : payloadOptions.open(inputs.open(payloadOptions.file()), keys, elementOptions.isRaw());
            checkName(keys, out);
            checkName(payloads, payloadOut);
            Output output =
                    outputOptions.output().withDataOnOut(ResultFile.isPrinted(out) || ResultFile.isPrinted(payloadOut));
            Beginning.remark(in, keys.data(), "samplesort sort -").ifPresent(output::remark);
            sorterOptions.print(sort(keys, payloads, output), output);
            return 0;
        }
    }

    private void checkOptions() throws IOException {
        payloadOptions.check();
        checkCut();
        Path payloadIn = payloadOptions.file();
        if (payloadIn == null && payloadOut != null) {
            throw new UsageFailure("--payload-output needs --payload-file");
        }
        if (payloadIn != null && out != null && payloadOut == null) {
            throw new UsageFailure("with -o and --payload-file, say with --payload-output where the payloads go");
        }
        if (payloadIn != null && payloadOut == null && Inputs.isStream(payloadIn)) {
            throw new UsageFailure("no result can replace a pipe: say with --payload-output where the payloads go");
        }
        if (payloadIn != null && outputOf(in, out).equals(outputOf(payloadIn, payloadOut))) {
            throw new UsageFailure("keys and payloads would go to the same file");
        }
        ResultFile.checkNotShown(out, fileOptions.overwrites());
        ResultFile.checkNotShown(payloadOut, fileOptions.overwrites());
    }

    private void checkCut() {
        if (first == null && last == null) {
            return;
        }
        String option = first != null ? "--first" : "--last";
        if (first != null && last != null) {
            throw new UsageFailure("options --first and --last contradict each other: leave one of them out");
        }
        if (payloadOptions.file() != null) {
            throw new UsageFailure(option + " is for elements without payloads: leave --payload-file out");
        }
        if (out == null) {
            throw new UsageFailure(option + " writes a part of the elements, which would replace " + in
                    + ": name another file with -o");
        }
    }

    private static void checkName(ElementFile file, Path output) throws IOException {
        if (output != null) {
            file.checkNameOf(output);
        }
    }

    private static Path outputOf(Path in, Path out) {
        return (out == null ? in : out).toAbsolutePath().normalize();
    }

    private SortReport sort(ElementFile keys, ElementFile payloads, Output output) throws IOException {
        try (Sorter sorter = sorter(keys, payloads, output);
                SortProgress progress = new SortProgress(output)) {
            FileSort sort = fileOptions.fileSort(sorter).listener(progress);
            FileColumn keyColumn = keys.column(out);
            SortReport report = first != null || last != null
                    ? cut(sort, keys)
                    : payloads == null ? sort.sort(keyColumn) : sort.sort(keyColumn, payloads.column(payloadOut));
            SorterOptions.tellCompileTime(sorter, output);
            return report;
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw FileSortOptions.tooLittleMemory(e);
        }
    }

    private SortReport cut(FileSort sort, ElementFile keys) throws IOException {
        long count = first != null ? first : last;
        if (count >= keys.count()) {
            // A sort of all elements may take temporary files where the memory does not hold them.
            return sort.sort(keys.column(out));
        }
        FileSort part = first != null ? sort.first(count) : sort.last(count);
        return part.sort(keys.column(out), keys.headerFor(Math.min(count, keys.count())));
    }

    private Sorter sorter(ElementFile keys, ElementFile payloads, Output output) {
        SorterBuilder builder = sorterOptions.sorter(keys.elements(), output);
        if (isStable) {
            builder.stable();
        }
        if (payloads != null) {
            builder.payload(payloads.elements().type());
        }
        return builder.build(keys.elements().type());
    }
}
