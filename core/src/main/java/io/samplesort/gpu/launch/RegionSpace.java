package io.samplesort.gpu.launch;

import java.util.ArrayList;
import java.util.List;

/// Lays out regions one after another, each at an aligned place, with the gaps that a [WorkspaceGuard] asks for.
public final class RegionSpace {
    static final int ALIGNMENT = 256;

    private final List<WorkspaceGuard.Gap> gaps = new ArrayList<>();
    private final long gapBytes = WorkspaceGuard.installed().gapBytes();
    private long end;
    private long zeroedBytes;

    /// Returns where a new region begins.
    public long region(long bytes) {
        long begin = end;
        long regionEnd = Math.addExact(begin, bytes);
        end = aligned(Math.addExact(regionEnd, gapBytes));
        if (gapBytes > 0) {
            gaps.add(new WorkspaceGuard.Gap(regionEnd, end - regionEnd));
        }
        return begin;
    }

    /// Marks all regions so far to be set to 0 before a sort.
    public void zeroSoFar() {
        zeroedBytes = end;
    }

    /// Returns the memory that the regions so far take, including the gaps between them.
    public WorkspaceLayout layout() {
        return new WorkspaceLayout(end, zeroedBytes, List.copyOf(gaps));
    }

    static long aligned(long address) {
        return Math.ceilDiv(address, (long) ALIGNMENT) * ALIGNMENT;
    }
}
