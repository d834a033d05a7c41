package io.samplesort.gpu.exchange;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Takes the splitters around the borders between GPUs from a sample.
final class BorderSplitters {
    private BorderSplitters() {}

    /// Returns the splitters, elements in the order of the sort.
    static MemorySegment choose(SortedSample sample) {
        int keyBytes = sample.keyBytes();
        int[] ranks = sample.drawnBy().ranks();
        long bytes = (long) ranks.length * keyBytes;
        sample.team().on(sample.leader(), member -> {
            for (int i = 0; i < ranks.length; i++) {
                MemorySegment place = member.pinned().asSlice((long) i * keyBytes, keyBytes);
                member.gpu().stream().copyToHost(place, sample.address(ranks[i]), keyBytes);
            }
        });
        sample.team().finish();
        MemorySegment splitters = Arena.ofAuto().allocate(Math.max(1, bytes), Long.BYTES);
        splitters.copyFrom(sample.leader().pinned().asSlice(0, bytes));
        return splitters.asSlice(0, bytes);
    }
}
