package io.samplesort.gpu.host;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.types.ElementType;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;

/// Copies between host and device memory that return when they are done, for users of device memory.
public final class DeviceCopies implements AutoCloseable {
    private final Context context;
    private final Owned owned = new Owned();
    private Stream stream;
    private HostTransfer transfer;

    public DeviceCopies(Context context) {
        this.context = context;
    }

    /// Copies all of `source` to the device.
    public void toDevice(MemorySegment source, long device) {
        try (Context.Scope scope = context.enter()) {
            open();
            transfer.upload(stream, source, device);
            stream.synchronize();
        }
    }

    /// Copies from the device to all of `target`.
    public void toHost(long device, MemorySegment target) {
        try (Context.Scope scope = context.enter()) {
            open();
            transfer.download(stream, device, target);
        }
    }

    /// Makes the stream and the pinned buffers at the first copy. Memory that only kernels use needs neither.
    private void open() {
        if (stream == null) {
            stream = owned.add(Stream.create(context));
        }
        if (transfer == null) {
            transfer = owned.add(new HostTransfer(context, Tuning.defaultFor(ElementType.LONG, null)));
        }
    }

    @Override
    public void close() {
        owned.close();
    }
}
