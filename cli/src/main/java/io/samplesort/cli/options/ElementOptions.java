package io.samplesort.cli.options;

import io.samplesort.cli.data.ElementFile;
import io.samplesort.cli.data.RecordLayout;
import io.samplesort.cli.data.Records;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.FieldOrder;
import java.nio.ByteOrder;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The options that say what a file holds and in which order it is to stand, the same for every command that reads one.
public final class ElementOptions {
    @Option(
            names = "--type",
            paramLabel = "TYPE",
            converter = KeyTypeConverter.class,
            description = "Type of the keys in a raw file: i8, u8, i16, u16, i32, u32, i64, u64, f32 or f64.")
    private KeyType type;

    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            converter = LayoutConverter.class,
            description = {
                "The fields of the records in a raw file, in the order of their bytes, as in"
                        + " price:f64,id:i32,_:4,name:bytes[16]. Types are those of --type, bool and bytes[n]; _:n is a"
                        + " padding of n bytes, and there is no other.",
                "gensort stands for the records of the sort benchmark: key:bytes[10],value:bytes[90], by key."
            })
    private RecordLayout layout;

    @Option(
            names = "--by",
            paramLabel = "ORDER",
            converter = OrderConverter.class,
            description = {
                "The fields by which records compare, as in \"price desc, id\": for each"
                        + " field [asc|desc] [nulls first|last by validityField]. Where all so far are equal, the next"
                        + " decides.",
                "A field is null where its validityField, of one byte, is 0. Strings of bytes compare as unsigned bytes."
            })
    private FieldOrder by;

    @Option(names = "--descending", description = "Greatest key first; for records, write desc after fields of --by.")
    private boolean isDescending;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /// Looks at a file and checks that it holds whole elements of what these options say.
    ///
    /// @throws ParameterException if the options contradict each other
    public ElementFile open(Path path) {
        check();
        return layout == null
                ? ElementFile.ofNumbers(path, type, isDescending)
                : ElementFile.ofRecords(path, new Records(layout, order()));
    }

    private void check() {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            throw new CommandFailure("files are little-endian and this machine is not: it is not supported");
        }
        if (layout == null && by != null) {
            throw usage("--by names fields of records: say with --layout which fields they have");
        }
        if (layout != null && type != null) {
            throw usage("--type is for files of numbers and --layout for files of records: leave one out");
        }
        if (layout != null && isDescending) {
            throw usage("--descending is for files of numbers: write desc after the fields of --by, as in --by \""
                    + layout.type().fields().getFirst().name() + " desc\"");
        }
    }

    private FieldOrder order() {
        try {
            return layout.order(by);
        } catch (IllegalArgumentException e) {
            throw usage(e.getMessage());
        }
    }

    private ParameterException usage(String message) {
        return new ParameterException(command.commandLine(), message);
    }
}
