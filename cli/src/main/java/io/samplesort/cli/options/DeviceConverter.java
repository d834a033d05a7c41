package io.samplesort.cli.options;

import io.samplesort.Device;

/// Reads devices such as `gpu:1`.
final class DeviceConverter extends TextConverter<Device> {
    DeviceConverter() {
        super(Device::parse);
    }
}
