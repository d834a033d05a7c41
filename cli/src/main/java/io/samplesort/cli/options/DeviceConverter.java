package io.samplesort.cli.options;

import io.samplesort.Device;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads devices such as `gpu:1`.
public final class DeviceConverter implements ITypeConverter<Device> {
    @Override
    public Device convert(String text) {
        try {
            return Device.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
