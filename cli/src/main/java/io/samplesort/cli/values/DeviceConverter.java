package io.samplesort.cli.values;

import io.samplesort.Device;
import java.util.Iterator;
import java.util.List;

/// Reads devices such as `gpu:1`.
public final class DeviceConverter extends TextConverter<Device> {
    public DeviceConverter() {
        super(Device::parse);
    }

    /// Names for shells to propose. The first GPU stands for all.
    public static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("auto", "cpu", "gpu", "gpus").iterator();
        }
    }
}
