package io.samplesort.bench.files;

import io.samplesort.memory.AvailableMemory;
import io.samplesort.memory.LargeMemory;
import java.lang.foreign.Arena;

/// Memory that the system has at hand for whoever asks next.
///
/// A virtual machine may give free memory back to its host, and it may take a second for each GiB to have it again. The
/// first of two systems would wait for that, and the second would find what the first has just freed. So before each
/// run, as much memory as it takes is used and freed.
final class MemoryAtHand {
    /// Of the memory that is available, this part may be used.
    private static final int PART = 2;

    private MemoryAtHand() {}

    /// Has the system provide so many bytes, or half of what is available if that is less.
    static void provide(long bytes) {
        try (Arena arena = Arena.ofShared()) {
            long size = Math.min(bytes, AvailableMemory.available() / PART);
            LargeMemory.allocate(size, arena).fill((byte) 1);
        }
    }
}
