package io.samplesort.bench.files;

import io.samplesort.memory.AvailableMemory;
import io.samplesort.memory.LargeMemory;
import java.lang.foreign.Arena;

/// Makes the system have memory at hand for the next program.
///
/// A virtual machine may give free memory back to its host, and getting it again may take a second for each GiB. The
/// first of two contenders would wait for that, and the second would find what the first has just freed. So before each
/// run, as much memory as it takes is used and freed.
final class MemoryAtHand {
    /// The available memory divided by this may be used.
    private static final int PART = 2;

    private MemoryAtHand() {}

    /// Makes the system provide this many bytes, or half of what is available if that is less.
    static void provide(long bytes) {
        try (Arena arena = Arena.ofShared()) {
            long size = Math.min(bytes, AvailableMemory.available() / PART);
            LargeMemory.allocate(size, arena).fill((byte) 1);
        }
    }
}
