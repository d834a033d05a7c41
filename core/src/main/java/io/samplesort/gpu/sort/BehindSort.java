package io.samplesort.gpu.sort;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.launch.DividingLayout;
import io.samplesort.gpu.launch.DividingMemory;
import io.samplesort.gpu.launch.GivenSegments;
import io.samplesort.gpu.launch.Workspace;
import java.lang.foreign.MemorySegment;

/// Sorts the buckets that a first pass of several GPUs has left on one of them, by dividing them further.
public final class BehindSort {
    private final SortLauncher launcher;
    private final DividingLayout layout;

    BehindSort(SortLauncher launcher, DividingLayout layout) {
        this.launcher = launcher;
        this.layout = layout;
    }

    /// Returns the bytes of device memory that the sort takes in addition to the segments.
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
    /// @param segments   the segments that the first pass has left
    /// @param pinned     memory for [GivenSegments#bytes], which must not change until the stream has reached the sort
    /// @param received   device addresses of the arrays that the pass has written, from the first segment on. The sort
    ///     needs as much memory there as all segments take.
    /// @param targets    device addresses of the sorted columns
    /// @param room       memory for this sort alone while it runs; if it is too small, the sort takes other memory
    public void enqueue(
            Stream on,
            GivenSegments segments,
            MemorySegment pinned,
            long[] received,
            long[] targets,
            DeviceAllocation room,
            HostWait host) {
        DeviceElements input = DeviceElements.of(received);
        DeviceElements output = DeviceElements.of(targets);
        SortCall call = new SortCall(launcher, on, input, output, PhaseTimer.none(), host, 0);
        Workspace workspace =
                room.byteSize() >= byteSize() ? new Workspace(on, layout.memory, room) : call.allocate(layout.memory);
        try (DividingMemory memory = new DividingMemory(workspace, layout, output, input)) {
            segments.upload(memory, pinned);
            new Phases(call, memory, null).sortBuckets();
        }
    }
}
