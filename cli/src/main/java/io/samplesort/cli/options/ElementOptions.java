package io.samplesort.cli.options;

import io.samplesort.cli.data.ElementFile;
import io.samplesort.cli.data.Inputs;
import io.samplesort.cli.data.KeyContents;
import io.samplesort.cli.data.RecordLayout;
import io.samplesort.cli.data.Records;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.cli.values.KeyTypeConverter;
import io.samplesort.cli.values.LayoutConverter;
import io.samplesort.cli.values.OrderConverter;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.FieldOrder;
import java.io.IOException;
import java.nio.ByteOrder;
import picocli.CommandLine.Option;

/// The options that say what a file holds and in which order, the same for every command that reads one.
public final class ElementOptions {
    public static final String TYPE = "--type";
    public static final String DESCENDING = "--descending";

    @Heading("What the file holds")
    @Option(
            names = TYPE,
            paramLabel = "TYPE",
            converter = KeyTypeConverter.class,
            description =
                    "The type of the numbers in a raw file: i8, u8, i16, u16, i32, u32, i64, u64, f32 or f64. A NumPy"
                            + " array says it itself.")
    private KeyType type;

    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            converter = LayoutConverter.class,
            description = {
                "The fields of the records in a raw file, in the order of their bytes, such as",
                "  price:f64,id:i32,_:4,name:bytes[16]",
                "A field has one of the types above, or bool, or bytes[n]; write a big-endian number as u32be. Write"
                        + " padding of n bytes as _:n; no other"
                        + " padding is assumed. The layout gensort is the record of the sort benchmark: 10 bytes of key and 90 of value, which need no --by."
            })
    private RecordLayout layout;

    @Option(names = "--raw", description = "All files are raw, even one that begins like a NumPy array.")
    private boolean isRaw;

    @Heading("The order")
    @Option(
            names = DESCENDING,
            description = "The greatest element comes first. For records, write desc after a field of --by.")
    private boolean isDescending;

    @Option(
            names = "--by",
            paramLabel = "ORDER",
            converter = OrderConverter.class,
            description = {
                "The fields that put the records of a raw file or of a NumPy array in order, such as \"price desc, id\". Where the first fields are equal, the"
                        + " next one decides. Each is written",
                "  field [asc|desc] [nulls first|last by valid]",
                "and is null where the field valid, which has one byte, is 0. Strings of bytes compare as unsigned"
                        + " bytes."
            })
    private FieldOrder by;

    /// Takes the type that was given, as the parser would.
    ///
    /// @return whether it is the first one
    public boolean takeType(String given) {
        boolean isFirst = type == null;
        type = new KeyTypeConverter().convert(given);
        return isFirst;
    }

    /// Takes the option that reverses the order, as the parser would.
    ///
    /// @return whether it was not given before
    public boolean takeDescending() {
        boolean isFirst = !isDescending;
        isDescending = true;
        return isFirst;
    }

    /// Opens a file and checks that it holds whole elements of what these options say.
    ///
    /// @throws IOException  if it cannot be read
    /// @throws UsageFailure if the options contradict each other
    public ElementFile open(Inputs.Input input) throws IOException {
        check();
        Records records = layout == null ? null : new Records(layout, order());
        return ElementFile.open(input, new KeyContents(type, records, by, isDescending, isRaw));
    }

    /// Returns whether files are raw even if they begin like NumPy arrays.
    public boolean isRaw() {
        return isRaw;
    }

    private void check() {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            throw new CommandFailure("files are little-endian and this machine is not: it is not supported");
        }
        if (layout != null && type != null) {
            throw new UsageFailure("--type is for files of numbers and --layout for files of records: leave one out");
        }
        if (layout != null && isDescending) {
            throw new UsageFailure(
                    "--descending is for files of numbers: write desc after the fields of --by, as in --by \""
                            + layout.type().fields().getFirst().name() + " desc\"");
        }
    }

    private FieldOrder order() {
        try {
            return layout.order(by);
        } catch (IllegalArgumentException e) {
            throw new UsageFailure(e.getMessage());
        }
    }
}
