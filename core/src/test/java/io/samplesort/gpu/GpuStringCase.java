package io.samplesort.gpu;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceStrings;
import io.samplesort.types.ElementType;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Strings in the memory of host and device, whose first offset is not 0.
record GpuStringCase(Strings host, DeviceMemory bytes, DeviceMemory offsets, DeviceStrings device)
        implements AutoCloseable {
    static GpuStringCase of(List<byte[]> strings, ElementType offsetType) {
        int before = 3;
        int length = strings.stream().mapToInt(string -> string.length).sum();
        byte[] bytes = new byte[before + length];
        long[] offsets = new long[strings.size() + 1];
        int at = before;
        for (int i = 0; i < strings.size(); i++) {
            offsets[i] = at;
            System.arraycopy(strings.get(i), 0, bytes, at, strings.get(i).length);
            at += strings.get(i).length;
        }
        offsets[strings.size()] = at;
        boolean isLong = offsetType.equals(ElementType.LONG);
        int[] narrow = Arrays.stream(offsets).mapToInt(offset -> (int) offset).toArray();
        Strings host = isLong ? Strings.of(bytes, offsets) : Strings.of(bytes, narrow);
        DeviceMemory deviceBytes = DeviceMemory.allocate(Device.gpu(0), bytes.length);
        DeviceMemory deviceOffsets =
                DeviceMemory.allocate(Device.gpu(0), host.offsets().byteSize());
        deviceBytes.copyFrom(MemorySegment.ofArray(bytes));
        deviceOffsets.copyFrom(host.offsets());
        return new GpuStringCase(
                host,
                deviceBytes,
                deviceOffsets,
                new DeviceStrings(deviceBytes, deviceOffsets, offsetType, strings.size()));
    }

    int[] expected(StringOrder order) {
        return IntStream.range(0, (int) host.count())
                .boxed()
                .sorted((i, j) -> order.compare(host, i, j))
                .mapToInt(i -> i)
                .toArray();
    }

    @Override
    public void close() {
        bytes.close();
        offsets.close();
    }
}
