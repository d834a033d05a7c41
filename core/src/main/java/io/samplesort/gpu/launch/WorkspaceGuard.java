package io.samplesort.gpu.launch;

/// A watch over the gaps between the regions of workspaces, which nothing may touch. Only tests install one: the
/// emulated GPU then forbids access to the gaps, and on a real one they are filled with a pattern and checked.
/// Otherwise there are no gaps, so a sort pays nothing for this.
public abstract class WorkspaceGuard {
    /// Bytes of a workspace that belong to no region, relative to its allocation.
    public record Gap(long begin, long byteSize) {}

    /// No gaps, and nothing to watch.
    static final WorkspaceGuard NONE = new WorkspaceGuard(0) {
        @Override
        void opened(Workspace workspace) {}

        @Override
        void closing(Workspace workspace) {}
    };

    private static volatile WorkspaceGuard installed = NONE;

    private final long gapBytes;

    /// @param gapBytes the least bytes of a gap after each region
    WorkspaceGuard(long gapBytes) {
        this.gapBytes = gapBytes;
    }

    /// Makes all layouts and workspaces from now on use a guard.
    static void install(WorkspaceGuard guard) {
        installed = guard;
    }

    static WorkspaceGuard installed() {
        return installed;
    }

    final long gapBytes() {
        return gapBytes;
    }

    /// Begins to watch the gaps of a workspace. Its counters, and the gaps between them, have been cleared on its
    /// stream.
    abstract void opened(Workspace workspace);

    /// Ends the watch. All work on the workspace is on its stream.
    abstract void closing(Workspace workspace);
}
