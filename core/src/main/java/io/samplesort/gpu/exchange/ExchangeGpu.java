package io.samplesort.gpu.exchange;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.sort.DeviceSort;
import java.lang.foreign.MemorySegment;

/// What one GPU sorts with.
///
/// @param stream   for all its work, except copies that run at the same time
/// @param readBack pinned memory for one long
public record ExchangeGpu(DeviceSort sort, Stream stream, MemorySegment readBack) {
    public Context context() {
        return sort.context();
    }

    /// Returns what errors call the GPU.
    public String name() {
        return "gpu:" + context().device().ordinal();
    }

    public boolean isSameAs(ExchangeGpu other) {
        return context().device().ordinal() == other.context().device().ordinal();
    }

    /// Puts a copy to the memory of a GPU on the stream of this one.
    public void copyTo(ExchangeGpu other, long target, long source, long bytes) {
        copyTo(stream, other, target, source, bytes);
    }

    /// Puts a copy to the memory of a GPU on a stream of this one.
    public void copyTo(Stream on, ExchangeGpu other, long target, long source, long bytes) {
        if (bytes == 0) {
            return;
        }
        if (isSameAs(other)) {
            on.copyOnDevice(target, source, bytes);
        } else {
            on.copyBetween(target, other.context(), source, context(), bytes);
        }
    }
}
