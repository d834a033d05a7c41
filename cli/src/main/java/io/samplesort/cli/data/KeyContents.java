package io.samplesort.cli.data;

import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.testkit.KeyType;
import java.nio.file.Path;

/// What the user says about a file of keys or records.
///
/// @param type         the type of the numbers in a raw file; null if it was not said
/// @param records      the records in a raw file; null if it holds numbers
/// @param isDescending whether numbers descend
/// @param isRaw        whether the file is raw even if it begins like a NumPy array
public record KeyContents(KeyType type, Records records, boolean isDescending, boolean isRaw) implements Contents {
    @Override
    public Elements ofRaw(Path path) {
        if (records != null) {
            return records;
        }
        if (type == null) {
            throw new UsageFailure(path + " is a raw file: say what it holds, with --type for numbers or with --layout"
                    + " for records");
        }
        return new Numbers(type, isDescending);
    }

    @Override
    public Elements ofArray(Path path, KeyType type) {
        if (records != null) {
            throw new CommandFailure(path + " is a NumPy array, and --layout is for raw files: leave --layout out if it"
                    + " holds numbers; save records with a.tofile(…)");
        }
        Numbers.checkSame(path, type, this.type, option());
        return new Numbers(type, isDescending);
    }

    @Override
    public String option() {
        return records == null ? "--type" : "--layout";
    }
}
