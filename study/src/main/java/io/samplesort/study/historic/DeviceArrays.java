package io.samplesort.study.historic;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;
import java.util.ArrayList;
import java.util.List;

/// The memory that one sort takes from the memory pool of the GPU. It gives the memory back in the order of the stream.
final class DeviceArrays implements AutoCloseable {
    private final Context context;
    private final Stream stream;
    private final List<DeviceAllocation> arrays = new ArrayList<>();

    DeviceArrays(Context context, Stream stream) {
        this.context = context;
        this.stream = stream;
    }

    /// Allocates this many bytes, but at least one, and returns their address.
    long allocate(long bytes) {
        DeviceAllocation array = DeviceAllocation.allocateAsync(context, stream, Math.max(1, bytes));
        arrays.add(array);
        return array.address();
    }

    /// Allocates this many bytes, filled with zeros.
    long allocateZeros(long bytes) {
        long address = allocate(bytes);
        stream.fill(address, (byte) 0, bytes);
        return address;
    }

    /// Allocates memory for elements.
    Elements elements(HistoricElement element, long count) {
        return new Elements(
                allocate(count * element.keyBytes()), element.hasPayload() ? allocate(count * Integer.BYTES) : 0);
    }

    /// The device addresses of keys and payloads.
    record Elements(long keys, long payloads) {}

    @Override
    public void close() {
        arrays.forEach(DeviceAllocation::close);
    }
}
