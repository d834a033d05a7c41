package io.samplesort.bench.results;

import io.samplesort.Device;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The option that says where samplesort sorts.
public final class DeviceOption {
    @Option(
            names = "--device",
            defaultValue = "auto",
            description = "auto, cpu, gpu or gpu:N; default: ${DEFAULT-VALUE}.")
    private String device;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /// Returns the device.
    ///
    /// @throws ParameterException if it is not written as it should be
    public Device device() {
        try {
            return Device.parse(device);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /// Returns the device as it was named.
    public String name() {
        return device;
    }
}
