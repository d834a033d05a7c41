package io.samplesort.gpu.plan;

import java.util.ArrayList;
import java.util.List;

/// Lays out regions one behind another, each at an aligned place, with the gaps that a [WorkspaceGuard] asks for.
final class RegionSpace {
    static final int ALIGNMENT = 256;

    private final List<WorkspaceGuard.Gap> gaps = new ArrayList<>();
    private final long gapBytes = WorkspaceGuard.installed().gapBytes();
    private long end;

    /// Returns where a new region begins.
    long region(long bytes) {
        long begin = end;
        long regionEnd = Math.addExact(begin, bytes);
        end = aligned(Math.addExact(regionEnd, gapBytes));
        if (gapBytes > 0) {
            gaps.add(new WorkspaceGuard.Gap(regionEnd, end - regionEnd));
        }
        return begin;
    }

    /// Returns the bytes of all regions so far, with what lies between them.
    long byteSize() {
        return end;
    }

    /// Returns the gaps, also those of regions yet to come; empty without a guard.
    List<WorkspaceGuard.Gap> gaps() {
        return gaps;
    }

    static long aligned(long address) {
        return Math.ceilDiv(address, (long) ALIGNMENT) * ALIGNMENT;
    }
}
