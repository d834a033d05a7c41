package io.samplesort.cli;

import io.samplesort.Sorter;
import io.samplesort.cli.data.ElementFile;
import io.samplesort.cli.data.NpyHeader;
import io.samplesort.cli.data.ResultFile;
import io.samplesort.cli.options.ElementOptions;
import io.samplesort.cli.options.SorterOptions;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.Progress;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/// `samplesort argsort`.
@Command(
        name = "argsort",
        description = {
            "Finds the order of a file of numbers or records and leaves the file as it is: writes, for each place of the"
                    + " sorted order, the index of the element that belongs there. Indexes begin at 0; equal elements"
                    + " come by their index.",
            "The permutation is written beside its place and renamed when it is complete."
        })
final class ArgsortCommand implements Callable<Integer> {
    @Parameters(paramLabel = "IN", description = "The file of the keys or records.")
    private Path in;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "OUT",
            description = "Where the permutation goes: raw and little-endian, or .npy by its name.")
    private Path out;

    @Mixin
    private ElementOptions elementOptions;

    @Option(
            names = "--index-type",
            paramLabel = "TYPE",
            defaultValue = "i64",
            converter = IndexTypeConverter.class,
            description = "Type of the indexes, i32 or i64; default: ${DEFAULT-VALUE}.")
    private KeyType indexType;

    @Mixin
    private SorterOptions sorterOptions;

    @Spec
    private CommandSpec spec;

    /// Reads `i32` and `i64`: numpy.take and most other readers want signed indexes.
    static final class IndexTypeConverter implements ITypeConverter<KeyType> {
        @Override
        public KeyType convert(String text) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "i32" -> KeyType.I32;
                case "i64" -> KeyType.I64;
                default -> throw new TypeConversionException("index type '" + text + "': use i32 or i64");
            };
        }
    }

    @Override
    public Integer call() throws IOException {
        ElementFile file = elementOptions.open(in);
        if (Files.exists(out) && Files.isSameFile(in, out)) {
            throw new ParameterException(
                    spec.commandLine(), "the permutation would replace IN, the keys it is about: name another OUT");
        }
        if (indexType == KeyType.I32 && file.count() > Integer.MAX_VALUE) {
            throw new CommandFailure(in + " has " + file.count() + " "
                    + file.elements().plural() + ", too many for indexes of type i32: leave --index-type out");
        }
        sorterOptions.tell(argsort(file));
        return 0;
    }

    private SortReport argsort(ElementFile file) {
        byte[] header = ElementFile.isNpy(out) ? NpyHeader.write(indexType, file.count()) : new byte[0];
        long indexBytes = Math.multiplyExact(file.count(), indexType.byteSize());
        try (Arena arena = Arena.ofShared();
                // Stable anyway: said here, no kernels are compiled but those of an argsort.
                Sorter sorter = sorterOptions
                        .sorter(file.elements())
                        .stable()
                        .build(file.elements().type());
                ResultFile output = ResultFile.create(out, header.length + indexBytes)) {
            MemorySegment elements = file.read(arena, sorterOptions.isJson());
            MemorySegment permutation =
                    arena.allocate(Math.max(1, indexBytes), Long.BYTES).asSlice(0, indexBytes);
            SortReport report = sorter.argsort(elements, permutation);
            sorterOptions.tellCompileTime(sorter);
            try (Progress progress = Progress.of("write", indexBytes, sorterOptions.isJson())) {
                output.publish(header, permutation, progress);
            }
            return report;
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw new CommandFailure(
                    "not enough host memory for " + file.elementBytes() + " bytes of "
                            + file.elements().plural() + " and " + indexBytes + " bytes of indexes",
                    e);
        }
    }
}
