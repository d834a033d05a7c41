package io.samplesort.cli.data;

import io.samplesort.cli.npy.HeaderException;
import io.samplesort.cli.npy.NpyKeys;
import io.samplesort.cli.npy.NpyType;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.FieldOrder;
import java.nio.file.Path;
import java.util.Optional;

/// What the user says about a file of keys or records.
///
/// @param type         the type of the numbers in a raw file; null if it was not said
/// @param records      the records in a raw file; null if it holds numbers
/// @param by           the fields by which the records of a NumPy array are sorted; null if they were not named
/// @param isDescending whether the greatest element comes first
/// @param isRaw        whether the file is raw even if it begins like a NumPy array
public record KeyContents(KeyType type, Records records, FieldOrder by, boolean isDescending, boolean isRaw)
        implements Contents {
    @Override
    public Elements ofRaw(Path path, Beginning beginning) {
        if (records != null) {
            return records;
        }
        if (by != null) {
            throw new UsageFailure("--by names fields of records: say with --layout which fields they have");
        }
        if (type == null && beginning.isText()) {
            throw new UsageFailure(
                    path + " looks like text, which samplesort lines sorts: if it holds numbers or records"
                            + " in binary form, say so with --type or --layout");
        }
        if (type == null) {
            throw new UsageFailure(path + " is a raw file: say what it holds, with --type for numbers or with --layout"
                    + " for records");
        }
        return new Numbers(type, isDescending);
    }

    @Override
    public Elements ofArray(Path path, NpyType type) throws HeaderException {
        if (records != null) {
            throw new CommandFailure(
                    path + " is a NumPy array, which says itself what it holds, and --layout is for raw"
                            + " files: leave --layout out, or say with --raw that the file is raw");
        }
        Numbers.checkSame(path, type, this.type, option());
        if (type.isStructured()) {
            return ofRecords(type);
        }
        if (by != null) {
            throw new UsageFailure("--by names fields of records, and " + path + " holds " + type
                    + " elements, which have none: leave --by out");
        }
        Optional<KeyType> number = type.keyType();
        return number.isPresent()
                ? new Numbers(number.get(), isDescending)
                : new ArrayElements(type, NpyKeys.plain(type, isDescending));
    }

    private Elements ofRecords(NpyType type) throws HeaderException {
        if (isDescending) {
            throw new UsageFailure("--descending is for elements without fields: write desc after the fields of --by,"
                    + " as in --by \"" + type.shownNames().getFirst() + " desc\"");
        }
        return new ArrayElements(type, NpyKeys.records(type, by));
    }

    @Override
    public String option() {
        return records == null ? "--type" : "--layout";
    }
}
