package io.samplesort.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Launches that were put on a stream, to be put there again with the same arguments: [Stream#record] keeps them. What
/// makes arguments takes Java much longer than the driver takes for a launch, above all in a process so young that
/// Java has not compiled it yet. A graph of the driver's would be launched by one call, but these launches begin while
/// later ones are still being made.
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
