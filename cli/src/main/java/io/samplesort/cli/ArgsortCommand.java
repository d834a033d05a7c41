package io.samplesort.cli;

import io.samplesort.Sorter;
import io.samplesort.cli.data.ElementFile;
import io.samplesort.cli.data.Inputs;
import io.samplesort.cli.data.ResultFile;
import io.samplesort.cli.options.ElementOptions;
import io.samplesort.cli.options.FileSortOptions;
import io.samplesort.cli.options.OutputOptions;
import io.samplesort.cli.options.SorterOptions;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.Output;
import io.samplesort.cli.report.SortProgress;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.cli.values.IndexTypeConverter;
import io.samplesort.cli.values.InputPathConverter;
import io.samplesort.cli.values.OutputPathConverter;
import io.samplesort.files.FileSort;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `samplesort argsort`.
@Command(
        name = "argsort",
        customSynopsis = "samplesort argsort IN -o OUT [OPTIONS]",
        description = {
            "Writes the order of a file's elements as a permutation.",
            "",
            "The file stays as it is. Entry i of the permutation is the index of the element that comes i-th in order;"
                    + " indexes begin at 0, and equal elements come in the order of the input. The permutation is written"
                    + " to a temporary file in the same folder, which is renamed when it is complete."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  samplesort argsort values.npy -o permutation.npy",
            "  samplesort argsort keys.bin -o permutation.bin --type u64 --index-type i32"
        })
final class ArgsortCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "IN",
            converter = InputPathConverter.class,
            description = "The file of the keys or records; - is the standard input.")
    private Path in;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "OUT",
            converter = OutputPathConverter.class,
            description = "Where the permutation goes: a NumPy array if the name ends in .npy, else raw and"
                    + " little-endian; - is the standard output.")
    private Path out;

    @Option(
            names = "--index-type",
            paramLabel = "TYPE",
            defaultValue = "i64",
            converter = IndexTypeConverter.class,
            completionCandidates = IndexTypeConverter.Names.class,
            description = "The type of the indexes, i32 or i64. Default: ${DEFAULT-VALUE}.")
    private KeyType indexType;

    @Mixin
    private ElementOptions elementOptions;

    @Mixin
    private FileSortOptions fileOptions;

    @Mixin
    private SorterOptions sorterOptions;

    @Mixin
    private OutputOptions outputOptions;

    @Override
    public Integer call() throws IOException {
        if (!Inputs.isStream(in) && Files.exists(out) && Files.isSameFile(in, out)) {
            throw new UsageFailure("the permutation would replace IN, whose order it tells: name another OUT");
        }
        ResultFile.checkNotShown(out, fileOptions.overwrites());
        try (Inputs inputs = fileOptions.inputs(out, outputOptions.output())) {
            ElementFile file = elementOptions.open(inputs.open(in));
            if (indexType == KeyType.I32 && file.count() > Integer.MAX_VALUE) {
                throw new CommandFailure(in + " has " + file.count() + " "
                        + file.elements().plural() + ", too many for indexes of type i32: leave --index-type out");
            }
            Output output = outputOptions.output().withDataOnOut(ResultFile.isPrinted(out));
            sorterOptions.print(argsort(file, output), output);
            return 0;
        }
    }

    private SortReport argsort(ElementFile file, Output output) throws IOException {
        try (Sorter sorter = sorter(file, output);
                SortProgress progress = new SortProgress(output)) {
            FileSort sort = fileOptions.fileSort(sorter).listener(progress);
            SortReport report = sort.argsort(file.column(out), ElementType.of(indexType.layout()), header(file));
            SorterOptions.tellCompileTime(sorter, output);
            return report;
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw FileSortOptions.tooLittleMemory(e);
        }
    }

    private byte[] header(ElementFile file) {
        return ResultFile.headerOfNumbers(out, indexType, file.count());
    }

    private Sorter sorter(ElementFile file, Output output) {
        return sorterOptions
                .sorter(file.elements(), output)
                .build(file.elements().type());
    }
}
