package io.samplesort.cli.data;

import io.samplesort.cli.report.UsageFailure;
import io.samplesort.testkit.KeyType;
import java.nio.file.Path;

/// What the user says about a file of payloads.
///
/// @param type  the type of the payloads in a raw file; null if it was not said
/// @param isRaw whether the file is raw even if it begins like a NumPy array
public record PayloadContents(KeyType type, boolean isRaw) implements Contents {
    @Override
    public Elements ofRaw(Path path) {
        if (type == null) {
            throw new UsageFailure(path + " is a raw file: say with --payload what it holds");
        }
        return new Numbers(type, false);
    }

    @Override
    public Elements ofArray(Path path, KeyType type) {
        Numbers.checkSame(path, type, this.type, option());
        return new Numbers(type, false);
    }

    @Override
    public String option() {
        return "--payload";
    }
}
