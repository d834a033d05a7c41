package io.samplesort.gpu.launch;

import java.util.List;

/// How much memory a [Workspace] takes, as a [RegionSpace] has laid it out.
///
/// @param byteSize    all regions together
/// @param zeroedBytes how many bytes at the beginning must be 0 before a sort
/// @param gaps        the gaps that the [WorkspaceGuard] watches; empty without one
public record WorkspaceLayout(long byteSize, long zeroedBytes, List<WorkspaceGuard.Gap> gaps) {
    /// No memory.
    public static final WorkspaceLayout NONE = new WorkspaceLayout(0, 0, List.of());
}
