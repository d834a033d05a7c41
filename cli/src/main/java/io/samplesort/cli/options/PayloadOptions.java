package io.samplesort.cli.options;

import io.samplesort.cli.data.ElementFile;
import io.samplesort.cli.data.Inputs;
import io.samplesort.cli.data.PayloadContents;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.UsageFailure;
import io.samplesort.cli.values.InputPathConverter;
import io.samplesort.cli.values.KeyTypeConverter;
import io.samplesort.testkit.KeyType;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/// The options that name the payloads of a file of keys, the same for every command that supports payloads.
public final class PayloadOptions {
    @Heading("Payloads that move along with the keys")
    @Option(
            names = "--payload-file",
            paramLabel = "FILE",
            converter = InputPathConverter.class,
            description = "The file of the payloads, one for each key or record; - is the standard input.")
    private Path file;

    @Option(
            names = "--payload",
            paramLabel = "TYPE",
            converter = KeyTypeConverter.class,
            description =
                    "The type of the payloads in raw files, one of those of --type. A NumPy array says it itself.")
    private KeyType type;

    /// Returns the file of the payloads; null if there are none.
    public Path file() {
        return file;
    }

    /// @throws UsageFailure if there is a type of payloads and no file of them
    public void check() {
        if (file == null && type != null) {
            throw new UsageFailure("--payload needs --payload-file");
        }
    }

    /// Opens a file of payloads and checks that there is one for each of the keys.
    ///
    /// @param isRaw whether the file is raw even if it begins like a NumPy array
    public ElementFile open(Inputs.Input input, ElementFile keys, boolean isRaw) throws IOException {
        ElementFile payloads = ElementFile.open(input, new PayloadContents(type, isRaw));
        if (payloads.count() != keys.count()) {
            throw new CommandFailure(keys.path() + " has " + keys.count() + " keys, but " + input.path() + " has "
                    + payloads.count() + " payloads: there must be one payload for each key");
        }
        return payloads;
    }
}
