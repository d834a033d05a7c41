package io.samplesort.gpu;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Device memory for arrays of the host, one allocation each, in the order of a stream.
final class DeviceColumns implements AutoCloseable {
    private final Stream stream;
    private final List<MemorySegment> segments;
    private final List<DeviceAllocation> allocations = new ArrayList<>();
    private final Owned owned = new Owned();

    DeviceColumns(Context context, Stream stream, List<MemorySegment> segments) {
        this.stream = stream;
        this.segments = segments;
        try {
            for (MemorySegment segment : segments) {
                // The driver does not say what an allocation of 0 bytes gives.
                long bytes = Math.max(1, segment.byteSize());
                allocations.add(owned.add(DeviceAllocation.allocateAsync(context, stream, bytes)));
            }
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    long[] addresses() {
        return allocations.stream().mapToLong(DeviceAllocation::address).toArray();
    }

    void upload(HostTransfer transfer) {
        for (int i = 0; i < segments.size(); i++) {
            transfer.upload(stream, segments.get(i), allocations.get(i).address());
        }
    }

    void download(HostTransfer transfer) {
        for (int i = 0; i < segments.size(); i++) {
            transfer.download(stream, allocations.get(i).address(), segments.get(i));
        }
    }

    @Override
    public void close() {
        owned.close();
    }
}
