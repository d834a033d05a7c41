package io.samplesort.cli;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.cli.data.ElementFile;
import io.samplesort.cli.data.Elements;
import io.samplesort.cli.data.Inputs;
import io.samplesort.cli.data.ResultFile;
import io.samplesort.cli.options.ElementOptions;
import io.samplesort.cli.options.FileSortOptions;
import io.samplesort.cli.options.OutputOptions;
import io.samplesort.cli.options.ReportOption;
import io.samplesort.cli.options.ThreadsOption;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.Output;
import io.samplesort.cli.report.SortProgress;
import io.samplesort.cli.values.InputPathConverter;
import io.samplesort.cli.values.OutputPathConverter;
import io.samplesort.disk.FileFailure;
import io.samplesort.files.types.FileColumn;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `samplesort merge`.
@Command(
        name = "merge",
        customSynopsis = "samplesort merge IN... -o OUT [OPTIONS]",
        description = {
            "Merges files of numbers or of records that are sorted already.",
            "",
            "The options say what the files hold and in which order they are. Of equal elements, those of the first file"
                    + " come first. Each file is read once, and checked: an element that is out of order ends the merge,"
                    + " and its place is told. The result is raw or a NumPy array, as the first file is, and is written"
                    + " to a temporary file in the same folder, which is renamed when it is complete."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  samplesort merge monday.bin tuesday.bin -o both.bin --type u64",
            "  samplesort merge a.npy b.npy c.npy -o all.npy --by \"price desc, id\""
        })
final class MergeCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "IN",
            arity = "1..*",
            converter = InputPathConverter.class,
            description = "The sorted files; - is the standard input.")
    private List<Path> in;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "OUT",
            converter = OutputPathConverter.class,
            description = "Where the merged elements go, which may be one of the files; - is the standard output.")
    private Path out;

    @Mixin
    private ElementOptions elementOptions;

    @Mixin
    private FileSortOptions fileOptions;

    @Mixin
    private ThreadsOption threads;

    @Mixin
    private ReportOption reportOption;

    @Mixin
    private OutputOptions outputOptions;

    @Override
    public Integer call() throws IOException {
        ResultFile.checkNotShown(out, fileOptions.overwrites());
        try (Inputs inputs = fileOptions.inputs(out, outputOptions.output())) {
            List<ElementFile> files = new ArrayList<>();
            for (Path path : in) {
                files.add(elementOptions.open(inputs.open(path)));
                files.getFirst().checkSameElements(files.getLast());
            }
            files.getFirst().checkNameOf(out);
            Output output = outputOptions.output().withDataOnOut(ResultFile.isPrinted(out));
            reportOption.print(merge(files, output), output);
            return 0;
        }
    }

    private SortReport merge(List<ElementFile> files, Output output) throws IOException {
        List<FileColumn> columns = files.stream().map(file -> file.column(out)).toList();
        byte[] header = files.getFirst()
                .headerFor(files.stream().mapToLong(ElementFile::count).sum());
        try (Sorter sorter = sorter(files.getFirst().elements());
                SortProgress progress = new SortProgress(output)) {
            return fileOptions.fileSort(sorter).listener(progress).merge(columns, header);
        } catch (FileFailure e) {
            throw new CommandFailure(withNames(e.getMessage(), files), e);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw FileSortOptions.tooLittleMemory(e);
        }
    }

    /// Returns a message with the names that the user knows in the place of copies of streams.
    private static String withNames(String message, List<ElementFile> files) {
        String named = message;
        for (ElementFile file : files) {
            named = named.replace(file.data().toString(), file.path().toString());
        }
        return named;
    }

    private Sorter sorter(Elements elements) {
        SorterBuilder builder = SampleSort.onCpu().order(elements.order());
        threads.limit(builder);
        return builder.build(elements.type());
    }
}
