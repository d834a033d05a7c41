package io.samplesort.bench.gpus;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceParts;
import io.samplesort.Sorter;
import io.samplesort.bench.workload.HostElements;
import io.samplesort.bench.workload.Subject;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// An array in the memory of one or several GPUs, as many elements on each as on the others but for one.
final class PartedElements implements AutoCloseable {
    private final List<DeviceMemory> keys = new ArrayList<>();
    private final List<DeviceMemory> payloads = new ArrayList<>();

    /// @throws io.samplesort.types.InsufficientDeviceMemoryException if a GPU has too little free memory
    PartedElements(List<Integer> ordinals, Subject subject, long count) {
        try {
            int gpus = ordinals.size();
            for (int gpu = 0; gpu < gpus; gpu++) {
                Device device = Device.gpu(ordinals.get(gpu));
                long part = count / gpus + (gpu < count % gpus ? 1 : 0);
                keys.add(DeviceMemory.allocate(device, part * subject.keyBytes()));
                if (subject.payload() != null) {
                    payloads.add(DeviceMemory.allocate(device, part * subject.payloadBytes()));
                }
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    void upload(HostElements elements) {
        copy(keys, elements.keys(), true);
        copy(payloads, elements.payloads(), true);
    }

    void download(HostElements elements) {
        copy(keys, elements.keys(), false);
        copy(payloads, elements.payloads(), false);
    }

    private static void copy(List<DeviceMemory> parts, MemorySegment host, boolean isUp) {
        long begin = 0;
        for (DeviceMemory part : parts) {
            MemorySegment slice = host.asSlice(begin, part.byteSize());
            if (isUp) {
                part.copyFrom(slice);
            } else {
                part.copyTo(slice);
            }
            begin += part.byteSize();
        }
    }

    /// Sorts and waits for the end.
    SortReport sortBy(Sorter sorter) {
        if (keys.size() == 1) {
            return sorter.sort(keys.getFirst(), payloads.toArray(DeviceMemory[]::new));
        }
        DeviceParts[] columns = payloads.isEmpty() ? new DeviceParts[0] : new DeviceParts[] {new DeviceParts(payloads)};
        return sorter.sort(new DeviceParts(keys), columns);
    }

    @Override
    public void close() {
        keys.forEach(DeviceMemory::close);
        payloads.forEach(DeviceMemory::close);
    }
}
