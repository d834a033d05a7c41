package io.samplesort.cli;

import io.samplesort.Device;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads devices such as `gpu:1`.
final class DeviceConverter implements ITypeConverter<Device> {
    @Override
    public Device convert(String text) {
        try {
            return Device.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
