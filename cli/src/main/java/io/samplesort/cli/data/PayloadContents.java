package io.samplesort.cli.data;

import io.samplesort.cli.npy.NpyKeys;
import io.samplesort.cli.npy.NpyType;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.testkit.KeyType;
import java.nio.file.Path;
import java.util.Optional;

/// What the user says about a file of payloads.
///
/// @param type  the type of the payloads in a raw file; null if it was not said
/// @param isRaw whether the file is raw even if it begins like a NumPy array
public record PayloadContents(KeyType type, boolean isRaw) implements Contents {
    @Override
    public Elements ofRaw(Path path, Beginning beginning) {
        if (type == null) {
            throw new UsageFailure(path + " is a raw file: say with --payload what it holds");
        }
        return new Numbers(type, false);
    }

    @Override
    public Elements ofArray(Path path, NpyType type) {
        Numbers.checkSame(path, type, this.type, option());
        Optional<KeyType> number = type.keyType();
        return number.isPresent() ? new Numbers(number.get(), false) : new ArrayElements(type, NpyKeys.moved(type));
    }

    @Override
    public String option() {
        return "--payload";
    }
}
