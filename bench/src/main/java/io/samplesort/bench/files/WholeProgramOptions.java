package io.samplesort.bench.files;

import io.samplesort.Device;
import io.samplesort.bench.results.DeviceOption;
import io.samplesort.bench.results.RepetitionOption;
import io.samplesort.bench.results.ResultOptions;
import io.samplesort.bench.results.Sizes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options of benchmarks that sort files from beginning to end.
final class WholeProgramOptions extends ResultOptions {
    @Option(
            names = "--folder",
            required = true,
            description = "The folder for the files, which are removed at the end.")
    private Path folder;

    @Option(
            names = "--bytes",
            defaultValue = "2^30",
            description = "The size of a file, roughly; default: ${DEFAULT-VALUE}.")
    private String bytes;

    @Mixin
    private DeviceOption deviceOption;

    @Mixin
    private RepetitionOption repetitionOption = new RepetitionOption(3);

    /// Makes a folder for files, which is removed when it is closed.
    WorkFolder files() throws IOException {
        return WorkFolder.in(folder);
    }

    List<Long> bytes() {
        return Sizes.parse(bytes);
    }

    Device device() {
        return deviceOption.device();
    }

    /// Returns the name of samplesort in results.
    String ours() {
        return "samplesort-" + deviceOption.name();
    }

    String deviceName() {
        return deviceOption.name();
    }

    int repetitions() {
        return repetitionOption.repetitions();
    }
}
