package io.samplesort.cli;

import io.samplesort.cli.data.Beginning;
import io.samplesort.cli.data.RawText;
import io.samplesort.cli.data.ResultFile;
import io.samplesort.cli.options.LineFileOptions;
import io.samplesort.cli.options.LineOrderOptions;
import io.samplesort.cli.options.OutputOptions;
import io.samplesort.cli.options.ReportOption;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.Output;
import io.samplesort.cli.report.SortProgress;
import io.samplesort.cli.report.StandardStreams;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.cli.values.CountConverter;
import io.samplesort.cli.values.InputPathConverter;
import io.samplesort.cli.values.OutputPathConverter;
import io.samplesort.disk.FileFailure;
import io.samplesort.files.LineSort;
import io.samplesort.files.types.LineDisorder;
import io.samplesort.files.types.LineOrder;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `samplesort lines`.
@Command(
        name = LinesCommand.NAME,
        customSynopsis = "samplesort lines [FILE...] [OPTIONS]",
        description = {
            "Sorts lines of text as GNU's sort does.",
            "",
            "The output is byte for byte that of LC_ALL=C sort with the same options. Lines come from files, or from the"
                    + " standard input, and go to the standard output unless -o names a file, which may be one of the"
                    + " inputs: it is replaced when the result is complete. There may be more lines than fit in memory."
        },
        exitCodeOnInvalidInput = LinesCommand.TROUBLE,
        exitCodeOnExecutionException = LinesCommand.TROUBLE,
        exitCodeList = {
            "0:done",
            "1:a line is out of order (-c, -C)",
            "2:failed, and nothing was changed, or the command line is wrong",
            "141:the reader of the output has gone"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  samplesort lines words.txt -o sorted.txt",
            "  samplesort lines -k 4nr --first 10 server.log",
            "  samplesort lines -t , -k 2,2nr -k 1,1 table.csv",
            "  samplesort lines -u -S 4G -T /scratch log.1 log.2 -o log.sorted",
            "  samplesort lines --by-count words.txt | head"
        })
final class LinesCommand implements PlainCommand {
    static final String NAME = "lines";
    static final int TROUBLE = 2;
    private static final int DISORDER = 1;

    /// The letters of options with a value that are read without the parser.
    private static final String WITH_VALUE = "okt";

    /// Up to this many inputs are checked for compression.
    private static final int LOOKED_AT = 20;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            converter = InputPathConverter.class,
            description = "The files; - is the standard input. Default: the standard input.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "OUT",
            converter = OutputPathConverter.class,
            description = "Where the lines go. Default: the standard output.")
    private List<Path> outs = new ArrayList<>();

    @Option(
            names = {"-u", "--unique"},
            description = "Keep only the first of lines that are equal by their keys. With -c, no lines may be equal.")
    private boolean isUnique;

    @Option(
            names = "--first",
            paramLabel = "K",
            converter = CountConverter.class,
            description =
                    "Write only the first K lines of the result, as head -n K would. Unless they are too many for the"
                            + " memory, the input is read once, and there are no sorted parts.")
    private Long first;

    @Option(
            names = "--last",
            paramLabel = "K",
            converter = CountConverter.class,
            description = "The same with the last K lines, as tail -n K would write them.")
    private Long last;

    @Option(
            names = "--count",
            description = "Write the same lines once, behind their number, as uniq -c does with the sorted lines. With"
                    + " -u, lines that are equal by their keys count as the same.")
    private boolean isCounted;

    @Option(names = "--by-count", description = "The same, and then the greatest number first, as sort -rn does.")
    private boolean isByCount;

    @Option(
            names = {"-m", "--merge"},
            description = "Merge files that are sorted already.")
    private boolean isMerging;

    @Option(
            names = {"-c", "--check"},
            description = "Only check whether the lines are sorted, and tell the first one that is not.")
    private boolean isChecking;

    @Option(names = "-C", description = "The same with nothing told but the exit code; also --check=quiet.")
    private boolean isCheckingSilently;

    @Option(
            names = "--files0-from",
            paramLabel = "LIST",
            converter = InputPathConverter.class,
            description = "Sort the files whose names this file has, each with a byte 0 behind it.")
    private Path list;

    @Mixin
    private LineOrderOptions orderOptions = new LineOrderOptions();

    @Mixin
    private LineFileOptions fileOptions = new LineFileOptions();

    @Mixin
    private ReportOption reportOption = new ReportOption();

    @Mixin
    private OutputOptions outputOptions = new OutputOptions();

    /// Returns the command that these words ask for, without the parser. It knows files, `-u`, `-o`, and the letters of
    /// options that say how lines compare.
    ///
    /// @param words those after the name of the command
    /// @return empty if there is anything else among the words, or something is wrong with them; the parser then reads
    ///     them
    static Optional<PlainCommand> plain(List<String> words) {
        LinesCommand command = new LinesCommand();
        try {
            for (Iterator<String> left = words.iterator(); left.hasNext(); ) {
                String word = left.next();
                if (!word.startsWith("-") || word.equals("-")) {
                    command.files.add(new InputPathConverter().convert(word));
                } else if (!command.take(word, left)) {
                    return Optional.empty();
                }
            }
            return Optional.of(command);
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    /// Takes a word of letters. The last letter may have a value in the same word or the next one.
    ///
    /// @return whether all of them are known
    private boolean take(String word, Iterator<String> left) {
        for (int i = 1; i < word.length(); i++) {
            char letter = word.charAt(i);
            String value = null;
            if (WITH_VALUE.indexOf(letter) >= 0) {
                value = i + 1 < word.length() ? word.substring(i + 1) : left.next();
                i = word.length();
            }
            if (value != null && value.startsWith("=")) {
                return false;
            } else if (letter == 'o') {
                outs.add(new OutputPathConverter().convert(value));
            } else if (letter == 'u') {
                isUnique = true;
            } else if (!orderOptions.take(letter, value)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void printTo(PrintWriter out, PrintWriter err) {
        outputOptions.printTo(out, err);
    }

    /// Gives options of GNU's sort the short names that other commands have for their help and their version.
    static void takeShortNames(CommandLine lines) {
        CommandSpec spec = lines.getCommandSpec();
        // Both names have to be free before they are given again.
        rename(spec, "--help", "--help");
        rename(spec, "--version", "--version");
        rename(spec, "--human-numeric-sort", "-h", "--human-numeric-sort");
        rename(spec, "--version-sort", "-V", "--version-sort");
        lines.setOverwrittenOptionsAllowed(true);
    }

    private static void rename(CommandSpec spec, String name, String... names) {
        OptionSpec option = spec.findOption(name);
        // The other commands' outlines have no options.
        if (option != null) {
            spec.remove(option);
            spec.addOption(OptionSpec.builder(option).names(names).build());
        }
    }

    @Override
    public Integer call() throws IOException {
        LineOrder order = orderOptions.order();
        try {
            LineSort sort = fileOptions.lineSort(order);
            if (isUnique) {
                sort.unique();
            }
            if (first != null) {
                sort.first(first);
            } else if (last != null) {
                sort.last(last);
            }
            if (isByCount) {
                sort.byCount();
            } else if (isCounted) {
                sort.counts();
            }
            checkContradictions();
            List<Path> inputs = inputs();
            inputs.forEach(StandardStreams::checkInput);
            return isChecking || isCheckingSilently ? check(sort, inputs) : sort(sort, inputs);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw new CommandFailure(
                    "there is not enough host memory: take less with -S, or give Java a larger heap"
                            + " (SAMPLESORT_JAVA_OPTIONS=-Xmx8g); the inputs are as they were",
                    e);
        }
    }

    private int sort(LineSort sort, List<Path> inputs) throws IOException {
        Path target = outs.isEmpty() ? LineSort.STANDARD_OUTPUT : outs.getFirst();
        ResultFile.checkOpen(target);
        Output output = outputOptions.output().withDataOnOut(ResultFile.isPrinted(target));
        inputs.stream()
                .limit(LOOKED_AT)
                .forEach(input ->
                        Beginning.remark(input, input, "samplesort lines").ifPresent(output::remark));
        try (SortProgress progress = new SortProgress(output)) {
            sort.listener(progress);
            reportOption.print(isMerging ? sort.merge(inputs, target) : sort.sort(inputs, target), output);
            return 0;
        }
    }

    private void checkContradictions() {
        if (isChecking && isCheckingSilently) {
            throw new UsageFailure("options -c and -C contradict each other: leave one of them out");
        }
        if ((isChecking || isCheckingSilently) && !outs.isEmpty()) {
            throw new UsageFailure("a check has no output: leave -o out");
        }
        if ((isChecking || isCheckingSilently) && (isCounted || isByCount)) {
            throw new UsageFailure("a check counts no lines: leave --count and --by-count out");
        }
        if (first != null && last != null) {
            throw new UsageFailure("options --first and --last contradict each other: leave one of them out");
        }
        if ((first != null || last != null) && (isMerging || isChecking || isCheckingSilently)) {
            String option = first != null ? "--first" : "--last";
            throw new UsageFailure(
                    isMerging
                            ? option + " is for sorts: leave it out, and let -m write to "
                                    + (first != null ? "head -n " + first : "tail -n " + last)
                            : "a check has no output: leave " + option + " out");
        }
        if ((first != null || last != null) && isCounted && !isByCount) {
            String option = first != null ? "--first" : "--last";
            throw new UsageFailure(
                    option + " counts no lines that it leaves out: leave it out, and let --count write to "
                            + (first != null ? "head -n " + first : "tail -n " + last) + ", or use --by-count");
        }
        for (Path out : outs) {
            if (!out.equals(outs.getFirst())) {
                throw new UsageFailure("the lines go to one output: leave out -o " + outs.getFirst() + " or -o " + out);
            }
        }
    }

    private List<Path> inputs() throws IOException {
        if (list == null) {
            return files.isEmpty() ? List.of(LineSort.STANDARD_INPUT) : files;
        }
        if (!files.isEmpty()) {
            throw new UsageFailure("--files0-from names the files: leave " + files.getFirst() + " out");
        }
        StandardStreams.checkInput(list);
        byte[] names;
        try (InputStream in = list.equals(LineSort.STANDARD_INPUT) ? System.in : Files.newInputStream(list)) {
            names = in.readAllBytes();
        } catch (IOException e) {
            throw new FileFailure("cannot read the list " + list, e);
        }
        List<Path> named = new ArrayList<>();
        for (byte[] name : RawText.split(names)) {
            named.add(file(named.size() + 1, RawText.decode(name)));
        }
        if (named.isEmpty()) {
            throw new CommandFailure(list + " is empty: it has to name a file, with a byte 0 behind the name");
        }
        return named;
    }

    private Path file(int number, String name) {
        if (name.isEmpty()) {
            throw new CommandFailure("name " + number + " in " + list
                    + " is empty: the list has a byte 0 behind each name of a file, and nowhere else");
        }
        if (name.equals("-") && list.equals(LineSort.STANDARD_INPUT)) {
            throw new CommandFailure("name " + number + " in " + list
                    + " is -, the standard input, which is the list itself: name a file in its place");
        }
        return new InputPathConverter().convert(name);
    }

    private int check(LineSort sort, List<Path> inputs) throws IOException {
        if (inputs.size() > 1) {
            throw new UsageFailure("only one file is checked at a time: leave " + inputs.get(1) + " out");
        }
        Optional<LineDisorder> disorder = sort.firstDisorder(inputs.getFirst());
        if (disorder.isPresent() && !isCheckingSilently) {
            tell(disorder.get());
        }
        return disorder.isPresent() ? DISORDER : 0;
    }

    /// Prints a line that is out of order on the error stream, byte for byte as it is.
    private void tell(LineDisorder disorder) {
        String file = disorder.file().equals(LineSort.STANDARD_INPUT)
                ? "-"
                : disorder.file().toString();
        Output.remark(
                outputOptions.output().err(),
                file + ":" + disorder.line() + ": disorder: " + RawText.decode(disorder.text()));
    }
}
