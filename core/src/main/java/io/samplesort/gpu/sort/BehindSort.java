package io.samplesort.gpu.sort;

import io.samplesort.gpu.plan.DividingLayout;
import io.samplesort.gpu.plan.DividingMemory;
import io.samplesort.gpu.plan.GivenSegments;
import java.lang.foreign.MemorySegment;

/// Sorts what a first pass of several GPUs has left on one of them, by dividing it further.
public final class BehindSort {
    private final DividingLayout layout;

    BehindSort(DividingLayout layout) {
        this.layout = layout;
    }

    /// Returns the bytes of device memory that it takes beside the segments.
    public long byteSize() {
        return layout.byteSize();
    }

    /// Returns the number of passes, the first one included.
    public int passes() {
        return layout.passCount();
    }

    /// Returns how often an element is read and written, in the first pass, too.
    public int rounds() {
        return passes() + 1;
    }

    /// Puts the sort on a stream.
    ///
    /// @param call     whose input is where the segments lie, the first of them at the beginning. From there on this
    ///     needs as much memory as all of them take.
    /// @param segments what the first pass has left
    /// @param pinned   memory for [GivenSegments#bytes], which has to stay as it is until the stream has come this far
    void enqueue(SortCall call, GivenSegments segments, MemorySegment pinned) {
        try (DividingMemory memory =
                new DividingMemory(call.allocate(layout.memory), layout, call.output(), call.input())) {
            segments.upload(memory, pinned);
            new Phases(call, memory, null).sortBuckets();
        }
    }
}
