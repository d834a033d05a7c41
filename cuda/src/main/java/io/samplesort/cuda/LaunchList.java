package io.samplesort.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Recorded launches on a stream ([Stream#record]), to be put there again with the same arguments. Making arguments
/// takes Java much longer than the driver takes for a launch, above all in a process that has just started, as Java has
/// not compiled the code yet. A CUDA graph would need only one call, but these launches begin while later ones are
/// still being put on the stream.
public final class LaunchList {
    private final List<Kernel.Launch> launches = new ArrayList<>();

    /// The native memory of all launches, which is freed with this object.
    private final Arena arena = Arena.ofAuto();

    /// A list of no launches.
    public LaunchList() {}

    void add(Kernel.Launch launch) {
        launches.add(launch);
    }

    MemorySegment copy(MemorySegment segment, long bytes) {
        MemorySegment copy = arena.allocate(bytes, Long.BYTES);
        MemorySegment.copy(segment, 0, copy, 0, bytes);
        return copy;
    }

    /// Puts the launches on the stream on which they were recorded.
    public void launch() {
        for (int i = 0; i < launches.size(); i++) {
            launches.get(i).again();
        }
    }
}
