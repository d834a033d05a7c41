package io.samplesort.cli.options;

import io.samplesort.Device;
import io.samplesort.cli.values.DeviceConverter;
import picocli.CommandLine.Option;

/// The option that says where to sort.
public final class DeviceOption {
    @Heading("Memory and device")
    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            defaultValue = "auto",
            converter = DeviceConverter.class,
            completionCandidates = DeviceConverter.Names.class,
            description =
                    "Where to sort: cpu, gpu, gpu:N (GPU number N), gpus (all GPUs together), a list of GPUs such as"
                            + " gpu:0,gpu:2, or auto, which takes one GPU where there is one and the input is large"
                            + " enough to gain from it. Default: ${DEFAULT-VALUE}.")
    private Device device = Device.auto();

    public Device device() {
        return device;
    }
}
